// Among which pieces one is drawn at random, as far as a viewer may know. All follows from what he sees.

import { FORKED, REFEREE, RUNNING } from "./state.js";

/**
 * @import { Entry, GameEvent } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Step } from "./match.js"
 */

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

/**
 * The pool of a draw that a viewer sees, or null: a component, how many pieces of each class, and whether they all
 * lie in the pile. Else they are all that the viewer does not see. `told` is the first event as he may know it.
 * @param {Game} game
 * @param {Step} step
 * @param {GameEvent | undefined} told
 * @param {number} viewer
 * @returns {Entry["pool"]}
 */
export function poolOf({ machine, views }, { before, events: [drawn] }, told, viewer) {
    if (!before || told?.[0] !== "moved" || told.some((part, i) => part !== drawn[i])) return null;
    const [, component, , , source] = told;
    const { base, classes } = machine.places[source];
    if (classes < 2 || machine.description.components[component].die) return null;
    const lying = Array.from(before.subarray(base, base + classes));
    const forked = before[FORKED] !== 0;
    if (viewer === REFEREE || (!forked && views.sees(before, source, viewer))) return [component, lying, true];
    if (forked && before[RUNNING] - 1 !== viewer) return null;
    const unseen = views.unseen(before, component, viewer);
    return [component, unseen, !forked && views.counts(before, source, viewer) && sum(unseen) === sum(lying)];
}
