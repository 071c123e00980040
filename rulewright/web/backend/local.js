// A match in this page: the people at one screen, and bots. The same to the page as a match at a server.

import { batch } from "../vendor/signals.js";
import { carriedFrom } from "../match/carrying.js";
import { freshNonce } from "../match/commitment.js";
import { freshSeed } from "../match/chance.js";
import { writeLog } from "../match/log.js";
import { readLog } from "../match/log_reading.js";
import { Match } from "../match/match.js";
import { entries, position, told } from "../match/position.js";
import { replay } from "../match/replay.js";
import { SPECTATOR } from "../match/state.js";
import { Bots } from "./bots.js";
import { nextAtScreen } from "./hand_over.js";
import { accountOf, positionAt, refusedBy, whyOf } from "./local_answers.js";
import { LocalMatch } from "./local_match.js";
import { HUMAN, playersOf, settingsFor } from "./local_settings.js";
import { tableOf } from "./local_table.js";
import { Refused } from "./messages.js";
import { agreed, mustAgree, Proposals, undoFor } from "./one_screen.js";
import { keep } from "./saved.js";

/**
 * @import { Acknowledged, Backend, WhyAbout } from "../types.d.ts"
 * @import { AllSettings, Settings } from "./local_settings.js"
 */

/** @implements {Backend} */
export class LocalBackend extends LocalMatch {
    #match = new Match(this.game);
    /** @type {string | null} */
    #nonce = null;
    #settings = settingsFor(this.description, {});
    #viewer = SPECTATOR;
    #proposals = new Proposals();
    #bots = new Bots(this.game);
    #adviser = new Bots(this.game);
    #busy = false;

    close() {
        this.#bots.close();
        this.#adviser.close();
        super.close();
    }

    // ---- a match begins

    /** Begins a new match. @param {Settings} settings */
    async begin(settings = {}) {
        this.#bots.stop();
        const all = settingsFor(this.description, settings);
        this.#adopt(new Match(this.game, settings.seed ?? freshSeed()).start(), all, freshNonce());
    }

    /** Begins the next match, with what carries over from this one and the same players. */
    async next() {
        const carried = carriedFrom(this.game, this.#match.state);
        if (!this.#match.over || !carried) {
            throw new Refused({ code: "not-now" });
        }
        this.#bots.stop();
        this.#adopt(new Match(this.game, freshSeed(), {}, carried).start(), this.#settings, freshNonce());
    }

    /** The log of the match; `rulewright replay` reads it. */
    log() {
        return writeLog(this.#match, { players: this.#settings.players, nonce: this.#nonce });
    }

    /**
     * Goes on with the match of a log. Rejects with `BrokenLog` if it is none of this game, or was changed.
     * @param {string} text
     * @param {Settings} settings
     */
    async read(text, settings = {}) {
        const log = readLog(text);
        const all = settingsFor(this.description, { players: playersOf(this.description, log), ...settings });
        const match = replay(this.game, log);
        this.#bots.stop();
        this.#adopt(match, all, log.nonce);
    }

    /** @param {Match} match @param {AllSettings} settings @param {string | null} nonce */
    #adopt(match, settings, nonce) {
        this.#match = match;
        this.#settings = settings;
        this.#nonce = nonce;
        this.#proposals.clear();
        this.#viewer = SPECTATOR;
        this.#changed();
    }

    /** What a search thinks of the choices of the viewer. */
    async hint() {
        const found = await this.#adviser.think(this.#match, this.#viewer);
        if (!found) {
            throw new Refused({ code: "no-hint" });
        }
        return found;
    }

    // ---- what is shown to whom

    /**
     * Shows the table to the player of a seat, or to everybody (-1); after the end also everything (-2).
     * @param {number} viewer
     */
    look(viewer) {
        const own = viewer === SPECTATOR || this.#settings.players[viewer] === HUMAN;
        if (!own && !this.#match.over) {
            throw new Refused({ code: "not-yours" });
        }
        this.#viewer = viewer;
        this.#show();
    }

    /** After a change: who looks now, what is kept, which bot is next. */
    #changed() {
        this.#seat();
        this.#show();
        const { players, names } = this.#settings;
        keep(this.description, { log: this.log(), settings: { players, names } });
        this.#bots.stop();
        this.#adviser.stop();
        const seat = this.#waiting().find((one) => players[one] !== HUMAN);
        if (seat !== undefined) {
            const settings = { kind: players[seat], ...this.#settings };
            const choose = (/** @type {string} */ words) => this.#busy || this.#carryOut(seat, words);
            this.#bots.ask(this.#match, seat, settings, choose).catch((error) => (this.error.value = error.code ?? "fault"));
        }
    }

    /** Gives the screen to the next person who is asked; where something is hidden, they take it themselves. */
    #seat() {
        const people = this.#people();
        const asked = this.#waiting().filter((seat) => people.includes(seat));
        if (people.length === 1) {
            this.#viewer = people[0];
        }
        const next = nextAtScreen(this.#viewer, asked);
        if (next === null || people.length === 1) {
            this.handover.value = null;
        } else if (this.description.secrets) {
            this.#viewer = SPECTATOR;
            this.handover.value = next;
        } else {
            this.#viewer = next;
        }
    }

    #show() {
        if (this.#viewer === this.handover.peek()) {
            this.handover.value = null;
        }
        const found = position(this.#match, this.#viewer, this.#people());
        if (this.#viewer >= 0) {
            found.undo = undoFor(this.#match, this.#viewer, this.#people(), found.undo);
        }
        batch(() => {
            this.entries.value = entries(this.#match, this.#viewer);
            this.position.value = found;
            this.table.value = this.#table();
        });
    }

    #table() {
        const shared = { viewer: this.#viewer, settings: this.#settings, nonce: this.#nonce };
        return tableOf(this.#match, { ...shared, proposals: this.#proposals.list() });
    }

    #people() {
        return [...this.#settings.players.keys()].filter((seat) => this.#settings.players[seat] === HUMAN);
    }

    /** The seats that are asked. */
    #waiting() {
        return this.#match.over ? [] : this.game.executor.waiting(this.#match.state).map(({ seat }) => seat);
    }

    // ---- choosing

    /** Resolves when the choice is made; rejects with `Refused`. @param {string} words */
    async choose(words) {
        if (this.#match.over) {
            throw new Refused({ code: "over" });
        }
        if (!this.#waiting().includes(this.#viewer)) {
            throw new Refused({ code: "not-asked" });
        }
        await this.#carryOut(this.#viewer, words);
    }

    /** @param {number} seat @param {string} words */
    async #carryOut(seat, words) {
        const match = this.#match;
        if (this.#busy) {
            throw new Refused({ code: "stale" });
        }
        this.#busy = true;
        try {
            match.chooseOffered(seat, words);
        } catch (error) {
            throw refusedBy(match, error);
        } finally {
            this.#busy = false;
        }
        this.#proposals.clear();
        this.#changed();
    }

    // ---- questions

    /** Why is something not offered? A refusal, or null if it is offered. @param {WhyAbout} about */
    async why(about) {
        return whyOf(this.#match, this.#viewer, about);
    }

    /** The score sheets, line by line, with the clauses of each line. */
    async account() {
        return accountOf(this.#match, this.#viewer);
    }

    /**
     * The position after the first `seq` entries, as a seat sees it.
     * @param {number} seq
     * @param {number | null} seat
     */
    async at(seq, seat = null) {
        const viewer = seat ?? this.#viewer;
        if (!this.#match.over && viewer !== this.#viewer && viewer !== SPECTATOR) {
            throw new Refused({ code: "not-yet" });
        }
        return positionAt(this.#match, viewer, seq);
    }

    // ---- taking back

    /**
     * Takes back the viewer's last choices. Resolves to an answer with a `proposal`, if others at the screen have to
     * agree.
     * @returns {Promise<Acknowledged>}
     */
    async undo(number = 1) {
        if (!this.#busy && this.#match.undoInBranch(this.#viewer, number)) {
            this.#changed();
            return {};
        }
        return this.#propose("undo", this.position.peek()?.undo.ask || number);
    }

    /** Goes back to after entry `seq`, if all agree. @param {number} seq */
    async repair(seq) {
        const step = seq ? (told(this.#match, this.#viewer)[seq - 1]?.step ?? Infinity) : -1;
        return this.#propose("repair", this.#match.history.filter(({ first }) => first > step).length, seq);
    }

    /** @param {"undo" | "repair"} kind @param {number} number @param {number | null} seq @returns {Acknowledged} */
    #propose(kind, number, seq = null) {
        if (this.#busy) {
            throw new Refused({ code: "stale" });
        }
        const by = this.#viewer;
        const people = this.#people();
        const others = kind === "repair" ? people.filter((seat) => seat !== by) : mustAgree(this.#match, number, people, by);
        if (!others || !(number > 0 && number <= this.#match.history.length)) {
            throw new Refused({ code: "not-undone", text: this.#match.whyNoUndo(number, people)?.why });
        }
        if (!others.length) {
            this.#takeBack(number);
            return {};
        }
        const proposal = this.#proposals.add({ kind, by, number, seq, asked: others });
        this.#show();
        return { proposal };
    }

    /** @param {number} number */
    #takeBack(number) {
        const everybody = [...Array(this.description.seats).keys()];
        this.#match.undo(everybody, number);
        this.#proposals.clear();
        this.#changed();
    }

    /**
     * Agrees to a proposal, or not; without a seat for all at the screen who are asked.
     * @param {number} proposal
     * @param {boolean} agree
     * @param {number | null} seat
     */
    async answer(proposal, agree, seat = null) {
        const found = this.#proposals.answer(proposal, agree, seat);
        if (!found) {
            throw new Refused({ code: "no-proposal" });
        }
        if (agreed(found)) {
            this.#takeBack(found.number);
        } else {
            this.#show();
        }
    }
}
