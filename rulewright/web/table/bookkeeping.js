// What only the rules remember: folded, since nobody needs it in order to choose.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { amount, NOTHING } from "./model.js";
import { placeLabel, thingLabel, typedLabel } from "./names.js";

/** @import { ModelVariable, Props, Table } from "./types.d.ts" */

/** The words that say something: a mark that is set, a number that is not zero, a pointer that points. @param {Table} table */
function wordsIn({ model, position }) {
    const aside = model.variables.filter((variable) => variable.drawn.area === "aside" && variable.drawn.as !== "hidden");
    return aside.flatMap((variable) => Array.from({ length: variable.of_size * variable.at_size }, (_, i) => ({ variable, i, content: position.words[variable.first + i] })))
        .filter(({ content }) => content && content !== NOTHING);
}

/** @param {Props} props */
export function Remembered({ table }) {
    const { model } = table;
    const found = wordsIn(table);
    const places = Object.values(model.zones).filter((zone) => zone.drawn.area === "aside" && zone.drawn.as !== "hidden").flatMap((zone) => zone.places)
        .map(({ number: place }) => ({ place, there: amount(table.position, place) })).filter(({ there }) => there);
    const said = (/** @type {ModelVariable} */ variable, /** @type {number} */ i) => thingLabel(model, variable,
        variable.of === null ? null : variable.of_lo + Math.floor(i / variable.at_size), variable.at === null ? null : variable.at_lo + (i % variable.at_size));
    return (found.length > 0 || places.length > 0) && html`<details class="remembered" key="remembered"><summary>${t("table-remembered")}</summary>
        <ul class="plain">${found.map(({ variable, i, content }) => html`<li key=${variable.first + i} data-word=${variable.first + i}>${said(variable, i)}
            ${variable.kind !== "mark" && html` <b>${variable.kind === "counter" ? number(content ?? 0) : typedLabel(model, variable.type, content ?? 0)}</b>`}</li>`)}
            ${places.map(({ place, there }) => html`<li key=${`place ${place}`} data-place=${place}>${placeLabel(model, place)} <b>${number(there ?? 0)}</b></li>`)}</ul>
    </details>`;
}
