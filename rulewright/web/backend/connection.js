// A socket that is connected again when it is lost, and requests that are answered once.
//
// Every request has an id. What has not been answered is sent again with the same id after a reconnection;
// the server carries out an id once. So a choice is never lost and never doubled.

import { signal } from "../html.js";
import { FINAL_CODES, Refused } from "./messages.js";

/** In milliseconds: how long to wait before the first reconnection, before the last ones, for an answer. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const ANSWER_WAIT = 12_000;

/**
 * @typedef {object} Options
 * @property {string} url of the socket
 * @property {() => object} hello the first message of each connection
 * @property {(message: object) => void} hear is told all messages but answers
 * @property {(url: string) => WebSocket} [connect] for tests
 * @property {() => number} [random] for tests
 */

export class Connection {
    /** "connecting", "online", "reconnecting" or "closed". */
    status = signal("connecting");
    /** Why the connection is closed for good, or what was wrong last: a code, or null. */
    error = signal(null);

    #options;
    #socket = null;
    #pending = new Map();
    #attempt = 0;
    #timer = null;

    /** @param {Options} options */
    constructor(options) {
        this.#options = { random: Math.random, connect: (url) => new WebSocket(url), ...options };
        globalThis.addEventListener?.("online", this.#wakeUp);
        globalThis.document?.addEventListener("visibilitychange", this.#wakeUp);
        this.#open();
    }

    /** Ends the connection for good. What is not answered is refused. */
    close(code = "closed") {
        const socket = this.#socket;
        this.#socket = null;
        clearTimeout(this.#timer);
        globalThis.removeEventListener?.("online", this.#wakeUp);
        globalThis.document?.removeEventListener("visibilitychange", this.#wakeUp);
        socket?.close();
        this.status.value = "closed";
        for (const id of [...this.#pending.keys()]) {
            this.#settle(id, null, new Refused({ code }));
        }
    }

    /** Asks the server for something. Resolves to its `ack` or `answer`, rejects with `Refused`. */
    ask(message) {
        if (this.status.peek() === "closed") {
            return Promise.reject(new Refused({ code: "closed" }));
        }
        const id = newId();
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { message: { ...message, id }, resolve, reject, timer: null, again: false });
            this.#send(id);
        });
    }

    /** The server has told how things stand: what is not answered goes out again, in its order. */
    ready() {
        if (this.status.peek() === "online") {
            return;
        }
        this.#attempt = 0;
        this.status.value = "online";
        this.error.value = null;
        for (const [id, request] of this.#pending) {
            request.again = false;
            this.#send(id);
        }
    }

    #send(id) {
        const request = this.#pending.get(id);
        if (!request || this.status.peek() !== "online") {
            return;
        }
        clearTimeout(request.timer);
        request.timer = setTimeout(this.#overdue, ANSWER_WAIT);
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
        const socket = this.#options.connect(this.#options.url);
        this.#socket = socket;
        const current = (handler) => (event) => socket === this.#socket && handler(event);
        socket.onopen = current(() => socket.send(JSON.stringify(this.#options.hello())));
        socket.onmessage = current((event) => this.#hear(JSON.parse(event.data)));
        socket.onclose = current((event) => this.#closed(event.code));
    }

    #hear(message) {
        if (message.type === "ack" || message.type === "answer") {
            this.#settle(message.id, message, null);
        } else if (message.type === "refused") {
            this.#refused(message);
        } else if (message.type === "error") {
            this.error.value = message.code;
        } else {
            this.#options.hear(message);
        }
    }

    /** What could not be committed is sent once more, and again at the next connection: it may have been. */
    #refused(message) {
        const request = this.#pending.get(message.id);
        if (message.code === "not-kept" && request && !request.again) {
            request.again = true;
            setTimeout(() => this.#send(message.id), 2 * FIRST_WAIT);
            return;
        }
        this.#settle(message.id, null, new Refused(message));
    }

    #closed(code) {
        this.#socket = null;
        if (code in FINAL_CODES) {
            this.error.value = FINAL_CODES[code];
            this.close(FINAL_CODES[code]);
        } else {
            this.#again();
        }
    }

    /** An answer is overdue: the connection is taken for dead. */
    #overdue = () => {
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
        this.#again();
    };

    #again() {
        this.status.value = "reconnecting";
        this.#pending.forEach((request) => clearTimeout(request.timer));
        const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempt);
        this.#attempt += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), most * (0.5 + this.#options.random() / 2));
    }

    /** The network or the viewer is back: connect at once. */
    #wakeUp = () => {
        const away = globalThis.document?.visibilityState === "hidden";
        if (this.status.peek() === "reconnecting" && !this.#socket && !away) {
            clearTimeout(this.#timer);
            this.#open();
        }
    };
}

/** `randomUUID` is there on secure pages alone, and a table at home may be served by http. */
function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
