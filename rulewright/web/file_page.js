// The page of a game in one file: rules, referee, bots and board, without any server.
//
// What the file carries, `unpack.js` has put into `globalThis.carried`.

import { html, render } from "./html.js";
import { addMessages } from "./i18n.js";
import { openGame } from "./match/game.js";
import { ownNames } from "./match/own_names.js";
import { Announcer, Banners } from "./shell/announce.js";
import { LocalMatch } from "./shell/local_match.js";
import { applySettings } from "./shell/settings.js";

/** @import { CarriedGame, Variant } from "./types.d.ts" */

/** A configuration, which is opened when it is needed, and once. @param {CarriedGame} game @returns {Variant} */
function variantOf({ description, tables, module }) {
    /** @type {ReturnType<typeof openGame> | null} */
    let opened = null;
    return { description: ownNames(description), open: () => (opened ??= openGame(description, tables, module)) };
}

/**
 * Shows the page.
 * @param {typeof import("./shell/told.js").told | null} companion what follows a physical table, in a file that has it
 */
export async function start(companion = null) {
    const { messages, rulebooks, games, icon } = globalThis.carried;
    document.head.append(Object.assign(document.createElement("link"), { rel: "icon", href: icon }));
    Object.entries(messages).forEach(([tag, found]) => addMessages(tag, found));
    await applySettings();
    const page = html`<${LocalMatch} variants=${games.map(variantOf)} rulebooks=${rulebooks} companion=${companion} /><${Banners} /><${Announcer} />`;
    render(page, /** @type {HTMLElement} */ (document.getElementById("page")));
}
