// What the page says in passing, and what has gone wrong.

import { html, signal } from "/web/html.js";
import { messageOf } from "./connection.js";

/** @import { Signal } from "/web/vendor/signals.js" */

const LASTS = 6000;
/** @type {Signal<{ id: number, text: string, kind: string }[]>} */
const shown = signal([]);
let next = 1;

/** Says something for a while. What is said already is said anew, not twice. @param {string} text */
export function say(text, kind = "") {
    const id = next++;
    shown.value = [...shown.peek().filter((one) => one.text !== text), { id, text, kind }];
    setTimeout(() => (shown.value = shown.peek().filter((one) => one.id !== id)), LASTS);
}

/**
 * Says what goes wrong with a promise. Resolves to its value, or to undefined.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
export async function attempt(promise) {
    try {
        return await promise;
    } catch (error) {
        say(messageOf(error), "bad");
        return undefined;
    }
}

export function Notices() {
    return html`<div class="notices" role="status" aria-live="polite">${shown.value.map(({ id, text, kind }) => html`<p key=${id} class=${`note ${kind}`}>${text}</p>`)}</div>`;
}
