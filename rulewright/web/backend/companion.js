// A match at a physical table that this page follows: the same to the page as a companion table at a server.

import { batch, signal } from "../signals.js";
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

/** Milliseconds at a time that finding placeholders may take. */
const SLICE = 30;

export class CompanionBackend extends LocalMatch {
    /** What the referee asks: `{version, seat, stream, place, possible, told, given}`, or null. */
    chance = signal(null);

    #record = null;
    #names = [];
    #busy = false;
    #version = 0;

    /** Begins a new match. */
    async begin({ names = [], seed = freshSeed() } = {}) {
        const record = new Record(new Companion(this.game, seed));
        await inSlices(record.starting());
        this.#adopt(record, names);
    }

    /** What was told; `rulewright play --companion --resume` reads it. */
    log() {
        return this.#record.text();
    }

    /** Goes on with the match of a log. Rejects with `BrokenLog`. */
    async read(text, { names = [] } = {}) {
        const record = Record.read(this.game, text);
        await inSlices(record.reading());
        this.#adopt(record, names);
    }

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

    /** Everybody sees the same. */
    look() {}

    // ---- telling

    /** Resolves when the choice is made, or waits for an answer; rejects with `Refused`. */
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

    /** Answers what the referee asks; null: nobody has seen it. */
    async outcome(_stream, text) {
        if (!this.#companion.question || (text !== null && !this.#companion.answers().includes(text))) {
            throw new Refused({ code: "not-possible" });
        }
        await this.#carryOut(() => this.#record.telling(text));
    }

    async #carryOut(steps, words = null) {
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

    /** What cannot be, in words that tell nothing of placeholders. */
    #refusedBy(error, words) {
        if (error instanceof BadOutcome) {
            return new Refused({ code: "not-possible" });
        }
        if (!(error instanceof NotOffered)) {
            return refusedBy(this.#companion.match, error);
        }
        const refusal = whyNotPossible(this.#companion, words);
        return new Refused(refusal ? { code: "not-offered", text: refusal.text, refusal } : { code: "contradicts" });
    }

    // ---- taking back

    /** Takes back the last choice with its answers. With 0 the last answer alone. */
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

    async why({ action = null, value = null, words = null }) {
        return words === null ? whyNotPossibleValue(this.#companion, action, value) : whyNotPossible(this.#companion, words);
    }

    async account() {
        return withClauses(this.description, publicScores(this.#companion.match));
    }

    async at(seq) {
        return positionAt(this.#companion.match, SPECTATOR, seq, pastPosition);
    }
}

/** Carries out something that is made in steps; the page has a turn in between. */
async function inSlices(steps) {
    for (let end = performance.now() + SLICE; !steps.next().done; ) {
        if (performance.now() > end) {
            await new Promise((resolve) => setTimeout(resolve));
            end = performance.now() + SLICE;
        }
    }
}
