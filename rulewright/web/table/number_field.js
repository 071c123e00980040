// A number out of very many: a field, and a slider over the ranges from which it is chosen.

import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { spokenWords } from "./names.js";

/** @import { FieldEvent, FormEvent } from "../types.d.ts" @import { OfferedRange, Props } from "./types.d.ts" */

/** @typedef {OfferedRange["ranges"][number]} Ends the first number, the last one and the step */

/** The number of the ranges that is nearest to another. @param {Ends[]} ranges @param {number} wanted */
export function nearest(ranges, wanted) {
    const found = ranges.map(([first, last, step]) => {
        const within = Math.min(last, Math.max(first, wanted));
        return first + Math.round((within - first) / step) * step;
    });
    return found.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
}

/** Ranges in words, such as `40 to 900 in steps of 20; 950`. @param {Ends[]} ranges */
export function spokenRanges(ranges) {
    return ranges.map(([first, last, step]) => {
        if (first === last) return t("table-number", { first });
        return t(step > 1 ? "table-numbers-in-steps" : "table-numbers", { first, last, step });
    }).join("; ");
}

/** @param {Props & { range: OfferedRange, name: string }} props */
export function NumberField({ table, range: { words, action, decision, ranges }, name }) {
    const [least, most] = [Math.min(...ranges.map(([first]) => first)), Math.max(...ranges.map(([, last]) => last))];
    const step = ranges.length === 1 ? ranges[0][2] : 1;
    const [written, setWritten] = useState(String(least));
    const number = /^-?\d+$/u.test(written.trim()) ? Number(written) : null;
    const by = (/** @type {number} */ steps) => setWritten(String(nearest(ranges, (number ?? least) + steps * Math.max(...ranges.map((one) => one[2])))));
    const choose = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        if (number !== null) {
            table.chooseBy({ words: [words, number].filter((part) => part !== "").join(" "), action, arguments: [], value: ["int", number], decision }, event);
        }
    };
    const said = [words, number ?? least].filter((part) => part !== "").join(" ");
    return html`<form class="stepper number" onSubmit=${choose}>
        <button type="button" class="icon" aria-label=${t("table-less")} disabled=${number !== null && number <= least} onClick=${() => by(-1)}>−</button>
        <input type="range" min=${least} max=${most} step=${step} value=${number ?? least} aria-label=${name} aria-valuetext=${String(number ?? least)}
            onInput=${(/** @type {FieldEvent} */ event) => setWritten(String(nearest(ranges, Number(event.currentTarget.value))))} />
        <button type="button" class="icon" aria-label=${t("table-more")} disabled=${number !== null && number >= most} onClick=${() => by(1)}>+</button>
        <label><span class="unseen">${name}</span>
            <input type="number" inputmode="numeric" min=${least} max=${most} step="any" value=${written} aria-description=${spokenRanges(ranges)} onInput=${(/** @type {FieldEvent} */ event) => setWritten(event.currentTarget.value)} /></label>
        <button type="submit" class="main" data-choices=${said} disabled=${number === null}>${spokenWords(table.model, said, decision)}</button>
        <span class="quiet">${spokenRanges(ranges)}</span>
    </form>`;
}
