// The areas of the seats: names, whose turn, scores, values, zones and boards of their own.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { Picture } from "./board.js";
import { amount, contents } from "./model.js";
import { label, placeLabel, seatName, valueLabel } from "./names.js";
import { isPictured, quiet, Sheets, sheetsIn } from "./slots.js";
import { Thing, valueThing } from "./thing.js";
import { Computed, Values } from "./values.js";
import { Zones, zonesIn } from "./zones.js";

/** @import { Press } from "../types.d.ts" @import { Model, Props, Table } from "./types.d.ts" */
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
    const closed = own ? [] : closedZones(table, seat);
    const pictures = ownPictures(model);
    const much = html`${pictures.map((group) => html`<${Picture} key=${group.join()} table=${table} group=${group} seat=${seat} />`)}
        <${Sheets} table=${table} seat=${seat} />
        <div class="zones"><${Zones} table=${table} area="seat" owner=${seat} without=${closed} /></div>`;
    const folds = !own && (pictures.length > 0 || sheetsIn(model, seat).some((sheet) => sheet.zones.length && !quiet(table, sheet, seat)));
    return html`<section class="seat" data-seat=${seat} data-own=${own} data-active=${active} data-asked=${asked}
        style=${table.seatColours(seat)} aria-label=${t("table-seat", { seat: seatName(model, seat) })}>
        <header>
            <${SeatName} table=${table} seat=${seat} />
            ${team !== undefined && html`<span class="chip team">${valueLabel(model, "team", team)}</span>`}
            ${own && html`<span class="chip">${t("table-you")}</span>`}
            ${won && html`<span class="chip good">${t("table-winner")}</span>`}
            ${!position.over && asked && html`<span class="chip turn">${t("table-to-choose")}</span>`}
            ${!position.over && active && !asked && html`<span class="chip">${t("table-active")}</span>`}
            ${closed.filter(({ number }) => number !== 0).map(({ zone, place, number }) => html`<span class="value" key=${place} data-place=${place} role="group" aria-label=${placeLabel(model, place)}><span class="value-name">${label(model, zone.name)}</span> <b>${number ?? "?"}</b></span>`)}
            <${Total} table=${table} seat=${seat} />
        </header>
        <${Computed} table=${table} seat=${seat} />
        <${Values} table=${table} area="seat" seat=${seat} />
        ${folds ? html`<details class="folded" open=${isOpen(table, seat)}><summary>${t("table-before", { seat: seatName(model, seat) })}</summary><div class="much">${much}</div></details>` : much}
    </section>`;
}

/** Are the boards of another seat unfolded from the start: between two, where there is room, and where something of them can be chosen? @param {Table} table @param {number} seat */
function isOpen({ model, offers }, seat) {
    const places = new Set(Object.values(model.zones).filter((zone) => zone.of === "seat").flatMap((zone) => zone.places.filter(({ of }) => of === seat).map(({ number }) => String(number))));
    const roomy = model.description.seats <= 2 && !globalThis.matchMedia?.("(max-width: 48rem)").matches;
    return roomy || offers.pieces.size > 0 || [...offers.byKey.keys()].some((key) => key.startsWith("piece ") && places.has(key.split(" ")[1]));
}

/**
 * The zones of another seat of which nothing is seen but their number, and in which nothing is offered: numbers beside its name.
 * @param {Table} table @param {number} seat
 */
function closedZones(table, seat) {
    const { model, position } = table;
    return zonesIn(model, "seat", seat).flatMap((zone) => zone.places.filter(({ of }) => of === seat).map(({ number: place }) => ({ zone, place, number: amount(position, place) })))
        .filter(({ zone, place, number }) => (number !== 0 || zone.drawn.order) && (contents(position, place) ?? []).every(({ class: klass }) => klass < 0)
            && ![...table.offers.byKey.keys()].some((key) => key.startsWith(`piece ${place} `)));
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
