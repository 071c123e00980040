// A match that is to be made: what the form holds, and the request that it becomes.

import { playerName } from "./settings.js";

const MINUTE = 60;
const DAY = 86_400;
/** How many choices late spectators are behind. */
const LATE = 10;

/** What the form begins with: the viewer against bots, without a clock, all as the rules propose. */
export function firstTable(game) {
    const seats = game.seats[0] === 1 && game.seats[1] > 1 ? 2 : game.seats[0];
    const table = {
        name: playerName.peek(),
        seats,
        players: ["me"],
        names: [],
        options: Object.fromEntries([...game.options, ...game.rulings].map((it) => [it.name, String(it.default)])),
        clock: { kind: "none", move: 90, minutes: 20, increment: 10, days: 3, expiry: "forfeit" },
        visibility: "auto",
        "watching-by": "all",
        chance: "system",
        "undo-policy": "free",
        usual: `bot:${game.usual_bot}`,
    };
    return withSeats(table, seats);
}

/** With another number of seats: new ones are as the last one. */
export function withSeats(table, seats) {
    const last = table.players.length > 1 ? table.players.at(-1) : table.usual;
    return { ...table, seats, players: Array.from({ length: seats }, (_, seat) => table.players[seat] ?? last) };
}

/** With all other seats of one kind. */
export function withCompany(table, kind) {
    return { ...table, chance: table.chance === "companion" ? "system" : table.chance, players: table.players.map((_, seat) => (seat ? (kind === "bot" ? table.usual : kind) : "me")) };
}

/** A companion of a physical table: at this device, until seats are given to others; without a clock. */
export function asCompanion(table) {
    return { ...table, chance: "companion", players: table.players.map(() => "me"), clock: { ...table.clock, kind: "none" } };
}

/** The body of the request. What is as the rules propose is left out. */
export function requestOf(game, table, server) {
    const defaults = Object.fromEntries([...game.options, ...game.rulings].map((it) => [it.name, String(it.default)]));
    const chosen = Object.entries(table.options).filter(([name, value]) => value !== defaults[name]);
    const request = {
        game: game.game,
        seats: table.seats,
        options: Object.fromEntries(chosen),
        name: table.name.trim(),
        players: table.players,
        spectators: { allowed: table["watching-by"] !== "nobody", delay: table["watching-by"] === "late" ? LATE : 0 },
        clock: clockOf(table.clock),
        chance: table.chance === "committed" ? "committed" : "system",
    };
    return {
        ...request,
        ...(table.visibility !== "auto" && { visibility: table.visibility }),
        ...(table.chance === "companion" && { companion: true }),
        ...(server?.features?.includes("undo") && { undo: table["undo-policy"] }),
    };
}

/** The names of further seats at this device, by seat. */
export function furtherNames(table) {
    const first = table.players.indexOf("me");
    return table.players
        .map((kind, seat) => ({ seat, name: kind === "me" && seat !== first ? (table.names[seat] ?? "").trim() : "" }))
        .filter(({ name }) => name);
}

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
