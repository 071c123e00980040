// What the page shows of the people and bots at a table in this page: the same as a server tells.

import { commitment } from "../match/commitment.js";
import { HUMAN } from "./local_settings.js";

/**
 * @import { Match } from "../match/match.js"
 * @import { Proposal, TableSeat, TableState } from "../types.d.ts"
 * @typedef {object} About
 * @property {number} viewer
 * @property {{players: string[], names: (string | null)[]}} settings
 * @property {string | null} nonce
 * @property {Proposal[]} proposals
 * @property {boolean} [companion]
 */

/**
 * The `table` of a match: who sits where, what is proposed, and the commitment to its seed.
 * @param {Match} match
 * @param {About} about
 * @returns {TableState}
 */
export function tableOf({ game, over, seed }, { viewer, settings, nonce, proposals, companion = false }) {
    const { game: name, title, options, seats, digest } = game.description;
    const about = { game: name, rules: digest, seats, options };
    return {
        type: "table",
        match: "local",
        game: name,
        title,
        options,
        description: null,
        seat: viewer,
        owner: true,
        status: over ? "over" : "running",
        visibility: "private",
        seats: settings.players.map((kind, seat) => ({ ...seatOf(kind, seat, settings.names[seat]), ...(companion && { mine: false }) })),
        watching: 0,
        spectators: { allowed: false, delay: 0 },
        clocks: null,
        proposals,
        companion,
        chance: companion ? null : {
            kind: "committed",
            commitment: nonce === null ? null : commitment(about, seed, nonce),
            seed: over ? String(seed) : null,
            nonce: over ? nonce : null,
        },
        rules: { digest, kept: false },
        rematch: null,
    };
}

/** @param {string} kind @param {number} seat @param {string | null} name @returns {TableSeat} */
const seatOf = (kind, seat, name) => ({
    seat, kind: kind === HUMAN ? "person" : "bot", bot: kind === HUMAN ? null : kind, name, mine: kind === HUMAN, present: true,
});
