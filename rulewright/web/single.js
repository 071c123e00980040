// The page of a game in one file: rules, referee, bots and board, without any server.
//
// What the file carries, `unpack.js` has put into `globalThis.carried`: `messages` (the texts of each language),
// `rulebooks` (HTML by language) and `games`: for each configuration its `description`, the `tables` of its
// module, and the bytes of the `module` itself.

import { html, render } from "./html.js";
import { addMessages } from "./i18n.js";
import { openGame } from "./match/game.js";
import { ownNames } from "./match/own_names.js";
import { Announcer, Banners } from "./shell/announce.js";
import { LocalMatch } from "./shell/local_match.js";
import { applySettings } from "./shell/settings.js";

/** A configuration, which is opened when it is needed, and once. */
function variantOf({ description, tables, module }) {
    let opened = null;
    return { description: ownNames(description), open: () => (opened ??= openGame(description, tables, module)) };
}

async function start() {
    const { messages, rulebooks, games } = globalThis.carried;
    for (const [tag, texts] of Object.entries(messages)) {
        texts.forEach((text) => addMessages(tag, text));
    }
    await applySettings();
    const page = html`<${LocalMatch} variants=${games.map(variantOf)} rulebooks=${rulebooks ?? {}} /><${Banners} /><${Announcer} />`;
    render(page, document.getElementById("page"));
}

start();
