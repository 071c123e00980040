// A page with nothing but the table; the match is played by the test.

import { html, render, signal } from "/html.js";
import { readMessagesFrom, setLanguage } from "/i18n.js";
import { Table } from "/table/table.js";

const first = JSON.parse(await window.stage_state(0));
const backend = {
    description: first.description,
    position: signal(first.position),
    entries: signal(first.entries),
    choose: async (words) => {
        await window.stage_choose(words);
        await window.refresh();
        await held;
        chosen += 1;
        requestAnimationFrame(() => (document.body.dataset.chosen = chosen));
    },
    why: async ({ action, value }) => JSON.parse(await window.stage_why(action, value)),
    undo: async (number) => (await window.stage_undo(number), window.refresh()),
};

let chosen = 0;
let held = null;
/** No choice is acknowledged any more. */
window.hold = () => {
    held = new Promise(() => {});
};

window.put = (found) => {
    backend.entries.value = found.entries;
    backend.position.value = found.position;
};
window.refresh = async () => window.put(JSON.parse(await window.stage_state(0)));

readMessagesFrom("/locales");
const asked = new URLSearchParams(location.search);
await setLanguage(asked.get("language") ?? "en");
const openRule = (clause) => (window.opened = clause);
const outcome = asked.has("won") ? { winners: [Number(asked.get("won"))] } : null;
const table = () => html`<${Table} backend=${backend} openRule=${openRule} confirming=${asked.has("confirming")}
    sole=${asked.has("sole")} still=${asked.has("still")} outcome=${outcome} ended=${asked.get("ended") ?? ""} />`;
const draw = () => render(table(), document.getElementById("table"));
draw();
/** Draws all from nothing. */
window.again = () => {
    render(null, document.getElementById("table"));
    draw();
};
