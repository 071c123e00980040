// Other placeholders for what nobody has shown, when what is told contradicts those that there are.

import { Match, NeedsOutcome } from "./match.js";
import { told } from "./position.js";
import { FORKED, SPECTATOR } from "./state.js";

/**
 * @import { Game } from "./game.js"
 * @typedef {{text: string, known: boolean}} Outcome one that was told, or a placeholder
 * @typedef {{i: number, j: number, text: string}} Placeholder where it stands: its turn and its outcome
 * @typedef {[placeholder: Placeholder, text: string][]} Change other texts for some placeholders
 */

/**
 * A choice with its outcomes, and the pieces that were revealed by it. Without a seat: the set-up.
 * @typedef {{seat: number | null, words: string, outcomes: Outcome[], revealed: [name: string, place: number][]}} Turn
 */

/** How many assignments of placeholders are tried for an answer, and how many turns replayed. */
export const MOST_TRIED = 120;
const MOST_REPLAYED = 4000;

/** Placeholders do not fit what everybody has seen. */
export class Contradiction extends Error {}

/** Enough has been tried for an answer. */
export class TooFar extends Error {}

/** The trials for one answer: turns with other placeholders, each replayed as far as it fits. */
export class Search {
    /** @type {Map<string, string>} */
    #entries = new Map();
    #replayed = 0;

    /** @param {Match} match @param {Turn[]} turns */
    constructor(match, turns) {
        this.match = match;
        this.turns = turns;
        this.ends = [...match.history.map(({ first }) => first), match.steps.length];
    }

    /**
     * The match with other placeholders, replayed from the first turn that differs, step by step. Throws.
     * @param {Turn[]} turns
     */
    *changed(turns) {
        const same = firstDifferent(this.turns, turns);
        if (same === turns.length) return this.match;
        const match = matchBefore(this.match, same);
        let shown = match.state[FORKED] ? this.#begun(same) : match.steps.length;
        for (let number = same; number < turns.length; number++) {
            if (++this.#replayed > MOST_REPLAYED) throw new TooFar();
            run(match, turns[number]);
            if (match.steps.length !== this.ends[number]) throw new Contradiction();
            if (!match.state[FORKED] || number === turns.length - 1) {
                this.#compare(match, shown, this.ends[number]);
                shown = match.steps.length;
            }
            yield;
        }
        return match;
    }

    /** The first step of the running `together` before a turn. @param {number} turn */
    #begun(turn) {
        const { history } = this.match;
        while (turn && history[turn - 1].state[FORKED]) turn--;
        return turn ? history[turn - 1].first : 0;
    }

    /**
     * Throws if everybody has been told something else from a step on.
     * @param {Match} match
     * @param {number} since
     * @param {number} until
     */
    #compare(match, since, until) {
        const key = `${since} ${until}`;
        const known = this.#entries.get(key) ?? JSON.stringify(told(this.match, SPECTATOR, since, until));
        this.#entries.set(key, known);
        if (JSON.stringify(told(match, SPECTATOR, since)) !== known) throw new Contradiction();
    }
}

/**
 * The number of the first turn in which some turns differ from others. Equal turns are the same objects or equal in
 * all.
 * @param {Turn[]} some
 * @param {Turn[]} others
 */
export function firstDifferent(some, others) {
    const least = Math.min(some.length, others.length);
    let i = 0;
    while (i < least && (some[i] === others[i] || JSON.stringify(some[i]) === JSON.stringify(others[i]))) i++;
    return i;
}

// ---- which placeholders

/**
 * Turns with other placeholders: one of them gets the wanted class. Those that have one of the classes in `first`
 * are tried first, or no other ones (`only`). If another one has the class, the two change places; or that one gets
 * any other class.
 * @param {Game} game
 * @param {Turn[]} turns
 * @param {string} wanted
 * @param {Set<string>} first
 * @param {boolean} only
 */
export function* reassigned(game, turns, wanted, first, only) {
    const unknown = placeholders(turns);
    const lacking = unknown.filter(({ text }) => text !== wanted).reverse();
    const having = unknown.filter(({ text }) => text === wanted);
    const likely = lacking.filter(({ text }) => first.has(text));
    const others = kinOf(game, wanted);
    for (const some of [likely, only ? [] : lacking.filter(({ text }) => !first.has(text))]) {
        let left = MOST_TRIED;
        for (const change of changes(some, having, others, wanted)) {
            if (!left--) break;
            yield withTexts(turns, change);
        }
    }
}

/**
 * @param {Placeholder[]} some
 * @param {Placeholder[]} having
 * @param {string[]} others
 * @param {string} wanted
 * @returns {Generator<Change>}
 */
function* changes(some, having, others, wanted) {
    for (const at of some) yield [[at, wanted]];
    for (const at of some) for (const other of having) yield [[at, wanted], [other, at.text]];
    for (const at of some) {
        for (const other of having) {
            for (const class_ of others) if (class_ !== wanted && class_ !== at.text) yield [[at, wanted], [other, class_]];
        }
    }
}

/**
 * Turns with other placeholders: one that has the unwanted class gets another.
 * @param {Game} game
 * @param {Turn[]} turns
 * @param {string} unwanted
 */
export function* released(game, turns, unwanted) {
    for (const at of placeholders(turns).reverse()) {
        if (at.text !== unwanted) continue;
        for (const class_ of kinOf(game, unwanted)) if (class_ !== unwanted) yield withTexts(turns, [[at, class_]]);
    }
}

/** The classes of the components that have a class of this name. @param {Game} game @param {string} name */
function kinOf({ machine }, name) {
    const all = Object.values(machine.components).filter(({ classes }) => classes.includes(name));
    return [...new Set(all.flatMap(({ classes }) => classes))];
}

/** @param {Turn[]} turns */
const placeholders = (turns) =>
    turns.flatMap(({ outcomes }, i) => outcomes.flatMap(({ text, known }, j) => (known ? [] : [{ i, j, text }])));

/** @param {Turn[]} turns @param {Change} change */
function withTexts(turns, change) {
    const found = [...turns];
    for (const [{ i, j }, text] of change) {
        const outcomes = found[i].outcomes.with(j, { ...found[i].outcomes[j], text });
        found[i] = { ...found[i], outcomes };
    }
    return found;
}

// ---- carrying out turns

/** A copy that can be played on. @param {Match} match */
export const copied = (match) =>
    Object.assign(new Match(match.game, match.seed), { state: match.state.slice(), steps: [...match.steps], history: [...match.history] });

/** A copy of a match as it was before a turn, by its number. @param {Match} match @param {number} turn */
export function matchBefore(match, turn) {
    if (turn === 0) return new Match(match.game, match.seed);
    const found = copied(match);
    if (turn > match.history.length) return found;
    const { state, first } = match.history[turn - 1];
    found.state = state.slice();
    found.steps.length = first;
    found.history.length = turn - 1;
    return found;
}

/**
 * Carries out a turn with its outcomes; then `more` gives others, or `NeedsOutcome` is thrown. If it throws, the match
 * is as before.
 * @param {Match} match
 * @param {Turn} turn
 * @param {((names: string[], number: number) => string) | null} more
 */
export function run(match, turn, more = null) {
    let used = 0;
    match.chance = (stream, odds) => {
        if (used < turn.outcomes.length) return turn.outcomes[used++].text;
        if (!more) throw new NeedsOutcome(stream, odds);
        return more(odds.map(([name]) => name), used++);
    };
    if (turn.seat === null) match.start();
    else match.choose(turn.seat, turn.words);
}
