// What is said at a table of a server: what was told, what is on its way, and what this browser has read of it.

import { computed, signal } from "../html.js";
import { kept, keep } from "./viewer_storage.js";

/**
 * @import { AnswerMessage, MomentMark, Said, Signal, TalkMessage, Trouble } from "../types.d.ts"
 * @typedef {{ phrase: string } | { text: string }} Saying
 * @typedef {{ key: number, saying: Saying, failed: Trouble | null }} Pending what was not told to others yet; `failed`: it is not sent
 */

/** Things that wait to be sent, at most. */
const MOST_PENDING = 20;

export class Conversation {
    said = signal(/** @type {Said[]} */ ([]));
    marks = signal(/** @type {MomentMark[]} */ ([]));
    pending = signal(/** @type {Pending[]} */ ([]));
    /** The seats that this viewer does not want to hear. @type {Signal<number[]>} */
    muted;
    /** What was said of those that the viewer hears. */
    heard = computed(() => this.said.value.filter(({ seat }) => !this.muted.value.includes(seat)));
    /** Up to when the viewer has read. @type {Signal<number>} */
    #read;

    #ask;
    #match;
    #last = 0;

    /**
     * @param {string} match
     * @param {(message: { type: string, [field: string]: unknown }) => Promise<AnswerMessage>} ask asks the server, once whatever happens to the connection
     */
    constructor(match, ask) {
        this.#ask = ask;
        this.#match = match;
        const { muted, read } = kept(match);
        this.muted = signal(muted);
        this.#read = signal(read);
    }

    /** @param {TalkMessage} message */
    hear({ since, said, marks }) {
        this.said.value = [...this.said.peek().slice(0, since), ...said];
        this.marks.value = marks;
    }

    /** How much others have said that was not read. @param {(seat: number) => boolean} isOwn */
    unread(isOwn) {
        return this.heard.value.filter(({ seat, at }) => at > this.#read.value && !isOwn(seat)).length;
    }

    /** All is read that was said so far. */
    reading() {
        const last = Math.max(this.#read.peek(), ...this.said.peek().map(({ at }) => at));
        if (last > this.#read.peek()) {
            this.#read.value = last;
            keep(this.#match, { read: last });
        }
    }

    /** Hears a seat no longer, or again. @param {number} seat */
    mute(seat) {
        const now = this.muted.peek();
        this.muted.value = now.includes(seat) ? now.filter((one) => one !== seat) : [...now, seat];
        keep(this.#match, { muted: this.muted.peek() });
    }

    /** Says something. It is shown at once; if it cannot be sent, that is shown. @param {Saying} saying */
    async say(saying) {
        const key = ++this.#last;
        this.pending.value = [...this.pending.peek(), { key, saying, failed: null }].slice(-MOST_PENDING);
        try {
            await this.#ask({ type: "say", ...saying });
            this.drop(key);
        } catch (error) {
            const failed = /** @type {Trouble} */ (error);
            this.pending.value = this.pending.peek().map((one) => (one.key === key ? { ...one, failed } : one));
        }
    }

    /** Forgets what was not sent. @param {number} key */
    drop(key) {
        this.pending.value = this.pending.peek().filter((one) => one.key !== key);
    }

    /** Puts a mark of the viewer on an entry, or takes it away. @param {number} seq @param {string} mark @param {boolean} on */
    mark(seq, mark, on) {
        return this.#ask({ type: "mark", seq, mark, on });
    }
}
