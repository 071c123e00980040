// A match that is to be made: what the form holds, and the request that it becomes.

import { defaultOf, fits } from "./option_sets.js";
import { playerName } from "./settings.js";

/** @import { ClockRule, GameDetails, MatchRequest, Options, Ruling, TalkRule, Visibility } from "../types.d.ts" */
/**
 * What the form of a new match holds: who plays each seat, `me`, `open`, `invited` or a bot, and all that can be chosen.
 * @typedef {object} NewTable
 * @property {string} name
 * @property {number} seats
 * @property {string[]} players
 * @property {string[]} names
 * @property {Options} options
 * @property {{ kind: ClockRule["kind"] | "none", move: number, minutes: number, increment: number, days: number, expiry: ClockRule["expiry"] }} clock
 * @property {Visibility | "auto"} visibility
 * @property {"all" | "late" | "nobody"} watching-by
 * @property {TalkRule["allowed"] | "auto"} talk
 * @property {"system" | "committed" | "companion"} chance
 * @property {boolean} hints may players ask what a search thinks?
 * @property {string} usual the bot of a new seat
 */

const MINUTE = 60;
const DAY = 86_400;
/** How many choices late spectators are behind. */
const LATE = 10;

/** What the form begins with: the viewer against bots, without a clock, all as the rules propose. @param {GameDetails} game @returns {NewTable} */
export function firstTable(game) {
    const seats = game.seats.find((count) => count > 1) ?? game.seats[0];
    /** @type {NewTable} */
    const table = {
        name: playerName.peek(),
        seats,
        players: ["me"],
        names: [],
        options: defaultsOf(game, seats),
        clock: { kind: "none", move: 90, minutes: 20, increment: 10, days: 3, expiry: "forfeit" },
        visibility: "auto",
        "watching-by": "all",
        talk: "auto",
        chance: "system",
        hints: true,
        usual: `bot:${game.usual_bot}`,
    };
    return withSeats(game, table, seats);
}

/** The options as the rules propose them with so many seats. @param {GameDetails} game @param {number} seats @returns {Options} */
const defaultsOf = (game, seats) => Object.fromEntries([...game.options, ...game.rulings].map((it) => [it.name, defaultOf(it, seats)]));

/**
 * With another number of seats: new ones are as the last one, and sets that do not go with it as proposed.
 * @param {GameDetails} game
 * @param {NewTable} table
 * @param {number} seats
 * @returns {NewTable}
 */
export function withSeats(game, table, seats) {
    const last = table.players.length > 1 ? table.players[table.players.length - 1] : table.usual;
    const proposed = (/** @type {Ruling} */ it) => it.sets && (table.options[it.name] === defaultOf(it, table.seats) || !fits(it, table.options[it.name], seats));
    const changed = game.options.filter(proposed).map((it) => [it.name, defaultOf(it, seats)]);
    const options = { ...table.options, ...Object.fromEntries(changed) };
    return { ...table, seats, options, players: Array.from({ length: seats }, (_, seat) => table.players[seat] ?? last) };
}

/** With all other seats of one kind. @param {NewTable} table @param {string} kind @returns {NewTable} */
export function withCompany(table, kind) {
    return { ...table, chance: table.chance === "companion" ? "system" : table.chance, players: table.players.map((_, seat) => (seat ? (kind === "bot" ? table.usual : kind) : "me")) };
}

/** A companion of a physical table: at this device, until seats are given to others; without a clock. @param {NewTable} table @returns {NewTable} */
export function asCompanion(table) {
    return { ...table, chance: "companion", players: table.players.map(() => "me"), clock: { ...table.clock, kind: "none" } };
}

/** The body of the request. What is as the rules propose is left out. @param {GameDetails} game @param {NewTable} table @returns {MatchRequest} */
export function requestOf(game, table) {
    const defaults = defaultsOf(game, table.seats);
    const chosen = Object.entries(table.options).filter(([name, value]) => value !== defaults[name]);
    return {
        game: game.game,
        seats: table.seats,
        options: Object.fromEntries(chosen),
        name: table.name.trim(),
        players: table.players,
        spectators: { allowed: table["watching-by"] !== "nobody", delay: table["watching-by"] === "late" ? LATE : 0 },
        clock: clockOf(table.clock),
        chance: table.chance === "committed" ? "committed" : "system",
        ...(table.visibility !== "auto" && { visibility: table.visibility }),
        ...(!table.hints && { hints: false }),
        ...(table.talk !== "auto" && { talk: { allowed: table.talk, spectators: false } }),
        ...(table.chance === "companion" && { companion: true }),
    };
}

/** The names of further seats at this device, by seat. @param {NewTable} table */
export function furtherNames(table) {
    const first = table.players.indexOf("me");
    return table.players
        .map((kind, seat) => ({ seat, name: kind === "me" && seat !== first ? (table.names[seat] ?? "").trim() : "" }))
        .filter(({ name }) => name);
}

/** @param {NewTable["clock"]} clock @returns {MatchRequest["clock"]} */
function clockOf({ kind, move, minutes, increment, days, expiry }) {
    switch (kind) {
        case "move":
            return { kind, seconds: move, expiry };
        case "match":
            return { kind, seconds: minutes * MINUTE, increment, expiry };
        case "days":
            return { kind, seconds: days * DAY, expiry };
        default:
            return null;
    }
}
