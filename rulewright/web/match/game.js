// A game that matches can be played of: its module, its words, its views.

import { Executor } from "./executor.js";
import { Formatter, isWithin, wordsOf } from "./formatting.js";
import { Machine } from "./machine.js";
import { isIn, listed } from "./number_ranges.js";
import { ownNames } from "./own_names.js";
import { Refusals } from "./refusal.js";
import { Views } from "./views.js";

/** @import { Description, HostTables, Option, WaitingDecision } from "../types.d.ts" */

export class Game {
    /**
     * @param {Description} description
     * @param {HostTables} tables
     * @param {WebAssembly.Instance} instance
     * @param {BufferSource} bytes of the module, for a worker that plays it too
     */
    constructor(description, tables, instance, bytes) {
        this.description = description;
        this.machine = new Machine(description, tables);
        this.names = new Formatter(this.machine);
        this.executor = new Executor(instance, this.machine);
        this.views = new Views(this.machine, this.names, this.executor);
        this.refusals = new Refusals(this);
        this.bytes = bytes;
    }

    /**
     * A decision with the numbers among its options that a text may mean, of those that are not listed.
     * @param {WaitingDecision} waiting
     * @param {string} written
     */
    including(waiting, written) {
        if (!waiting.ranges.length) return waiting;
        const words = wordsOf(written);
        const last = words.pop() ?? "";
        if (!/^-?\d{1,10}$/u.test(last)) return waiting;
        const node = this.machine.decisions[waiting.node];
        const number = Number(last);
        const meant = waiting.ranges
            .filter((range) => isIn(range, number) && isWithin(words, this.names.inFront(node, range, waiting.what)))
            .map(({ part }) => /** @type {Option} */ ([part, number]));
        const plain = waiting.options.filter(([part]) => part >= 0);
        const passing = waiting.options.filter(([part]) => part < 0);
        return { ...waiting, options: [...listed([...plain, ...meant], waiting.ranges), ...passing] };
    }
}

/**
 * The game of a description, the tables and the bytes of its module.
 * @param {Description} description
 * @param {HostTables} tables
 * @param {BufferSource} bytes
 */
export async function openGame(description, tables, bytes) {
    ownNames(description);
    ownNames(tables);
    const { instance } = await WebAssembly.instantiate(bytes, {});
    return new Game(description, tables, instance, bytes);
}
