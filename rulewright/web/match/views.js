// What a viewer sees of a position, and what it is told: answers of the module. A viewer is the number of a seat,
// `SPECTATOR` or `REFEREE`.

import { EVENT_WORDS } from "./executor.js";
import { classesOn, REFEREE, SPECTATOR, topOf } from "./state.js";

/**
 * @import { Entry, Option, Position, State, ValueType, WaitingDecision } from "../types.d.ts"
 * @import { Executor, Why } from "./executor.js"
 * @import { Formatter } from "./formatting.js"
 * @import { Machine, Variable } from "./machine.js"
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
export const REASON_BITS = 4;
export const ENDS = 0;
export const GOES_ON = 2;
export const WAY_BITS = 2;
export const IN_BRANCH = 1;
export const FREELY = 2;
export const ASKING = 3;
export const UNSEARCHABLE = 4;
const OF_CHOICE = 3;
export const NO_PLACE = -1;

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
        this.executor.ask("sights", state, [executor.free]);
        return sights[number];
    }

    /** Where so many words of free memory end. @param {number} length */
    #behind(length) {
        return this.executor.free + 4 * length;
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
     * Whether a viewer knows what has to be known before it is told a reason: see `interpreter/wasm/host/knowledge.py`.
     * @param {number[] | undefined} known nothing, if it is left out
     * @param {Why} why
     * @param {number} viewer
     */
    knows(known, { record, failed }, viewer) {
        return !known || this.executor.ask("knows", failed, [viewer, this.#behind(0), this.#behind(known.length)], [...known, ...record]) === 1;
    }

    /** The class of the topmost piece on a place; null if it is empty. @param {State} state @param {number} place */
    top(state, place) {
        return topOf(state, this.machine.places[place]);
    }

    /**
     * Whether a viewer may not read what names values of some types; `marks` are those of the decision in which a seat
     * chooses them.
     * @param {State} state
     * @param {number} viewer
     * @param {[ValueType | null, number][]} named
     * @param {number} marks
     * @param {number} chooser
     */
    hides(state, viewer, named, marks = 0, chooser = REFEREE) {
        const { components } = this.machine;
        const places = named.map(([kind, value]) => (kind?.[0] === "piece" ? Math.floor(value / components[kind[1]].used) : NO_PLACE));
        return this.executor.ask("hides", state, [viewer, chooser, marks, this.#behind(0), this.#behind(places.length)], places) === 1;
    }

    /** Whether the seat that is asked may not read an option. @param {State} state @param {WaitingDecision} waiting @param {Option} option */
    hidesOption(state, { node, what, seat }, option) {
        return this.hides(state, seat, this.names.named(this.machine.decisions[node], option, what));
    }

    /**
     * Whether a viewer may not read an option that has been chosen.
     * @param {State} state
     * @param {WaitingDecision} waiting
     * @param {Option} option
     * @param {number} viewer
     */
    hidesChoice(state, { node, what, seat }, option, viewer) {
        const decision = this.machine.decisions[node];
        const { marks = 0 } = (decision.offer ? this.names.parameter(what[option[0]]) : decision) ?? {};
        return this.hides(state, viewer, this.names.named(decision, option, what), marks & OF_CHOICE, seat);
    }

    /** The state whose values and scores a viewer is told; null if it is this one. @param {State} state @param {number} viewer */
    before(state, viewer = SPECTATOR) {
        return this.executor.ask("before", state, [viewer]) ? this.executor.state() : null;
    }

    /** Which of the seats that are asked a viewer is told, in order. @param {State} state @param {number} viewer @param {number[]} seats */
    awaited(state, viewer, seats) {
        return seatsIn(this.executor.ask("awaited", state, [viewer, bitsOf(seats)]));
    }

    /**
     * Of which numbers a viewer may know the value, by those who may know it and by what it is in each hypothesis.
     * @param {State} state
     * @param {number} viewer
     * @param {number[]} readers
     * @param {number[][]} sheets
     */
    agreed(state, viewer, readers, sheets) {
        const numbers = [readers, ...sheets].flat();
        this.executor.ask("agreed", state, [viewer, ...[0, readers.length, numbers.length].map((length) => this.#behind(length))], numbers);
        return this.executor.room(readers.length);
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
        this.executor.ask("view", state, [viewer, executor.free]);
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
        const kind = this.executor.ask("pool", state, [place, viewer, executor.free]);
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
     * Whether a seat may take back choices of its branch up to one: `ENDS`, `GOES_ON`, or it is passed over.
     * @param {Int32Array} rows
     * @param {State} before
     * @param {number} seat
     */
    branch(rows, before, seat) {
        return this.executor.ask("own_branch", before, [this.#behind(0), this.#behind(rows.length), seat], rows);
    }

    /**
     * How a viewer may take back the choices up to its own last one, `number` from the end; `found` is in its way.
     * @param {State} state
     * @param {number} viewer
     * @param {number} people
     * @param {number} number
     * @param {number} found
     */
    wayBack(state, viewer, people, number, found) {
        return this.executor.ask("way_back", state, [viewer, people, number, found]);
    }

    /**
     * For which of some choices among hidden pieces of a place each number stands, at `most` so many.
     * @param {State} state
     * @param {number} viewer
     * @param {number} place
     * @param {number} key
     * @param {number[]} classes
     * @param {number} most
     */
    numbers(state, viewer, place, key, classes, most) {
        const { length } = classes;
        const room = this.executor.room(length + most);
        const to = this.#behind(length);
        return room.slice(length, length + this.executor.ask("numbers", state, [viewer, place, key, this.#behind(0), to, to], classes));
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

/** @param {number[]} seats */
export const bitsOf = (seats) => seats.reduce((bits, seat) => bits | (1 << seat), 0);
/** The seats that are some bits, in order. @param {number} bits */
export const seatsIn = (bits) => [...Array(32).keys()].filter((seat) => (bits >> seat) & 1);

/**
 * Whether a viewer is one of some, which are bits: 0 the referee, 1 spectators, then the seats.
 * @param {number} viewers
 * @param {number} viewer
 */
export const isAmong = (viewers, viewer) => ((viewers >> (viewer + 2)) & 1) === 1;
