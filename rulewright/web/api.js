// What the page asks the server for by HTTP.

import { ownNames } from "./match/own_names.js";

/**
 * @import { Beliefs, ClauseText, Description, Diagnostic, GameDetails, GameSummary, Hint, MatchLists, MatchRequest, MatchSummary,
 *   NoticeRequest, NoticesSet, Options, PlaytestAct, PlaytestShown, SeatLink, ServerInfo, TalkRule } from "./types.d.ts"
 * @typedef {{code?: string, text?: string, diagnostics?: Diagnostic[]}} Said of an error
 */

/** The server has answered with an error: its code, its status, what is said of it. */
export class ApiError extends Error {
    /** @param {number} status @param {Said} error */
    constructor(status, error) {
        super(error.text ?? "");
        this.status = status;
        this.code = error.code ?? "not-available";
        this.diagnostics = error.diagnostics ?? [];
    }
}

/**
 * What the server answers; of which shape that is, says who asks.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function request(method, path, body, signal) {
    const headers = body === undefined ? undefined : { "Content-Type": "application/json" };
    let answer;
    try {
        answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
    } catch {
        throw new ApiError(0, { code: "offline" });
    }
    return answered(answer);
}

/** @param {Response} answer @returns {Promise<any>} */
async function answered(answer) {
    const data = parsed(await answer.text());
    if (!answer.ok) {
        throw new ApiError(answer.status, data?.error ?? {});
    }
    return data;
}

/** @param {string} text */
function parsed(text) {
    try {
        return text ? JSON.parse(text) : null;
    } catch {
        return null;
    }
}

const get = (/** @type {string} */ path) => request("GET", path);
const post = (/** @type {string} */ path, /** @type {object} */ body = {}) => request("POST", path, body);
const at = (/** @type {string} */ match, rest = "") => `/api/matches/${encodeURIComponent(match)}${rest}`;

/** The query of a configuration: its number of seats and its options. @param {number} seats @param {Options} options */
export function configuration(seats, options) {
    return new URLSearchParams({ seats: String(seats), ...options }).toString();
}

/** @returns {Promise<ServerInfo>} */
export const server = () => get("/api/server");
/** @returns {Promise<{games: GameSummary[]}>} */
export const games = () => get("/api/games");
/** @param {string} name @returns {Promise<GameDetails>} */
export const game = (name) => get(`/api/games/${encodeURIComponent(name)}`);
/** @param {string} hash @param {string} match @returns {Promise<Description>} */
export const description = (hash, match) => get(`/api/descriptions/${hash}?match=${encodeURIComponent(match)}`).then((found) => ownNames(found));
/** @param {string} name @returns {Promise<{clauses: Record<string, ClauseText>}>} */
export const clauses = (name) => get(`/api/games/${encodeURIComponent(name)}/clauses`);

/** @returns {Promise<MatchLists>} */
export const matches = () => get("/api/matches");
/** @param {string} id @returns {Promise<MatchSummary>} */
export const match = (id) => get(at(id));
/** @param {MatchRequest} body @returns {Promise<MatchSummary>} */
export const create = (body) => post("/api/matches", body);
/** @param {string} id @param {number | null} seat @param {string} name @returns {Promise<MatchSummary>} */
export const join = (id, seat, name) => post(at(id, "/join"), { seat, name });
/** @param {string} id @param {number} seat @returns {Promise<MatchSummary>} */
export const leave = (id, seat) => post(at(id, "/leave"), { seat });
/** @param {string} id @param {number} seat @param {string} name @returns {Promise<MatchSummary>} */
export const rename = (id, seat, name) => post(at(id, "/name"), { seat, name });
/** @param {string} id @param {number} seat @returns {Promise<SeatLink>} */
export const seatLink = (id, seat) => post(at(id, `/seats/${seat}/link`));
/** @param {string} id @param {number} seat @returns {Promise<SeatLink>} */
export const revoke = (id, seat) => request("DELETE", at(id, `/seats/${seat}/link`), {});
/** @param {string} id @param {number} seat @param {string | boolean | null} bot @returns {Promise<MatchSummary>} */
export const seatBot = (id, seat, bot) => post(at(id, `/seats/${seat}/bot`), { bot });
/** @param {string} id @returns {Promise<null>} */
export const closeMatch = (id) => post(at(id, "/close"));
/** Ends a match without other people, and takes it off the list. @param {string} id @returns {Promise<null>} */
export const dismiss = (id) => post(at(id, "/dismiss"));
/** @param {string} id @returns {Promise<MatchSummary>} */
export const rematch = (id, agree = true) => post(at(id, "/rematch"), { agree });
/** @param {string} id @param {number} seat @returns {Promise<NoticesSet>} */
export const notices = (id, seat) => get(at(id, `/notices?seat=${seat}`));
/** @param {string} id @param {NoticeRequest} body @returns {Promise<null>} */
export const setNotices = (id, body) => post(at(id, "/notices"), body);
/**
 * @param {string} id
 * @param {number} seq
 * @param {number} seat
 * @param {number} by
 * @param {AbortSignal} signal
 * @returns {Promise<Beliefs>}
 */
export const beliefs = (id, seq, seat, by, signal) => request("GET", at(id, `/beliefs?seq=${seq}&seat=${seat}&by=${by}`), undefined, signal);
/** @param {string} id @param {number} seat @returns {Promise<Hint>} */
export const hint = (id, seat) => post(at(id, "/hint"), { seat });

/** What is kept of the visitor's own seats. @param {string} id @returns {Promise<PlaytestShown>} */
export const playtest = (id) => get(at(id, "/playtest"));
/** @param {string} id @param {PlaytestAct} act @returns {Promise<PlaytestShown>} */
export const actInPlaytest = (id, act) => post(at(id, "/playtest"), act);

/** What may be said at a table; by its owner. @param {string} id @param {Partial<TalkRule>} rule @returns {Promise<TalkRule>} */
export const allowTalk = (id, rule) => post(at(id, "/talk"), rule);
/** @param {string} id */
export const logAddress = (id) => at(id, "/log");
/** The log of a match that is over. @param {string} id */
export const log = (id) => textAt(logAddress(id));

/** Uploads a ruleset: a zip file. @param {Blob} file @returns {Promise<{game: string, title: string}>} */
export async function upload(file) {
    return answered(await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/zip" }, body: file }));
}

/** Where the rulebook of a game is. @param {string} name @param {number} seats @param {Options} options */
export const rulebookAddress = (name, seats, options) => `/api/games/${encodeURIComponent(name)}/rulebook?${configuration(seats, options)}`;

/** The rulebook of a game, as HTML. @param {string} name @param {number} seats @param {Options} options */
export const rulebook = (name, seats, options) => textAt(rulebookAddress(name, seats, options));

/** @param {string} address */
async function textAt(address) {
    const answer = await fetch(address);
    if (!answer.ok) {
        throw new ApiError(answer.status, {});
    }
    return answer.text();
}
