// The words of places, values and choices, and which choices a text can mean.

import { NONE } from "./state.js";

/**
 * @import { Doing, Option, ValueType } from "../types.d.ts"
 * @import { Machine, Node, Variable } from "./machine.js"
 * @import { NumberRange } from "./number_ranges.js"
 */

/** The word for a piece that a seat does not see. */
export const UNSEEN = "?";

/** Formats the numbers of one machine in the words of the rules. */
export class Formatter {
    /**
     * @param {Machine} machine
     * @param {boolean} keyed numbers that have labels are their keys, `permit.1`, instead of words of the rules
     */
    constructor(machine, keyed = false) {
        this.machine = machine;
        this.keyed = keyed;
        /** What labels are found by: words that people read only by `label`. */
        /** @type {Formatter} */
        this.keys = keyed ? this : new Formatter(machine, true);
    }

    /** @param {number} number */
    seat(number) {
        return this.machine.seatNames[number];
    }

    /** The text that people read for a word of the rules. @param {string} word */
    label(word) {
        return this.machine.labels[word] ?? word.replaceAll("_", " ");
    }

    // ---- values

    /** @param {ValueType} type @param {number} value */
    value([kind, name], value) {
        if (value === NONE) return "none";
        switch (kind) {
            case "int":
                return this.#number(name, String(value));
            case "flag":
                return value ? "true" : "false";
            case "enum": {
                const { lo, names } = this.machine.types[name];
                return this.#number(name, names[value - lo] ?? String(value));
            }
            case "piece": {
                const { classes, used } = this.machine.components[name];
                return classes[value % used];
            }
            case "effect":
                return this.machine.routines[this.machine.cells[value]].name;
            default:
                return "none";
        }
    }

    /**
     * An index of a declared type; empty if there is none.
     * @param {string | null} declared
     * @param {number | null} value
     */
    index(declared, value) {
        if (declared === null || value === null) return "";
        const type = this.machine.types[declared];
        return type ? this.#number(declared, type.names[value - type.lo]) : this.machine.components[declared].classes[value];
    }

    /**
     * A number of a type or column: as the rules write it, or the key of its label.
     * @param {string | undefined} of
     * @param {string} written
     */
    #number(of, written) {
        return this.keyed && Object.hasOwn(this.machine.labels, `${of}.${written}`) ? `${of}.${written}` : written;
    }

    /** The address of a place, such as `slot of A at 3`. @param {number} number */
    place(number) {
        const { zone, of, at } = this.machine.places[number];
        const declared = this.machine.zones[zone];
        return declared ? this.#address(zone, declared, of, at) : zone;
    }

    /** The address of one word of a counter, mark or pointer. @param {Variable} words @param {number} offset */
    word(words, offset) {
        const of = words.of === null ? null : words.of_lo + Math.floor(offset / words.at_size);
        const at = words.at === null ? null : words.at_lo + (offset % words.at_size);
        return this.#address(words.name, words, of, at);
    }

    /**
     * @param {string} name
     * @param {{of: string | null, at: string | null}} declared
     * @param {number | null} of
     * @param {number | null} at
     */
    #address(name, declared, of, at) {
        let found = name;
        if (declared.of !== null && of !== null) found += ` of ${this.index(declared.of, of)}`;
        if (declared.at !== null && at !== null) found += ` at ${this.index(declared.at, at)}`;
        return found;
    }

    // ---- choices

    /**
     * The words of an option: the action, its arguments if it is offered twice, and the value.
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     */
    choice(decision, [index, value], what) {
        if (index < 0) return ["pass"];
        const doing = what[index];
        if (!decision.offer || !doing) return this.candidate(decision, value);
        const [routine] = doing;
        const words = [this.machine.routines[routine].name];
        if (this.needsArguments(routine, what)) {
            for (const [kind, given] of this.arguments(doing)) words.push(kind ? this.value(kind, given) : String(given));
        }
        const parameter = this.parameter(doing);
        return value === NONE || !parameter ? words : [...words, ...this.candidate(parameter, value)];
    }

    /**
     * Whether a routine is offered more than once, so that its arguments distinguish the choices.
     * @param {number} routine
     * @param {Doing[]} what
     */
    needsArguments(routine, what) {
        return what.filter((doing) => doing && doing[0] === routine).length > 1;
    }

    /**
     * The given arguments of a target with their types, null for one that no seat could choose.
     * @param {NonNullable<Doing>} doing
     * @returns {[type: ValueType | null, value: number][]}
     */
    arguments([routine, given]) {
        const { parameters } = this.machine.routines[routine];
        const known = given.slice(0, parameters.length);
        return known.map((value, i) => [this.machine.decisions[parameters[i]]?.type ?? null, value]);
    }

    /**
     * The values that the words of an option name, with their types.
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     */
    named(decision, option, what) {
        /** @type {[type: ValueType | null, value: number][]} */
        const found = [];
        const kind = this.valueType(decision, option, what);
        if (kind) found.push([kind, option[1]]);
        const doing = decision.offer && option[0] >= 0 ? what[option[0]] : null;
        if (doing && this.needsArguments(doing[0], what)) found.push(...this.arguments(doing).filter(([type]) => type));
        return found;
    }

    /**
     * The words of a value of a decision; a piece by its class and what distinguishes its place.
     * @param {Node} decision
     * @param {number} value
     */
    candidate({ type, axes = [0, 0, 0] }, value) {
        if (type?.[0] !== "piece" || value === NONE) return [this.value(type ?? ["none"], value)];
        const { used, several } = this.machine.components[type[1]];
        const place = this.machine.places[Math.floor(value / used)];
        const zone = this.machine.zones[place.zone];
        const words = several ? [this.value(type, value)] : [];
        if (axes[0]) words.push(place.zone);
        if (axes[1] && zone) words.push(this.index(zone.of, place.of));
        if (axes[2] && zone) words.push(this.index(zone.at, place.at));
        const found = words.filter(Boolean);
        return found.length ? found : [type[1]];
    }

    /**
     * The words in front of the numbers of a range.
     * @param {Node} decision
     * @param {NumberRange} range
     * @param {Doing[]} what
     */
    inFront(decision, { part, first }, what) {
        return this.choice(decision, [part, first], what).slice(0, -1);
    }

    /**
     * The type of an option's value; null if it has no value.
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     */
    valueType(decision, [index, value], what) {
        if (index < 0 || value === NONE) return null;
        if (!decision.offer) return decision.type;
        return this.parameter(what[index])?.type ?? null;
    }

    /**
     * The first parameter of a target that the acting seat has to choose; null if there is none.
     * @param {Doing} doing
     */
    parameter(doing) {
        if (!doing) return null;
        const { parameters } = this.machine.routines[doing[0]];
        return this.machine.decisions[parameters[Math.min(doing[1].length, parameters.length - 1)]] ?? null;
    }
}

/** The words of a written choice. @param {string} written */
export const wordsOf = (written) => written.replaceAll(",", " ").split(/\s+/u).filter(Boolean);

/**
 * The indices of the choices that a text can mean: the equal one, or all with its words in order.
 * @param {string} written
 * @param {string[][]} offered
 */
export function fitting(written, offered) {
    const words = wordsOf(written);
    const all = [...offered.keys()];
    const exact = all.filter((i) => sameWords(offered[i], words));
    return exact.length ? exact : all.filter((i) => words.length > 0 && isWithin(words, offered[i]));
}

/** @param {string[]} a @param {string[]} b */
const sameWords = (a, b) => a.length === b.length && a.every((word, i) => word === b[i]);

/** Whether some words are a subsequence of an option's. @param {string[]} words @param {string[]} option */
export function isWithin(words, option) {
    let at = -1;
    return words.every((word) => (at = option.indexOf(word, at + 1)) >= 0);
}

/** The words of a choice with `UNSEEN` in place of the value. @param {string[]} words @param {Node} decision */
export const openWords = (words, decision) => [...words.slice(0, decision.offer ? 1 : 0), UNSEEN];
