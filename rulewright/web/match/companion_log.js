// Logs of physical tables: what was told, as sealed JSON lines, from which the companion can be made again.

import { Companion } from "./companion.js";
import { write } from "./json.js";
import { sealOf, VERSION } from "./log.js";
import { BrokenLog, check, messageOf, optionsOf, textOf, wholeLines, wholeOf } from "./log_reading.js";

/**
 * @import { Steps } from "./companion.js"
 * @import { Game } from "./game.js"
 * @import { Line } from "./log_reading.js"
 * @typedef {[seat: number, words: string] | [text: string | null]} Item a choice, or an answer
 */

/** A companion with all that it has been told and that was not taken back. */
export class Record {
    /** @type {Item[]} */
    items = [];
    /** @type {Line[]} */
    #read = [];

    /** @param {Companion} companion */
    constructor(companion) {
        this.companion = companion;
    }

    starting() {
        return this.companion.starting();
    }

    /** @param {number} seat @param {string} words @returns {Steps} */
    *choosing(seat, words) {
        yield* this.companion.choosing(seat, words);
        this.items.push([seat, words]);
    }

    /** @param {string | null} text @returns {Steps} */
    *telling(text) {
        yield* this.companion.telling(text);
        this.items.push([text]);
    }

    /** Takes back what was told last, if it is an answer. @returns {Steps} */
    *retelling() {
        const { items, companion } = this;
        const again = items.slice(this.#lastChoice, -1);
        if (items.at(-1)?.length !== 1 || !companion.takeBack()) return;
        for (const item of again) yield* item.length === 2 ? companion.choosing(...item) : companion.telling(...item);
        items.pop();
    }

    /** The number of the last choice; 0 if there is none. */
    get #lastChoice() {
        return Math.max(0, this.items.findLastIndex((item) => item.length > 1));
    }

    /** Takes back the last choice with its answers. Returns whether there was something to take back. */
    takeBack() {
        const done = this.companion.takeBack();
        if (done) this.items.length = this.#lastChoice;
        return done;
    }

    text() {
        const { description, names } = this.companion.game;
        const { game, digest, seats, options } = description;
        const head = { rulewright: VERSION, companion: true, game, rules: digest, seats, options, seed: this.companion.seed };
        const lines = this.items.map((item) => (item.length === 2 ? { seat: names.seat(item[0]), choose: item[1] } : { told: item[0] }));
        let [text, seal] = ["", ""];
        for (const line of [head, ...lines]) {
            const body = write(line);
            seal = sealOf(seal, body);
            text += `${body.slice(0, -1)}, "seal": "${seal}"}\n`;
        }
        return text;
    }

    /**
     * The record of a log, which is then told by `reading`. Throws `BrokenLog`.
     * @param {Game} game
     * @param {string} text
     */
    static read(game, text) {
        const [[first, ...rest]] = wholeLines(text);
        const { value } = first;
        check(value.rulewright === VERSION && value.companion === true, "this is no log of a physical table", first);
        const { digest, seats, options } = game.description;
        const set = Object.entries(optionsOf(first)).every(([name, one]) => options[name] === one);
        check(value.rules === digest && value.seats === seats && set, "the log is of other rules, seats or options", first);
        const found = new Record(new Companion(game, BigInt(wholeOf(first, "seed", "the header of the log has no `seed`"))));
        found.#read = rest;
        return found;
    }

    /** Tells all of the log. Throws `BrokenLog` where it cannot have been so. @returns {Steps} */
    *reading() {
        yield* this.starting();
        for (const line of this.#read) {
            try {
                yield* this.#told(line);
            } catch (error) {
                throw error instanceof BrokenLog ? error : new BrokenLog(`this cannot be told here: ${messageOf(error)}`, line.number);
            }
        }
    }

    /** @param {Line} line */
    #told(line) {
        const { value } = line;
        const choice = "choose" in value;
        check(choice !== Boolean(this.companion.question), "this is not what is asked here", line);
        if (!choice) return this.telling(value.told === null ? null : textOf(line, "told"));
        return this.choosing(this.companion.game.machine.seatNumber(textOf(line, "seat")), textOf(line, "choose"));
    }
}
