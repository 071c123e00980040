// What a page that is one file carries with it: `unpack.js` has put it into `globalThis.carried`.

import { openGame } from "../match/game.js";
import { LocalBackend } from "./local.js";

/**
 * @typedef {object} Carried
 * @property {any} description the static description of the game
 * @property {string} rulebook the content of its rulebook as HTML, in one language
 * @property {string} language the language that the file was made for
 * @property {Record<string, string[]>} locales the messages of the page, by language
 */

/** @returns {Carried} */
export const carried = () => globalThis.carried;

/** A match of the game that the page carries: the one that the browser has kept, or else a new one. */
export async function openCarried(settings = {}) {
    const { description, tables, module } = globalThis.carried;
    return LocalBackend.open(await openGame(description, tables, module), settings);
}
