// The referee of a physical table: what the dice and the cards there have brought is told to it.

import { html, useEffect, useRef } from "../html.js";
import { label, t } from "../i18n.js";
import { streamOf } from "../table/names.js";
import { MANY, Searchable } from "../table/searchable.js";
import { announce, complain } from "./announce.js";
import { nameAt } from "./players.js";

/** @import { Backend, Description, KeyPress, Question, Trouble } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @import { Item } from "../table/searchable.js" */
/** @typedef {Backend & Required<Pick<Backend, "chance" | "outcome" | "undo">>} Asking the backend of a physical table */

/** @param {{ backend: Backend }} props */
export function Companion({ backend }) {
    const waiting = backend.chance?.value ?? null;
    return html`<div class="asked-for" role="status">${waiting && html`<${Asked} key=${[waiting.seat, waiting.stream, waiting.place].join()} backend=${backend} chance=${waiting} />`}</div>`;
}

/**
 * A question, and those after it about the same dice or pile. Several answers can be given without waiting: what is
 * pressed while one is under way is told next.
 * @param {{ backend: Asking, chance: Question }} props
 */
function Asked({ backend, chance }) {
    const { description } = backend;
    const queue = useRef(/** @type {(string | null)[]} */ ([]));
    const busy = useRef(false);
    /** @type {RefObject<HTMLElement | null>} */
    const panel = useRef(null);
    useEffect(() => {
        panel.current?.querySelector("h2")?.focus({ preventScroll: true });
        return () => void setTimeout(focusOnTable);
    }, []);
    const items = chance.possible.map((key) => ({ key, text: spoken(key, description) }));
    const go = async () => {
        busy.current = true;
        try {
            for (let now = backend.chance.peek(); now && isAbout(now, chance) && queue.current.length; now = backend.chance.peek()) {
                await backend.outcome(chance.stream, queue.current.shift() ?? null);
                await passed(backend, now.version);
            }
        } catch (error) {
            complain(/** @type {Trouble} */ (error));
        }
        queue.current = [];
        busy.current = false;
    };
    const tell = (/** @type {string | null} */ outcome) => {
        queue.current.push(outcome);
        busy.current || go();
    };
    const pressed = (/** @type {KeyPress} */ event) => {
        const writes = event.target instanceof HTMLInputElement;
        const found = event.repeat || event.ctrlKey || event.metaKey || event.altKey || writes ? null : pickedBy(event.key, items);
        if (found) {
            event.preventDefault();
            tell(found.key);
        } else if (/^\p{L}$/u.test(event.key) && !writes) {
            panel.current?.querySelector("input")?.focus();
        }
    };
    const what = t("what-came", { what: label(streamOf(description, chance), description) });
    const seat = chance.seat ?? null;
    const given = chance.told.map((it) => spoken(it, description)).join(", ");
    const back = (/** @type {number} */ number) => backend.undo(number).then(() => announce(t("undone")), complain);
    return html`<section class="card companion" aria-label=${t("companion")} ref=${panel} onKeyDown=${pressed}>
        <h2 tabindex="-1">${what}</h2>
        ${seat !== null && html`<p class="quiet">${t("turn-of", { name: nameAt(backend.table.value, seat) })}</p>`}
        ${items.length > MANY
            ? html`<${Searchable} items=${items} name=${what} onPick=${(/** @type {Item} */ { key }) => tell(key)} />`
            : html`<div class="outcomes">${items.map(({ key, text }) => html`<button type="button" key=${key} data-outcome=${key} onClick=${() => tell(key)}>${text}</button>`)}</div>`}
        ${given && html`<p class="quiet">${t("told-so-far", { outcomes: given })}</p>`}
        <div class="row">
            ${chance.given > 0 && html`<button type="button" class="slim" onClick=${() => back(0)}>${t("take-back-answer")}</button>`}
            ${chance.stream && html`<button type="button" class="plain slim" onClick=${() => tell(null)}>${t("outcome-unseen")}</button>`}
            ${(seat !== null || chance.given > 1) && html`<button type="button" class="plain slim" onClick=${() => back(1)}>${t(seat === null ? "tell-anew" : "cancel-choice")}</button>`}
        </div>
    </section>`;
}

/** Whether a question is about the same dice or pile as another one. @param {Question | null} question @param {Question} other */
const isAbout = (question, { seat, stream, place }) => question?.seat === seat && question.stream === stream && question.place === place;

/** Resolves when a question is no longer asked. @param {Asking} backend @param {number} version */
async function passed(backend, version) {
    for (let beat = 0; beat < 100 && backend.chance.peek()?.version === version; beat++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

function focusOnTable() {
    if (document.activeElement === document.body) {
        /** @type {HTMLElement | null} */
        const asked = document.querySelector("[data-asked]");
        asked?.focus({ preventScroll: true });
    }
}

/** What a digit stands for: the outcome of that name, or of that number in the row. @param {string} key @param {Item[]} items */
function pickedBy(key, items) {
    if (!/^\d$/.test(key) || items.length > MANY) {
        return null;
    }
    const named = items.some((item) => /^\d$/.test(item.key));
    return (named ? items.find((item) => item.key === key) : items[Number(key) - 1]) ?? null;
}

/** An outcome as people read it: each of its words by its label. @param {string} outcome @param {Description | null} description */
function spoken(outcome, description) {
    return outcome.split(" ").map((word) => (/^\d+$/.test(word) ? word : label(word, description))).join(" ");
}
