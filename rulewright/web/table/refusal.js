// A refusal: the condition that does not hold, its numbers, its clauses, and its place in the rules.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { Clauses } from "./clauses.js";

export function Refusal({ table, refusal, depth = 0 }) {
    const { text, condition, clauses, at, parts } = refusal;
    const numbers = condition && text?.startsWith(condition) ? text.slice(condition.length).replace(/^,?\s*(but\s+)?/, "") : text;
    return html`<div class="refusal">
        ${condition && html`<p class="condition"><span class="quiet">${t("table-needed")}</span> <code>${condition}</code></p>`}
        ${numbers && html`<p>${condition ? html`<span class="quiet">${t("table-but")}</span> ${numbers}` : numbers}</p>`}
        <${Clauses} table=${table} clauses=${clauses ?? []} />
        ${at && html`<p class="at quiet">${at}</p>`}
        ${depth < 2 && parts?.length > 0 && html`<ul>${distinct(parts).map((part) => html`<li><${Refusal} table=${table} refusal=${part} depth=${depth + 1} /></li>`)}</ul>`}
    </div>`;
}

/** Parts that say the same are said once. */
function distinct(parts) {
    const found = new Map(parts.map((part) => [`${part.text} ${part.condition}`, part]));
    return [...found.values()].slice(0, 6);
}
