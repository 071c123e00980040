// Matches: one play of a game, by choices and by chance.

import { begin } from "./carrying.js";
import { stateHash } from "./hashes.js";
import { below, streamKey } from "./chance.js";
import { fitting, openWords, UNSEEN, wordsOf } from "./formatting.js";
import { copied, noNames } from "./own_names.js";
import { NOT_ASKED } from "./refusal.js";
import { CHANCE, FORKED, PC, PHASE, RUNNING, SPECTATOR, STATUS, WINNERS } from "./state.js";
import { branchDepth, undoBlocker } from "./undo.js";
import { asOffered } from "./unseen.js";
import { joined, seatsIn } from "./views.js";

const MOST_DRAWS = 10_000;

/** A choice that is not offered; `refusal` says why, as far as the seat may know. */
export class NotOffered extends Error {
    /** @param {NodeRefusal} refusal */
    constructor(refusal) {
        super(`not offered: ${refusal.kind}`);
        this.refusal = refusal;
    }
}

/** Chance waits for an outcome that somebody must tell: the stream and what is possible. */
export class NeedsOutcome extends Error {
    /** @param {string} stream @param {Odds} odds */
    constructor(stream, odds) {
        super(`\`${stream}\` needs an outcome`);
        this.stream = stream;
        this.odds = odds;
    }
}

/** What a match is to begin with is nothing that carries over in its game. */
export class NotCarried extends Error {}

/** A told outcome that is not possible. */
export class BadOutcome extends Error {
    /** @param {string} stream @param {string} text */
    constructor(stream, text) {
        super(`\`${text}\` is not a possible outcome of \`${stream}\` here`);
    }
}

/**
 * @import { GameEvent, Odds, OfferedDecision, Option, State, WaitingDecision } from "../types.d.ts"
 * @import { Carried } from "./carrying.js"
 * @import { Key } from "./chance.js"
 * @import { Game } from "./game.js"
 * @import { NodeRefusal } from "./refusal.js"
 */

/**
 * What a step begins with: the choice of a seat or an outcome of a stream. `before` is the state before a draw of pieces.
 * @typedef {{seat: number | null, stream: string | null, text: string, supplied: boolean, open: string, own: string,
 *   branch: number, node: number | null, mayShow: boolean, odds: Odds | null, before: State | null}} StepHead
 */

/**
 * A step of a match, with its events, also as the module writes them, the state after it and a hash of that.
 * @typedef {StepHead & {rows: Int32Array, events: GameEvent[], hash: string, state: State}} Step
 */

/**
 * A choice of a match: the state before it and its first step. `reveals`: what seats have learned from it, once known.
 * @typedef {{state: State, first: number, reveals?: number}} MatchRecord
 */

/**
 * A score sheet of a seat: lines that count, their sum, tie-breaks.
 * @typedef {{lines: [name: string, value: number][], total: number, ties: [name: string, value: number][]}} Account
 */

/** A match of a game. If `start`, `choose` or `take` throws, the match is as it was before. */
export class Match {
    /**
     * @param {Game} game
     * @param {bigint} seed all random outcomes follow from it
     * @param {Record<string, (string|null)[]>} outcomes supplied outcomes by stream; null: one that is drawn
     * @param {Carried | null} carried what has carried over from the match before
     */
    constructor(game, seed = 0n, outcomes = {}, carried = null) {
        this.game = game;
        this.carried = carried;
        this.seed = seed;
        this.outcomes = copied(outcomes);
        /**
         * Gives the outcomes that are not supplied, if they are not to be drawn: by stream and odds.
         * @type {((stream: string, odds: Odds) => string | null) | null}
         */
        this.chance = null;
        this.state = game.executor.initialState();
        /** @type {Step[]} */
        this.steps = [];
        /** @type {MatchRecord[]} */
        this.history = [];
        /** @type {Record<string, Key>} */
        this.keys = noNames();
    }

    start() {
        const { executor, machine } = this.game;
        this.#attempt(() => {
            const before = this.carried && begin(this.game, this.state, this.carried);
            if (this.carried && !before) throw new NotCarried();
            this.#go((state) => executor.advance(state, machine.start), step({ text: "start" }));
            if (before) this.#tell(this.steps[0], joined([before, this.steps[0].rows]));
        });
        return this;
    }

    // ---- decisions

    get over() {
        return this.state[STATUS] !== 0;
    }

    /**
     * The decisions that wait, with their words; they name hidden pieces, too. Of numbers that are too many to
     * list, those that are written are among the choices.
     * @returns {OfferedDecision[]}
     */
    decisions(written = "") {
        return this.game.executor.waiting(this.state).map((waiting) => this.#decision(this.game.including(waiting, written)));
    }

    /** The decisions of a seat, as it may read them: hidden pieces are numbered. @param {number} seat */
    offeredTo(seat, written = "") {
        const own = this.decisions(written).filter((decision) => decision.seat === seat);
        return own.map((decision) => asOffered(this, decision));
    }

    /** @param {WaitingDecision} waiting */
    #decision(waiting) {
        const node = this.game.machine.decisions[waiting.node];
        const choices = waiting.options.map((option) => ({ option, words: this.game.names.choice(node, option, waiting.what) }));
        const ranges = waiting.ranges.map((numbers) => ({ words: this.game.names.inFront(node, numbers, waiting.what), numbers }));
        return { ...waiting, node, waiting, choices, ranges };
    }

    // ---- choosing

    /**
     * Carries out a choice by its words; some of the words suffice. Throws `NotOffered`.
     * @param {number} seat
     * @param {string} written
     */
    choose(seat, written) {
        const asked = this.decisions(written).find((one) => one.seat === seat);
        if (!asked) throw new NotOffered(NOT_ASKED);
        const decision = wordsOf(written).includes(UNSEEN) ? asOffered(this, asked) : asked;
        const found = fitting(written, decision.choices.map((choice) => choice.words));
        if (found.length === 1) return this.take(decision.waiting, decision.choices[found[0]].option);
        const refusal = this.game.refusals.explain(this.state.slice(), decision.waiting, written, seat);
        throw new NotOffered(refusal);
    }

    /**
     * Carries out a choice by its words as the seat reads them in `offeredTo`.
     * @param {number} seat
     * @param {string} written
     */
    chooseOffered(seat, written) {
        const decision = this.offeredTo(seat, written).at(0);
        const words = wordsOf(written).join(" ");
        const found = decision?.choices.find((choice) => choice.words.join(" ") === words);
        return decision && found ? this.take(decision.waiting, found.option) : this.choose(seat, written);
    }

    /**
     * Carries out an option of a waiting decision; returns its step.
     * @param {WaitingDecision} waiting
     * @param {Option} option
     */
    take(waiting, option) {
        const first = this.#choiceStep(waiting, option);
        const record = { state: this.state.slice(), first: this.steps.length };
        const found = this.#attempt(() => this.#go((state) => this.game.executor.choose(state, waiting, option), first));
        this.history.push(record);
        return found;
    }

    /** @param {WaitingDecision} waiting @param {Option} option */
    #choiceStep(waiting, option) {
        const { names, views, machine } = this.game;
        const node = machine.decisions[waiting.node];
        const words = names.choice(node, option, waiting.what);
        /** @param {number} viewer */
        const readBy = (viewer) => (views.hidesChoice(this.state, waiting, option, viewer) ? openWords(words, node) : words).join(" ");
        return step({
            seat: waiting.seat,
            text: words.join(" "),
            open: readBy(SPECTATOR),
            own: readBy(waiting.seat),
            branch: this.state[FORKED] ? waiting.seat : -1,
            node: waiting.node,
            mayShow: this.#mayShow(waiting, option),
        });
    }

    /**
     * Whether a seat may be shown something after an option that the others do not learn of.
     * @param {WaitingDecision} waiting
     * @param {Option} option
     */
    #mayShow({ node, what }, [index]) {
        const { behind, routines } = this.game.machine.private;
        return behind.has(node) || routines.has(what[index]?.[0] ?? -1);
    }

    /** Runs something that changes the match; if it throws, the match is as before. @template T @param {() => T} act */
    #attempt(act) {
        const { length } = this.steps;
        const before = { state: this.state.slice(), outcomes: copied(this.outcomes) };
        try {
            return act();
        } catch (error) {
            Object.assign(this, before);
            this.steps.length = length;
            throw error;
        }
    }

    /**
     * Runs to the next decision or the end. Each random outcome on the way is a step of its own.
     * @param {(state: State) => {code: number, rows: Int32Array}} act
     * @param {StepHead} first
     */
    #go(act, first) {
        const { executor } = this.game;
        const { views } = this.game;
        const begun = this.steps.length;
        const before = views.tops.length ? (views.before(this.state) ?? this.state.slice()) : null;
        let { code, rows } = act(this.state);
        this.#note(first, rows);
        while (code === CHANCE) {
            if (this.steps.length - begun > MOST_DRAWS) throw new Error(`${MOST_DRAWS} outcomes of chance without a decision`);
            const [outcome, drawn] = this.#draw();
            ({ code, rows } = executor.happen(this.state, outcome));
            this.#note(drawn, rows);
        }
        const last = this.steps[this.steps.length - 1];
        if (before) this.#tell(last, views.withTops(last.rows, before, this.state));
        return this.steps[begun];
    }

    /** @param {StepHead} found @param {Int32Array} rows */
    #note(found, rows) {
        this.steps.push(this.#tell({ ...found, rows, events: [], state: this.state.slice(), hash: stateHash(this.state) }, rows));
    }

    /** Gives a step its events. @param {Step} step @param {Int32Array} rows */
    #tell(step, rows) {
        return Object.assign(step, { rows, events: this.game.executor.events(rows) });
    }

    // ---- chance

    /** The next random outcome, supplied or drawn, and its step. @returns {[number, StepHead]} */
    #draw() {
        const { machine, executor } = this.game;
        const [number, names, , low, fromPlace, isOpen] = machine.tables.chance[this.state[PC]];
        const stream = machine.streams[number];
        /** @param {number} outcome */
        const name = (outcome) => (names?.length ? names[outcome - low] : String(outcome));
        const weighted = executor.outcomes(this.state);
        /** @type {Odds} */
        const odds = weighted.map(([outcome, weight]) => [name(outcome), weight]);
        const found = {
            stream,
            odds: isOpen ? odds : null,
            before: fromPlace ? this.state.slice() : null,
            branch: this.state[FORKED] ? this.state[RUNNING] - 1 : -1,
        };
        const queue = this.outcomes[stream];
        const text = queue?.shift() ?? this.chance?.(stream, odds) ?? null;
        if (text !== null) {
            const outcome = weighted.find(([one]) => name(one) === text);
            if (!outcome) throw new BadOutcome(stream, text);
            return [outcome[0], step({ ...found, text, supplied: true })];
        }
        const word = machine.streamBase + number;
        const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
        let drawn;
        [drawn, this.state[word]] = below(total, this.state[word], (this.keys[stream] ??= streamKey(this.seed, stream)));
        let i = 0;
        while ((drawn -= weighted[i][1]) >= 0) i++;
        return [weighted[i][0], step({ ...found, text: odds[i][0] })];
    }

    // ---- scores

    /** For each seat the values of its score lines and tie-breaks, and the total. @returns {Account[]} */
    accounts(state = this.state) {
        const { machine, executor } = this.game;
        return [...Array(machine.seats).keys()].map((seat) => {
            const values = executor.score(state, seat);
            const counts = machine.counted[state[PHASE]];
            const all = machine.scores.map(([kind, name], i) => ({ kind, name, value: values[i] }));
            const lines = counts ? counts.map((i) => all[i]) : all;
            /** @param {"score" | "tiebreak"} wanted @returns {[name: string, value: number][]} */
            const of = (wanted) => lines.filter(({ kind }) => kind === wanted).map(({ name, value }) => [name, value]);
            const score = of("score");
            return { lines: score, total: score.reduce((sum, [, value]) => sum + value, 0), ties: of("tiebreak") };
        });
    }

    /** The seats that have won: all that share the best score and tie-breaks; none before the end. */
    winners() {
        return this.over || this.decided ? seatsIn(this.game.executor.winners(this.state)) : [];
    }

    /** Whether the rules have named who wins, be it nobody. */
    get decided() {
        const { ended } = this.game.machine;
        return this.state[WINNERS] !== 0 || (ended !== 0 && (this.state[ended] & 1) === 1);
    }

    /** The name of how the match has ended, if the rules give it one; else null. */
    outcome() {
        const { ended, endings } = this.game.machine;
        return ended && this.state[ended] > 1 ? endings[(this.state[ended] >> 1) - 1] : null;
    }

    /** The clauses by which the match has ended. */
    endedBy() {
        const event = this.steps[this.steps.length - 1].events.find(([kind]) => kind === "ended");
        return this.game.machine.description.ends?.[Number(event?.[2])] ?? [];
    }

    /** The place of each seat at the end, 1 for those who have won; empty before the end. */
    ranking() {
        if (!this.over) return [];
        const { seats, best } = this.game.machine;
        const won = this.winners();
        if (best === "none" || this.decided) {
            return [...Array(seats).keys()].map((seat) => (!won.length || won.includes(seat) ? 1 : won.length + 1));
        }
        const keys = keysOf(this);
        return keys.map((key) => 1 + keys.filter((other) => compare(other, key) > 0).length);
    }

    // ---- the past

    /** The match as it was after so many choices; not to be played on. @param {number} choices */
    asOf(choices) {
        const past = new Match(this.game, this.seed);
        past.history = this.history.slice(0, choices);
        past.steps = this.steps.slice(0, this.history[choices]?.first);
        past.state = past.steps[past.steps.length - 1].state;
        return past;
    }

    // ---- undo

    /** Why the last choices cannot be taken back without consent: see `undoBlocker`. @param {number[] | null} people */
    whyNoUndo(number = 1, people = null) {
        return undoBlocker(this, number, people);
    }

    /**
     * Takes back the last choices if nobody has learned anything, or if all seats concerned consent.
     * @param {number[]} consent
     */
    undo(consent = [], number = 1) {
        const blocker = this.whyNoUndo(number);
        const agreed = blocker?.consent.length && blocker.consent.every((seat) => consent.includes(seat));
        if (blocker && !agreed) return false;
        const { state, first } = this.history[this.history.length - number];
        this.state = state;
        this.#giveBack(this.steps.slice(first));
        this.history.length -= number;
        this.steps.length = first;
        return true;
    }

    /**
     * Takes back the last choices of a seat in a running `together`; those of others are made again.
     * @param {number} seat
     */
    undoInBranch(seat, number = 1) {
        if (!(number > 0 && number <= branchDepth(this, seat))) return false;
        const own = [...this.history.keys()].filter((i) => this.steps[this.history[i].first].seat === seat).slice(-number);
        const kept = { state: this.state, history: this.history, steps: this.steps, outcomes: this.outcomes };
        const { history, steps } = kept;
        const later = [...history.keys()].slice(own[0]).filter((i) => !own.includes(i));
        this.state = history[own[0]].state.slice();
        this.history = history.slice(0, own[0]);
        this.steps = steps.slice(0, history[own[0]].first);
        const again = later.every((i) => this.#again(steps.slice(history[i].first, history[i + 1]?.first)));
        Object.assign(this, again ? { outcomes: kept.outcomes } : kept);
        return again;
    }

    /**
     * Makes a choice again, with the outcomes that followed it. Returns whether it is offered.
     * @param {Step[]} steps
     */
    #again([choice, ...drawn]) {
        this.outcomes = outcomesOf(drawn);
        const decision = this.decisions().find((one) => one.seat === choice.seat);
        const found = decision?.choices.find(({ words }) => words.join(" ") === choice.text);
        if (decision && found) this.take(decision.waiting, found.option);
        return Boolean(found);
    }

    /** Puts the supplied outcomes of some steps back into the queues. @param {Step[]} steps */
    #giveBack(steps) {
        for (const { stream, supplied, text } of steps.reverse()) {
            if (stream !== null && (supplied || this.outcomes[stream]?.length)) {
                (this.outcomes[stream] ??= []).unshift(supplied ? text : null);
            }
        }
    }
}

/** @param {Partial<StepHead>} found @returns {StepHead} */
const step = (found) => ({
    seat: null, stream: null, text: "", supplied: false, open: "", own: "", branch: -1, odds: null, before: null, node: null,
    mayShow: false, ...found,
});

/**
 * The outcomes of some steps by stream; null for those that are drawn.
 * @param {{stream: string | null, supplied: boolean, text: string}[]} steps
 */
export function outcomesOf(steps) {
    /** @type {Record<string, (string | null)[]>} */
    const found = noNames();
    for (const { stream, supplied, text } of steps) if (stream !== null) (found[stream] ??= []).push(supplied ? text : null);
    return found;
}

/**
 * For each seat what its place depends on: its total, then its tie-breaks; the greatest is the best.
 * @param {Match} match
 */
function keysOf(match) {
    const sign = match.game.machine.best === "highest" ? 1 : -1;
    const lowest = new Set(match.game.machine.scores.filter((line) => line[3] === "lowest").map(([, name]) => name));
    const key = (/** @type {[string, number]} */ [name, value]) => (lowest.has(name) ? -value : value);
    return match.accounts().map(({ total, ties }) => [sign * total, ...ties.map(key)]);
}

/** @param {number[]} a @param {number[]} b */
function compare(a, b) {
    const i = a.findIndex((value, k) => value !== b[k]);
    return i < 0 ? 0 : a[i] - b[i];
}
