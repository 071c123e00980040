// Who plays a match in this page, and how.

/**
 * @import { Description } from "../types.d.ts"
 * @import { Match } from "../match/match.js"
 * @import { Log } from "../match/log_reading.js"
 * @typedef {(match: Match, seat: number) => string | null} Chooser
 */

export const HUMAN = "human";
/** Iterations of a bot's search for each choice; none for one that chooses at random. @type {Record<string, number>} */
export const BUDGETS = { easy: 50, medium: 1000, hard: 10000, random: 0 };
export const BOTS = Object.keys(BUDGETS);
let usual = "medium";
/** @type {{kind: string, choose: Chooser} | null} */
let added = null;

/** The bot that plays where nothing is said about who does. */
export const usualBot = () => usual;

/**
 * The words that an added bot of a kind chooses; null of another kind.
 * @param {string} kind
 * @param {Match} match
 * @param {number} seat
 */
export const chosenByAdded = (kind, match, seat) => (added && kind === added.kind ? added.choose(match, seat) : null);

/**
 * Adds a bot, the usual one from now on. `choose` gives words for a match and a seat. Call it before anything is shown.
 * @param {string} kind
 * @param {Chooser} choose
 */
export function addBot(kind, choose) {
    BOTS.unshift(kind);
    usual = kind;
    added = { kind, choose };
}

/**
 * @typedef {object} Settings
 * @property {string[]} [players] who plays each seat, `HUMAN` or one of `BOTS`; absent: a person the first, bots the others
 * @property {(string|null)[]} [names]
 * @property {boolean} [told] it is played at a physical table, and followed (a companion)
 * @property {bigint} [seed]
 * @property {number} [pace] milliseconds before a bot chooses
 * @property {number} [thinking] milliseconds that a bot may search
 */

/** @typedef {Settings & Required<Pick<Settings, "players" | "names" | "pace" | "thinking">>} AllSettings */

/**
 * The settings of a match, with those that are not given.
 * @param {Description} description
 * @param {Settings} given
 * @returns {AllSettings}
 */
export function settingsFor({ seats }, given) {
    const players = Array.from({ length: seats }, (_, seat) => (seat ? usualBot() : HUMAN));
    return { players, names: Array(seats).fill(null), pace: 350, thinking: 4000, ...given };
}

/**
 * Who has played a match, as its log says; whoever it does not know is a person.
 * @param {Description} description
 * @param {Log} log
 */
export function playersOf({ seats }, log) {
    const known = log.players.length === seats;
    return Array.from({ length: seats }, (_, seat) => (known && BOTS.includes(log.players[seat]) ? log.players[seat] : HUMAN));
}
