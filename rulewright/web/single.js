// The page of a game in one file: rules, referee, bots and board, without any server.
//
// The data stand in the page, in the element `data`: JSON, or JSON that was compressed and written in base64.
// They are `messages` (the texts of each language), `rulebooks` (HTML by language) and `games`: for each
// configuration its `description`, the `tables` of its module, and the `module` itself in base64.

import { html, render } from "./html.js";
import { addMessages } from "./i18n.js";
import { openGame } from "./match/game.js";
import { Announcer, Banners } from "./shell/announce.js";
import { LocalMatch } from "./shell/local_match.js";
import { applySettings } from "./shell/settings.js";

async function readData(element) {
    const text = element.textContent.trim();
    if (element.dataset.packed !== "gzip") {
        return JSON.parse(text);
    }
    const unpacked = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(unpacked).json();
}

function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** A configuration, which is opened when it is needed, and once. */
function variantOf({ description, tables, module }) {
    let opened = null;
    return { description, open: () => (opened ??= openGame(description, tables, bytesOf(module))) };
}

async function start() {
    const { messages, rulebooks, games } = await readData(document.getElementById("data"));
    for (const [tag, texts] of Object.entries(messages)) {
        texts.forEach((text) => addMessages(tag, text));
    }
    await applySettings();
    const page = html`<${LocalMatch} variants=${games.map(variantOf)} rulebooks=${rulebooks ?? {}} /><${Banners} /><${Announcer} />`;
    render(page, document.getElementById("page"));
}

start();
