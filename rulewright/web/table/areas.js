// The areas of the table: what all share, in the order of the look, and what the seats have of values.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { Picture } from "./board.js";
import { Ledgers } from "./ledgers.js";
import { Remembered } from "./bookkeeping.js";
import { ownPictures, seatsInOrder, sharedPictures } from "./seats.js";
import { orderOf, Sheets, sheetsIn } from "./slots.js";
import { Computed, computedIn, plainVariables, Values } from "./values.js";
import { Zones, zonesIn } from "./zones.js";

/** @import { Area } from "../types.d.ts" @import { Ledger } from "./ledgers.js" @import { Model, Props } from "./types.d.ts" */

/** Have the seats nothing but a few numbers before them? @param {Model} model */
export function areSlim(model) {
    return !zonesIn(model, "seat", 0).length && !ownPictures(model).length && !sheetsIn(model, 0).some((sheet) => sheet.zones.length);
}

/** Is a picture so much wider than high that it needs the room of two columns? @param {Model} model @param {string[]} group */
function isWide(model, group) {
    const scene = model.scene.boards[group[0]];
    return scene.width > 1.8 * scene.height;
}

/** Those pictures. @param {Props} props */
export function Wide({ table }) {
    const groups = sharedPictures(table.model).filter((group) => isWide(table.model, group));
    return html`<div class="wide">${groups.map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} />`)}</div>`;
}

/** The boards and the zones that belong to nobody. @param {Props & { children?: unknown }} props */
export function Middle({ table, children }) {
    const { model } = table;
    const pictures = sharedPictures(model).filter((group) => !isWide(model, group));
    const areas = /** @type {Area[]} */ (["shared", "board"]).filter((area) => plainVariables(model, area).length);
    const boards = pictures.map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} />`);
    const [zones, sheets] = [zonesIn(model, "shared"), sheetsIn(model)];
    const some = areas.length || zones.length || sheets.length || computedIn(table).length;
    const first = zones.length > 0 && sheets.some((sheet) => orderOf(sheet) > zones[zones.length - 1].drawn.order);
    const zoned = html`<div class="zones" key="zones"><${Zones} table=${table} area="shared" /></div>`;
    const shared = some > 0 && html`<section class="shared" key="shared" aria-label=${t("table-shared")}>
        <${Computed} table=${table} />
        ${areas.map((area) => html`<${Values} table=${table} area=${area} />`)}
        ${first && zoned}
        <${Sheets} table=${table} />
        ${!first && zoned}
    </section>`;
    const order = model.scene.areas;
    return html`<div class="middle" data-pictures=${pictures.filter((group) => !group.every((name) => model.scene.boards[name].told)).length}>
        ${order.indexOf("shared") < order.indexOf("board") ? [shared, ...boards] : [...boards, shared]}
        ${children}
        <${Remembered} table=${table} />
    </div>`;
}

/**
 * Ledgers: those of seats stand below these where they have much before them, all others in the middle.
 * @param {Props & { which: (ledger: Ledger) => boolean }} props
 */
export function Ledgered({ table, which }) {
    const seats = seatsInOrder(table.model.description.seats, table.viewer);
    return html`<div class="ledgers"><${Ledgers} table=${table} seats=${seats} which=${which} /></div>`;
}

/** Has a ledger something of each seat? @param {Ledger} ledger */
export const isSeated = (ledger) => ledger.seated.length > 0;
