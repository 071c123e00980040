// A refusal: the condition that does not hold, its numbers, its clauses, and its place in the rules.

import { html } from "../html.js";
import { conditionText, t } from "../i18n.js";
import { Clauses } from "./clauses.js";
import { label, spokenWords } from "./names.js";

/** @import { Refusal as WholeRefusal } from "../types.d.ts" @import { Model, Props } from "./types.d.ts" */
/** @typedef {Partial<WholeRefusal> & { text?: string }} Refused a refusal, or only a text, or nothing where nothing is known */

/** What a server calls the seat that asks. */
const ONESELF = "you";

/** @param {Props & { refusal: Refused, depth?: number }} props */
export function Refusal({ table, refusal, depth = 0 }) {
    const { model } = table;
    const { condition, clauses, at, parts } = refusal;
    const facts = (refusal.facts ?? []).filter(([side]) => conditionText(side));
    return html`<div class="refusal">
        ${condition ? html`<p class="condition"><span class="quiet">${t("table-needed")}</span> ${conditionText(condition)}</p>` : html`<p>${refusedText(model, refusal)}</p>`}
        ${facts.length > 0 && html`<p><span class="quiet">${t("table-but")}</span> ${facts.map(([side, words], i) => html`${i > 0 && "; "}${conditionText(side)}: ${words === ONESELF ? t("table-you") : spokenWords(model, words)}`)}</p>`}
        <${Clauses} table=${table} clauses=${clauses ?? []} />
        ${at && html`<p class="at quiet">${at}</p>`}
        ${depth < 2 && parts && parts.length > 0 && html`<ul>${distinct(parts).map((part) => html`<li><${Refusal} table=${table} refusal=${part} depth=${depth + 1} /></li>`)}</ul>`}
    </div>`;
}

/**
 * A refusal in a sentence, with names and numbers; a condition as the rulebook says it.
 * @param {Model} model
 * @param {Refused} refusal
 * @returns {string}
 */
export function refusedText(model, { text, kind, name = "", numbers = [], index, condition, parts }) {
    if (text || !kind) {
        return text || t("table-no-answer");
    }
    const said = (label(model, name) || name.replaceAll("_", " ")) + (index ? ` (${label(model, index)})` : "");
    switch (kind) {
        case "cannot pay":
            return t("table-refused-pay", { name: said, number: numbers[0], found: numbers[1] });
        case "out of range":
            return t("table-refused-range", { name: said });
        case "nothing to choose":
            if (said) {
                return t("table-refused-nothing-of", { name: said });
            }
            return t(parts?.length ? "table-refused-nothing" : "table-refused-empty");
        case "no such value":
            return t("table-refused-value");
        case "cannot pass":
            return t("table-refused-pass");
        case "words":
            return t("table-refused-words");
        default:
            return condition ? `${t("table-needed")} ${conditionText(condition)}` : t("table-refused-now");
    }
}

/** Parts that say the same are said once. @param {Refused[]} parts */
function distinct(parts) {
    const found = new Map(parts.map((part) => [JSON.stringify(part), part]));
    return [...found.values()].slice(0, 6);
}
