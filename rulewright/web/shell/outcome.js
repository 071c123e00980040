// How a match has ended: by its rules, or because people have ended it.

/** @import { MatchResult, Position, TableState } from "../types.d.ts" */
/** @typedef {{ by: MatchResult["by"], seat: number | null, winners: number[] }} Outcome how a match has ended; `seat` is the one that gave up or was late */

/** Ends that are not in the rules. */
const OTHERWISE = ["agreement", "resignation", "clock", "owner"];

/**
 * How the match at a table has ended; null while it goes on.
 * @param {TableState | null} table
 * @param {Position | null} position
 * @returns {Outcome | null}
 */
export function outcomeOf(table, position) {
    const result = table?.result;
    const ended = position?.over || table?.status === "over" || table?.status === "abandoned";
    if (!ended) {
        return null;
    }
    return {
        by: result && OTHERWISE.includes(result.by) ? result.by : "rules",
        seat: result?.seat ?? null,
        winners: result?.winners ?? position?.winners ?? [],
    };
}
