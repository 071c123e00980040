// A match at a physical table that this page follows: the same to the page as a companion table at a server.

import { batch, signal } from "../vendor/signals.js";
import { freshSeed } from "../match/chance.js";
import { Companion } from "../match/companion.js";
import { Record } from "../match/companion_log.js";
import { askedSeat, companionPosition, pastPosition, publicScores, questionOf, whyNotPossible, whyNotPossibleValue } from "../match/companion_position.js";
import { BadOutcome, NotOffered } from "../match/match.js";
import { entries } from "../match/position.js";
import { SPECTATOR } from "../match/state.js";
import { positionAt, refusedBy, withClauses } from "./local_answers.js";
import { LocalMatch } from "./local_match.js";
import { HUMAN } from "./local_settings.js";
import { tableOf } from "./local_table.js";
import { Refused } from "./messages.js";
import { keep } from "./saved.js";

/**
 * @import { Steps } from "../match/companion.js"
 * @import { Acknowledged, Backend, Question, WhyAbout } from "../types.d.ts"
 * @import { Settings } from "./local_settings.js"
 */

/** Milliseconds at a time that finding placeholders may take. */
const SLICE = 30;

/** @implements {Backend} */
export class CompanionBackend extends LocalMatch {
    /** What the referee asks, or null. */
    chance = signal(/** @type {Question | null} */ (null));

    #record = new Record(new Companion(this.game));
    /** @type {(string | null)[]} */
    #names = [];
    #busy = false;
    #version = 0;

    /** Begins a new match. @param {Settings} settings */
    async begin({ names = [], seed = freshSeed() } = {}) {
        const record = new Record(new Companion(this.game, seed));
        await inSlices(record.starting());
        this.#adopt(record, names);
    }

    /** What was told; `rulewright play --companion --resume` reads it. */
    log() {
        return this.#record.text();
    }

    /** Goes on with the match of a log. Rejects with `BrokenLog`. @param {string} text @param {Settings} settings */
    async read(text, { names = [] } = {}) {
        const record = Record.read(this.game, text);
        await inSlices(record.reading());
        this.#adopt(record, names);
    }

    /** @param {Record} record @param {(string | null)[]} names */
    #adopt(record, names) {
        this.#record = record;
        this.#names = this.game.machine.seatNames.slice(0, this.description.seats).map((_, seat) => names[seat] ?? null);
        this.#show();
    }

    get #companion() {
        return this.#record.companion;
    }

    #show() {
        this.#version++;
        keep(this.description, { log: this.log(), settings: { names: this.#names, told: true } }, true);
        const { match } = this.#companion;
        const settings = { players: this.#names.map(() => HUMAN), names: this.#names };
        batch(() => {
            this.entries.value = entries(match, SPECTATOR);
            this.position.value = companionPosition(this.#companion);
            this.chance.value = questionOf(this.#companion, this.#version);
            this.table.value = tableOf(match, { viewer: SPECTATOR, settings, nonce: null, proposals: [], companion: true });
        });
    }

    /** Everybody sees the same. @param {number} _viewer */
    look(_viewer) {}

    // ---- telling

    /** Resolves when the choice is made, or waits for an answer; rejects with `Refused`. @param {string} words */
    async choose(words) {
        if (this.#companion.match.over) {
            throw new Refused({ code: "over" });
        }
        const seat = askedSeat(this.#companion);
        if (seat === null) {
            throw new Refused({ code: "needs-outcome" });
        }
        await this.#carryOut(() => this.#record.choosing(seat, words), words);
    }

    /**
     * Answers what the referee asks; null: nobody has seen it.
     * @param {string | null} _stream
     * @param {string | null} text
     */
    async outcome(_stream, text) {
        if (!this.#companion.question || (text !== null && !this.#companion.answers().includes(text))) {
            throw new Refused({ code: "not-possible" });
        }
        await this.#carryOut(() => this.#record.telling(text));
    }

    /** @param {() => Steps} steps @param {string} words of a choice */
    async #carryOut(steps, words = "") {
        if (this.#busy) {
            throw new Refused({ code: "stale" });
        }
        this.#busy = true;
        try {
            await inSlices(steps());
        } catch (error) {
            throw this.#refusedBy(error, words);
        } finally {
            this.#busy = false;
        }
        this.#show();
    }

    /** What cannot be, in words that tell nothing of placeholders. @param {unknown} error @param {string} words */
    #refusedBy(error, words) {
        if (error instanceof BadOutcome) {
            return new Refused({ code: "not-possible" });
        }
        if (!(error instanceof NotOffered)) {
            return refusedBy(this.#companion.match, error);
        }
        const refusal = whyNotPossible(this.#companion, words);
        return new Refused(refusal ? { code: "not-offered", refusal } : { code: "contradicts" });
    }

    // ---- taking back

    /** Takes back the last choice with its answers. With 0 the last answer alone. @returns {Promise<Acknowledged>} */
    async undo(number = 1) {
        if (number === 0) {
            await this.#carryOut(() => this.#record.retelling());
        } else if (this.#busy || !this.#record.takeBack()) {
            throw new Refused({ code: "not-undone" });
        } else {
            this.#show();
        }
        return {};
    }

    // ---- questions

    /** Why is something not offered? A refusal, or null if it is offered. @param {WhyAbout} about */
    async why({ action = null, value = null, words = null }) {
        return words === null ? whyNotPossibleValue(this.#companion, action, value) : whyNotPossible(this.#companion, words);
    }

    /** The score sheets, line by line, with the clauses of each line. */
    async account() {
        return withClauses(this.description, publicScores(this.#companion.match));
    }

    /** The position after the first `seq` entries. @param {number} seq */
    async at(seq) {
        return positionAt(this.#companion.match, SPECTATOR, seq, pastPosition);
    }
}

/** Carries out something that is made in steps; the page has a turn in between. @param {Steps} steps */
async function inSlices(steps) {
    for (let end = performance.now() + SLICE; !steps.next().done; ) {
        if (performance.now() > end) {
            await new Promise((resolve) => setTimeout(resolve));
            end = performance.now() + SLICE;
        }
    }
}
