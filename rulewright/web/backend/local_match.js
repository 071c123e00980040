// What the page reads of a match that is kept in it: the same signals as of a match at a server.

import { signal } from "../signals.js";

export class LocalMatch {
    kind = "local";
    position = signal(null);
    entries = signal([]);
    table = signal(null);
    status = signal("online");
    error = signal(null);
    skew = signal(0);
    /** The seat whose player should take over the screen before anything is shown to them, or null. */
    handover = signal(null);

    /** @param {import("../match/game.js").Game} game */
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
