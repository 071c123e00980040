// What experiments are given: amounts and the strength of bots, each as a slider with its number or name beside it.

import { html } from "/web/html.js";

/** @import { FieldEvent } from "/web/types.d.ts" @import { Studio } from "./studio.js" @import { Asked } from "./types.d.ts" */

/** The bots by their strength. @type {string[]} */
export const STRENGTHS = ["random", "easy", "medium", "hard"];
const STEPS = 100;
/** Digits of the amounts at which a slider stops. */
const DIGITS = 2;

/** The amount at a step of a slider, each as many times the one before. @param {number} step @param {number} least @param {number} most */
function amountAt(step, least, most) {
    const exact = least * (most / least) ** (step / STEPS);
    return Math.min(most, Math.max(least, Number(exact.toPrecision(DIGITS)) | 0));
}

/** @param {number} amount @param {number} least @param {number} most */
const stepOf = (amount, least, most) => Math.round((STEPS * Math.log(amount / least)) / Math.log(most / least));

/** The amount to which a slider is moved from another one: by one at least. @param {number} step @param {number} from @param {number} least @param {number} most */
function movedTo(step, from, least, most) {
    const before = stepOf(from, least, most);
    const next = amountAt(step, least, most);
    return step > before ? Math.max(next, from + 1) : step < before ? Math.min(next, from - 1) : from;
}

/**
 * A whole number from `least` to `most` among what is asked of experiments.
 * @param {{ studio: Studio, name: keyof Asked & ("matches" | "pairs" | "margin" | "seconds"), label: string, least: number, most: number, unit?: string }} props
 */
export function Amount({ studio, name, label, least, most, unit = "" }) {
    const value = studio.asked.value[name];
    const set = (/** @type {number} */ next) => Number.isFinite(next) && studio.ask({ [name]: Math.min(most, Math.max(least, Math.round(next))) });
    return html`<div class="slider amount"><label for=${`amount-${name}`}>${label}${unit && `, in ${unit}`}</label>
        <input id=${`amount-${name}`} type="range" min="0" max=${STEPS} value=${stepOf(value, least, most)} aria-valuetext=${`${value} ${unit}`.trim()} onInput=${(/** @type {FieldEvent} */ event) => set(movedTo(Number(event.currentTarget.value), value, least, most))} />
        <input type="number" aria-label=${`${label}, as a number`} min=${least} max=${most} value=${value} onChange=${(/** @type {FieldEvent} */ event) => set(Number(event.currentTarget.value))} /></div>`;
}

/** How long a bot thinks at most about a choice, as a text; empty where that is not known. @param {Studio} studio @param {string} bot */
export function costOf(studio, bot) {
    const seconds = studio.costs.value.costs?.[bot];
    if (seconds === undefined) {
        return "";
    }
    if (seconds < 0.01) {
        return "at once";
    }
    return seconds < 1 ? `up to ${Math.ceil(100 * seconds) / 100} s a choice` : `up to ${Math.ceil(seconds)} s a choice`;
}

/**
 * A slider over the strengths of bots, with what the bot costs in time.
 * @param {{ studio: Studio, label: string, id: string, bot: string, onBot: (bot: string) => unknown, isNamed?: boolean }} props
 *     `onBot` may resolve to false: the bot stays; `isNamed`: something beside the slider says what it is
 */
export function Strength({ studio, label, id, bot, onBot, isNamed = false }) {
    const cost = costOf(studio, bot);
    const choose = async (/** @type {FieldEvent} */ { currentTarget }) => {
        const done = await onBot(STRENGTHS[Number(currentTarget.value)]);
        if (done === false) {
            currentTarget.value = String(STRENGTHS.indexOf(bot));
        }
    };
    return html`<span class="strength"><label for=${id} class=${isNamed ? "unseen" : ""}>${label}</label>
        <input id=${id} type="range" min="0" max=${STRENGTHS.length - 1} step="1" value=${STRENGTHS.indexOf(bot)} aria-valuetext=${[bot, cost].filter(Boolean).join(", ")} onFocus=${() => studio.askCosts()} onPointerEnter=${() => studio.askCosts()} onChange=${choose} />
        <small><b>${bot}</b>${cost && html` <span class="quiet">${cost}</span>`}</small></span>`;
}
