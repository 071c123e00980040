// Rows of tables that are not known to be those of the published game: whoever is offered it reads so.

import { html } from "../html.js";
import { labelLanguage, t } from "../i18n.js";

/** @import { Labelled } from "../i18n.js" @import { Provenance as Entry } from "../types.d.ts" */

/**
 * In the language in which the viewer reads the names of the game.
 * @param {{ entries: Entry[] | undefined, game: Labelled }} props
 */
export function Provenance({ entries, game }) {
    const tag = labelLanguage(game) ?? "";
    return entries && entries.length > 0 && html`<section class="card part provenance" aria-label=${t("provenance")}>
        <p><strong>${t("provenance")}</strong></p>
        <ul>${entries.map(
            ({ of, names, status, number, total, why, reasons }) => html`<li key=${`${of} ${status}`}>
                ${t(`provenance-${status}`, { of: names[tag] ?? of, number, total })} <span class="quiet">${reasons[tag] ?? why}</span></li>`,
        )}</ul>
    </section>`;
}
