// Answers to questions about a match in this page.

import { messageOf } from "../match/log_reading.js";
import { NotOffered } from "../match/match.js";
import { position, refusalJson, told, whyNot, whyNotValue } from "../match/position.js";
import { REFEREE } from "../match/state.js";
import { Refused } from "./messages.js";

/**
 * @import { Match } from "../match/match.js"
 * @import { Description, Entry, Position, ScoreSheet, SeatScore, WhyAbout } from "../types.d.ts"
 */

/** What the page is told of an error by which a choice has failed. @param {Match} match @param {unknown} error */
export function refusedBy(match, error) {
    if (error instanceof Refused) {
        return error;
    }
    if (error instanceof NotOffered) {
        return new Refused({ code: "not-offered", refusal: refusalJson(match, error.refusal) });
    }
    return new Refused({ code: "fault", text: messageOf(error) });
}

/**
 * Why is something not offered to a seat? A refusal, or null if it is offered.
 * @param {Match} match
 * @param {number} viewer
 * @param {WhyAbout} about
 */
export function whyOf(match, viewer, { action = null, value = null, words = null }) {
    if (words === null) {
        return whyNotValue(match, viewer, action, value);
    }
    const offered = viewer < 0 ? [] : match.offeredTo(viewer, words);
    const same = offered.some(({ choices }) => choices.some((choice) => choice.words.join(" ") === words));
    return same ? null : whyNot(match, viewer, words);
}

/**
 * The score sheets as a viewer may know them, with the clauses of each line.
 * @param {Match} match
 * @param {number} viewer
 */
export const accountOf = (match, viewer) => withClauses(match.game.description, position(match, viewer).scores);

/**
 * Score sheets with the clauses of each line.
 * @param {Description} description
 * @param {SeatScore[]} sheets
 * @returns {ScoreSheet[]}
 */
export function withClauses(description, sheets) {
    const clauses = new Map(description.scores.map((line) => [line.name, line.clauses]));
    return sheets.map(({ lines, ...rest }) => ({
        ...rest,
        lines: lines.map(([name, value]) => [name, value, clauses.get(name) ?? []]),
    }));
}

/**
 * The position after the first `seq` entries of a viewer, at the end of the choice that they belong to, as `show` shows
 * it.
 * @param {Match} match
 * @param {number} viewer
 * @param {number} seq
 * @param {(match: Match, viewer: number) => Position} show
 * @returns {{position: Position, entries: Entry[]}}
 */
export function positionAt(match, viewer, seq, show = position) {
    const all = told(match, viewer);
    const known = viewer >= REFEREE && viewer < match.game.description.seats;
    if (!known || !(seq >= 0 && seq <= all.length)) {
        throw new Refused({ code: "not-yet" });
    }
    const step = seq ? all[seq - 1].step : 0;
    const past = match.asOf(match.history.filter(({ first }) => first <= step).length);
    return { position: { ...show(past, viewer), seq }, entries: seq ? [all[seq - 1].entry] : [] };
}
