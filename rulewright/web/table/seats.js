// The areas of the seats: names, whose turn, scores, values, zones and boards of their own.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { Picture } from "./board.js";
import { seatName, valueLabel } from "./names.js";
import { isPictured, Sheets } from "./slots.js";
import { Thing, valueThing } from "./thing.js";
import { Computed, Values } from "./values.js";
import { Zones } from "./zones.js";

/** @import { Press } from "../types.d.ts" @import { Model, Props } from "./types.d.ts" */
/** @typedef {Props & { seat: number }} SeatProps */

/** The seats in the order in which a viewer sees them: own first, then as they follow. @param {number} seats @param {number} viewer */
export function seatsInOrder(seats, viewer) {
    const first = Math.max(0, viewer);
    return Array.from({ length: seats }, (_, i) => (first + i) % seats);
}

/** @param {SeatProps} props */
export function Seat({ table, seat }) {
    const { model, position } = table;
    const own = seat === table.viewer;
    const active = position.turns && position.active === seat && !position.over;
    const asked = position.waiting.includes(seat);
    const team = model.description.teams?.[seat];
    const won = position.winners?.includes(seat);
    return html`<section class="seat" data-seat=${seat} data-own=${own} data-active=${active} data-asked=${asked}
        style=${table.seatColours(seat)} aria-label=${t("table-seat", { seat: seatName(model, seat) })}>
        <header>
            <${SeatName} table=${table} seat=${seat} />
            ${team !== undefined && html`<span class="chip team">${valueLabel(model, "team", team)}</span>`}
            ${own && html`<span class="chip">${t("table-you")}</span>`}
            ${won && html`<span class="chip good">${t("table-winner")}</span>`}
            ${!position.over && asked && html`<span class="chip turn">${t("table-to-choose")}</span>`}
            ${!position.over && active && !asked && html`<span class="chip">${t("table-active")}</span>`}
            <${Total} table=${table} seat=${seat} />
        </header>
        <${Computed} table=${table} seat=${seat} />
        <${Values} table=${table} area="seat" seat=${seat} />
        ${ownPictures(model).map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} seat=${seat} />`)}
        <${Sheets} table=${table} seat=${seat} />
        <div class="zones"><${Zones} table=${table} area="seat" owner=${seat} /></div>
    </section>`;
}

/** @param {SeatProps} props */
function SeatName({ table, seat }) {
    const { model } = table;
    const name = seatName(model, seat);
    const sign = html`<span class="seat-sign" aria-hidden="true">${table.seatSign(seat)}</span>`;
    const thing = valueThing("seat", seat, t("table-seat", { seat: name }));
    return html`<h3><${Thing} table=${table} thing=${thing} class="seat-name">${sign} ${name}<//></h3>`;
}

/** The score of a seat so far; it opens to show its lines. @param {SeatProps} props */
function Total({ table, seat }) {
    const sheet = table.position.scores[seat];
    if (!sheet?.lines.length) {
        return null;
    }
    const total = sheet.total === null ? "?" : number(sheet.total);
    const name = t("table-score-of", { seat: seatName(table.model, seat), total });
    return html`<button type="button" class="score-button slim" aria-haspopup="dialog" aria-label=${name}
        onClick=${(/** @type {Press} */ event) => table.openScore(seat, event.currentTarget)}>${t("table-score")} <b>${total}</b></button>`;
}

/** The groups of boards that every seat has for itself. @param {Model} model */
export function ownPictures(model) {
    return model.groups.filter((group) => group.some((name) => model.scene.boards[name]?.own && isPictured(model, name)));
}

/** The groups of boards that all share. @param {Model} model */
export function sharedPictures(model) {
    return model.groups
        .map((group) => group.filter((name) => isPictured(model, name) && !model.scene.boards[name].own))
        .filter((group) => group.length);
}
