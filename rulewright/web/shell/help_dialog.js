// Which keys do what, and how the page is used without seeing it.

import { html } from "../html.js";
import { known, t } from "../i18n.js";
import { Dialog } from "./dialog.js";
import { shortcuts } from "./settings.js";

/** Keys of the frame. What the table has of its own is in its own words, if there are any. */
const KEYS = [
    ["Tab", "key-tab"],
    ["Enter", "key-enter"],
    ["Esc", "key-escape"],
];
const SINGLE = [
    ["u", "key-undo"],
    ["r", "key-rules"],
    ["p", "key-replay"],
    ["t", "key-turn"],
];

export function HelpDialog({ onClose }) {
    return html`<${Dialog} title=${t("help")} onClose=${onClose}>
        <p>${t("help-about")}</p>
        <p>${t("help-why")}</p>
        <h3>${t("keyboard")}</h3>
        <dl class="keys">
            ${KEYS.map(key)}
            ${known("table-help-keys") && html`<dt></dt><dd>${t("table-help-keys")}</dd>`}
            ${shortcuts.value && SINGLE.map(key)}
        </dl>
        <p class="quiet small">${t("help-shortcuts")}</p>
    <//>`;
}

function key([name, id]) {
    return html`<dt key=${name}><kbd>${name}</kbd></dt><dd>${t(id)}</dd>`;
}
