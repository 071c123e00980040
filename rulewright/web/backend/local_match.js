// What the page reads of a match that is kept in it: the same signals as of a match at a server.

import { signal } from "../vendor/signals.js";

/**
 * @import { Game } from "../match/game.js"
 * @import { ConnectionStatus, Entry, Position, TableState } from "../types.d.ts"
 */

export class LocalMatch {
    kind = /** @type {const} */ ("local");
    position = signal(/** @type {Position | null} */ (null));
    entries = signal(/** @type {Entry[]} */ ([]));
    table = signal(/** @type {TableState | null} */ (null));
    status = signal(/** @type {ConnectionStatus} */ ("online"));
    error = signal(/** @type {string | null} */ (null));
    skew = signal(0);
    /** The seat whose player should take over the screen before anything is shown to them, or null. */
    handover = signal(/** @type {number | null} */ (null));

    /** @param {Game} game */
    constructor(game) {
        this.game = game;
    }

    get description() {
        return this.game.description;
    }

    close() {
        this.status.value = "closed";
    }
}
