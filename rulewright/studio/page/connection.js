// The connection to the server: calls that are answered, and what the server tells by itself. It comes back by
// itself; `onOpen` then brings the new session what the page has kept.

import { signal } from "/web/signals.js";

const LONGEST_WAIT = 4000;
const FORBIDDEN = 4403;

/** A call was refused: `code` says how, `data` has what else is known. */
export class Refused extends Error {
    constructor({ message, data = null }) {
        super(message);
        Object.assign(this, { code: data?.code ?? "failed", text: message, data, refusal: data?.refusal ?? null });
    }
}

export class Connection {
    /** "connecting", "online", "reconnecting", "failed" or "forbidden". */
    status = signal("connecting");
    /** Why it could not be opened. */
    reason = signal("");
    #token;
    #socket = null;
    #next = 1;
    #asked = new Map();
    #listeners = new Map();
    #onOpen;
    #wait = 250;

    /** @param {{token: string, onOpen: () => Promise<void>}} options */
    constructor({ token, onOpen }) {
        this.#token = token;
        this.#onOpen = onOpen;
        this.#connect();
    }

    /** What is done with a notification. */
    on(method, act) {
        this.#listeners.set(method, act);
        return this;
    }

    /** Asks for something. Resolves to the result; rejects with `Refused`. */
    ask(method, params = {}) {
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

    /** Tells something that needs no answer. */
    tell(method, params = {}) {
        if (this.#socket?.readyState === WebSocket.OPEN) {
            this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
        }
    }

    /** Goes on with another token: that of a server which was started again. */
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
                if (error.code !== "offline") {
                    this.status.value = "failed";
                    this.reason.value = error.text ?? error.message ?? String(error);
                }
                console.warn(error);
            }
        };
        socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
        socket.onclose = ({ code }) => this.#closed(code, token);
    }

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
