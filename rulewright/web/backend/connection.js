// A socket that is connected again when it is lost, and requests that are answered once.
//
// Every request has an id. What has not been answered is sent again with the same id after a reconnection;
// the server carries out an id once. So a choice is never lost and never doubled.
//
// A server that has once given a sign of life does so every `BEAT` seconds. If it is silent for longer, or the browser
// says that there is no network, the connection counts as lost at once; its socket has a little longer to come back.

import { signal } from "../html.js";
import { FINAL_CODES, Refused } from "./messages.js";

/** After how many seconds of silence the server is to give a sign of life. */
export const BEAT = 2;
/** In milliseconds: after which silence the connection counts as lost, and how long its socket may come back then. */
const SILENCE = 4000;
const LAST_CHANCE = 4000;
/** In milliseconds, after a connection was lost: how long the next one may take to open, and to say anything. */
const OPENING = 5000;
const FIRST_WORD = 4000;
/** In milliseconds: how long to wait before the first reconnection, before the last ones, for an answer. */
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
const ANSWER_WAIT = 12_000;

/**
 * @import { AnswerMessage, ConnectionStatus, PositionMessage, RefusedMessage, ServerMessage, TableMessage, TalkMessage } from "../types.d.ts"
 * @typedef {{type: string, words?: string | null, [field: string]: unknown}} Message to the server
 */

/**
 * What was asked and is not answered; `again`: it was sent once more as it could not be committed.
 * @typedef {object} Request
 * @property {Message} message
 * @property {(answer: AnswerMessage) => void} resolve
 * @property {(error: Refused) => void} reject
 * @property {Timer} timer
 * @property {boolean} again
 * @typedef {ReturnType<typeof setTimeout> | undefined} Timer
 */

/**
 * @typedef {object} Options
 * @property {string} url of the socket
 * @property {() => object} hello the first message of each connection
 * @property {(message: TableMessage | PositionMessage | TalkMessage) => void} hear is told how things stand
 * @property {(url: string) => WebSocket} [connect] for tests
 * @property {() => number} [random] for tests
 */

export class Connection {
    status = signal(/** @type {ConnectionStatus} */ ("connecting"));
    /** Why the connection is closed for good, or what was wrong last: a code, or null. */
    error = signal(/** @type {string | null} */ (null));
    /** The words of choices that wait for the connection. */
    waiting = signal(/** @type {string[]} */ ([]));

    #options;
    /** @type {WebSocket | null} */
    #socket = null;
    /** Has the present socket brought how things stand, and has the server ever given a sign of life? */
    #greeted = false;
    #beats = false;
    /** @type {Timer} */
    #silence;
    /** @type {Map<string, Request>} */
    #pending = new Map();
    #attempt = 0;
    /** @type {Timer} */
    #timer;

    /** @param {Options} options */
    constructor(options) {
        this.#options = { random: Math.random, connect: (/** @type {string} */ url) => new WebSocket(url), ...options };
        globalThis.addEventListener?.("online", this.#wakeUp);
        globalThis.addEventListener?.("offline", this.#silent);
        globalThis.document?.addEventListener("visibilitychange", this.#wakeUp);
        this.#open();
    }

    /** Ends the connection for good. What is not answered is refused. */
    close(code = "closed") {
        const socket = this.#socket;
        this.#socket = null;
        clearTimeout(this.#timer);
        clearTimeout(this.#silence);
        globalThis.removeEventListener?.("online", this.#wakeUp);
        globalThis.removeEventListener?.("offline", this.#silent);
        globalThis.document?.removeEventListener("visibilitychange", this.#wakeUp);
        socket?.close();
        this.status.value = "closed";
        for (const id of [...this.#pending.keys()]) {
            this.#settle(id, new Refused({ code }));
        }
    }

    /**
     * Asks the server for something. Resolves to its `ack` or `answer`, rejects with `Refused`.
     * @param {Message} message
     * @returns {Promise<AnswerMessage>}
     */
    ask(message) {
        if (this.status.peek() === "closed") {
            return Promise.reject(new Refused({ code: "closed" }));
        }
        const id = newId();
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { message: { ...message, id }, resolve, reject, timer: undefined, again: false });
            this.#send(id);
            this.#note();
        });
    }

    /** The server has told how things stand: what is not answered goes out again, in its order. */
    ready() {
        this.#greeted = true;
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
        this.#note();
    }

    /** Tells which choices wait for the connection. */
    #note() {
        const lost = this.status.peek() === "reconnecting";
        const found = lost ? [...this.#pending.values()].flatMap(({ message }) => message.words || []) : [];
        if (found.join("\n") !== this.waiting.peek().join("\n")) {
            this.waiting.value = found;
        }
    }

    /** @param {string} id */
    #send(id) {
        const request = this.#pending.get(id);
        if (!request || this.status.peek() !== "online") {
            return;
        }
        clearTimeout(request.timer);
        request.timer = setTimeout(this.#overdue, ANSWER_WAIT);
        this.#socket?.send(JSON.stringify(request.message));
    }

    /** @param {string} id @param {AnswerMessage | Refused} answer */
    #settle(id, answer) {
        const request = this.#pending.get(id);
        if (!request) {
            return;
        }
        clearTimeout(request.timer);
        this.#pending.delete(id);
        if (answer instanceof Refused) {
            request.reject(answer);
        } else {
            request.resolve(answer);
        }
    }

    #open() {
        const socket = this.#options.connect(this.#options.url);
        this.#socket = socket;
        this.#greeted = false;
        /** @template T @param {(event: T) => void} handler @returns {(event: T) => void} */
        const current = (handler) => (event) => socket === this.#socket && handler(event);
        this.#overdueIn(OPENING);
        socket.onopen = current(() => {
            this.#overdueIn(FIRST_WORD);
            socket.send(JSON.stringify(this.#options.hello()));
        });
        socket.onmessage = current((event) => this.#hear(JSON.parse(event.data)));
        socket.onclose = current((event) => this.#closed(event.code));
    }

    /**
     * A server that is known to give signs of life is given so long for the first one of a socket.
     * @param {number} milliseconds
     */
    #overdueIn(milliseconds) {
        clearTimeout(this.#silence);
        this.#silence = this.#beats ? setTimeout(this.#overdue, milliseconds) : undefined;
    }

    /** Whatever comes is a sign of life: it is waited for the next one, and a socket that was silent goes on. */
    #alive() {
        clearTimeout(this.#silence);
        this.#silence = this.#beats ? setTimeout(this.#silent, SILENCE) : undefined;
        if (this.#greeted && this.status.peek() === "reconnecting") {
            this.ready();
        }
    }

    /** Nothing has come for too long, or there is no network: the connection is lost, if the socket stays silent. */
    #silent = () => {
        if (this.status.peek() === "online") {
            this.status.value = "reconnecting";
            this.#note();
        }
        clearTimeout(this.#silence);
        this.#silence = this.#socket ? setTimeout(this.#overdue, LAST_CHANCE) : undefined;
    };

    /** @param {ServerMessage} message */
    #hear(message) {
        this.#beats ||= message.type === "beat";
        this.#alive();
        if (message.type === "ack" || message.type === "answer") {
            this.#settle(message.id, message);
        } else if (message.type === "refused") {
            this.#refused(message);
        } else if (message.type === "error") {
            this.error.value = message.code;
        } else if (message.type !== "beat") {
            this.#options.hear(message);
        }
    }

    /**
     * What could not be committed is sent once more, and again at the next connection: it may have been.
     * @param {RefusedMessage} message
     */
    #refused(message) {
        const request = this.#pending.get(message.id);
        if (message.code === "not-kept" && request && !request.again) {
            request.again = true;
            setTimeout(() => this.#send(message.id), 2 * FIRST_WAIT);
            return;
        }
        this.#settle(message.id, new Refused(message));
    }

    /** @param {number} code */
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
        clearTimeout(this.#silence);
        this.status.value = "reconnecting";
        this.#note();
        this.#pending.forEach((request) => clearTimeout(request.timer));
        const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#attempt);
        this.#attempt += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), most * (0.5 + this.#options.random() / 2));
    }

    /** The network or the viewer is back: connect at once. @param {Event} event */
    #wakeUp = ({ type }) => {
        if (type === "online" && this.status.peek() === "reconnecting" && this.#socket) {
            this.#overdue();
        }
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
