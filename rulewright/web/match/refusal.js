// Why a choice is not offered: the module says which condition refuses, this says what a seat may read of it.

import { fitting } from "./formatting.js";
import { few, isIn, joined } from "./number_ranges.js";
import { NONE } from "./state.js";
import { UNSEARCHABLE } from "./views.js";

/**
 * @import { Condition, Refusal, RefusalKind, State, WaitingDecision } from "../types.d.ts"
 * @import { Executor, Why } from "./executor.js"
 * @import { Formatter } from "./formatting.js"
 * @import { Machine, Node } from "./machine.js"
 * @import { Views } from "./views.js"
 */

/**
 * Why something is not offered, and the node that says so.
 * @typedef {Omit<Refusal, "at" | "parts"> & {node: number | null, parts: NodeRefusal[]}} NodeRefusal
 * @typedef {{state: State, waiting: WaitingDecision, seat: number, part: number, node: Node}} Within what a value is asked for
 */

const MOST_EXPLAINED = 200;
const [OFFERED, REFUSED, UNWANTED, ASKS, DOES_NOTHING, COMPLETE] = Array(6).keys();

/** @param {RefusalKind} kind @param {Partial<NodeRefusal>} more @returns {NodeRefusal} */
const refusal = (kind, { clauses = [], ...more } = {}) => ({
    kind, name: "", numbers: [], index: "", condition: "", facts: [], clauses, parts: [], node: null, ...more,
});
/** Whether a decision is about one of very many numbers. @param {Node} node */
const isOfMany = ({ parts: [part] }) => Boolean(part?.[3]);
/** @param {RefusalKind} kind @param {{clauses: string[]}} of */
const plain = (kind, { clauses }) => refusal(kind, { clauses });

export const NOT_ASKED = refusal("not here");

/** Explains refusals of one game. */
export class Refusals {
    /** @param {{machine: Machine, names: Formatter, views: Views, executor: Executor}} game */
    constructor({ machine, names, views, executor }) {
        this.machine = machine;
        this.names = names;
        this.views = views;
        this.executor = executor;
    }

    /**
     * Why the words of a choice are not offered at a decision that waits, as far as a seat may know.
     * @param {State} state
     * @param {WaitingDecision} waiting
     * @param {string} written
     * @param {number} seat
     * @returns {NodeRefusal}
     */
    explain(state, waiting, written, seat) {
        const node = this.machine.decisions[waiting.node];
        const trimmed = written.trim();
        const [first] = trimmed.split(/\s+/u);
        if (node.offer) {
            const gap = trimmed.indexOf(" ");
            const action = gap < 0 ? trimmed : trimmed.slice(0, gap);
            return this.#offer({ state, waiting, node, seat, part: 0 }, action, gap < 0 ? null : trimmed.slice(gap + 1) || null);
        }
        const found = this.#value({ state, waiting, seat, part: 0, node }, written);
        const named = first && this.machine.routines.some(({ name }) => name === first);
        return found.kind === "no such value" && named ? { ...found, kind: "not here" } : found;
    }

    /**
     * Why a value, given as a number, cannot be chosen; with `action`, for an offered action.
     * @param {State} state
     * @param {WaitingDecision} waiting
     * @param {string | null} action
     * @param {number | null} value
     * @param {number} seat
     */
    explainValue(state, waiting, action, value, seat) {
        const node = this.machine.decisions[waiting.node];
        if (node.offer) return this.#offer({ state, waiting, node, seat, part: 0 }, action ?? "", value);
        if (value === null) return plain("not here", node);
        return this.#value({ state, waiting, seat, part: 0, node }, value);
    }

    // ---- actions

    /** @param {Within} asked @param {string} first @param {string | number | null} rest */
    #offer(asked, first, rest) {
        const { state, waiting, node, seat } = asked;
        const routines = waiting.what.map((doing) => (doing ? this.machine.routines[doing[0]].name : ""));
        const part = routines.indexOf(first);
        if (first === "pass") return plain("cannot pass", node);
        if (part < 0) return plain("not here", node);
        const found = this.executor.why(state, waiting.branch, part, NONE);
        if (found.reason !== ASKS) {
            const doing = waiting.what[part];
            const { clauses } = doing ? this.machine.routines[doing[0]] : node;
            return this.#reason(found, { ...node, clauses }, seat);
        }
        const parameter = this.machine.decisions[found.record[0]];
        const within = { state, waiting, seat, part, node: parameter };
        if (rest !== null) return this.#value(within, rest);
        return refusal("nothing to choose", { clauses: parameter.clauses, parts: this.#each(within) });
    }

    /** Why each of the first values of a parameter is refused; nothing if some are hidden. @param {Within} within */
    #each(within) {
        const candidates = this.#candidates(within);
        if (this.#hides(within, candidates) || this.#hidesSource(within)) return [];
        return candidates.slice(0, MOST_EXPLAINED).map((value) => this.#candidate(within, value));
    }

    // ---- values

    /** The values of a decision, offered or not; of very many numbers a few. @param {Within} within */
    #candidates(within) {
        const { state, waiting, part, node } = within;
        if (isOfMany(node)) return this.#numbers(within).flatMap(few);
        return this.executor.candidates(state, waiting.branch, part);
    }

    /** The ranges of very many numbers, offered or not. @param {Within} within */
    #numbers({ state, waiting, part }) {
        const words = this.executor.candidates(state, waiting.branch, part);
        return joined(Array.from({ length: words.length / 3 }, (_, i) => [0, ...words.slice(3 * i, 3 * i + 3)]));
    }

    /**
     * Whether a seat does not see all pieces that could be chosen: a reason would reveal the others.
     * @param {Within} within
     * @param {number[]} candidates
     */
    #hides({ state, node: { type }, seat }, candidates) {
        return this.views.hides(state, seat, candidates.map((value) => [type, value]));
    }

    /** Whether a seat may not know which values a parameter has. @param {Within} within */
    #hidesSource({ state, node: { marks = 0 }, seat }) {
        return this.views.hides(state, seat, [], marks & UNSEARCHABLE);
    }

    /** That a value is not among those of a decision, as far as the seat may know. @param {Within} within */
    #notThere(within) {
        return plain(this.#hidesSource(within) ? "condition" : "no such value", within.node);
    }

    /** @param {Within} within @param {string | number} wanted */
    #value(within, wanted) {
        const { node } = within;
        const text = String(wanted).trim();
        if (text === "pass" && !node.passing) return plain("cannot pass", node);
        if (isOfMany(node)) return this.#number(within, text);
        const candidates = this.#candidates(within);
        if (this.#hides(within, candidates)) return plain("no such value", node);
        let value = wanted;
        if (typeof value === "string") {
            const [found] = fitting(value, candidates.map((candidate) => this.names.candidate(node, candidate)));
            value = found === undefined ? NONE : candidates[found];
        }
        return candidates.includes(value) ? this.#candidate(within, value) : this.#notThere(within);
    }

    /** Why one of very many numbers cannot be chosen. @param {Within} within @param {string} wanted */
    #number(within, wanted) {
        const number = /^-?\d{1,10}$/u.test(wanted) ? Number(wanted) : NaN;
        const isThere = this.#numbers(within).some((range) => isIn(range, number));
        return isThere ? this.#candidate(within, number) : this.#notThere(within);
    }

    /** @param {Within} within @param {number} value */
    #candidate({ state, waiting, part, node, seat }, value) {
        return this.#reason(this.executor.why(state, waiting.branch, part, value), node, seat);
    }

    // ---- reasons

    /** @param {Why} found @param {Node} node @param {number} seat */
    #reason(found, node, seat) {
        switch (found.reason) {
            case OFFERED:
            case COMPLETE:
                return refusal("words");
            case DOES_NOTHING:
                return plain("not here", node);
            case UNWANTED:
                return this.#unwanted(found, node, seat);
            case REFUSED:
                return this.#refused(found, node.clauses, seat);
            default:
                throw new Error(`the module gives reason ${found.reason}`);
        }
    }

    /**
     * What a node says that refuses an action with these clauses, if the seat may know what was read before.
     * @param {Why} why
     * @param {string[]} outer
     * @param {number} seat
     */
    #refused(why, outer, seat) {
        const [node, wanted, there, word] = why.record;
        const reason = node < 0 ? null : this.machine.tables.reasons[node];
        if (!reason) return refusal("condition");
        const [, clauses] = reason;
        if (reason[0] === "need") return this.#innermost(reason[3], why, { node, clauses, outer }, seat);
        const [kind, , , name, known] = reason;
        if (!this.views.knows(known, why, seat)) return refusal("condition", { clauses: outer });
        switch (kind) {
            case "range":
                return refusal("out of range", { clauses, name, node });
            case "pay": {
                const counter = this.machine.variables.find((variable) => variable.name === name);
                const index = counter?.at ? this.names.keys.index(counter.at, counter.at_lo + (word % counter.at_size)) : "";
                return refusal("cannot pay", { clauses, name, numbers: [wanted, there], index, node });
            }
            default:
                return refusal("nothing to choose", { clauses, name });
        }
    }

    /**
     * The innermost condition that does not hold, as far as the seat may know that it does not.
     * @param {Condition[]} wants
     * @param {Why} why
     * @param {{node: number, clauses: string[], outer: string[]}} of
     * @param {number} seat
     */
    #innermost(wants, why, { node, clauses, outer }, seat) {
        let number = why.record[3];
        while (number >= 0 && !this.views.knows(wants[number][5], why, seat)) number = wants[number][3];
        return number < 0 ? refusal("condition", { clauses: outer }) : this.#unmet(wants[number], why.record, { node, clauses });
    }

    /** @param {Why} why @param {Node} node @param {number} seat */
    #unwanted(why, { clauses, number, wants = [] }, seat) {
        return this.#innermost(wants, why, { node: number, clauses, outer: clauses }, seat);
    }

    /**
     * A condition that does not hold, with its numbers.
     * @param {Condition} condition
     * @param {Int32Array} record
     * @param {{node: number, clauses: string[]}} of
     */
    #unmet([text, sides, at, , clauses], record, { node, clauses: outer }) {
        /** @type {[string, string][]} */
        const facts = [];
        sides.forEach(([side, type], i) => {
            if (!((record[at] >> i) & 1)) return;
            const value = record[at + 1 + i];
            const shown = this.names.keys.value(type, value);
            if (side && shown !== side && (value !== NONE || !/int|flag/.test(type[0]))) facts.push([side, shown]);
        });
        return refusal("condition", { clauses: clauses.length ? clauses : outer, condition: text, facts, node });
    }
}
