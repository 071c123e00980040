// Who plays a match in this page, and how.

export const HUMAN = "human";
export const BOT = "playouts";
/** Bots, the best first. */
export const BOTS = [BOT, "random"];

/**
 * @typedef {object} Settings
 * @property {("human"|"playouts"|"random")[]} [players] who plays each seat; absent: a person the first, bots the others
 * @property {(string|null)[]} [names]
 * @property {boolean} [told] it is played at a physical table, and followed (a companion)
 * @property {bigint} [seed]
 * @property {number} [pace] milliseconds before a bot chooses
 * @property {number} [thinking] milliseconds that a bot tries out its choices
 */

/** The settings of a match, with those that are not given. */
export function settingsFor({ seats }, given) {
    const players = Array.from({ length: seats }, (_, seat) => (seat === 0 ? HUMAN : BOT));
    return { players, names: Array(seats).fill(null), pace: 350, thinking: 700, ...given };
}

/** Who has played a match, as its log says; whoever it does not know is a person. */
export function playersOf({ seats }, log) {
    const known = log.players.length === seats;
    return Array.from({ length: seats }, (_, seat) => (known && BOTS.includes(log.players[seat]) ? log.players[seat] : HUMAN));
}
