// A match at the server: one socket, connected again when it is lost, and what is asked over it.
//
// Every request has an id. What the server has not answered is sent again with the same id after a
// reconnection; the server carries out an id once. So a choice is never lost and never doubled.

import { batch, signal } from "../html.js";
import { FINAL_CODES, merged, Refused } from "./messages.js";

export const PROTOCOL = 1;

/** How long to wait, in milliseconds: before the first reconnection, before the last ones, for an answer. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const ANSWER_WAIT = 12000;

/**
 * @typedef {object} Options
 * @property {string} match
 * @property {number | null} [seat] a seat that the visitor holds; -1: spectator; none: the first own one
 * @property {(hash: string) => Promise<object>} describe loads a description
 * @property {(url: string) => WebSocket} [connect] for tests
 * @property {() => number} [random] for tests
 * @property {string} [origin]
 */

export class ServerBackend {
    kind = "server";
    position = signal(null);
    entries = signal([]);
    table = signal(null);
    /** "connecting", "online", "reconnecting" or "closed". */
    status = signal("connecting");
    /** Why the connection is closed for good, or what was wrong last: a code, or null. */
    error = signal(null);
    /** The server's time minus the browser's, in milliseconds. */
    skew = signal(0);

    #options;
    #description = signal(null);
    #socket = null;
    #pending = new Map();
    #attempt = 0;
    #timer = null;
    #version = null;
    #hash = null;
    #ended = false;

    /** @param {Options} options */
    constructor(options) {
        this.#options = { random: Math.random, connect: (url) => new WebSocket(url), ...options };
        this.#wakeUp = this.#wakeUp.bind(this);
        globalThis.addEventListener?.("online", this.#wakeUp);
        globalThis.document?.addEventListener("visibilitychange", this.#wakeUp);
        this.#open();
    }

    /** The static description of the game; null until it is loaded. Reading it in a component subscribes it. */
    get description() {
        return this.#description.value;
    }

    /** Ends the connection for good. What is not answered is refused. */
    close(code = "closed") {
        this.#ended = true;
        clearTimeout(this.#timer);
        globalThis.removeEventListener?.("online", this.#wakeUp);
        globalThis.document?.removeEventListener("visibilitychange", this.#wakeUp);
        this.#socket?.close();
        this.#socket = null;
        this.status.value = "closed";
        for (const id of [...this.#pending.keys()]) {
            this.#settle(id, null, new Refused({ code, text: "" }));
        }
    }

    /** Resolves when the choice is committed; rejects with `Refused`. */
    choose(words) {
        return this.#ask({ type: "choose", seq: this.position.peek()?.seq ?? 0, words });
    }

    /** Why is something not offered? Resolves to a refusal, or null if it is offered. */
    why(about) {
        return this.#ask({ type: "why", ...about }).then((answer) => answer.refusal ?? null);
    }

    undo(number = 1) {
        return this.#ask({ type: "undo", number });
    }

    repair(seq) {
        return this.#ask({ type: "repair", seq });
    }

    propose(kind) {
        return this.#ask({ type: "propose", kind });
    }

    resign() {
        return this.#ask({ type: "resign" });
    }

    answer(proposal, agree) {
        return this.#ask({ type: "answer", proposal, agree });
    }

    /** The score sheets, line by line. */
    account() {
        return this.#ask({ type: "account" }).then((answer) => answer.scores ?? []);
    }

    /** The position after entry `seq`, as a seat sees it. */
    at(seq, seat) {
        return this.#ask({ type: "at", seq, seat });
    }

    /** Says what came out at the physical table. */
    outcome(stream, text) {
        return this.#ask({ type: "outcome", stream, text });
    }

    #ask(message) {
        if (this.#ended) {
            return Promise.reject(new Refused({ code: "closed", text: "" }));
        }
        const id = crypto.randomUUID();
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { message: { ...message, id }, resolve, reject, timer: null });
            this.#send(id);
        });
    }

    #send(id) {
        const request = this.#pending.get(id);
        if (!request || this.status.peek() !== "online") {
            return;
        }
        clearTimeout(request.timer);
        request.timer = setTimeout(() => this.#lost(), ANSWER_WAIT);
        this.#socket.send(JSON.stringify(request.message));
    }

    #settle(id, value, error) {
        const request = this.#pending.get(id);
        if (!request) {
            return;
        }
        clearTimeout(request.timer);
        this.#pending.delete(id);
        if (error) {
            request.reject(error);
        } else {
            request.resolve(value);
        }
    }

    #open() {
        const { match, seat, connect, origin = globalThis.location?.origin } = this.#options;
        const url = new URL(`/api/matches/${encodeURIComponent(match)}/socket`, origin);
        url.protocol = url.protocol.replace("http", "ws");
        if (seat !== null && seat !== undefined) {
            url.searchParams.set("seat", String(seat));
        }
        const socket = connect(url.href);
        this.#socket = socket;
        const current = (handler) => (event) => socket === this.#socket && handler(event);
        socket.onopen = current(() => this.#hello());
        socket.onmessage = current((event) => this.#hear(JSON.parse(event.data)));
        socket.onclose = current((event) => this.#closed(event.code));
    }

    /** Without the server's version an undo may have been missed: then everything is asked for again. */
    #hello() {
        const hello = { type: "hello", protocol: PROTOCOL, seq: 0 };
        if (this.#version !== null) {
            hello.seq = this.entries.peek().length;
            hello.version = this.#version;
        }
        this.#socket.send(JSON.stringify(hello));
    }

    #closed(code) {
        this.#socket = null;
        if (this.#ended) {
            return;
        }
        if (code in FINAL_CODES) {
            this.error.value = FINAL_CODES[code];
            this.close(FINAL_CODES[code]);
            return;
        }
        this.#again();
    }

    /** An answer is overdue: the connection is taken for dead. */
    #lost() {
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
        this.#again();
    }

    #again() {
        this.status.value = "reconnecting";
        this.#pending.forEach((request) => clearTimeout(request.timer));
        const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempt);
        this.#attempt += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), most * (0.5 + this.#options.random() / 2));
    }

    #wakeUp() {
        const away = globalThis.document?.visibilityState === "hidden";
        if (this.status.peek() === "reconnecting" && !this.#socket && !away) {
            clearTimeout(this.#timer);
            this.#open();
        }
    }

    #hear(message) {
        switch (message.type) {
            case "table":
                this.#heardTable(message);
                break;
            case "position":
                this.#heardPosition(message);
                break;
            case "ack":
            case "answer":
                this.#settle(message.id, message, null);
                break;
            case "refused":
                this.#heardRefused(message);
                break;
            case "error":
                this.error.value = message.code;
                break;
        }
    }

    /** What could not be committed is sent once more, as it may have been. */
    #heardRefused(message) {
        const request = this.#pending.get(message.id);
        if (message.code === "not-kept" && request && !request.again) {
            request.again = true;
            setTimeout(() => this.#send(message.id), FIRST_WAIT * 2);
            return;
        }
        this.#settle(message.id, null, new Refused(message));
    }

    #heardTable(message) {
        const now = message.clocks?.now ?? message.now;
        batch(() => {
            if (now !== undefined) {
                this.skew.value = now - Date.now();
            }
            this.table.value = message;
        });
        if (message.description && message.description !== this.#hash) {
            this.#hash = message.description;
            this.#describe(message.description);
        }
        if (message.status === "open") {
            this.#ready();
        }
    }

    /** Loads the description, until it is there: without it nothing can be shown. */
    async #describe(hash) {
        for (let wait = 1000; !this.#ended && this.#hash === hash; wait = Math.min(2 * wait, LONGEST_WAIT)) {
            try {
                this.#description.value = await this.#options.describe(hash);
                return;
            } catch (error) {
                this.error.value = error.code ?? "offline";
                await new Promise((resolve) => setTimeout(resolve, wait));
            }
        }
    }

    #heardPosition(message) {
        this.#version = message.version ?? null;
        batch(() => {
            this.entries.value = merged(this.entries.peek(), message);
            this.position.value = message.position;
        });
        this.#ready();
    }

    /** The first news after (re)connecting: what is not answered goes out again, in its order. */
    #ready() {
        if (this.status.peek() === "online") {
            return;
        }
        this.#attempt = 0;
        batch(() => {
            this.status.value = "online";
            this.error.value = null;
        });
        for (const id of this.#pending.keys()) {
            this.#send(id);
        }
    }
}
