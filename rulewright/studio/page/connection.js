// The connection to the server: calls that are answered, and what the server tells by itself. It comes back by
// itself; `onOpen` then brings the new session what the page has kept.

import { signal } from "/web/vendor/signals.js";

/** @import { Calls, CallError, Told } from "./types.d.ts" */

const LONGEST_WAIT = 4000;
const FORBIDDEN = 4403;

/** A call was refused: `code` says how, `data` has what else is known. */
export class Refused extends Error {
    /** @param {CallError} error */
    constructor({ message, data = null }) {
        super(message);
        this.code = data?.code ?? "failed";
        this.data = data;
        this.refusal = data?.refusal ?? null;
    }
}

/** What is said of an error. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

export class Connection {
    /** "connecting", "online", "reconnecting", "failed" or "forbidden". */
    status = signal("connecting");
    /** Why it could not be opened. */
    reason = signal("");
    #token;
    /** @type {WebSocket | null} */
    #socket = null;
    #next = 1;
    /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Refused) => void }>} */
    #asked = new Map();
    /** @type {Map<string, (params: any) => void>} */
    #listeners = new Map();
    #onOpen;
    #wait = 250;

    /** @param {{token: string, onOpen: () => Promise<void>}} options */
    constructor({ token, onOpen }) {
        this.#token = token;
        this.#onOpen = onOpen;
        this.#connect();
    }

    /** What is done with a notification. @template {keyof Told} M @param {M} method @param {(params: Told[M]) => void} act */
    on(method, act) {
        this.#listeners.set(method, act);
        return this;
    }

    /**
     * Asks for something. Resolves to the result; rejects with `Refused`.
     * @template {keyof Calls} M
     * @param {M} method
     * @param {Calls[M]["given"]} params
     * @returns {Promise<Calls[M]["answer"]>}
     */
    ask(method, params) {
        return new Promise((resolve, reject) => {
            if (this.#socket?.readyState !== WebSocket.OPEN) {
                reject(new Refused({ message: "the server cannot be reached", data: { code: "offline" } }));
                return;
            }
            const id = this.#next++;
            this.#asked.set(id, { resolve, reject });
            this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
        });
    }

    /** Tells something that needs no answer. @template {keyof Calls} M @param {M} method @param {Calls[M]["given"]} params */
    tell(method, params) {
        if (this.#socket?.readyState === WebSocket.OPEN) {
            this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
        }
    }

    /** Goes on with another token: that of a server which was started again. @param {string} token */
    renew(token) {
        this.#token = token;
        if (this.status.peek() === "forbidden") {
            this.status.value = "reconnecting";
            this.#connect();
        }
    }

    #connect() {
        const url = new URL("/socket", location.origin.replace("http", "ws"));
        const token = this.#token;
        url.searchParams.set("token", token);
        const socket = new WebSocket(url);
        this.#socket = socket;
        socket.onopen = async () => {
            try {
                await this.#onOpen();
                this.#wait = 250;
                this.status.value = "online";
                this.reason.value = "";
            } catch (error) {
                if (!(error instanceof Refused && error.code === "offline")) {
                    this.status.value = "failed";
                    this.reason.value = messageOf(error);
                }
                console.warn(error);
            }
        };
        socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
        socket.onclose = ({ code }) => this.#closed(code, token);
    }

    /** @param {number} code @param {string} token */
    #closed(code, token) {
        const failed = new Refused({ message: "the connection broke", data: { code: "offline" } });
        this.#asked.forEach(({ reject }) => reject(failed));
        this.#asked.clear();
        if (code === FORBIDDEN && token === this.#token) {
            this.status.value = "forbidden";
            return;
        }
        this.status.value = "reconnecting";
        setTimeout(() => this.#connect(), this.#wait);
        this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    }

    /** @param {{ method: string, params: object, id?: number | null, error?: CallError, result?: unknown }} message */
    #hear(message) {
        if (message.id === undefined || message.id === null) {
            this.#listeners.get(message.method)?.(message.params);
            return;
        }
        const asked = this.#asked.get(message.id);
        this.#asked.delete(message.id);
        if (message.error) {
            asked?.reject(new Refused(message.error));
        } else {
            asked?.resolve(message.result);
        }
    }
}
