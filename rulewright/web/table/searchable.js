// A long list of buttons with a field that narrows it down: by click, or by typing and Enter.

import { html, useId, useState } from "../html.js";
import { number, t } from "../i18n.js";

/** @import { FieldEvent, KeyPress } from "../types.d.ts" @import { PressEvent } from "./types.d.ts" */
/** @typedef {{ key: string, text: string }} Item */

/** More than so many are searched. */
export const MANY = 16;

/**
 * @template {Item} I
 * @param {object} props
 * @param {I[]} props.items
 * @param {(item: I, event: PressEvent) => void} props.onPick
 * @param {string} props.name what is picked
 */
export function Searchable({ items, onPick, name }) {
    const [wanted, setWanted] = useState("");
    const id = useId();
    const found = matching(items, wanted);
    const pick = (/** @type {I} */ item, /** @type {PressEvent} */ event) => {
        setWanted("");
        onPick(item, event);
    };
    const pressed = (/** @type {KeyPress} */ event) => {
        if (event.key === "Enter") {
            event.preventDefault();
            found.length > 0 && wanted.trim() && !event.repeat && pick(found[0], event);
        } else if (event.key === "Escape" && wanted) {
            event.stopPropagation();
            setWanted("");
        }
    };
    return html`<div class="searchable" role="group" aria-label=${name}>
        <label class="field"><span>${t("table-search")}</span>
            <input type="search" autocomplete="off" spellcheck=${false} enterkeyhint="done" aria-controls=${id} value=${wanted}
                onInput=${(/** @type {FieldEvent} */ event) => setWanted(event.currentTarget.value)} onKeyDown=${pressed} /></label>
        <p class="unseen" role="status">${wanted ? t("table-search-found", { number: number(found.length), first: found[0]?.text ?? "" }) : ""}</p>
        <div class="found" id=${id}>${found.map((item, index) => html`<button type="button" key=${item.key} data-choices=${item.key}
            class=${wanted.trim() && index === 0 ? "main" : ""} onClick=${(/** @type {PressEvent} */ event) => pick(item, event)}>${item.text}</button>`)}</div>
    </div>`;
}

/** The items whose text has what is wanted; those that begin with it come first. @template {Item} I @param {I[]} items @param {string} wanted */
function matching(items, wanted) {
    const plain = (/** @type {string} */ text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const part = plain(wanted.trim());
    const found = items.filter(({ key, text }) => plain(text).includes(part) || plain(key).includes(part));
    const begins = (/** @type {I} */ { text }) => (plain(text).startsWith(part) ? 0 : 1);
    return part ? found.sort((a, b) => begins(a) - begins(b)) : found;
}
