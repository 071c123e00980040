// How a match has ended: by its rules, or because people have ended it.

/** Ends that are not in the rules. */
const OTHERWISE = ["agreement", "resignation", "clock", "owner"];

/** How the match at a table has ended: `{by, seat, winners}`, `seat` being the one that gave up or was late; null while it goes on. */
export function outcomeOf(table, position) {
    const result = table?.result;
    const ended = position?.over || table?.status === "over" || table?.status === "abandoned";
    if (!ended) {
        return null;
    }
    return {
        by: OTHERWISE.includes(result?.by) ? result.by : "rules",
        seat: result?.seat ?? null,
        winners: result?.winners ?? position?.winners ?? [],
    };
}
