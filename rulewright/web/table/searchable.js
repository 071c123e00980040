// A long list of buttons with a field that narrows it down: by click, or by typing and Enter.

import { html, useId, useState } from "../html.js";
import { number, t } from "../i18n.js";

/** More than so many are searched. */
export const MANY = 16;

/**
 * @param {object} props
 * @param {{key: string, text: string}[]} props.items
 * @param {(item: {key: string, text: string}, event: Event) => void} props.onPick
 * @param {string} props.name what is picked
 */
export function Searchable({ items, onPick, name }) {
    const [wanted, setWanted] = useState("");
    const id = useId();
    const found = matching(items, wanted);
    const pick = (item, event) => {
        setWanted("");
        onPick(item, event);
    };
    const pressed = (event) => {
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
                onInput=${(event) => setWanted(event.currentTarget.value)} onKeyDown=${pressed} /></label>
        <p class="unseen" role="status">${wanted ? t("table-search-found", { number: number(found.length), first: found[0]?.text ?? "" }) : ""}</p>
        <div class="found" id=${id}>${found.map((item, index) => html`<button type="button" key=${item.key} data-choices=${item.key}
            class=${wanted.trim() && index === 0 ? "main" : ""} onClick=${(event) => pick(item, event)}>${item.text}</button>`)}</div>
    </div>`;
}

/** The items whose text has what is wanted; those that begin with it come first. */
function matching(items, wanted) {
    const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const part = plain(wanted.trim());
    const found = items.filter(({ key, text }) => plain(text).includes(part) || plain(key).includes(part));
    const begins = ({ text }) => (plain(text).startsWith(part) ? 0 : 1);
    return part ? found.sort((a, b) => begins(a) - begins(b)) : found;
}
