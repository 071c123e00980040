// Who plays a match in this page, and how.

export const HUMAN = "human";
/** Iterations of a bot's search for each choice; none for one that chooses at random. */
export const BUDGETS = { easy: 50, medium: 1000, hard: 10000, random: 0 };
export const BOTS = Object.keys(BUDGETS);
export const BOT = "medium";

/**
 * @typedef {object} Settings
 * @property {("human"|"easy"|"medium"|"hard"|"random")[]} [players] who plays each seat; absent: a person the first, bots the others
 * @property {(string|null)[]} [names]
 * @property {boolean} [told] it is played at a physical table, and followed (a companion)
 * @property {bigint} [seed]
 * @property {number} [pace] milliseconds before a bot chooses
 * @property {number} [thinking] milliseconds that a bot may search
 */

/** The settings of a match, with those that are not given. */
export function settingsFor({ seats }, given) {
    const players = Array.from({ length: seats }, (_, seat) => (seat === 0 ? HUMAN : BOT));
    return { players, names: Array(seats).fill(null), pace: 350, thinking: 4000, ...given };
}

/** Who has played a match, as its log says; whoever it does not know is a person. */
export function playersOf({ seats }, log) {
    const known = log.players.length === seats;
    return Array.from({ length: seats }, (_, seat) => (known && BOTS.includes(log.players[seat]) ? log.players[seat] : HUMAN));
}
