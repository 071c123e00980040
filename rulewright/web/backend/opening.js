// Which backend a match in this page has: people and bots at one screen, or the companion of a physical table.

import { BrokenLog } from "../match/log_reading.js";
import { CompanionBackend } from "./companion.js";
import { LocalBackend } from "./local.js";
import { forget, kept } from "./saved.js";

const backendOf = (game, told) => (told ? new CompanionBackend(game) : new LocalBackend(game));

/** A new match. @param {import("./local_settings.js").Settings} settings */
export async function begun(game, settings) {
    const backend = backendOf(game, settings.told);
    await backend.begin(settings);
    return backend;
}

/** The match of a log. Rejects with `BrokenLog` if it is none of this game, or was changed. */
export async function opened(game, text, settings = {}) {
    const backend = backendOf(game, /^[^\n]*"companion": true/.test(text));
    await backend.read(text, settings);
    return backend;
}

/** The match that the browser has kept, or else a new one. What cannot be replayed is kept no longer. */
export async function resumed(game, settings = {}) {
    const { description } = game;
    const found = kept(description);
    if (found) {
        try {
            return await opened(game, found.log, found.settings);
        } catch (error) {
            if (error instanceof BrokenLog) {
                forget(description);
            }
        }
    }
    return begun(game, settings);
}
