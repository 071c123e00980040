// What the messages of a backend mean to the page.

/** Codes with which a server closes a socket so that it is useless to connect again. */
export const FINAL_CODES = { 4400: "protocol", 4403: "revoked", 4404: "not-found", 4429: "too-fast" };

/**
 * A request was refused. `code` says how; `refusal` why a choice is not offered, or null; `chance` which outcome
 * must be told first, or null.
 */
export class Refused extends Error {
    constructor({ code, text = "", refusal = null, chance = null }) {
        super(text || code);
        Object.assign(this, { code, refusal, chance });
    }
}

/** The entries after a `position` message: as many as `since` stay, the others are replaced. */
export function merged(entries, { entries: news = [], since, position }) {
    return [...entries.slice(0, since ?? position.seq - news.length), ...news];
}
