// The seed that all chance of a match comes from: sealed at the start, opened at the end.

import { html } from "../html.js";
import { t } from "../i18n.js";

/** @import { TableChance } from "../types.d.ts" */

/** What anybody needs to check it: the seal from the start on, the seed and its salt after the end. @param {{ chance: TableChance }} props */
export function SealedSeed({ chance }) {
    const rows = /** @type {const} */ (["commitment", "seed", "nonce"]).filter((name) => chance[name] !== null && chance[name] !== undefined);
    return html`<p class="quiet">${t("sealed-seed-about")}</p>
        <dl class="seed">${rows.map((name) => html`<dt>${t(`seed-${name}`)}</dt><dd><code>${chance[name]}</code></dd>`)}</dl>
        ${chance.seed && html`<p class="quiet small">${t("sealed-seed-check")}</p>`}`;
}
