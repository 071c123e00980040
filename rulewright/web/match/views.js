// What a viewer sees of a position, and what it is told: answers of the module. A viewer is the number of a seat,
// `SPECTATOR` or `REFEREE`.

import { EVENT_WORDS } from "./executor.js";
import { classesOn, REFEREE, SPECTATOR, topOf } from "./state.js";

/**
 * @import { Doing, Entry, Option, Position, State, ValueType } from "../types.d.ts"
 * @import { Executor } from "./executor.js"
 * @import { Formatter } from "./formatting.js"
 * @import { Machine, Node, Variable } from "./machine.js"
 * @typedef {{step: number, first: boolean, rows: Int32Array}} ToldPart of a step, by its number: its first events, or
 *   those of another branch of `together`
 */

// What the module and its callers agree on: see `interpreter/wasm/host/codes.py`.
const LISTED = -2;
const UNKNOWN = -1;
const STEP = 0;
const OFFERED = -1;
export const DRAWN = 1;
export const VALUE = 2;
export const MAY_SHOW = 4;
export const SAID = 8;

export class Views {
    /** @param {Machine} machine @param {Formatter} names @param {Executor} executor */
    constructor(machine, names, executor) {
        this.machine = machine;
        this.names = names;
        this.executor = executor;
        /** The places of which everybody sees the topmost piece. */
        this.tops = machine.tables.tops;
        this.addresses = machine.variables.flatMap(({ base, size }) => Array.from({ length: size }, (_, k) => base + k));
    }

    /** Whether a seat sees the pieces of a place by its declaration. @param {number} place @param {number} seat */
    maySee(place, seat) {
        return isAmong(this.machine.places[place].seen, seat);
    }

    /** A set of viewers of a position. @param {State} state @param {number} number */
    #sight(state, number) {
        const { executor, machine } = this;
        const sights = executor.room(2 * machine.places.length + this.addresses.length);
        executor.put(state);
        executor.exports.sights(executor.map.state, executor.free);
        return sights[number];
    }

    /**
     * Whether a seat sees a word now: by declaration, or because it was shown it.
     * @param {State} state
     * @param {Variable} variable
     * @param {number} offset
     * @param {number} seat
     */
    reads(state, { first }, offset, seat) {
        return isAmong(this.#sight(state, 2 * this.machine.places.length + first + offset), seat);
    }

    /**
     * Whether a seat sees the pieces of a place now: by declaration, or because it was shown them.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    sees(state, place, seat) {
        return isAmong(this.#sight(state, 2 * place), seat);
    }

    /**
     * Whether a seat knows now how many pieces lie on a place.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    counts(state, place, seat) {
        return isAmong(this.#sight(state, 2 * place + 1), seat);
    }

    /**
     * Whether a seat sees a piece on a place now: one on top, where all see the topmost.
     * @param {State} state
     * @param {number} place
     * @param {number} class_
     * @param {number} seat
     */
    seesPiece(state, place, class_, seat) {
        return this.sees(state, place, seat) || (this.tops.includes(place) && this.top(state, place) === class_);
    }

    /** The class of the topmost piece on a place; null if it is empty. @param {State} state @param {number} place */
    top(state, place) {
        return topOf(state, this.machine.places[place]);
    }

    /**
     * Whether a value of a type is a piece that a seat, or by default the spectator, does not see.
     * @param {State} state
     * @param {ValueType | null} kind
     * @param {number} value
     * @param {number} [seat]
     */
    isSecret(state, kind, value, seat = SPECTATOR) {
        if (kind?.[0] !== "piece") return false;
        return !this.sees(state, Math.floor(value / this.machine.components[kind[1]].used), seat);
    }

    /**
     * Whether an option names a piece that a seat, or by default the spectator, does not see.
     * @param {State} state
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     * @param {number} [seat]
     */
    hidesWords(state, decision, option, what, seat = SPECTATOR) {
        if (seat === REFEREE) return false;
        if (seat === SPECTATOR && decision.secret) return true;
        const named = this.names.named(decision, option, what);
        return named.some(([kind, value]) => this.isSecret(state, kind, value, seat));
    }

    /**
     * Whether a seat may not read an option that has been chosen: also no piece that all see at once.
     * @param {State} state
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     * @param {number} seat
     */
    hidesChoice(state, decision, option, what, seat) {
        const chooses = decision.offer ? this.names.parameter(what[option[0]]) : decision;
        const alone = this.names.named(decision, option, what).length < 2;
        return !(chooses?.opened && alone) && this.hidesWords(state, decision, option, what, seat);
    }

    /** The state as it was before the running `together`; null if there is none. @param {State} state */
    before(state) {
        const { executor } = this;
        executor.put(state);
        return executor.exports.before(executor.map.state) ? executor.state() : null;
    }

    /**
     * What a viewer sees of a position: places and words. In `together`, what is others' as it was before.
     * @param {State} state
     * @param {number} viewer
     * @returns {Pick<Position, "places" | "words">}
     */
    seen(state, viewer) {
        const { executor, addresses } = this;
        const { places, size } = this.machine;
        const [words, masked] = [places.length, places.length + addresses.length];
        const seen = executor.room(masked + size);
        executor.put(state);
        executor.exports.view(executor.map.state, viewer, executor.free);
        const lying = seen.subarray(masked);
        return {
            places: places.map((place, i) => (seen[i] === LISTED ? classesOn(lying, place) : seen[i] === UNKNOWN ? null : seen[i])),
            words: addresses.map((address, i) => (seen[words + i] ? lying[address] : null)),
        };
    }

    /**
     * Among which pieces one is drawn from a place: a component, how many of each class, and whether they all lie in the
     * pile. Else they are all that the viewer does not see. Null if that is not told.
     * @param {State} state
     * @param {number} place
     * @param {number} viewer
     * @returns {Entry["pool"]}
     */
    pool(state, place, viewer) {
        const { executor, machine } = this;
        const { component, classes } = machine.places[place];
        const numbers = executor.room(classes);
        executor.put(state);
        const kind = executor.exports.pool(executor.map.state, place, viewer, executor.free);
        return kind ? [component, Array.from(numbers), kind === 2] : null;
    }

    // ---- events

    /**
     * What a viewer is told by some steps, as rows, in the order in which it was told.
     * @param {Int32Array} rows
     * @param {number} viewer
     */
    tell(rows, viewer) {
        const { executor } = this;
        const size = rows.length;
        const room = executor.room(3 * size + EVENT_WORDS);
        const [to, held] = [executor.free + 4 * size, executor.free + 8 * size];
        room.set(rows);
        room[2 * size] = held + 4 * EVENT_WORDS;
        const end = executor.exports.tell(executor.free, to, viewer, to, held);
        const told = room.slice(size, (end - executor.free) >> 2);
        /** @type {ToldPart[]} */
        const parts = [];
        let from = 0;
        for (let i = EVENT_WORDS; i <= told.length; i += EVENT_WORDS) {
            if (i < told.length && told[i] !== STEP) continue;
            parts.push({ step: told[from + 1], first: told[from + 2] === 1, rows: told.subarray(from + EVENT_WORDS, i) });
            from = i;
        }
        return parts;
    }

    /** The events of rows as a viewer is told them. @param {Int32Array} rows */
    told(rows) {
        const { executor, machine } = this;
        return executor.events(rows).map((event) => /** @type {typeof event} */ (event.slice(0, machine.tables.events[event[0]].openly)));
    }

    /**
     * The last rows between two stops, with what everybody newly sees on top of places.
     * @param {Int32Array} rows
     * @param {State} before
     * @param {State} after
     */
    withTops(rows, before, after) {
        const [at, size] = this.#between(before, after, rows, 2 * EVENT_WORDS * this.tops.length);
        const { executor } = this;
        const end = executor.exports.tops(executor.free, executor.map.state, at, at + size);
        return executor.words(at, (end - at) >> 2).slice();
    }

    /**
     * What a seat has learned from a choice between two states, as a number: see `interpreter/wasm/host/codes.py`.
     * @param {Int32Array} rows
     * @param {State} before
     * @param {State} after
     */
    learned(rows, before, after) {
        const [at, size] = this.#between(before, after, rows, 0);
        return this.executor.exports.learned(this.executor.free, this.executor.map.state, at, at + size);
    }

    /**
     * @param {State} before
     * @param {State} after
     * @param {Int32Array} rows
     * @param {number} more
     */
    #between(before, after, rows, more) {
        const { executor } = this;
        const room = executor.room(before.length + rows.length + more);
        executor.put(after);
        room.set(before);
        room.set(rows, before.length);
        return [executor.free + 4 * before.length, 4 * rows.length];
    }
}

/**
 * The row before the events of a step.
 * @param {number} number
 * @param {number} branch
 * @param {number} seat
 * @param {number} flags
 */
export const stepRow = (number, branch, seat, flags) => Int32Array.of(STEP, number, branch, seat, flags, 0);

/** The row of a piece of a place that a seat may choose. @param {number} seat @param {number} place */
export const offerRow = (seat, place) => Int32Array.of(OFFERED, seat, place, 0, 0, 0);

/** Rows one after the other. @param {Int32Array[]} rows */
export function joined(rows) {
    const found = new Int32Array(rows.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const some of rows) {
        found.set(some, at);
        at += some.length;
    }
    return found;
}

/**
 * Whether a viewer is one of some, which are bits: 0 the referee, 1 spectators, then the seats.
 * @param {number} viewers
 * @param {number} viewer
 */
const isAmong = (viewers, viewer) => ((viewers >> (viewer + 2)) & 1) === 1;
