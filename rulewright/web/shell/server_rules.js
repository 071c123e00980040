// The rulebook of a game, as a server has it.

import * as api from "../api.js";
import { labelLanguage } from "../i18n.js";
import { contentOf } from "./rules_panel.js";

/** @import { Options } from "../types.d.ts" */

/**
 * The rulebook of a game, as the content of its page.
 * @param {string} game
 * @param {number} seats
 * @param {Options} options
 * @param {string[] | undefined} languages
 */
export async function loadRules(game, seats, options, languages) {
    return contentOf(await api.rulebook(game, seats, withLanguage(options, languages)));
}

/** Options with the language in which the rulebook is wanted. @param {Options} options @param {string[] | undefined} languages @returns {Options} */
export const withLanguage = (options, languages) => (languages?.length ? { ...options, lang: labelLanguage({ languages }) } : options);
