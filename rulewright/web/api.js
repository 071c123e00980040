// What the page asks the server for by HTTP.

import { ownNames } from "./match/own_names.js";

/** The server has answered with an error: its code, its status, what is said of it. */
export class ApiError extends Error {
    constructor(status, error) {
        super(error.text ?? "");
        this.status = status;
        this.code = error.code ?? "not-available";
        this.diagnostics = error.diagnostics ?? [];
    }
}

async function request(method, path, body, signal) {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    let answer;
    try {
        answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
    } catch {
        throw new ApiError(0, { code: "offline" });
    }
    const text = await answer.text();
    const data = parsed(text);
    if (!answer.ok) {
        throw new ApiError(answer.status, data?.error ?? {});
    }
    return data;
}

function parsed(text) {
    try {
        return text ? JSON.parse(text) : null;
    } catch {
        return null;
    }
}

const get = (path) => request("GET", path);
const post = (path, body = {}) => request("POST", path, body);
const at = (match, rest = "") => `/api/matches/${encodeURIComponent(match)}${rest}`;

/** The query of a configuration: its number of seats and its options. */
export function configuration(seats, options) {
    return new URLSearchParams({ seats: String(seats), ...options }).toString();
}

export const server = () => get("/api/server");
export const games = () => get("/api/games");
export const game = (name) => get(`/api/games/${encodeURIComponent(name)}`);
export const description = (hash, match) => get(`/api/descriptions/${hash}?match=${encodeURIComponent(match)}`).then((found) => ownNames(found));
export const clauses = (name) => get(`/api/games/${encodeURIComponent(name)}/clauses`);

export const matches = () => get("/api/matches");
export const match = (id) => get(at(id));
export const create = (body) => post("/api/matches", body);
export const join = (id, seat, name) => post(at(id, "/join"), { seat, name });
export const leave = (id, seat) => post(at(id, "/leave"), { seat });
export const rename = (id, seat, name) => post(at(id, "/name"), { seat, name });
export const seatLink = (id, seat) => post(at(id, `/seats/${seat}/link`));
export const revoke = (id, seat) => request("DELETE", at(id, `/seats/${seat}/link`), {});
export const seatBot = (id, seat, bot) => post(at(id, `/seats/${seat}/bot`), { bot });
export const closeMatch = (id) => post(at(id, "/close"));
export const rematch = (id, agree = true) => post(at(id, "/rematch"), { agree });
export const notices = (id, seat) => get(at(id, `/notices?seat=${seat}`));
export const setNotices = (id, body) => post(at(id, "/notices"), body);
export const beliefs = (id, seq, seat, by, signal) => request("GET", at(id, `/beliefs?seq=${seq}&seat=${seat}&by=${by}`), undefined, signal);
export const logAddress = (id) => at(id, "/log");

/** Uploads a ruleset: a zip file. */
export async function upload(file) {
    const answer = await fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/zip" }, body: file });
    const data = parsed(await answer.text());
    if (!answer.ok) {
        throw new ApiError(answer.status, data?.error ?? {});
    }
    return data;
}

/** The rulebook of a game, as HTML. */
export async function rulebook(name, seats, options) {
    const answer = await fetch(`/api/games/${encodeURIComponent(name)}/rulebook?${configuration(seats, options)}`);
    if (!answer.ok) {
        throw new ApiError(answer.status, {});
    }
    return answer.text();
}
