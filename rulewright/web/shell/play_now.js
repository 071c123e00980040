// A match against the usual bot, without a form: as the rules propose it, with the fewest players.

import * as api from "../api.js";
import { complain } from "./announce.js";
import { go } from "./navigation.js";
import { firstTable, requestOf } from "./table_request.js";

/** @import { Trouble } from "../types.d.ts" */

/** Starts it and goes there; the button is off meanwhile. @param {string} name @param {HTMLElement} button */
export async function playNow(name, button) {
    button.toggleAttribute("disabled", true);
    try {
        const game = await api.game(name);
        const match = await api.create(requestOf(game, firstTable(game)));
        go(`/match/${encodeURIComponent(match.match)}`);
    } catch (error) {
        button.toggleAttribute("disabled", false);
        complain(/** @type {Trouble} */ (error));
    }
}
