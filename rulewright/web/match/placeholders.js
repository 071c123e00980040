// Other placeholders for what nobody has shown, when what is told contradicts those that there are.

import { Match, NeedsOutcome } from "./match.js";
import { told } from "./position.js";
import { FORKED, SPECTATOR } from "./state.js";

/** How many assignments of placeholders are tried for an answer, and how many turns replayed. */
export const MOST_TRIED = 120;
const MOST_REPLAYED = 4000;

/** Placeholders do not fit what everybody has seen. */
export class Contradiction extends Error {}

/** Enough has been tried for an answer. */
export class TooFar extends Error {}

/** The trials for one answer: turns with other placeholders, each replayed as far as it fits. */
export class Search {
    #entries = new Map();
    #replayed = 0;

    constructor(match, turns) {
        Object.assign(this, { match, turns, ends: [...match.history.map(({ first }) => first), match.steps.length] });
    }

    /** The match with other placeholders, replayed from the first turn that differs, step by step. Throws. */
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

    /** The first step of the running `together` before a turn. */
    #begun(turn) {
        const { history } = this.match;
        while (turn && history[turn - 1].state[FORKED]) turn--;
        return turn ? history[turn - 1].first : 0;
    }

    /** Throws if everybody has been told something else from a step on. */
    #compare(match, since, until) {
        const key = `${since} ${until}`;
        if (!this.#entries.has(key)) this.#entries.set(key, JSON.stringify(told(this.match, SPECTATOR, since, until)));
        if (JSON.stringify(told(match, SPECTATOR, since)) !== this.#entries.get(key)) throw new Contradiction();
    }
}

/** The number of the first turn in which some turns differ from others. Equal turns are the same objects or equal in all. */
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

function* changes(some, having, others, wanted) {
    for (const at of some) yield [[at, wanted]];
    for (const at of some) for (const other of having) yield [[at, wanted], [other, at.text]];
    for (const at of some) {
        for (const other of having) {
            for (const class_ of others) if (class_ !== wanted && class_ !== at.text) yield [[at, wanted], [other, class_]];
        }
    }
}

/** Turns with other placeholders: one that has the unwanted class gets another. */
export function* released(game, turns, unwanted) {
    for (const at of placeholders(turns).reverse()) {
        if (at.text !== unwanted) continue;
        for (const class_ of kinOf(game, unwanted)) if (class_ !== unwanted) yield withTexts(turns, [[at, class_]]);
    }
}

/** The classes of the components that have a class of this name. */
function kinOf({ machine }, name) {
    const all = Object.values(machine.components).filter(({ classes }) => classes.includes(name));
    return [...new Set(all.flatMap(({ classes }) => classes))];
}

const placeholders = (turns) =>
    turns.flatMap(({ outcomes }, i) => outcomes.flatMap(({ text, known }, j) => (known ? [] : [{ i, j, text }])));

function withTexts(turns, change) {
    const found = [...turns];
    for (const [{ i, j }, text] of change) {
        const outcomes = found[i].outcomes.with(j, { ...found[i].outcomes[j], text });
        found[i] = { ...found[i], outcomes };
    }
    return found;
}

// ---- carrying out turns

/** A copy that can be played on. */
export const copied = (match) =>
    Object.assign(new Match(match.game, match.seed), { state: match.state.slice(), steps: [...match.steps], history: [...match.history] });

/** A copy of a match as it was before a turn, by its number. */
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
