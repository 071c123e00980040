// Why a choice is not offered: the module says which condition refuses, this says what a seat may read of it.

import { fitting } from "./formatting.js";
import { few, isIn, joined } from "./number_ranges.js";
import { FORKED, NONE, REFEREE } from "./state.js";

const MOST_EXPLAINED = 200;
const [OFFERED, REFUSED, UNWANTED, ASKS, DOES_NOTHING, COMPLETE] = Array(6).keys();
const FIRST_FACT = 5;

/** How many conditions one is, with its parts and theirs. */
const sizeOf = ([, , , , , , parts]) => parts.reduce((sum, part) => sum + sizeOf(part), 1);
/** How many words of a record are about a condition alone: its pieces, which sides have a value, its sides. */
const ownWidth = ([, sides, , , pieces]) => pieces.length + 1 + sides.length;
const widthOf = (condition) => condition[6].reduce((sum, part) => sum + widthOf(part), ownWidth(condition));

const refusal = (kind, { clauses = [], ...more } = {}) => ({
    kind, name: "", numbers: [], index: "", condition: "", facts: [], clauses, parts: [], node: null, ...more,
});
/** Whether a seat is among those who may be told: 1 are all, 2 is the acting seat. */
const isTold = (open, record, seat) => seat === REFEREE || open === 1 || (open === 2 && record[4] === seat);
/** Whether a decision is about one of very many numbers. */
const isOfMany = ({ parts }) => parts?.[0]?.[3] > 0;
const plain = (kind, { clauses }) => refusal(kind, { clauses });

export const NOT_ASKED = refusal("not here");

/** Explains refusals of one game. */
export class Refusals {
    constructor({ machine, names, views, executor }) {
        Object.assign(this, { machine, names, views, executor });
    }

    /** Why the words of a choice are not offered at a decision that waits, as far as a seat may know. */
    explain(state, waiting, written, seat) {
        const node = this.machine.decisions[waiting.node];
        const trimmed = written.trim();
        const [first] = trimmed.split(/\s+/u);
        if (node.offer) {
            const gap = trimmed.indexOf(" ");
            const action = gap < 0 ? trimmed : trimmed.slice(0, gap);
            return this.#offer({ state, waiting, node, seat }, action, gap < 0 ? null : trimmed.slice(gap + 1) || null);
        }
        const found = this.#value({ state, waiting, seat, part: 0, node }, written);
        const named = first && this.machine.routines.some(({ name }) => name === first);
        return found.kind === "no such value" && named ? { ...found, kind: "not here" } : found;
    }

    /** Why a value, given as a number, cannot be chosen; with `action`, for an offered action. */
    explainValue(state, waiting, action, value, seat) {
        const node = this.machine.decisions[waiting.node];
        if (node.offer) return this.#offer({ state, waiting, node, seat }, action ?? "", value);
        if (value === null) return plain("not here", node);
        return this.#value({ state, waiting, seat, part: 0, node }, value);
    }

    // ---- actions

    #offer(asked, first, rest) {
        const { state, waiting, node, seat } = asked;
        const routines = waiting.what.map((doing) => (doing ? this.machine.routines[doing[0]].name : ""));
        const part = routines.indexOf(first);
        if (first === "pass") return plain("cannot pass", node);
        if (part < 0) return plain("not here", node);
        const found = this.executor.why(state, waiting.branch, part, NONE);
        if (found.reason !== ASKS) return this.#reason(found, node, seat);
        const parameter = this.machine.decisions[found.record[0]];
        const within = { state, waiting, seat, part, node: parameter };
        if (rest !== null) return this.#value(within, rest);
        return refusal("nothing to choose", { clauses: parameter.clauses, parts: this.#each(within) });
    }

    /** Why each of the first values of a parameter is refused; nothing if some are hidden. */
    #each(within) {
        const candidates = this.#candidates(within);
        if (!this.#allSeen(within, candidates)) return [];
        return candidates.slice(0, MOST_EXPLAINED).map((value) => this.#candidate(within, value));
    }

    // ---- values

    /** The values of a decision, offered or not; of very many numbers a few. */
    #candidates(within) {
        const { state, waiting, part, node } = within;
        if (isOfMany(node)) return this.#numbers(within).flatMap(few);
        return this.executor.candidates(state, waiting.branch, part);
    }

    /** The ranges of very many numbers, offered or not. */
    #numbers({ state, waiting, part }) {
        const words = this.executor.candidates(state, waiting.branch, part);
        return joined(Array.from({ length: words.length / 3 }, (_, i) => [0, ...words.slice(3 * i, 3 * i + 3)]));
    }

    /** Whether a seat sees all pieces that could be chosen; else a reason would reveal the others. */
    #allSeen({ state, node, seat }, candidates) {
        if (node.type[0] !== "piece") return true;
        const { used } = this.machine.components[node.type[1]];
        return candidates.every((value) => this.views.sees(state, Math.floor(value / used), seat));
    }

    #value(within, wanted) {
        const { node } = within;
        const written = typeof wanted === "string";
        if (written && wanted.trim() === "pass" && !node.passing) {
            return plain("cannot pass", node);
        }
        if (isOfMany(node)) return this.#number(within, written ? wanted.trim() : String(wanted));
        const candidates = this.#candidates(within);
        if (!this.#allSeen(within, candidates)) return plain("no such value", node);
        let value = wanted;
        if (written) {
            const [found] = fitting(wanted, candidates.map((candidate) => this.names.candidate(node, candidate)));
            value = found === undefined ? NONE : candidates[found];
        }
        return candidates.includes(value) ? this.#candidate(within, value) : plain("no such value", node);
    }

    /** Why one of very many numbers cannot be chosen. */
    #number(within, wanted) {
        const number = /^-?\d{1,10}$/u.test(wanted) ? Number(wanted) : NaN;
        const isThere = this.#numbers(within).some((range) => isIn(range, number));
        return isThere ? this.#candidate(within, number) : plain("no such value", within.node);
    }

    #candidate({ state, waiting, part, node, seat }, value) {
        return this.#reason(this.executor.why(state, waiting.branch, part, value), node, seat);
    }

    // ---- reasons

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
                return this.#refused(found, seat);
            default:
                throw new Error(`the module gives reason ${found.reason}`);
        }
    }

    /** What a node that refuses says. */
    #refused({ record, failed }, seat) {
        const number = record[0];
        const reason = number < 0 ? null : this.machine.tables.reasons[number];
        if (!reason) return refusal("condition");
        const [kind, clauses, , what, pieces, open = 1] = reason;
        switch (kind) {
            case "need":
                return this.#toldOf(what, { record, failed, number, clauses }, seat);
            case "range":
                return refusal("out of range", { clauses, name: what, node: number });
            case "pay": {
                const seen = isTold(open, record, seat) && this.#seesPieces(pieces, record, FIRST_FACT, failed, seat);
                const { at, at_lo, at_size } = this.machine.variables.find(({ name }) => name === what);
                const index = seen && at ? this.names.index(at, at_lo + (record[3] % at_size)) : "";
                return refusal("cannot pay", { clauses, name: what, numbers: seen ? [record[1], record[2]] : [], index, node: number });
            }
            default:
                return refusal("nothing to choose", { clauses, name: what });
        }
    }

    /** The innermost condition that does not hold, as far as the seat may know that it does not. */
    #toldOf(wants, { record, failed, number, clauses, forked = false }, seat) {
        let told = refusal("condition", { clauses });
        let [left, at] = [record[3], FIRST_FACT];
        while (left >= 0 && wants.length) {
            let i = 0;
            for (; ; i++) {
                const [, , , alone] = wants[i];
                if ((forked && !alone) || !this.#isPublic(wants[i], record, at, failed, seat)) return told;
                if (left < sizeOf(wants[i])) break;
                left -= sizeOf(wants[i]);
                at += widthOf(wants[i]);
            }
            told = this.#unmet(wants[i], { record, at, number, clauses }, seat);
            left -= 1;
            at += ownWidth(wants[i]);
            wants = wants[i][6];
        }
        return told;
    }

    #unwanted({ record, failed }, node, seat) {
        return this.#toldOf(node.wants, { record, failed, number: node.number, clauses: node.clauses, forked: failed[FORKED] }, seat);
    }

    /** A condition that does not hold, with its numbers. */
    #unmet([text, sides, , , pieces, clauses], { record, at, number, clauses: outer }, seat) {
        const facts = [];
        const [known, ...values] = record.slice(at + pieces.length, at + pieces.length + 1 + sides.length);
        sides.forEach(([side, type], i) => {
            if (!((known >> i) & 1)) return;
            const shown = this.names.value(type, values[i]);
            if (side && shown !== side && (values[i] !== NONE || !/int|flag/.test(type[0]))) facts.push([side, shown]);
        });
        return refusal("condition", { clauses: clauses.length ? clauses : outer, condition: text, facts, node: number });
    }

    /** Whether a seat may know everything that a condition reads. */
    #isPublic([, , open, , pieces], record, at, failed, seat) {
        return seat === REFEREE || (isTold(open, record, seat) && this.#seesPieces(pieces, record, at, failed, seat));
    }

    #seesPieces(pieces, record, at, failed, seat) {
        return pieces.every((classes, i) => {
            const piece = record[at + i];
            return piece === NONE || (piece >= 0 && this.views.seesPiece(failed, Math.floor(piece / classes), piece % classes, seat));
        });
    }
}
