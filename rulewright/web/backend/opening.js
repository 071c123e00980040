// Which backend a match in this page has: people and bots at one screen, or, in a page that has one, the companion of
// a physical table. `Companion` is its class, or null.

import { BrokenLog } from "../match/log_reading.js";
import { LocalBackend } from "./local.js";
import { forget, kept } from "./saved.js";

/**
 * @import { Game } from "../match/game.js"
 * @import { CompanionBackend } from "./companion.js"
 * @import { Settings } from "./local_settings.js"
 * @typedef {(new (game: Game) => CompanionBackend) | null} CompanionClass
 */

/** Whether a log is one of a physical table. @param {string} text */
export const isTold = (text) => /^[^\n]*"companion": true/.test(text);

/** @param {Game} game @param {boolean | undefined} told @param {CompanionClass} Companion */
const backendOf = (game, told, Companion) => (told && Companion ? new Companion(game) : new LocalBackend(game));

/** A new match. @param {Game} game @param {Settings} settings @param {CompanionClass} Companion */
export async function begun(game, settings, Companion = null) {
    const backend = backendOf(game, settings.told, Companion);
    await backend.begin(settings);
    return adopted(backend, Companion);
}

/**
 * The match of a log. Rejects with `BrokenLog` if it is none of this game, or was changed.
 * @param {Game} game
 * @param {string} text
 * @param {CompanionClass} Companion
 * @param {Settings} settings
 */
export async function opened(game, text, Companion = null, settings = {}) {
    const backend = backendOf(game, isTold(text), Companion);
    await backend.read(text, settings);
    return adopted(backend, Companion);
}

/**
 * The match that the browser has kept, or else a new one. What cannot be replayed is kept no longer.
 * @param {Game} game
 * @param {CompanionClass} Companion
 * @param {Settings} settings
 */
export async function resumed(game, Companion = null, settings = {}) {
    const { description } = game;
    for (const told of Companion ? [true, false] : [false]) {
        const found = kept(description, told);
        if (found) {
            try {
                return await opened(game, found.log, Companion, found.settings);
            } catch (error) {
                if (error instanceof BrokenLog) {
                    forget(description, told);
                }
            }
        }
    }
    return begun(game, settings, Companion);
}

/**
 * A match that goes on from now on, also when the page is loaded again.
 * @param {LocalBackend | CompanionBackend} backend
 * @param {CompanionClass} Companion
 */
function adopted(backend, Companion) {
    if (Companion && !(backend instanceof Companion)) {
        forget(backend.description, true);
    }
    return backend;
}
