// Finding a game: words in all languages, players, kinds, length, weight.

import { language, wanted } from "../i18n.js";

/** @import { GameSummary } from "../types.d.ts" */
/**
 * What is looked for; an empty text stands for anything.
 * @typedef {{ words: string, players: string, length: string, weight: string, tag: string, sort: string }} Sought
 */

/** @type {Sought} */
export const ANYTHING = { words: "", players: "", length: "", weight: "", tag: "", sort: "title" };
export const WEIGHTS = ["light", "medium", "heavy"];
export const LENGTHS = ["short", "middle", "long"];
export const SORTS = ["title", "minutes", "weight"];
const SHORT = 10;
const LONG = 30;

/** A text as it is searched: without accents, case and signs. The server folds what it sends in the same way. @param {string} text */
export function folded(text) {
    const plain = text.toLowerCase().replaceAll(/['’]/g, "").normalize("NFD").replaceAll(/\p{M}/gu, "");
    return plain.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The minutes that a match takes, with so many players or with the fewest; undefined where nothing was measured. @param {GameSummary} game @param {string} [players] */
export function minutesOf(game, players = "") {
    return (game.lengths.find(([seats]) => String(seats) === players) ?? game.lengths[0])?.[2];
}

/** @param {number} minutes */
const lengthOf = (minutes) => (minutes <= SHORT ? "short" : minutes <= LONG ? "middle" : "long");

/** The games that fit, in order. @param {GameSummary[]} games @param {Sought} sought */
export function found(games, { words, players, length, weight, tag, sort }) {
    const each = folded(words).split(" ").filter(Boolean);
    const number = Number(players);
    const fitting = games.filter((game) => {
        const minutes = minutesOf(game, players);
        return (
            each.every((word) => ` ${game.words}`.includes(` ${word}`)) &&
            (!players || game.seats.includes(number)) &&
            (!length || (minutes !== undefined && lengthOf(minutes) === length)) &&
            (!weight || game.weight === weight) &&
            (!tag || game.tags.includes(tag))
        );
    });
    /** @param {GameSummary} game */
    const rank = (game) => (sort === "minutes" ? (minutesOf(game, players) ?? Infinity) : sort === "weight" && game.weight ? WEIGHTS.indexOf(game.weight) : sort === "weight" ? Infinity : 0);
    const order = (/** @type {number} */ one, /** @type {number} */ other) => (one === other ? 0 : one - other);
    return fitting.sort((one, other) => order(rank(one), rank(other)) || one.title.localeCompare(other.title, language.value));
}

/** What a game is, in a line: in the viewer's language, or else in another one. @param {GameSummary["says"] | undefined} says */
export function lineOf(says = {}) {
    const tag = [...wanted.value, "en"].find((it) => says[it] ?? says[it.split("-")[0]]);
    return tag === undefined ? (Object.values(says)[0] ?? "") : (says[tag] ?? says[tag.split("-")[0]]);
}
