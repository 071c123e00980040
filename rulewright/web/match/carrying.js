// What carries over from a match to the next one of the same seats; the twin of `interpreter/carrying.py`.

import { EVENT_WORDS } from "./executor.js";
import { NONE } from "./state.js";

/**
 * @import { State } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Variable } from "./machine.js"
 * @typedef {[address: string, value: string][]} Carried what a match has carried over, in the words of the rules
 */

/** Whether the rules let another match follow one that has ended in a state. @param {Game} game @param {State} state */
export function goesOn({ executor, machine: { description } }, state) {
    const { carries, computed = [] } = description;
    return carries !== undefined && (!carries.while || executor.computed(state, 0, computed.length) === 1);
}

/**
 * What the match after one that has ended in a state begins with; null if none follows. What is as at the start is left
 * out.
 * @param {Game} game
 * @param {State} state
 * @returns {Carried | null}
 */
export function carriedFrom(game, state) {
    if (!goesOn(game, state)) return null;
    const start = game.executor.initialState();
    return wordsOf(game)
        .filter(({ at }) => state[at] !== start[at])
        .map(({ variable, at, address }) => [address, textOf(game, variable, state[at])]);
}

/**
 * Sets what has carried over in the state of a match that has not begun. Returns the changes as rows of events, or null
 * if something of it does not carry over.
 * @param {Game} game
 * @param {State} state
 * @param {Carried} carried
 */
export function begin(game, state, carried) {
    const known = new Map(wordsOf(game).map((found) => [found.address, found]));
    /** @type {number[]} */
    const rows = [];
    const changed = [...game.machine.kinds].find(([, { name }]) => name === "changed")?.[0] ?? 0;
    for (const [address, text] of carried) {
        const found = known.get(address);
        const value = found ? valueOf(game, found.variable, text) : null;
        if (!found || value === null) return null;
        known.delete(address);
        state[found.at] = value;
    }
    const start = game.executor.initialState();
    for (const { at } of wordsOf(game)) {
        if (state[at] !== start[at]) rows.push(...[changed, at, start[at], state[at], 0, 0].slice(0, EVENT_WORDS));
    }
    return Int32Array.from(rows);
}

/** The words of the state that carry over, in order. @param {Game} game */
function wordsOf({ machine, names }) {
    const carried = machine.description.carries?.of ?? [];
    return carried.flatMap((name) =>
        machine.variables
            .filter((variable) => variable.name === name)
            .flatMap((variable) =>
                Array.from({ length: variable.size }, (_, offset) => ({ variable, at: variable.base + offset, address: names.word(variable, offset) })),
            ),
    );
}

/** @param {Game} game @param {Variable} variable @param {number} value */
const textOf = ({ names }, { kind, type }, value) => (kind === "counter" ? String(value) : names.value(type, value));

/** The value that a text means; null if there is none. @param {Game} game @param {Variable} variable @param {string} text */
function valueOf(game, variable, text) {
    const { kind, low, high } = variable;
    if (kind === "counter") {
        const value = Number(text);
        return /^-?\d+$/u.test(text) && low <= value && value <= high ? value : null;
    }
    const possible = kind === "mark" ? [0, 1] : [NONE, ...Array.from({ length: high - low + 1 }, (_, i) => low + i)];
    return possible.find((value) => textOf(game, variable, value) === text) ?? null;
}
