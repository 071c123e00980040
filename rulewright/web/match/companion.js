// The referee of a physical table: people throw dice and draw cards there, and tell what everybody sees. What nobody
// shows stays unknown: a placeholder stands for it, and is replaced when it does not fit what is told.

import { picked } from "./chance.js";
import { EVENT_WORDS } from "./executor.js";
import { fitting, wordsOf } from "./formatting.js";
import { possibleDecisions } from "./hypotheses.js";
import { messageOf } from "./log_reading.js";
import { BadOutcome, Match, NeedsOutcome } from "./match.js";
import { copied, Contradiction, firstDifferent, matchBefore, MOST_TRIED, reassigned, released, run, Search, TooFar } from "./placeholders.js";
import { places, told, words as wordsSeen } from "./position.js";
import { EVERYBODY, SPECTATOR } from "./state.js";
import { joined, stepRow } from "./views.js";

/**
 * @import { GameEvent, ShownPieces } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Outcome, Turn } from "./placeholders.js"
 * @typedef {{name: string, component: string, place: number}} Revelation of a hidden piece
 * @typedef {{possible: string[], stream: string, place: null} | {possible: string[], stream: null, place: number}} Asked what
 *   chance has brought, or which piece has come to a place
 * @typedef {Generator<undefined, void, undefined>} Steps
 */

const FEWEST_TRIED = 24;
/** @type {Turn} */
const NO_TURN = { seat: null, words: "", outcomes: [], revealed: [] };

/**
 * A match at a physical table. `match` fits all that has been told; its hidden pieces are placeholders. While
 * `question` is set, the last choice (`told` so far) waits for an answer.
 *
 * `starting`, `choosing` and `telling` go step by step, as finding placeholders can take long. If they
 * throw, nothing has changed.
 */
export class Companion {
    /** @type {Asked | null} */
    question = null;
    /** @type {Turn[]} */
    turns = [];
    told = NO_TURN;
    /** @type {(string | null)[]} */
    given = [];
    /** @type {Turn[][]} */
    past = [[]];

    /** @param {Game} game */
    constructor(game, seed = 0n) {
        this.game = game;
        this.seed = seed;
        this.match = new Match(game);
        this.classes = new Set(Object.values(game.machine.components).flatMap(({ classes }) => classes));
    }

    /** @returns {Steps} */
    *starting() {
        this.given = [];
        yield* this.#go(NO_TURN);
    }

    // ---- taking back

    get canTakeBack() {
        if (!this.past.at(-1)?.length) return this.given.length > 0;
        return this.question !== null || this.turns.length > 1 || isTold(this.turns[0]);
    }

    /** Whether what was told last is an answer, as far as that is known. */
    get lastIsAnswer() {
        const last = this.turns.at(-1);
        return this.question ? this.given.length > 0 : last !== undefined && isTold(last);
    }

    /** Takes back the turn that waits for an answer, else the last one; of the set-up, what was told of it. */
    takeBack() {
        if (!this.canTakeBack) return false;
        if (!this.question) this.past = this.past.slice(0, -1);
        this.#asBefore();
        if (!this.turns.length) for (const _ of this.starting());
        return true;
    }

    #asBefore() {
        Object.assign(this, { question: null, told: NO_TURN, given: [] });
        const turns = this.past.at(-1) ?? [];
        const same = firstDifferent(this.turns, turns);
        if (this.turns.length === same && turns.length === same) return;
        this.match = matchBefore(this.match, same);
        for (const turn of turns.slice(same)) run(this.match, turn);
        this.turns = turns;
    }

    // ---- telling

    /**
     * Carries out a choice. Throws if it is not offered, whatever the placeholders are.
     * @param {number} seat
     * @param {string} words
     * @returns {Steps}
     */
    *choosing(seat, words) {
        const { given } = this;
        const turn = { ...NO_TURN, seat, words };
        this.given = [];
        const refused = yield* this.#tried(turn);
        if (!refused) return;
        const most = this.#mayBeOffered(seat, words) ? MOST_TRIED : FEWEST_TRIED;
        const likely = this.#offeredInstead(seat, words);
        for (const word of wordsOf(words).reverse()) {
            if (!this.classes.has(word)) continue;
            if (yield* this.#firstThatGoes(reassigned(this.game, [...this.turns, turn], word, likely, false), most)) return;
        }
        this.given = given;
        throw refused;
    }

    /** @param {number} seat @param {string} words */
    #mayBeOffered(seat, words) {
        return possibleDecisions(this.match, seat).some(([, { choices }]) => fitting(words, choices.map((one) => one.words)).length);
    }

    /**
     * The classes for which a choice is offered that differs from some words in a class alone.
     * @param {number} seat
     * @param {string} words
     */
    #offeredInstead(seat, words) {
        const wanted = wordsOf(words);
        /** @type {Set<string>} */
        const found = new Set();
        for (const { seat: asked, choices } of this.match.decisions()) {
            for (const choice of asked === seat ? choices : []) {
                if (choice.words.length !== wanted.length) continue;
                const differ = [...wanted.keys()].filter((i) => wanted[i] !== choice.words[i]);
                const [i] = differ;
                const both = differ.length === 1 && this.classes.has(wanted[i]) && this.classes.has(choice.words[i]);
                if (both) found.add(choice.words[i]);
            }
        }
        return found;
    }

    /**
     * Answers the question; null to the question for an outcome that nobody at the table sees. Throws `BadOutcome`.
     * @param {string | null} text
     * @returns {Steps}
     */
    *telling(text) {
        const { question, told: turn } = this;
        if (!question) throw new BadOutcome("what is asked", String(text));
        if (question.stream !== null) {
            const outcome = { text: text ?? picked(this.#key(turn), question.possible), known: text !== null };
            yield* this.#tellOutcome({ ...turn, outcomes: [...turn.outcomes, outcome] }, outcome.text);
        } else if (text === null) {
            throw new BadOutcome("what is hidden", "unknown");
        } else {
            yield* this.#tellPiece(turn, question.place, text);
        }
        this.given = [...this.given, text];
    }

    /** @param {Turn} turn @param {string} text @returns {Steps} */
    *#tellOutcome(turn, text) {
        const refused = yield* this.#tried(turn);
        if (!refused) return;
        if (!(yield* this.#firstThatGoes(released(this.game, [...this.turns, turn], text), MOST_TRIED))) throw refused;
    }

    /** @param {Turn} before @param {number} place @param {string} text @returns {Steps} */
    *#tellPiece(before, place, text) {
        const untold = this.#untold(this.#after(before), before);
        const seen = new Set(untold.filter((one) => one.place === place).map(({ name }) => name));
        /** @type {Turn} */
        const turn = { ...before, revealed: [...before.revealed, [text, untold[0].place]] };
        if (seen.has(text)) {
            yield* this.#go(turn);
        } else if (!(yield* this.#firstThatGoes(reassigned(this.game, [...this.turns, turn], text, seen, true), MOST_TRIED))) {
            throw new BadOutcome("what is hidden", text);
        }
    }

    /** The possible answers to the question, as far as everybody knows: all classes of a hidden card. */
    answers() {
        const { question } = this;
        if (!question) return [];
        const { machine } = this.game;
        const drawn = Object.values(machine.tables.chance).filter(([stream, , , , place]) => place && machine.streams[stream] === question.stream);
        const names = [...new Set(drawn.flatMap(([, found]) => found ?? []))];
        return names.length ? names : question.possible;
    }

    // ---- carrying out turns

    /**
     * Carries out a turn; the error if it cannot be.
     * @param {Turn} turn
     * @returns {Generator<undefined, unknown, undefined>}
     */
    *#tried(turn) {
        try {
            yield* this.#go(turn);
            return null;
        } catch (error) {
            return error;
        }
    }

    /**
     * Carries out a turn as far as it is told; asks for the next thing that everybody sees.
     * @param {Turn} turn
     * @returns {Steps}
     */
    *#go(turn) {
        for (;;) {
            yield;
            let match;
            try {
                match = this.#after(turn);
            } catch (error) {
                if (!(error instanceof NeedsOutcome)) throw error;
                const possible = error.odds.map(([name]) => name);
                const placeholder = this.#placeholder(turn, possible, error.stream);
                if (!placeholder) {
                    Object.assign(this, { told: turn, question: { possible, stream: error.stream, place: null } });
                    return;
                }
                turn = { ...turn, outcomes: [...turn.outcomes, placeholder] };
                continue;
            }
            const [untold] = this.#untold(match, turn);
            if (untold) {
                const possible = this.game.machine.components[untold.component].classes;
                Object.assign(this, { told: turn, question: { possible, stream: null, place: untold.place } });
                return;
            }
            const turns = [...this.turns, turn];
            Object.assign(this, { match, question: null, turns, past: [...this.past, turns] });
            return;
        }
    }

    /** The match after a turn. @param {Turn} turn */
    #after(turn) {
        const match = copied(this.match);
        run(match, turn);
        return match;
    }

    /**
     * The revelations of a turn that nobody has named. Throws if others were named.
     * @param {Match} match
     * @param {Turn} turn
     */
    #untold(match, turn) {
        const named = turn.revealed.map((one) => one.join());
        const found = this.#revelations(match, turn).filter(({ name, place }) => {
            const at = named.indexOf(`${name},${place}`);
            if (at >= 0) named.splice(at, 1);
            return at < 0;
        });
        if (named.length) throw new Contradiction();
        return found;
    }

    /**
     * The hidden pieces that everybody sees by the last turn, except for the one that is chosen in it.
     * @param {Match} match
     * @param {Turn} turn
     */
    #revelations(match, turn) {
        const { views, machine } = this.game;
        const named = wordsOf(turn.words);
        /** @type {Revelation[]} */
        const found = [];
        /** @type {Map<number, number>} */
        const laid = new Map();
        for (const { stream, events } of match.steps.slice(this.match.steps.length)) {
            for (const event of events) {
                if (event[0] === "shown" && event[1] === EVERYBODY) found.push(...this.#onTop(event[2] ?? [], laid));
                if (event[0] !== "moved") continue;
                const [, component, class_, number, source, place] = event;
                if (this.#isKnown(stream, event, named)) laid.set(place, class_);
                if (stream !== null || views.maySee(source, SPECTATOR)) continue;
                const name = machine.components[component].classes[class_];
                const at = named.indexOf(name);
                if (at >= 0) named.splice(at, 1);
                const left = number - (at >= 0 ? 1 : 0);
                if (views.maySee(place, SPECTATOR)) for (let i = 0; i < left; i++) found.push({ name, component, place });
            }
        }
        return found;
    }

    /**
     * Whether everybody knows which piece is moved: it was seen, chosen by its name, or told.
     * @param {string | null} stream
     * @param {Extract<GameEvent, ["moved", ...any[]]>} event
     * @param {string[]} named
     */
    #isKnown(stream, [, component, class_, , source], named) {
        const { views, machine } = this.game;
        const name = machine.components[component].classes[class_];
        return views.maySee(source, SPECTATOR) || views.tops.includes(source) || named.includes(name) || stream !== null;
    }

    /**
     * The topmost pieces that everybody newly sees; `laid`: what is known to have been put there.
     * @param {ShownPieces[]} pieces
     * @param {Map<number, number>} laid
     */
    #onTop(pieces, laid) {
        const { machine } = this.game;
        const news = pieces.filter(([place, class_]) => laid.get(place) !== class_);
        return news.map(([place, class_]) => {
            const { component } = machine.places[place];
            return { name: machine.components[component].classes[class_], component, place };
        });
    }

    /**
     * Carries out the last of the first turns that fit all that everybody has been told; false if there are none.
     * @param {Iterable<Turn[]>} others
     * @param {number} most
     * @returns {Generator<undefined, boolean, undefined>}
     */
    *#firstThatGoes(others, most) {
        const { turns: kept, match } = this;
        const search = new Search(match, kept);
        let number = 0;
        for (const turns of others) {
            if (number++ === most) return false;
            const [before, last] = [turns.slice(0, -1), turns[turns.length - 1]];
            try {
                this.match = yield* search.changed(before);
                this.turns = before;
                yield* this.#go(last);
                return true;
            } catch (error) {
                Object.assign(this, { turns: kept, match });
                if (error instanceof TooFar) return false;
            }
        }
        return false;
    }

    // ---- placeholders

    /**
     * A placeholder for an outcome that nobody at the table sees; null if it has to be told.
     * @param {Turn} turn
     * @param {string[]} possible
     * @param {string} stream
     */
    #placeholder(turn, possible, stream) {
        const text = picked(this.#key(turn), possible);
        const shuffles = this.game.machine.zones[stream]?.seen_by === "top";
        if (shuffles) return { text, known: false }; // what lies on top is asked when all is shuffled
        const tried = [text, ...possible.filter((other) => other !== text).slice(0, 2)];
        const trials = tried.map((one) => this.#continued(turn, { text: one, known: false }, tried));
        const shown = trials.map((trial) => this.#shown(trial));
        const hidden = tried.length > 1 ? shown.every((one) => one === shown[0]) : !this.#shows(trials[0], turn.outcomes.length);
        return hidden ? { text, known: false } : null;
    }

    /** @param {Turn} turn */
    #key({ outcomes }) {
        return `${this.seed} ${this.turns.length} ${outcomes.length}`;
    }

    /**
     * The match if a turn continues with an outcome, and somehow after it; or why it cannot.
     * @param {Turn} turn
     * @param {Outcome} outcome
     * @param {string[]} avoided
     */
    #continued(turn, outcome, avoided) {
        const trial = copied(this.match);
        const key = this.#key(turn);
        try {
            run(trial, { ...turn, outcomes: [...turn.outcomes, outcome] }, (names, number) => {
                const others = names.filter((name) => !avoided.includes(name));
                return picked(`${key} ${number}`, others.length ? others : names);
            });
        } catch (error) {
            return messageOf(error);
        }
        return trial;
    }

    /** What a spectator is told of a trial: news, view, and who is asked. @param {Match | string} trial */
    #shown(trial) {
        if (!(trial instanceof Match)) return trial;
        const asked = this.game.executor.waiting(trial.state).map(({ seat }) => seat);
        const news = told(trial, SPECTATOR, this.match.steps.length);
        return JSON.stringify([news, places(trial, SPECTATOR), wordsSeen(trial, SPECTATOR), asked, trial.over]);
    }

    /**
     * Whether everybody sees a piece or a face by an outcome of the last turn.
     * @param {Match | string} trial
     * @param {number} number
     */
    #shows(trial, number) {
        if (!(trial instanceof Match)) return true;
        const drawn = trial.steps.slice(this.match.steps.length).filter(({ stream }) => stream !== null);
        const { views, machine } = this.game;
        const { code } = machine.tables.events.branched;
        const { rows } = drawn[number];
        const open = rows.filter((_, i) => rows[i - (i % EVENT_WORDS)] !== code);
        const seen = views.tell(joined([stepRow(0, -1, -1, 0), open]), SPECTATOR).flatMap((part) => views.told(part.rows));
        return seen.some(([kind, , class_]) => (kind === "moved" || kind === "thrown") && class_ >= 0);
    }
}

/** Whether people have told something of a turn. @param {Turn} turn */
const isTold = ({ outcomes, revealed }) => revealed.length > 0 || outcomes.some(({ known }) => known);
