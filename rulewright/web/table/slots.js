// Rows of slots: zones and variables with a place for each value of a line or of another type without a picture.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { boardOf } from "./cells.js";
import { ValueIcon } from "./emblems.js";
import { amount, hidden, membersOf, NOTHING, placeAt, wordIndex } from "./model.js";
import { label, seatName, valueLabel } from "./names.js";
import { isPack, isTall } from "./pieces.js";
import { roving } from "./roving.js";
import { Thing, valueThing } from "./thing.js";
import { Mark, Value } from "./values.js";
import { Contents, isIndexed } from "./zones.js";

/** @import { Model, ModelVariable, ModelZone, Props, Table } from "./types.d.ts" */
/** @typedef {{ type: string, zones: ModelZone[], variables: ModelVariable[] }} Sheet what has a place for each value of a type */

/**
 * Is a board drawn as a picture? Plain lines are rows of slots, which have more room for what lies in them, unless a look places one for all.
 * @param {Model} model
 * @param {string} board
 */
export function isPictured(model, board) {
    const scene = model.scene.boards[board];
    return Boolean(scene) && (scene.shape !== "line" || Boolean((scene.placed && !scene.own) || scene.shapes || scene.backdrop || scene.seat_points));
}

/**
 * The types whose values are rows or sheets before a seat, or before all, with what they index.
 * @param {Model} model
 * @param {number | null} [seat]
 */
export function sheetsIn(model, seat = null) {
    /** @type {Map<string, Sheet>} */
    const sheets = new Map();
    /** The sheet of what is shown here. @param {ModelZone | ModelVariable} state */
    const sheetOf = (state) => {
        const board = boardOf(state);
        if (!isIndexed(state) || (state.of ?? "") in model.description.components || (state.of === "seat") !== (seat !== null)) {
            return null;
        }
        if (!board || isPictured(model, board) || state.drawn.as === "hidden" || state.drawn.area === "aside") {
            return null;
        }
        const sheet = sheets.get(board) ?? { type: board, zones: [], variables: [] };
        sheets.set(board, sheet);
        return sheet;
    };
    Object.values(model.zones).forEach((zone) => zone.of === zone.component || sheetOf(zone)?.zones.push(zone));
    model.variables.forEach((variable) => sheetOf(variable)?.variables.push(variable));
    return [...sheets.values()].sort((a, b) => orderOf(a) - orderOf(b));
}

/** Where a sheet stands among others. @param {Sheet} sheet */
export function orderOf(sheet) {
    return Math.min(...[...sheet.zones, ...sheet.variables].map(({ drawn }) => drawn.order));
}

/** Does a sheet hold nothing but playing cards? Their columns may be narrow: rank and suit are in the corner. @param {Model} model @param {Sheet} sheet */
function isPacked(model, sheet) {
    return sheet.zones.every((zone) => isPack(model, zone.component));
}

/** The rows of slots before a seat, or before all. @param {Props & { seat?: number | null }} props */
export function Sheets({ table, seat = null }) {
    return sheetsIn(table.model, seat)
        .filter((sheet) => sheet.zones.length && !quiet(table, sheet, seat))
        .map((sheet) => html`<${SheetBox} key=${sheet.type} table=${table} sheet=${sheet} seat=${seat} />`);
}

/**
 * Is nothing in the zones of a sheet, to which the look gives no place, and does it lie on nothing that people know as a board?
 * @param {Table} table
 * @param {Sheet} sheet
 * @param {number | null} seat
 */
export function quiet(table, sheet, seat) {
    const { model, position } = table;
    const board = model.scene.boards[sheet.type];
    return !board && !sheet.zones.some(({ drawn }) => drawn.order) && sheet.zones.every((zone) => zone.places.every((place) => (seat !== null && place.of !== seat)
        || amount(position, place.number) === 0)) && !sheet.variables.length;
}

/** @param {Props & { sheet: Sheet, seat: number | null }} props */
function SheetBox({ table, sheet, seat }) {
    const { model } = table;
    const { type } = sheet;
    const name = label(model, type) || [...sheet.zones, ...sheet.variables].map((state) => label(model, state.name)).join(", ");
    const only = sheet.zones.length + sheet.variables.length === 1 ? (sheet.zones[0] ?? sheet.variables[0]) : null;
    const title = only && label(model, only.name) !== name ? `${label(model, only.name)}` : name;
    const tall = sheet.zones.some((zone) => isTall(model, zone.component));
    return html`<section class="sheet slotted" data-tall=${tall} data-packed=${isPacked(model, sheet) || undefined} style=${columnsOf(model, type)}>
        <h4>${title}</h4>
        <div class="slots" ...${roving()} role="group" aria-label=${seat === null ? name : t("table-of", { thing: name, seat: seatName(model, seat) })}>
            ${membersOf(model, type).map((value) => html`<${Slot} key=${value} table=${table} sheet=${sheet} value=${value} seat=${seat} />`)}
        </div>
    </section>`;
}

/** @param {Props & { sheet: Sheet, value: number, seat: number | null }} props */
function Slot({ table, sheet, value, seat }) {
    const { model } = table;
    const { type } = sheet;
    const named = valueLabel(model, type, value);
    const words = sheet.variables.map((variable) => wordAt(table, variable, type, value, seat)).filter(Boolean);
    const facts = words.filter((each) => each.text).map((each) => each.text);
    const whole = seat === null ? named : t("table-of", { thing: named, seat: seatName(model, seat) });
    const name = facts.length ? t("table-cell", { place: whole, things: facts.join(", ") }) : whole;
    const own = seat === null || seat === table.viewer;
    const thing = { ...valueThing(type, value, name, { seat }), keys: own ? valueThing(type, value, name).keys : [] };
    return html`<div class="slot">
        <${Thing} table=${table} thing=${thing} class="slot-head">
            <${ValueIcon} ...${{ model, type, value }} /><span class="slot-name" style=${{ "--letters": longestWord(named) }}>${named}</span>
            ${words.map((each) => each.drawn)}
        <//>
        ${pointersTo(table, type, value, seat)}
        ${sheet.zones.map((zone) => html`<${SlotZone} key=${zone.name} table=${table} zone=${zone} type=${type} value=${value} seat=${seat}
            several=${sheet.zones.length > 1} />`)}
    </div>`;
}

/** So many slots side by side as the look has, if it places them; else as many as there is room for. @param {Model} model @param {string} type */
function columnsOf(model, type) {
    const scene = model.scene.boards[type];
    if (!scene?.placed) {
        return { "--n": membersOf(model, type).length, "--widest": "6.5rem" };
    }
    return { "--n": new Set(scene.points.flatMap((point) => (point ? [point[0]] : []))).size, "--widest": "100%" };
}

/** The number of letters of the longest word. @param {string} text */
function longestWord(text) {
    return Math.max(1, ...text.split(/[\s-]+/).map((word) => word.length));
}

/** @param {Props & { zone: ModelZone, type: string, value: number, seat: number | null, several: boolean }} props */
function SlotZone({ table, zone, type, value, seat, several }) {
    const { model, position } = table;
    const place = zone.at === type ? placeAt(zone, zone.of === "seat" ? seat : null, value) : placeAt(zone, value, null);
    if (!place) {
        return null;
    }
    const empty = amount(position, place.number) === 0;
    if (empty && several && zone !== firstFull(table, type, value, seat)) {
        return html`<span class="slot-empty hidden-slot" data-place=${place.number}></span>`;
    }
    return html`<div class="slot-zone" data-place=${place.number} data-empty=${empty} title=${label(model, zone.name)}>
        <${Contents} table=${table} zone=${zone} place=${place.number} small=${true} />
    </div>`;
}

/**
 * The zone whose empty frame is drawn if all zones of a slot are empty: the one that everybody sees.
 * @param {Table} table
 * @param {string} type
 * @param {number} value
 * @param {number | null} seat
 */
function firstFull(table, type, value, seat) {
    const all = Object.values(table.model.zones).filter((each) => boardOf(each) === type && (each.of === "seat") === (seat !== null));
    const full = all.some((each) => {
        const place = each.at === type ? placeAt(each, each.of === "seat" ? seat : null, value) : placeAt(each, value, null);
        return place && (amount(table.position, place.number) ?? 0) > 0;
    });
    return full ? null : (all.find((each) => each.seen_by === "all") ?? all[0]);
}

/** @param {Table} table @param {ModelVariable} variable @param {string} type @param {number} value @param {number | null} seat */
function wordAt(table, variable, type, value, seat) {
    const { model, position } = table;
    const of = variable.of === "seat" ? seat : variable.of === type && variable.at !== type ? value : null;
    const at = variable.at === type ? value : null;
    const word = wordIndex(variable, of, at);
    const content = position.words[word];
    const named = hidden(model.description, variable.name) ? "" : label(model, variable.name);
    if (variable.kind === "mark") {
        return content ? { text: named, drawn: html`<${Mark} name=${named} word=${word} />` } : { text: "", drawn: html`<span data-word=${word}></span>` };
    }
    if (content === NOTHING || content === null) {
        return { text: "", drawn: html`<span data-word=${word}></span>` };
    }
    if (variable.kind === "counter" && content === 0) {
        return { text: "", drawn: html`<span data-word=${word}></span>` };
    }
    const text = t("table-counted", { thing: named, number: content });
    return { text: variable.kind === "pointer" ? `${named} ${valueLabel(model, variable.type[1], content)}` : text, drawn: html`<${Value} table=${table} variable=${variable} word=${word} content=${content} short=${true} />` };
}

/**
 * The pointers that stand on a value: of this seat, or of all.
 * @param {Table} table
 * @param {string} type
 * @param {number} value
 * @param {number | null} seat
 */
function pointersTo(table, type, value, seat) {
    const { model, position } = table;
    return model.variables
        .filter((variable) => variable.kind === "pointer" && variable.type[1] === type && variable.at === null && variable.drawn.as !== "hidden"
            && (variable.of === null || variable.of === "seat") && model.scene.boards[type])
        .flatMap((variable) => Array.from({ length: variable.of_size }, (_, i) => ({ variable, word: variable.first + i, owner: variable.of === null ? null : variable.of_lo + i })))
        .filter(({ word, owner }) => position.words[word] === value && (seat === null || owner === null || owner === seat))
        .map(({ variable, word, owner }) => html`<span class="pin" data-word=${word} style=${owner === null ? {} : table.seatColours(owner)}>
            ${label(model, variable.name)}</span>`);
}
