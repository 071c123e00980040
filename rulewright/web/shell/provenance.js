// Rows of tables that are not known to be those of the published game: whoever is offered it reads so.

import { html } from "../html.js";
import { label, t } from "../i18n.js";

/**
 * @param {{ entries: {of: string, status: string, number: number, total: number, why: string}[], game: object }} props
 */
export function Provenance({ entries, game }) {
    return Boolean(entries?.length) && html`<section class="card part provenance" aria-label=${t("provenance")}>
        <p><strong>${t("provenance")}</strong></p>
        <ul>${entries.map(
            ({ of, status, number, total, why }) => html`<li key=${`${of} ${status}`}>
                ${t(`provenance-${status}`, { of: label(of, game), number, total })} <span class="quiet">${why}</span></li>`,
        )}</ul>
    </section>`;
}
