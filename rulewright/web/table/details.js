// What a thing is, what may be done with it, and why something may not: a small window beside the thing.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { number, t } from "../i18n.js";
import { Clauses } from "./clauses.js";
import { doneBy } from "./choice_texts.js";
import { contents, unseenOf } from "./model.js";
import { label, notInSight, pieceLabel, placeLabel } from "./names.js";
import { Piece } from "./pieces.js";
import { beside, Facts as Written } from "./tips.js";
import { Refusal } from "./refusal.js";
import { ScoreSheet } from "./scores.js";

/** @import { Press, WhyAbout } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @import { Refused } from "./refusal.js" @import { About as Facts, Offered, Open, Props, ReadyThing, Thing } from "./types.d.ts" */
/** @import { PieceFacts } from "./facts.js" */

/** The window. @param {Props & { open: Open }} props */
export function Details({ table, open }) {
    /** @type {RefObject<HTMLElement | null>} */
    const ref = useRef(null);
    const { thing, anchor } = open;
    useLayoutEffect(() => {
        const box = ref.current;
        if (!box) {
            return undefined;
        }
        beside(box, anchor);
        /** @type {HTMLElement | null} */
        const inside = (open.reading ? null : box.querySelector("button:not(.close)")) ?? box.querySelector(".close");
        inside?.focus({ preventScroll: true });
        const growing = new ResizeObserver(() => beside(box, anchor));
        growing.observe(box);
        return () => growing.disconnect();
    }, [open]);
    const { choice } = open;
    const name = choice ? t("table-sure") : thing?.name ?? (open.action ? label(table.model, open.action) : t("table-score"));
    return html`<div class="details" ref=${ref} role="dialog" aria-label=${name}>
        <header><h4>${name}</h4><button type="button" class="close icon plain" aria-label=${t("table-close")}
            onClick=${() => table.close()}>×</button></header>
        ${(thing || choice) && html`<${Choices} table=${table} choices=${choice ? [choice] : thing?.choices} />`}
        ${thing && html`<${Written} table=${table} about=${thing.about} clauses=${(/** @type {string[]} */ clauses) => html`<${Clauses} table=${table} clauses=${clauses} />`} />`}
        ${thing?.pile && html`<${PileContents} table=${table} pile=${thing.pile} />`}
        ${isPiece(thing?.about) && html`<${InSight} table=${table} about=${thing.about} />`}
        ${thing && html`<${WhyNot} key=${name} table=${table} thing=${thing} />`}
        ${open.action && html`<${Why} key=${open.action} table=${table} question=${{ action: open.action, value: null }} />`}
        ${open.score !== undefined && html`<${ScoreSheet} table=${table} seat=${open.score} />`}
    </div>`;
}

/** Whether a thing is a piece. @param {Facts | undefined} about @returns {about is Facts & PieceFacts} */
const isPiece = (about) => Boolean(about?.component);

/** @param {Props & { choices: Offered[] }} props */
function Choices({ table, choices }) {
    return choices.length > 0 && html`<ul class="choices">
        ${choices.map((choice) => html`<li key=${choice.words}><button type="button" class="main" data-choices=${choice.words}
            onClick=${(/** @type {Press} */ event) => table.confirm(choice, event)}>${doneBy(table.model, choice)}</button></li>`)}
    </ul>`;
}

/** @param {Props & { pile: NonNullable<Thing["pile"]> }} props */
function PileContents({ table, pile }) {
    const { zone, place } = pile;
    const found = contents(table.position, place) ?? [];
    return found.length > 0 && found.some((each) => each.class >= 0) && html`<div class="pile-contents">
        <h5>${placeLabel(table.model, place)}</h5>
        <div class="pieces">${found.map((each) => html`<span class="shown" title=${pieceLabel(table.model, zone.component, each.class)}>
            <${Piece} table=${table} component=${zone.component} klass=${each.class} number=${each.number} small=${true} /></span>`)}</div>
    </div>`;
}

/** How many pieces of a component there are, and how many the viewer does not see, by class. @param {Props & { about: PieceFacts }} props */
function InSight({ table: { model, position }, about: { component, klass } }) {
    const unseen = unseenOf(model, position, component);
    return unseen && html`<details class="in-sight" open=${klass < 0}>
        <summary>${notInSight(model, component, unseen.reduce((sum, number) => sum + number, 0))}</summary>
        <table aria-label=${label(model, component)}><thead><tr><td></td><th scope="col">${t("table-hidden")}</th><th scope="col">${t("table-total")}</th></tr></thead><tbody>
            ${model.description.components[component].copies.map((copies, i) => copies > 0 && html`<tr data-came=${i === klass}>
                <th scope="row">${pieceLabel(model, component, i)}</th><td data-zero=${!unseen[i]}>${number(unseen[i])}</td><td>${number(copies)}</td></tr>`)}
        </tbody></table></details>`;
}

/** Why a thing is not offered, for each action that asks for such a thing. @param {Props & { thing: ReadyThing }} props */
function WhyNot({ table, thing }) {
    const offered = new Set(thing.choices.map((choice) => choice.action));
    const questions = (thing.asked ?? []).filter((action) => !offered.has(action));
    if (!questions.length || (thing.about?.klass ?? 0) < 0) {
        return null;
    }
    return questions.map((action) => html`<${Why} key=${String(action)} table=${table} question=${{ action, value: thing.value }} />`);
}

/** The answer to one question, which the backend gives. @param {Props & { question: WhyAbout }} props */
export function Why({ table, question }) {
    const [answer, setAnswer] = useState(/** @type {Refused | null} */ (null));
    useEffect(() => {
        let here = true;
        table.backend.why(question).then(
            (found) => here && setAnswer(found ?? {}),
            () => here && setAnswer({ text: t("table-no-answer") }),
        );
        return () => {
            here = false;
        };
    }, []);
    return html`<div class="why" aria-live="polite">
        <h5>${question.action ? t("table-why-not", { action: label(table.model, question.action) }) : t("table-why-not-this")}</h5>
        ${answer ? html`<${Refusal} table=${table} refusal=${answer} />` : html`<p class="quiet">…</p>`}
    </div>`;
}
