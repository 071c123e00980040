// Moments of a match: marks that all see and a note for oneself on an entry of the story, and what leads to that step.

import { keep, kept } from "../backend/viewer_storage.js";
import { html, signal, useState } from "../html.js";
import { list, number, t } from "../i18n.js";
import { complain } from "./announce.js";
import { CopyButton } from "./clipboard.js";
import { Icon } from "./icons.js";
import { nameAt } from "./players.js";

/** @import { Backend, FieldEvent, Signal, TableState } from "../types.d.ts" @import { IconName } from "./icons.js" */
/** @typedef {{ backend: Backend, first: number, last: number, onLook: (seq: number) => void }} MomentProps `first` to `last` are the numbers of its entries, from 1 */

/** Marks, which the server knows too. @type {IconName[]} */
const MARKS = ["heart", "star", "wow", "laugh", "question"];
const LONGEST_NOTE = 500;

/** Notes by match, then by seat and step. @type {Map<string, Signal<Record<string, string>>>} */
const notes = new Map();

/** By what a match is known to this browser: in a page without a server, by its seal; empty if it has none. @param {TableState | null} table */
const keyOf = (table) => (table?.match === "local" ? table.chance?.commitment : table?.match) ?? "";

/** @param {string} match */
function notesOf(match) {
    const found = notes.get(match) ?? signal(kept(match).notes);
    notes.set(match, found);
    return found;
}

/**
 * The step that the address of the page names, as `#step=12&seat=0`, and as whom it is seen; null if it names none.
 * @param {string} hash
 */
export function stepIn(hash) {
    const query = new URLSearchParams(hash.slice(1));
    const [seq, seat] = ["step", "seat"].map((name) => (/^\d{1,6}$|^-[12]$/.test(query.get(name) ?? "") ? Number(query.get(name)) : null));
    return seq === null || seq < 0 ? null : { seq, seat };
}

/** The address of a step, as a viewer sees it. @param {number} seq @param {number} seat */
export const stepAddress = (seq, seat) => `${location.origin}${location.pathname}#step=${seq}&seat=${seat}`;

/** What belongs to a passage of the story. @param {MomentProps} props */
export function Moment({ backend, first, last, onLook }) {
    const [open, setOpen] = useState(false);
    const { conversation } = backend;
    const table = backend.table.value;
    const seat = backend.position.value?.seat ?? -1;
    const marks = conversation?.marks.value.filter(([seq]) => seq >= first && seq <= last) ?? [];
    const own = notesOf(keyOf(table)).value[`${seat} ${first}`] ?? "";
    const marking = conversation && seat >= 0 && table?.talk && table.talk.allowed !== "none";
    const mark = (/** @type {string} */ name) => conversation?.mark(first, name, !marks.some(([, by, it]) => by === seat && it === name)).catch(complain);
    const given = MARKS.map((name) => ({ name, by: marks.filter(([, , it]) => it === name).map(([, by]) => by) })).filter(({ by }) => by.length);
    const names = (/** @type {number[]} */ seats) => list(seats.map((one) => nameAt(table, one)));
    return html`<button type="button" class="moment" data-thing="" aria-expanded=${open} aria-label=${t("moment")} title=${t("moment")} onClick=${() => setOpen(!open)}><${Icon} name="dots" /></button>
        ${given.length > 0 && html`<p class="marks">${given.map(({ name, by }) => html`<span class="chip" key=${name} title=${`${t(`mark-${name}`)}: ${names(by)}`}><${Icon} name=${name} /><span class="unseen">${t(`mark-${name}`)}: ${names(by)}</span>${by.length > 1 && html`<span aria-hidden="true">${number(by.length)}</span>`}</span>`)}</p>`}
        ${own && !open && html`<p class="note"><${Icon} name="note" /><span class="unseen">${t("note")}: </span>${own}</p>`}
        ${open && html`<div class="moment-tools">
            ${marking && html`<div class="row" role="group" aria-label=${t("marks")}>${MARKS.map((name) => html`<button type="button" class="icon plain" key=${name} aria-pressed=${marks.some(([, by, it]) => by === seat && it === name)} aria-label=${t(`mark-${name}`)} title=${t(`mark-${name}`)} onClick=${() => mark(name)}><${Icon} name=${name} /></button>`)}</div>`}
            ${keyOf(table) && html`<${Note} table=${table} name=${`${seat} ${first}`} text=${own} />`}
            <div class="row">${backend.at && html`<button type="button" class="slim" onClick=${() => onLook(last)}><${Icon} name="eye" />${t("moment-look")}</button>`}
                ${backend.kind === "server" && html`<${CopyButton} icon="link" name=${t("moment-link")} text=${() => stepAddress(last, seat)} />`}</div>
        </div>`}`;
}

/** A note for oneself. @param {{ table: TableState | null, name: string, text: string }} props */
function Note({ table, name, text }) {
    const write = (/** @type {FieldEvent} */ event) => {
        const match = keyOf(table);
        const { [name]: _, ...others } = notesOf(match).peek();
        const said = event.currentTarget.value.trim();
        notesOf(match).value = said ? { ...others, [name]: said } : others;
        keep(match, { notes: notesOf(match).peek() });
    };
    return html`<label class="field"><span>${t("note")}</span><input type="text" maxlength=${LONGEST_NOTE} value=${text} placeholder=${t("note-about")} dir="auto" onChange=${write} /></label>`;
}
