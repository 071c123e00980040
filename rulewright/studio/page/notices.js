// What the page says in passing, and what has gone wrong.

import { html, signal } from "/web/html.js";

const LASTS = 6000;
const shown = signal([]);
let next = 1;

/** Says something for a while. What is said already is said anew, not twice. */
export function say(text, kind = "") {
    const id = next++;
    shown.value = [...shown.peek().filter((one) => one.text !== text), { id, text, kind }];
    setTimeout(() => (shown.value = shown.peek().filter((one) => one.id !== id)), LASTS);
}

/** Says what goes wrong with a promise. Resolves to its value, or to undefined. */
export async function attempt(promise) {
    try {
        return await promise;
    } catch (error) {
        say(error.text ?? error.message ?? String(error), "bad");
        return undefined;
    }
}

export function Notices() {
    return html`<div class="notices" role="status" aria-live="polite">${shown.value.map(({ id, text, kind }) => html`<p key=${id} class=${`note ${kind}`}>${text}</p>`)}</div>`;
}
