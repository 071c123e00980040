// What the messages of a backend mean to the page.

/** @import { Entry, PositionMessage, Refusal } from "../types.d.ts" */

/** Codes with which a server closes a socket so that it is useless to connect again. @type {Record<number, string>} */
export const FINAL_CODES = { 4400: "protocol", 4403: "revoked", 4404: "not-found", 4429: "too-fast" };

/** A request was refused. `code` says how; `refusal` why a choice is not offered, or null. */
export class Refused extends Error {
    /** @param {{code: string, text?: string, refusal?: Refusal | null}} why */
    constructor({ code, text = "", refusal = null }) {
        super(text || code);
        this.code = code;
        this.refusal = refusal;
    }
}

/**
 * The entries after a `position` message: as many as `since` stay, the others are replaced.
 * @param {Entry[]} entries
 * @param {PositionMessage} message
 */
export function merged(entries, { entries: news = [], since, position }) {
    return [...entries.slice(0, since ?? position.seq - news.length), ...news];
}
