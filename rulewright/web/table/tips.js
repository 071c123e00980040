// What a thing says and what a press on it does, shown beside it while the mouse rests there: nothing is chosen by that.

import { html, useEffect, useLayoutEffect, useRef } from "../html.js";
import { t } from "../i18n.js";
import { headingOf } from "./clauses.js";
import { doneBy } from "./choice_texts.js";
import { factsOf } from "./facts.js";
import { pieceLabel } from "./names.js";
import { isTall, Piece } from "./pieces.js";

/** @import { RefObject } from "../vendor/preact.js" @import { About, Props, ReadyThing, Resting } from "./types.d.ts" */

const MOST = 6;

/** What is written on the pieces of a thing, in large; what each column says; its clauses. @param {Props & { about: About | undefined, clauses: (marks: string[]) => unknown }} props */
export function Facts({ table, about, clauses }) {
    const { model } = table;
    const found = factsOf(model, about);
    return found.map(({ said, cells, clauses: marks, piece }, i) => html`<div class="about" key=${i}>
        ${piece && found.filter((one) => one.piece).length > 1 && html`<h5>${pieceLabel(model, piece.component, piece.klass)}</h5>`}
        ${piece && isTall(model, piece.component) && html`<div class="large"><${Piece} table=${table} ...${piece} /></div>`}
        ${said.map((text) => html`<p>${text}</p>`)}
        ${cells.length > 0 && html`<dl>${cells.map(([name, text]) => html`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`}
        ${clauses(marks)}
    </div>`);
}

/** Is there more to say of a thing than what it is called? @param {Props["table"]} table @param {ReadyThing} thing */
export const isWorthReading = ({ model }, { about, choices }) => choices.length > 0
    || factsOf(model, about).some(({ said, cells, piece }) => said.length || cells.length || (piece && isTall(model, piece.component)));

/** The tip beside a thing. @param {Props & { resting: Resting }} props */
export function Tip({ table, resting: { thing, anchor } }) {
    const { model } = table;
    /** @type {RefObject<HTMLElement | null>} */
    const ref = useRef(null);
    useLayoutEffect(() => void (ref.current && beside(ref.current, anchor)), [thing, anchor]);
    useEffect(() => {
        const pressed = (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && table.rest(null, null);
        addEventListener("keydown", pressed);
        return () => removeEventListener("keydown", pressed);
    }, []);
    const { choices } = thing;
    return html`<div class="tip" ref=${ref} role="tooltip">
        <h4>${thing.name}</h4>
        ${choices.length > 0 && html`<ul class="does">${choices.slice(0, MOST).map((choice) => html`<li>${doneBy(model, choice)}</li>`)}
            ${choices.length > MOST && html`<li>…</li>`}</ul>`}
        <${Facts} table=${table} about=${thing.about} clauses=${(/** @type {string[]} */ marks) => marks.length > 0
            && html`<p class="quiet">${marks.map((clause) => t("table-clause", { clause, heading: headingOf(model, clause) })).join(", ")}</p>`} />
    </div>`;
}

/** Puts a box beside its anchor, inside of the window of the browser. @param {HTMLElement} box @param {Element | null} anchor */
export function beside(box, anchor) {
    const margin = 8;
    const at = anchor?.isConnected ? anchor.getBoundingClientRect() : { left: innerWidth / 2, right: innerWidth / 2, top: innerHeight / 2, bottom: innerHeight / 2 };
    const { width, height } = box.getBoundingClientRect();
    const below = at.bottom + margin + height <= innerHeight || at.top < height + margin;
    const top = below ? Math.min(at.bottom + margin, innerHeight - height - margin) : at.top - height - margin;
    const left = Math.min(Math.max(margin, (at.left + at.right) / 2 - width / 2), innerWidth - width - margin);
    box.style.setProperty("left", `${Math.max(margin, left)}px`);
    box.style.setProperty("top", `${Math.max(margin, top)}px`);
}
