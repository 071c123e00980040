// Rows of tables that are not known to be those of the published game: whoever is offered it reads so.

import { html } from "../html.js";
import { labelLanguage, t } from "../i18n.js";

/** @import { Labelled } from "../i18n.js" @import { Provenance as Entry } from "../types.d.ts" */

/**
 * `reasons` are those of the entries in the viewer's language, where they are translated.
 * @param {{ entries: Entry[] | undefined, game: Labelled, reasons?: string[] }} props
 */
export function Provenance({ entries, game, reasons = [] }) {
    return entries && entries.length > 0 && html`<section class="card part provenance" aria-label=${t("provenance")}>
        <p><strong>${t("provenance")}</strong></p>
        <ul>${entries.map(
            ({ of, names, status, number, total, why }, index) => html`<li key=${`${of} ${status}`}>
                ${t(`provenance-${status}`, { of: names[labelLanguage(game) ?? ""] ?? of, number, total })} <span class="quiet">${reasons[index] ?? why}</span></li>`,
        )}</ul>
    </section>`;
}
