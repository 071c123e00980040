// Hints: what a search would choose from what the viewer knows, and how sure that is.

import { html, signal, useEffect } from "../html.js";
import { number, t } from "../i18n.js";
import { spokenWords } from "../table/names.js";
import { modelOf } from "../table/model.js";
import { complain } from "./announce.js";
import { Icon } from "./icons.js";
import { asked } from "./turn_watch.js";

/** @import { Backend, Hint, Trouble } from "../types.d.ts" */

/** What was answered last, or null while it is thought about; `of` is the position that was asked of. */
const answered = signal(/** @type {{ of: unknown, hint: Hint | null } | null} */ (null));

/** The button that asks; nothing where there are no hints. @param {{ backend: Backend }} props */
export function AskHint({ backend }) {
    const position = backend.position.value;
    const table = backend.table.value;
    if (!backend.hint || !position || !asked(position) || table?.hints === false || table?.companion || position.decisions.every(({ choices, ranges = [] }) => choices.length < 2 && !ranges.length)) {
        return null;
    }
    const ask = async () => {
        answered.value = { of: position, hint: null };
        try {
            const hint = await backend.hint?.();
            if (answered.peek()?.of === position) {
                answered.value = hint ? { of: position, hint } : null;
            }
        } catch (error) {
            answered.value = null;
            complain(/** @type {Trouble} */ (error));
        }
    };
    return html`<button type="button" class="slim plain" aria-label=${t("hint")} title=${t("hint-about")} disabled=${answered.value?.of === position && !answered.value?.hint} onClick=${ask}>
        <${Icon} name="bulb" /><span class="in-full">${t("hint")}</span></button>`;
}

/** What the search thinks, as long as nothing else is asked. @param {{ backend: Backend }} props */
export function HintPanel({ backend }) {
    const position = backend.position.value;
    const now = answered.value?.of === position ? answered.value : null;
    useEffect(() => () => void (answered.value = null), [backend]);
    return html`<div role="status">${now && html`<section class="card part hint" aria-label=${t("hint")}>
        ${now.hint ? html`<${Thoughts} backend=${backend} hint=${now.hint} />` : html`<p class="quiet waiting-for"><span class="spinner" aria-hidden="true"></span>${t("hint-thinking")}</p>`}
        <button type="button" class="slim" onClick=${() => (answered.value = null)}>${t("close")}</button>
    </section>`}</div>`;
}

/** @param {{ backend: Backend, hint: Hint }} props */
function Thoughts({ backend, hint }) {
    const { choices, more, iterations, worlds, solved } = hint;
    const { description } = backend;
    if (!description || !choices.length || (!iterations && !solved)) {
        return html`<p>${t("hint-none")}</p>`;
    }
    const model = modelOf(description);
    const [best] = choices;
    const basis = solved ? t("hint-solved", { positions: solved }) : t(worlds > 1 ? "hint-after-worlds" : "hint-after", { iterations, number: worlds });
    return html`<h3>${t("hint")}</h3>
        <ol>${choices.map((one) => html`<li key=${one.words}><strong>${spokenWords(model, one.words)}</strong> <span class="quiet">${judged(one, best, solved > 0)}</span></li>`)}</ol>
        <p class="quiet small">${basis}${more > 0 && ` ${t("hint-more", { number: more })}`}${!solved && ` ${t("hint-noise")}`}</p>`;
}

/** How good a choice is beside the best one, in words. @param {Hint["choices"][0]} one @param {Hint["choices"][0]} best @param {boolean} exact */
function judged(one, best, exact) {
    if (one.proof) {
        return t(`hint-${["lost", "drawn", "won"][one.proof.result]}`, { number: one.proof.choices });
    }
    const percent = number(Math.round(100 * one.value));
    if (one === best) {
        return t("hint-best", { percent });
    }
    const far = best.value - one.value;
    return t(far > (exact ? 0 : noise(one) + noise(best)) ? "hint-worse" : "hint-alike", { percent });
}

/** By how much the value of a choice may be off: two standard errors of a mean of so many results. @param {Hint["choices"][0]} choice */
const noise = ({ tried, value }) => 2 * Math.sqrt(Math.max(0.02, value * (1 - value)) / Math.max(1, tried));
