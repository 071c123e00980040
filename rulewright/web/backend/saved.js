// Where the browser keeps the match of a page: nowhere, if it has no storage. One that is `told`, at a physical table, is
// kept beside others: a file without a companion could not go on with it.

/**
 * @import { Description } from "../types.d.ts"
 * @import { Settings } from "./local_settings.js"
 * @typedef {{log: string, settings: Settings}} Kept
 */

const PREFIX = "rulewright/match/";

/** The key of a game at these settings. @param {Description} description @param {boolean} told */
const keyOf = ({ digest, seats, options }, told) => PREFIX + (told ? "told" : "") + JSON.stringify([digest, seats, Object.entries(options).sort()]);

/**
 * Keeps the log of a match and its settings. Returns whether it could.
 * @param {Description} description
 * @param {Kept} found
 * @param {boolean} [told]
 */
export function keep(description, found, told = false) {
    try {
        localStorage.setItem(keyOf(description, told), JSON.stringify(found));
        return true;
    } catch {
        return false;
    }
}

/**
 * The log and the settings that were kept; null if there are none.
 * @param {Description} description
 * @param {boolean} [told]
 * @returns {Kept | null}
 */
export function kept(description, told = false) {
    try {
        return JSON.parse(localStorage.getItem(keyOf(description, told)) ?? "null");
    } catch {
        return null;
    }
}

/** What was kept cannot be used. @param {Description} description @param {boolean} [told] */
export function forget(description, told = false) {
    localStorage.removeItem(keyOf(description, told));
}
