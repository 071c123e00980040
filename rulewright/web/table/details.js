// What a thing is, what may be done with it, and why something may not: a small window beside the thing.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { number, t } from "../i18n.js";
import { Clauses } from "./clauses.js";
import { className, contents, hidden, unseenOf, valueName } from "./model.js";
import { columnText, help, label, notInSight, pieceLabel, placeLabel, rowText, spokenWords } from "./names.js";
import { Piece } from "./pieces.js";
import { Refusal } from "./refusal.js";
import { ScoreSheet } from "./scores.js";

/** @import { Press, Rows, WhyAbout } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @import { Refused } from "./refusal.js" @import { About as Facts, Model, Offered, Open, Props, ReadyThing, Thing } from "./types.d.ts" */
/** @typedef {{ component: string, klass: number }} PieceFacts */

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
        settle(box, anchor);
        /** @type {HTMLElement | null} */
        const inside = box.querySelector("button:not(.close)") ?? box.querySelector(".close");
        inside?.focus({ preventScroll: true });
        const growing = new ResizeObserver(() => settle(box, anchor));
        growing.observe(box);
        return () => growing.disconnect();
    }, [open]);
    const { choice } = open;
    const name = choice ? t("table-sure") : thing?.name ?? (open.action ? label(table.model, open.action) : t("table-score"));
    return html`<div class="details" ref=${ref} role="dialog" aria-label=${name}>
        <header><h4>${name}</h4><button type="button" class="close icon plain" aria-label=${t("table-close")}
            onClick=${() => table.close()}>×</button></header>
        ${(thing || choice) && html`<${Choices} table=${table} choices=${choice ? [choice] : thing?.choices} />`}
        ${thing && html`<${About} table=${table} about=${thing.about} />`}
        ${thing?.pile && html`<${PileContents} table=${table} pile=${thing.pile} />`}
        ${isPiece(thing?.about) && html`<${InSight} table=${table} about=${thing.about} />`}
        ${thing && html`<${WhyNot} key=${name} table=${table} thing=${thing} />`}
        ${open.action && html`<${Why} key=${open.action} table=${table} question=${{ action: open.action, value: null }} />`}
        ${open.score !== undefined && html`<${ScoreSheet} table=${table} seat=${open.score} />`}
    </div>`;
}

/** Whether a thing is a piece. @param {Facts | undefined} about @returns {about is Facts & PieceFacts} */
const isPiece = (about) => Boolean(about?.component);

/** Beside its anchor, inside of the window of the browser. @param {HTMLElement} box @param {Element | null} anchor */
function settle(box, anchor) {
    const margin = 8;
    const at = anchor?.isConnected ? anchor.getBoundingClientRect() : { left: innerWidth / 2, right: innerWidth / 2, top: innerHeight / 2, bottom: innerHeight / 2 };
    const { width, height } = box.getBoundingClientRect();
    const below = at.bottom + margin + height <= innerHeight || at.top < height + margin;
    const top = below ? Math.min(at.bottom + margin, innerHeight - height - margin) : at.top - height - margin;
    const left = Math.min(Math.max(margin, (at.left + at.right) / 2 - width / 2), innerWidth - width - margin);
    box.style.setProperty("left", `${Math.max(margin, left)}px`);
    box.style.setProperty("top", `${Math.max(margin, top)}px`);
}

/** @param {Props & { choices: Offered[] }} props */
function Choices({ table, choices }) {
    return choices.length > 0 && html`<ul class="choices">
        ${choices.map((choice) => html`<li key=${choice.words}><button type="button" class="main" data-choices=${choice.words}
            onClick=${(/** @type {Press} */ event) => table.confirm(choice, event)}>${spokenWords(table.model, choice.words, choice.decision)}</button></li>`)}
    </ul>`;
}

/** @param {Props & { about: Facts | undefined }} props */
function About({ table, about }) {
    const { model } = table;
    if (!about) {
        return null;
    }
    const { type, value = 0, items } = about;
    const decl = type ? model.description.types[type] : null;
    const pieces = items?.filter((item) => item.kind === "piece") ?? [about].filter(isPiece);
    return html`
        ${decl && html`<${Row} table=${table} decl=${decl} row=${value - decl.lo} word=${valueName(model, type, value)} clauses=${[]} />`}
        ${pieces.filter((piece) => piece.klass >= 0).map((piece) => html`<${AboutPiece} key=${`${piece.component} ${piece.klass}`} table=${table} piece=${piece} many=${pieces.length > 1} />`)}`;
}

/** @param {Props & { piece: PieceFacts, many: boolean }} props */
function AboutPiece({ table, piece, many }) {
    const { model } = table;
    const decl = model.description.components[piece.component];
    return html`<div class="about">
        ${many && html`<h5>${pieceLabel(model, piece.component, piece.klass)}</h5>`}
        <${Row} table=${table} decl=${decl} row=${piece.klass} word=${className(model, piece.component, piece.klass)} clauses=${decl.clauses} />
    </div>`;
}

/**
 * The row of a table: what each column says, what the word means, and the clauses.
 * @param {Props & { decl: Rows, row: number, word: string, clauses: string[] }} props
 */
function Row({ table, decl, row, word, clauses }) {
    const { model } = table;
    const cells = decl.columns
        .map((column, i) => ({ column, cell: decl.rows[row]?.[i], text: columnText(model, column, decl.rows[row]?.[i]) }))
        .filter(({ column, cell, text }) => text && cell !== 0 && !hidden(model.description, column.name));
    const texts = Object.keys(decl.texts ?? {}).map((column) => rowText(model, decl, word, column));
    const said = [help(model, word), ...texts, ...effectHelps(model, decl, row, word)].filter(Boolean);
    return html`
        ${said.map((text) => html`<p>${text}</p>`)}
        ${cells.length > 0 && html`<dl>${cells.map(({ column, text }) => html`<dt>${label(model, column.name)}</dt><dd>${text}</dd>`)}</dl>`}
        <${Clauses} table=${table} clauses=${clauses} />`;
}

/** @param {Model} model @param {Rows} decl @param {number} row @param {string} word */
function effectHelps(model, decl, row, word) {
    return decl.columns
        .map((column, i) => (column.type[0] === "effect" ? decl.rows[row]?.[i] : null))
        .filter((cell) => typeof cell === "string")
        .map((cell) => cell.split(" ")[0])
        .filter((name) => name !== word)
        .map((name) => help(model, name));
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
