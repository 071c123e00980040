// A match at the server, as the page sees it: what is known of it, and what may be asked.

import { batch, signal } from "../html.js";
import { BEAT, Connection } from "./connection.js";
import { Conversation } from "./conversation.js";
import { nextAtScreen } from "./hand_over.js";
import { merged } from "./messages.js";

/**
 * @import { Backend, Description, Entry, Hint, Position, PositionMessage, Question, TableMessage, TableState, TalkMessage,
 *   WhyAbout } from "../types.d.ts"
 * @import { Message } from "./connection.js"
 */

export const PROTOCOL = 2;

const LONGEST_WAIT = 8000;

/**
 * @typedef {object} Options
 * @property {string} match
 * @property {number | null} [seat] a seat that the visitor holds; -1: spectator; none: the own one, or of several in a
 *     game with secrets none yet
 * @property {(hash: string, match: string) => Promise<Description>} describe loads a description
 * @property {(match: string, agree: boolean) => Promise<unknown>} [rematch] agrees to a rematch, or declines it
 * @property {(match: string, seat: number) => Promise<Hint>} [hint] asks what a search thinks
 * @property {string} [origin]
 * @property {(url: string) => WebSocket} [connect] for tests
 * @property {() => number} [random] for tests
 */

/** @implements {Backend} */
export class ServerBackend {
    kind = /** @type {const} */ ("server");
    position = signal(/** @type {Position | null} */ (null));
    entries = signal(/** @type {Entry[]} */ ([]));
    table = signal(/** @type {TableState | null} */ (null));
    /** The server's time minus the browser's, in milliseconds. */
    skew = signal(0);
    /** What the referee of a physical table asks, or null. */
    chance = signal(/** @type {Question | null} */ (null));
    /** The seat of this visitor whose player should take over the screen, or null. */
    handover = signal(/** @type {number | null} */ (null));

    #options;
    #connection;
    #description = signal(/** @type {Description | null} */ (null));
    /** @type {string | null} */
    #hash = null;
    /** @type {number | null} */
    #version = null;
    #mark = "";

    /** @param {Options} options */
    constructor(options) {
        this.#options = options;
        this.conversation = new Conversation(options.match, (message) => this.#ask(message));
        this.#connection = new Connection({
            url: addressOf(options),
            hello: () => ({ type: "hello", protocol: PROTOCOL, seq: this.entries.peek().length, mark: this.#mark }),
            hear: (message) => this.#hear(message),
            ...(options.connect && { connect: options.connect }),
            ...(options.random && { random: options.random }),
        });
    }

    /** The static description of the game; null until it is loaded. Reading it in a component subscribes it. */
    get description() {
        return this.#description.value;
    }

    /** "connecting", "online", "reconnecting" or "closed". */
    get status() {
        return this.#connection.status;
    }

    /** Why the connection is closed for good, or what was wrong last: a code, or null. */
    get error() {
        return this.#connection.error;
    }

    /** The words of choices that wait for the connection. */
    get waiting() {
        return this.#connection.waiting;
    }

    close() {
        this.#connection.close();
    }

    /**
     * Resolves when the choice is committed; rejects with `Refused`. At a physical table the referee may then ask.
     * @param {string} words
     */
    choose(words) {
        return this.#ask({ type: "choose", version: this.#version, words });
    }

    /**
     * Answers what the referee of a physical table asks; null: nobody has seen it.
     * @param {string | null} _stream
     * @param {string | null} text
     */
    outcome(_stream, text) {
        return this.#ask({ type: "outcome", version: this.chance.peek()?.version ?? null, text });
    }

    /** Why is something not offered? Resolves to a refusal, or null if it is offered. @param {WhyAbout} about */
    why(about) {
        return this.#ask({ type: "why", ...about }).then((answer) => answer.refusal ?? null);
    }

    /**
     * Takes back choices. Resolves to an answer with a `proposal`, if others have to agree. At a physical table first of
     * all the choice that waits for an answer; with 0 the last answer to it.
     */
    undo(number = 1) {
        return this.#ask({ type: "undo", version: this.chance.peek()?.version ?? this.#version, number });
    }

    /** Proposes to go back to after entry `seq`. @param {number} seq */
    repair(seq) {
        return this.#ask({ type: "repair", seq });
    }

    abandon() {
        return this.#ask({ type: "abandon" });
    }

    resign() {
        return this.#ask({ type: "resign" });
    }

    /** What a search thinks of the choices of the viewer. */
    async hint() {
        const seat = this.position.peek()?.seat ?? -1;
        if (!this.#options.hint) {
            throw new Error("nobody gives hints here");
        }
        return this.#options.hint(this.#options.match, seat);
    }

    /**
     * Agrees to a proposal, or not. A rematch is answered for all seats of the visitor.
     * @param {number} proposal
     * @param {boolean} agree
     * @returns {Promise<unknown>}
     */
    answer(proposal, agree) {
        const isRematch = this.table.peek()?.proposals.some((it) => it.proposal === proposal && it.kind === "rematch");
        if (isRematch && this.#options.rematch) {
            return this.#options.rematch(this.#options.match, agree);
        }
        return this.#ask({ type: "answer", proposal, agree });
    }

    /** The score sheets, line by line. */
    account() {
        return this.#ask({ type: "account" }).then((answer) => answer.scores ?? []);
    }

    /** The position after `seq` entries, as a seat sees it. @param {number} seq @param {number | null} seat */
    at(seq, seat = null) {
        return /** @type {Promise<{position: Position, entries: Entry[]}>} */ (this.#ask({ type: "at", seq, seat }));
    }

    /** @param {Message} message */
    #ask(message) {
        return this.#connection.ask(message);
    }

    /** @param {TableMessage | PositionMessage | TalkMessage} message */
    #hear(message) {
        const table = this.table.peek();
        if (message.type === "table") {
            this.#heardTable(message, message);
        } else if (message.type === "position") {
            this.#heardPosition(message);
        } else if (message.type === "talk") {
            this.conversation.hear(message);
        } else if (message.type === "changes" && table) {
            this.#heardTable(message, { ...table, ...message, type: "table" });
        }
    }

    /**
     * A `table` message, or `changes`, and the table that there is then.
     * @param {TableMessage} message
     * @param {TableState} table
     */
    #heardTable(message, table) {
        batch(() => {
            if (message.clocks) {
                this.skew.value = message.clocks.now - Date.now();
            }
            this.table.value = table;
            this.chance.value = table.question ?? null;
            this.handover.value = nextAtScreen(table.seat, table.asked ?? []);
        });
        if (table.description && table.description !== this.#hash) {
            this.#hash = table.description;
            this.#describe(table.description);
        }
        if (table.status === "open") {
            this.#connection.ready();
        }
    }

    /** @param {PositionMessage} message */
    #heardPosition(message) {
        this.#version = message.version ?? null;
        this.#mark = message.mark ?? "";
        batch(() => {
            this.entries.value = merged(this.entries.peek(), message);
            this.position.value = message.position;
        });
        this.#connection.ready();
    }

    /** Loads the description, until it is there: without it nothing can be shown. @param {string} hash */
    async #describe(hash) {
        let wait = 1000;
        while (this.status.peek() !== "closed" && this.#hash === hash) {
            try {
                this.#description.value = await this.#options.describe(hash, this.#options.match);
                return;
            } catch {
                await new Promise((resolve) => setTimeout(resolve, wait));
                wait = Math.min(2 * wait, LONGEST_WAIT);
            }
        }
    }
}

/** @param {Options} options */
function addressOf({ match, seat, origin = globalThis.location?.origin }) {
    const url = new URL(`/api/matches/${encodeURIComponent(match)}/socket`, origin);
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("beat", String(BEAT));
    if (seat !== null && seat !== undefined) {
        url.searchParams.set("seat", String(seat));
    }
    return url.href;
}
