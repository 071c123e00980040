// Whose work a page carries: libraries, pictures, sounds and fonts, with their licences.

import { html } from "../html.js";
import { t } from "../i18n.js";

/**
 * The one list of what is carried. It is JSON between its brackets, which a test compares with what is there.
 * @type {{ kind: "library" | "picture" | "sound" | "font", name: string, by: string, licence: string, at: string }[]}
 */
export const CREDITS = [
    { "kind": "library", "name": "preact", "by": "© 2015 Jason Miller", "licence": "MIT", "at": "https://preactjs.com" },
    { "kind": "library", "name": "htm", "by": "Preact team", "licence": "Apache-2.0", "at": "https://github.com/developit/htm" },
    { "kind": "library", "name": "@preact/signals-core", "by": "© 2022 Preact team", "licence": "MIT", "at": "https://github.com/preactjs/signals" },
    { "kind": "library", "name": "@noble/hashes", "by": "© 2022 Paul Miller", "licence": "MIT", "at": "https://paulmillr.com/noble" },
    { "kind": "picture", "name": "signs.json", "by": "© 2023 Phosphor Icons, © 2014 Adobe (Noto Sans CJK), and Rulewright", "licence": "MIT, OFL-1.1", "at": "https://phosphoricons.com" },
    { "kind": "picture", "name": "icon.svg", "by": "Rulewright", "licence": "MIT", "at": "" }
];

/** The list, by kind. */
export function Credits() {
    const line = (/** @type {typeof CREDITS[number]} */ { name, by, licence, at }) => html`<li key=${name}>${at ? html`<a href=${at} rel="noreferrer" target="_blank">${name}</a>` : name} <span class="quiet">${by}, ${licence}</span></li>`;
    return html`<h3>${t("credits-libraries")}</h3><ul class="credits">${CREDITS.filter(({ kind }) => kind === "library").map(line)}</ul>
        <h3>${t("credits-pictures")}</h3><p>${t("credits-own-pictures")}</p><ul class="credits">${CREDITS.filter(({ kind, by }) => kind !== "library" && by !== "Rulewright").map(line)}</ul>`;
}
