// The fixed part of the layout of states, and how places store pieces.

/**
 * @import { State } from "../types.d.ts"
 * @import { Place } from "./machine.js"
 */

// The first words of every state.
export const STATUS = 0;
export const PC = 1;
export const FP = 2;
export const ACTIVE = 3;
export const PHASE = 4;
export const WINNERS = 6;
export const FORKED = 7;
export const RUNNING = 8;
export const MAIN_FP = 9;
export const FORK = 11;

export const NONE = -2147483648;

// How a place stores its pieces.
export const SLOT = 0;
export const COUNTS = 1;
export const ORDERED = 2;
export const BLANK = 3;

// Viewers that are no seats.
export const REFEREE = -2;
export const SPECTATOR = -1;

/** Instead of a seat to which something is shown: all see it. */
export const EVERYBODY = -1;

// What a run returns: a decision waits, the match is over, chance has to be decided, there is a fault.
export const STOP = -1;
export const OVER = -4;
export const CHANCE = -5;
export const FAULT = -8;

const BRANCH = 3;
const BRANCH_STATUS = 2;
const WAITING = 1;

/** The number of pieces on a place. @param {State} state @param {Place} place */
export function count(state, { kind, base, classes }) {
    if (kind === SLOT) return state[base] === 0 ? 0 : 1;
    if (kind !== COUNTS) return state[base];
    let sum = 0;
    for (let i = base; i < base + classes; i++) sum += state[i];
    return sum;
}

/**
 * The classes of the pieces on a place, from bottom to top.
 * @param {State} state
 * @param {Place} place
 * @returns {number[]}
 */
export function classesOn(state, { kind, base, classes }) {
    if (kind === SLOT) return state[base] ? [state[base] - 1] : [];
    if (kind === BLANK) return Array(state[base]).fill(0);
    if (kind === ORDERED) return Array.from(state.subarray(base + 1, base + 1 + state[base]), (c) => c - 1);
    const found = [];
    for (let i = 0; i < classes; i++) for (let n = state[base + i]; n > 0; n--) found.push(i);
    return found;
}

/**
 * The class of the topmost piece on an ordered place; null if it is empty.
 * @param {State} state
 * @param {Place} place
 */
export function topOf(state, { base }) {
    return state[base] ? state[base + state[base]] - 1 : null;
}

/**
 * The seats whose branches wait for a decision, with their nodes.
 * @param {State} state
 * @param {{branches: number, seats: number}} machine
 */
export function waitingBranches(state, { branches, seats }) {
    /** @type {[seat: number, node: number][]} */
    const found = [];
    for (let seat = 0; seat < seats; seat++) {
        const at = branches + BRANCH * seat;
        if (state[at + BRANCH_STATUS] === WAITING) found.push([seat, state[at]]);
    }
    return found;
}
