// Moves of several parts: whether a choice leads on to another part, and what of an earlier part may be chosen instead.

/** @import { Entry } from "../types.d.ts" @import { Model, Offered, Offers, ReadyThing, Table, Thing } from "./types.d.ts" */
/** @typedef {{ told: number, offers: Offers }} Part what was offered for a part of the move that goes on, when so many entries had been told */

/** Does the only choice of a thing lead to the next part of the same move? @param {Pick<Table, "model">} table @param {ReadyThing} thing */
export function leadsOn({ model }, { choices }) {
    return choices.length === 1 && asksOn(model, choices[0]);
}

/** @param {Model} model @param {Offered} choice */
function asksOn({ description }, { action, decision, value }) {
    const own = description.decisions[String(decision.node)];
    const routine = action ?? own?.within;
    const parts = Object.entries(description.decisions).filter(([, one]) => one.within === routine && !one.offers);
    const first = action !== null && value !== null ? 1 : 0;
    return own?.offers || action !== null ? parts.length > first : parts.some(([node]) => Number(node) > decision.node);
}

/**
 * The parts of the move that goes on, with the present one.
 * @param {Part[]} parts
 * @param {boolean} within
 * @param {Part} now
 */
export function partsWith(parts, within, now) {
    return [...(within ? parts.filter(({ told }) => told < now.told) : []), now];
}

/**
 * What may be chosen instead of what an earlier part has chosen, by the same thing: its only choice there, and how many
 * choices have to be taken back first; null if there is none.
 * @param {Part[]} parts
 * @param {Thing} thing
 * @param {Entry[]} entries
 * @param {number} seat
 * @returns {{ choice: Offered, number: number } | null}
 */
export function insteadOf(parts, thing, entries, seat) {
    for (const { told, offers } of parts.slice(0, -1).reverse()) {
        const choices = thing.keys.flatMap((key) => offers.byKey.get(key) ?? []);
        if (choices.length === 1) {
            return { choice: choices[0], number: entries.slice(told).filter((entry) => entry.words !== null && entry.seat === seat).length };
        }
    }
    return null;
}
