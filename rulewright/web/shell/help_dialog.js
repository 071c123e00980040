// Which keys do what, and how the page is used without seeing it.

import { html } from "../html.js";
import { known, t } from "../i18n.js";
import { Credits } from "./credits.js";
import { Dialog } from "./dialog.js";
import { shortcuts } from "./settings.js";

/** Keys that always do something, and those that the viewer can turn off. */
const KEYS = [
    ["Tab", "key-tab"],
    ["← ↑ → ↓", "key-arrows"],
    ["Enter", "key-enter"],
    ["i", "key-look"],
    ["+ − 0", "key-zoom"],
    ["Esc", "key-escape"],
];
const SINGLE = [
    ["u", "key-undo"],
    ["r", "key-rules"],
    ["p", "key-replay"],
    ["l", "last-turn"],
    ["c", "talk"],
    ["t", "key-turn"],
    ["?", "key-help"],
];

/** @param {{ onClose: () => void }} props */
export function HelpDialog({ onClose }) {
    return html`<${Dialog} title=${t("help")} onClose=${onClose}>
        <p>${t("help-about")}</p>
        <p>${t("help-why")}</p>
        <p>${t("help-hand")}</p>
        <h3>${t("keyboard")}</h3>
        <dl class="keys">
            ${KEYS.map(key)}
            ${shortcuts.value && SINGLE.filter(([, id]) => known(id)).map(key)}
        </dl>
        <p class="quiet small">${t("help-shortcuts")}</p>
        <details><summary>${t("credits")}</summary><${Credits} /></details>
    <//>`;
}

/** @param {string[]} key */
function key([name, id]) {
    return html`<dt key=${name}><kbd>${name}</kbd></dt><dd>${t(id)}</dd>`;
}
