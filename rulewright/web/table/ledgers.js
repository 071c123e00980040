// Ledgers: what each seat has of each value of a type, as one table for all seats.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { boardOf } from "./cells.js";
import { ValueIcon } from "./emblems.js";
import { hidden, membersOf, NOTHING, piecesOfType, wordIndex } from "./model.js";
import { cellText, label, seatName, valueLabel } from "./names.js";
import { roving } from "./roving.js";
import { isPictured, sheetsIn } from "./slots.js";
import { Thing, valueThing } from "./thing.js";

/** @import { Position } from "../types.d.ts" @import { Model, ModelVariable, Props, Table } from "./types.d.ts" */
/** @typedef {{ type: string, seated: ModelVariable[], shared: ModelVariable[] }} Ledger the variables of a type: of seats, and of all */

/** The ledgers of a game. @param {Model} model */
export function ledgersOf(model) {
    const slotted = new Set([...sheetsIn(model), ...sheetsIn(model, 0)]
        .filter((sheet) => sheet.zones.length).map((sheet) => sheet.type));
    /** @type {Map<string, Ledger>} */
    const found = new Map();
    for (const variable of model.variables) {
        const type = boardOf(variable);
        const indexed = variable.at === type || (variable.of === type && variable.of !== "seat");
        if (!type || !indexed || variable.drawn.area === "aside" || variable.drawn.as === "hidden" || slotted.has(type) || isPictured(model, type) || !model.description.types[type]) {
            continue;
        }
        const ledger = found.get(type) ?? { type, seated: [], shared: [] };
        (variable.of === "seat" ? ledger.seated : ledger.shared).push(variable);
        found.set(type, ledger);
    }
    return [...found.values()];
}

/** Marks on values that lie on the table as pieces are listed, not tabled. @param {Model} model @param {Ledger} ledger */
function isListed(model, ledger) {
    const all = [...ledger.seated, ...ledger.shared];
    return all.every((variable) => variable.kind === "mark") && (piecesOfType(model, ledger.type).size > 0 || !facts(model, ledger.type).length);
}

/** The ledgers for which `which` holds. @param {Props & { seats: number[], which: (ledger: Ledger) => boolean }} props */
export function Ledgers({ table, seats, which }) {
    const all = ledgersOf(table.model).filter(which);
    const tabled = all.filter((ledger) => !isListed(table.model, ledger) || isWanted(table, ledger));
    return html`
        ${tabled.map((ledger) => html`<${LedgerTable} key=${ledger.type} table=${table} ledger=${ledger} seats=${ledger.seated.length ? seats : []} />`)}
        ${all.filter((ledger) => !tabled.includes(ledger)).map((ledger) => html`<${Marks} key=${ledger.type} table=${table} ledger=${ledger} seats=${seats} />`)}`;
}

/** Are values of the type offered that no piece stands for? @param {Table} table @param {Ledger} ledger */
function isWanted(table, ledger) {
    return !piecesOfType(table.model, ledger.type).size && [...table.offers.byKey.keys()].some((key) => key.startsWith(`value ${ledger.type} `));
}

/** The columns of a type that are shown with its values: of numbers, not all alike. @param {Model} model @param {string} type */
function facts(model, type) {
    const decl = model.description.types[type];
    return decl.columns
        .map((column, i) => ({ column, i }))
        .filter(({ column, i }) => column.type[0] === "int" && !column.keyed_by && !hidden(model.description, column.name)
            && new Set(decl.rows.map((row) => row[i])).size > 1)
        .slice(0, 3);
}

/** @param {Props & { ledger: Ledger, seats: number[] }} props */
function LedgerTable({ table, ledger, seats }) {
    const { model } = table;
    const { type, seated, shared } = ledger;
    const columns = facts(model, type);
    const name = label(model, type);
    return html`<section class="ledger">
        <h4>${name}${seated.length > 0 && html` <span class="quiet">${seated.map((variable) => label(model, variable.name)).join(" · ")}</span>`}</h4>
        <div class="scrolled"><table ...${roving()} aria-label=${name}>
            <thead><tr><th></th>
                ${columns.map(({ column }) => html`<th class="fact" scope="col">${label(model, column.name)}</th>`)}
                ${shared.map((variable) => html`<th class="fact" scope="col">${label(model, variable.name)}</th>`)}
                ${seats.map((seat) => html`<th scope="col" style=${table.seatColours(seat)}><span class="seat-sign" title=${seatName(model, seat)}>${table.seatSign(seat)}</span></th>`)}
            </tr></thead>
            <tbody>${membersOf(model, type).map((value) => html`<${Entry} key=${value} table=${table} ledger=${ledger} value=${value} columns=${columns} seats=${seats} />`)}</tbody>
        </table></div>
    </section>`;
}

/** @param {Props & { ledger: Ledger, value: number, columns: ReturnType<typeof facts>, seats: number[] }} props */
function Entry({ table, ledger, value, columns, seats }) {
    const { model, position } = table;
    const { type, seated, shared } = ledger;
    const decl = model.description.types[type];
    const named = valueLabel(model, type, value);
    const own = seated.map((variable) => said(model, position, variable, value, table.viewer)).filter(Boolean);
    const ticks = seated.filter(({ kind }) => kind === "mark");
    // What is written where nothing is ticked yet is no zero.
    const isOpen = (/** @type {number} */ seat) => ticks.length > 0 && !seated.some((variable) => position.words[wordAt(variable, value, seat)]);
    const name = own.length && table.viewer >= 0 ? t("table-cell", { place: named, things: own.join(", ") }) : named;
    return html`<tr>
        <th scope="row"><${Thing} table=${table} thing=${valueThing(type, value, name, { seat: table.viewer })} class="row-head"><${ValueIcon} ...${{ model, type, value }} />${named}<//></th>
        ${columns.map(({ column, i }) => html`<td class="fact">${cellText(model, column, decl.rows[value - decl.lo]?.[i])}</td>`)}
        ${shared.map((variable) => html`<td class="fact" data-word=${wordAt(variable, value, null)}>${shownAt(table, variable, value, null)}</td>`)}
        ${seats.map((seat) => html`<td data-own=${seat === table.viewer} data-word=${seated.map((variable) => wordAt(variable, value, seat)).join(" ")}>
            ${isOpen(seat) ? "" : seated.map((variable, i) => shownAt(table, variable, value, seat, i > 0))}</td>`)}
    </tr>`;
}

/** @param {ModelVariable} variable @param {number} value @param {number | null} seat */
function wordAt(variable, value, seat) {
    return variable.at === null ? wordIndex(variable, value, null) : wordIndex(variable, variable.of === "seat" ? seat : variable.of_lo, value);
}

/**
 * What a word says: a number, a tick, or what a pointer shows; a further number only if it is not zero.
 * @param {Table} table
 * @param {ModelVariable} variable
 * @param {number} value
 * @param {number | null} seat
 * @param {boolean} [further]
 */
function shownAt(table, variable, value, seat, further = false) {
    const { model, position } = table;
    const content = position.words[wordAt(variable, value, seat)];
    const title = label(model, variable.name);
    if (content === null) {
        return null;
    }
    if (variable.kind === "mark") {
        return content ? html`<span class="ticked" title=${title}> ✓</span>` : null;
    }
    if (variable.kind === "pointer") {
        return content === NOTHING ? null : html`<span style=${variable.type[1] === model.seatType ? table.seatColours(content) : {}}
            class=${variable.type[1] === model.seatType ? "seat-sign" : ""}>${variable.type[1] === model.seatType ? table.seatSign(content) : valueLabel(model, variable.type[1], content)}</span>`;
    }
    if (further) {
        return content ? html`<small title=${title}> ${title} ${number(content)}</small>` : null;
    }
    return html`<b data-zero=${content === 0} title=${title}>${number(content)}</b>`;
}

/** @param {Model} model @param {Position} position @param {ModelVariable} variable @param {number} value @param {number} seat */
function said(model, position, variable, value, seat) {
    const content = seat < 0 ? null : position.words[wordAt(variable, value, seat)];
    if (content === null || content === NOTHING || (variable.kind === "mark" && !content)) {
        return "";
    }
    return variable.kind === "counter" ? t("table-counted", { thing: label(model, variable.name), number: content }) : label(model, variable.name);
}

/** The marks that are set, as words. @param {Props & { ledger: Ledger, seats: number[] }} props */
function Marks({ table, ledger, seats }) {
    const { model, position } = table;
    const found = [...ledger.seated, ...ledger.shared].flatMap((variable) => (variable.of === "seat" ? seats : [null]).flatMap((seat) => membersOf(model, ledger.type)
        .filter((value) => position.words[wordAt(variable, value, seat)])
        .map((value) => ({ variable, seat, value }))));
    return found.length > 0 && html`<p class="values">${found.map(({ variable, seat, value }) => html`<span class="value mark" data-word=${wordAt(variable, value, seat)}
        style=${seat === null ? {} : table.seatColours(seat)}>
        ${seat !== null && html`<span class="seat-sign" title=${seatName(model, seat)}>${table.seatSign(seat)}</span>`}
        ${[label(model, variable.name), valueLabel(model, ledger.type, value)].join(" ")}</span>`)}</p>`;
}
