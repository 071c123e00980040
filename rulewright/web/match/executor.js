// The WebAssembly module of a game: the state is copied in before each call and out behind it.

import { joined, listed } from "./number_ranges.js";
import { CHANCE, FAULT, FORKED, NONE, OVER, PC, STATUS, STOP, waitingBranches } from "./state.js";

/**
 * @import { Doing, GameEvent, Option, Part, State, WaitingDecision } from "../types.d.ts"
 * @import { Machine } from "./machine.js"
 * @typedef {(...given: number[]) => number} Call
 * @typedef {{memory: WebAssembly.Memory, event: WebAssembly.Global, advance: Call, choose: Call, happen: Call, menu: Call,
 *   seat_at: Call, doings: Call, odds: Call, account: Call, computed: Call, candidates: Call, why: Call, winners: Call,
 *   observe: Call, sights: Call, view: Call, before: Call, pool: Call, tell: Call, tops: Call, learned: Call,
 *   knows: Call, hides: Call, agreed: Call, awaited: Call, undo: Call, own_branch: Call, way_back: Call, numbers: Call,
 *   suppose: Call}} ModuleExports `docs/standalone-module.md` describes them; `observe` is there for a trained policy
 * @typedef {Exclude<keyof ModuleExports, "memory" | "event">} Question
 * @typedef {{reason: number, record: Int32Array, failed: State}} Why
 */

/** An error of the rules in play, by its kind, its node and up to three numbers. */
export class RulesFault extends Error {
    /** @param {number} kind @param {number} node @param {number[]} numbers */
    constructor(kind, node, numbers) {
        super(`the rules fail: fault ${kind} at node ${node}: ${numbers.join(", ")}`);
        this.kind = kind;
        this.node = node;
        this.numbers = numbers;
    }
}

/** Words of an event; the last one says whether a field is covered. */
export const EVENT_WORDS = 6;
/** @type {Option} */
const PASS = [-1, NONE];

export class Executor {
    /** @param {WebAssembly.Instance} instance @param {Machine} machine */
    constructor(instance, machine) {
        this.exports = /** @type {ModuleExports & WebAssembly.Exports} */ (instance.exports);
        this.free = this.exports.memory.buffer.byteLength;
        this.machine = machine;
        this.map = machine.tables.map;
    }

    /** The words from an address on. @param {number} address @param {number} size */
    words(address, size) {
        return new Int32Array(this.exports.memory.buffer, address, size);
    }

    /** The words behind all that the module uses. @param {number} size */
    room(size) {
        const { memory } = this.exports;
        const lacking = this.free + 4 * size - memory.buffer.byteLength;
        if (lacking > 0) memory.grow(Math.ceil(lacking / 65536));
        return this.words(this.free, size);
    }

    initialState() {
        return this.words(this.map.initial, this.map.size).slice();
    }

    // ---- from stop to stop

    /** Runs from a node to the next stop. @param {State} state @param {number} node */
    advance(state, node) {
        return this.#run(state, () => this.exports.advance(this.map.state, node));
    }

    /** @param {State} state @param {WaitingDecision} waiting @param {Option} option */
    choose(state, { node, branch }, [index, value]) {
        const part = this.machine.decisions[node].parts[index];
        const bit = index < 0 ? 0 : value === NONE ? part[1] : value - part[0];
        return this.#run(state, () => this.exports.choose(this.map.state, branch, index, bit));
    }

    /** @param {State} state @param {number} outcome */
    happen(state, outcome) {
        return this.#run(state, () => this.exports.happen(this.map.state, outcome));
    }

    /** @param {State} state @param {() => number} call */
    #run(state, call) {
        this.put(state);
        this.exports.event.value = this.map.events;
        const code = call();
        if (code === FAULT) throw this.fault();
        if (code !== STOP && code !== OVER && code !== CHANCE) throw new Error(`the module returned ${code}`);
        state.set(this.words(this.map.state, this.map.size));
        return { code, rows: this.#rows() };
    }

    /** @param {State} state */
    put(state) {
        this.words(this.map.state, this.map.size).set(state);
    }

    /** A copy of the state in the module. */
    state() {
        return this.words(this.map.state, this.map.size).slice();
    }

    fault() {
        const [kind, node, ...numbers] = this.words(this.map.record, 5);
        return new RulesFault(kind, node, numbers);
    }

    /**
     * Asks a function about a state, and about words that are put to free memory. Throws `RulesFault` if it ends in a fault.
     * @param {Question} name
     * @param {State} state
     * @param {number[]} given its other numbers
     * @param {ArrayLike<number>} words
     */
    ask(name, state, given = [], words = []) {
        this.room(words.length).set(words);
        this.put(state);
        const number = this.exports[name](this.map.state, ...given);
        if (number === FAULT) throw this.fault();
        return number;
    }

    // ---- questions

    /** The decisions that wait. @param {State} state @returns {WaitingDecision[]} */
    waiting(state) {
        if (state[STATUS]) return [];
        const found = state[FORKED] ? waitingBranches(state, this.machine) : [[0, state[PC]]];
        return found.filter(([, node]) => this.machine.decisions[node]).map(([seat, node]) => this.#waiting(state, seat, node));
    }

    /** @param {State} state @param {number} branch @param {number} node */
    #waiting(state, branch, node) {
        const { parts, passing, offer } = this.machine.decisions[node];
        this.ask("menu", state, [branch, this.map.menu]);
        const ranges = this.#ranges(parts);
        const options = ranges.length ? listed(this.#options(parts), ranges) : this.#options(parts);
        if (passing) options.push(PASS);
        const seat = this.ask("seat_at", state, [branch, 0]);
        return { seat, node, options, branch, what: offer ? this.#doings(state, branch) : [], ranges };
    }

    /** The options whose bits are set in the menu, in order. @param {Part[]} parts */
    #options(parts) {
        const bytes = new Uint8Array(this.exports.memory.buffer, this.map.menu, 8 * this.map.menu_words);
        /** @type {Option[]} */
        const found = [];
        parts.forEach(([low, size, first, ranges], index) => {
            if (ranges) {
                if (bytes[8 * first]) found.push([index, NONE]);
                return;
            }
            for (let bit = 0; bit <= size; bit++) {
                if ((bytes[8 * first + (bit >> 3)] >> (bit & 7)) & 1) found.push([index, bit === size ? NONE : low + bit]);
            }
        });
        return found;
    }

    /** The ranges of numbers in the menu. @param {Part[]} parts */
    #ranges(parts) {
        return joined(parts.flatMap(([, , first, ranges], part) => {
            if (!ranges) return [];
            const words = this.words(this.map.menu + 8 * first, 2 + 4 * ranges);
            return Array.from({ length: words[1] }, (_, i) => [part, ...words.subarray(2 + 4 * i, 5 + 4 * i)]);
        }));
    }

    /** The targets of an offer. @param {State} state @param {number} branch @returns {Doing[]} */
    #doings(state, branch) {
        const number = this.ask("doings", state, [branch]);
        const row = this.map.doing_words;
        const words = this.words(this.map.out, number * row);
        return Array.from({ length: number }, (_, i) => {
            const [routine, , given] = words.subarray(i * row, i * row + 3);
            return routine < 0 ? null : [routine, Array.from(words.subarray(i * row + 3, i * row + 3 + given))];
        });
    }

    /** The outcomes of the current chance node. @param {State} state @returns {[outcome: number, weight: number][]} */
    outcomes(state) {
        const number = this.ask("odds", state);
        const words = this.words(this.map.out, 2 * number);
        return Array.from({ length: number }, (_, i) => [words[2 * i], words[2 * i + 1]]);
    }

    /** The values of the score lines and tie-breaks of a seat. @param {State} state @param {number} seat */
    score(state, seat) {
        this.ask("account", state, [seat]);
        const row = this.machine.scores.length + 1;
        return Array.from(this.words(this.map.accounts + 4 * row * seat, row - 1));
    }

    /** The seats that have won, as bits. @param {State} state */
    winners(state) {
        return this.ask("winners", state);
    }

    /**
     * A value that the table shows, by its number, of a seat or of all; null if its computation fails.
     * @param {State} state
     * @param {number} seat
     * @param {number} number
     */
    computed(state, seat, number) {
        this.put(state);
        if (this.exports.computed(this.map.state, seat, number) < 0) return null;
        return this.words(this.map.out, 1)[0];
    }

    /**
     * The values of a choice, or of the first parameter of a target, offered or not.
     * @param {State} state
     * @param {number} branch
     * @param {number} part
     */
    candidates(state, branch, part) {
        const number = this.ask("candidates", state, [branch, part]);
        return number < 0 ? [] : Array.from(this.words(this.map.out, number));
    }

    /**
     * Why something is not offered: a reason, its record, and the state in which it came about.
     * @param {State} state
     * @param {number} branch
     * @param {number} part
     * @param {number} value
     * @returns {Why}
     */
    why(state, branch, part, value) {
        const reason = this.ask("why", state, [branch, part, value]);
        const record = this.words(this.map.why, (this.map.failed - this.map.why) >> 2);
        return { reason, record: record.slice(), failed: this.words(this.map.failed, this.map.size).slice() };
    }

    // ---- events

    /** The events of the last run, as rows of words. */
    #rows() {
        const { events } = this.map;
        return this.words(events, (this.exports.event.value - events) >> 2).slice();
    }

    /** Events as in entries: a kind, then its fields by their roles. @param {Int32Array} rows */
    events(rows) {
        /** @type {GameEvent[]} */
        const found = [];
        for (let i = 0; i < rows.length; i += EVENT_WORDS) this.#event(rows.subarray(i, i + EVENT_WORDS), found);
        return found;
    }

    /** @param {Int32Array} row @param {GameEvent[]} found */
    #event([code, ...row], found) {
        const kind = this.machine.kinds.get(code);
        if (!kind) {
            const last = found.at(-1);
            return last?.[0] === "shown" && last[2]?.push([row[0], row[1], row[2]]);
        }
        const words = row.values();
        const next = () => Number(words.next().value);
        const { name, fields, openly, covers = 0, covered = null } = kind;
        /** @type {unknown[]} */
        const event = [name];
        for (const role of fields) event.push(role === "component" ? "" : role === "pieces" ? [] : role === "word" ? this.machine.wordNumber(next()) : next());
        if (openly) event.push(next() === 1);
        if (fields[0] === "component") event[1] = this.machine.places[Number(event[1 + fields.lastIndexOf("place")])].component;
        if (row[EVENT_WORDS - 2]) event[covers] = covered;
        return found.push(/** @type {GameEvent} */ (event));
    }
}
