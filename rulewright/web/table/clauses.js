// Clauses of the rulebook, as what leads there.

import { html } from "../html.js";
import { heading, t } from "../i18n.js";

/** @import { Model, Props } from "./types.d.ts" */

/** Links to the clauses of the rulebook. @param {Props & { clauses: string[] | undefined }} props */
export function Clauses({ table, clauses }) {
    return clauses && clauses.length > 0 && html`<p class="clauses">
        ${clauses.map((clause) => html`<button type="button" class="clause" title=${headingOf(table.model, clause)}
            aria-label=${t("table-clause", { clause, heading: headingOf(table.model, clause) })}
            onClick=${() => table.openRule(clause)}>${clause}</button>`)}
    </p>`;
}

/** What the rulebook calls a clause; empty if it says nothing of it. @param {Model} model @param {string | undefined} clause */
export function headingOf(model, clause) {
    return heading(clause, model.description);
}
