// Zones beside the boards: hands, piles, stacks, rows, supplies and dice.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { amount, className, contents, wordIndex } from "./model.js";
import { label, pieceLabel, placeLabel, seatName } from "./names.js";
import { pieceKey } from "./offers.js";
import { isPack, isTall, Piece, shapeOf } from "./pieces.js";
import { roving } from "./roving.js";
import { Thing, pieceThing } from "./thing.js";
import { Icon } from "./emblems.js";
import { seatedVariables, Value } from "./values.js";

/** @import { Area } from "../types.d.ts" @import { Model, ModelVariable, ModelZone, Pieces, Props, Table } from "./types.d.ts" */

const MANY = 8;
const PILED = new Set(["pile", "stack"]);

/**
 * The zones of an area for an owner, or of all seats, in order, without those on boards or in rows of slots.
 * @param {Model} model
 * @param {Area} area
 * @param {number | null} [owner]
 */
export function zonesIn(model, area, owner = null) {
    return Object.values(model.zones)
        .filter((zone) => zone.drawn.area === area && zone.drawn.as !== "hidden" && !isIndexed(zone))
        .filter((zone) => placesOf(zone, owner).length)
        .sort((a, b) => a.drawn.order - b.drawn.order);
}

/** Does a zone have a place for each value of a type that is no seat? @param {ModelZone | ModelVariable} zone */
export function isIndexed(zone) {
    return zone.at !== null || (zone.of !== null && zone.of !== "seat");
}

/**
 * All zones of an area; those that are empty and in which nothing is offered stand in one line, if the look gives
 * them a place among the others.
 * @param {Props & { area: Area, owner?: number | null, without?: { place: number }[] }} props `without`: places that stand elsewhere
 */
export function Zones({ table, area, owner = null, without = [] }) {
    const [rounds, others] = parted(zonesIn(table.model, area, owner), isRound);
    const around = area === "shared" ? seatedVariables(table.model) : [];
    const [middle, rest] = parted(others, (zone) => around.length > 0 && zone.drawn.as !== "hidden" && !PILED.has(zone.drawn.as) && isTall(table.model, zone.component));
    const found = rest.flatMap((zone) => placesOf(zone, owner).map(({ number }) => ({
        zone,
        place: number,
        name: owner === null ? placeLabel(table.model, number) : label(table.model, zone.name),
    }))).filter(({ place }) => !without.some((each) => each.place === place));
    const none = found.filter(({ place }) => isEmpty(table, place));
    const full = found.filter((each) => !none.includes(each));
    const [frames, empty] = parted(none.filter(({ zone }) => zone.drawn.order), ({ zone }) => owner === null && zone.order !== "open" && PILED.has(zone.drawn.as) && isTall(table.model, zone.component));
    return html`
        ${(rounds.length > 0 || around.length > 0) && html`<${Round} table=${table} zones=${rounds} around=${around} middle=${middle} />`}
        ${full.concat(frames).sort((a, b) => found.indexOf(a) - found.indexOf(b)).map((each) => html`<${ZoneBox} key=${each.place} table=${table} ...${each} />`)}
        ${empty.length > 0 && html`<p class="empty-zones">
            ${t("table-empty")} ${empty.map(({ place, name }, i) => html`${i > 0 && " · "}<span data-place=${place} class="empty-zone">${name}</span>`)}
        </p>`}`;
}

/** Does each seat have one such place among what all share, as for the card that it plays to a trick? @param {ModelZone} zone */
function isRound(zone) {
    return zone.drawn.area === "shared" && zone.of === "seat" && zone.at === null && !PILED.has(zone.drawn.as) && zone.places.length > 1;
}

/** @template T @param {T[]} all @param {(one: T) => boolean} test @returns {[T[], T[]]} those for which it holds, and the others */
function parted(all, test) {
    return [all.filter(test), all.filter((one) => !test(one))];
}

/**
 * A table with the seats round it, that of the viewer below and the others as they follow: before each what it has
 * there, of all zones and of numbers, and in the middle the cards that all share.
 * @param {Props & { zones: ModelZone[], around: ModelVariable[], middle: ModelZone[] }} props
 */
function Round({ table, zones, around, middle }) {
    const { model, position } = table;
    const { seats } = model.description;
    const first = Math.max(0, table.viewer);
    const name = [...zones, ...middle].map((zone) => label(model, zone.name)).join(", ");
    return html`<section class="zone round" data-counted=${around.length > 0} aria-label=${name}>
        ${zones.length > 0 && html`<h4><${Icon} icon=${zones[0].drawn.icon} /> ${name}</h4>`}
        <div class="round-table">
            ${middle.length > 0 && html`<div class="round-middle">${middle.map((zone) => zone.places.map(({ number }) => html`<div key=${number} class="pieces" data-place=${number} ...${roving()} role="group" aria-label=${placeLabel(model, number)}><${Contents} table=${table} zone=${zone} place=${number} small=${true} /></div>`))}</div>`}
            ${Array.from({ length: seats }, (_, seat) => {
                const turn = ((seat - first + seats) % seats / seats) * 2 * Math.PI;
                const at = { "--x": -Math.sin(turn).toFixed(3), "--y": Math.cos(turn).toFixed(3) };
                const places = zones.flatMap((zone) => placesOf(zone, seat).map(({ number }) => ({ zone, number })));
                const empty = places.every(({ number }) => isEmpty(table, number));
                return html`<div key=${seat} class="round-place" style=${{ ...table.seatColours(seat), ...at }} data-place=${places[0]?.number} data-empty=${empty} data-active=${position.turns && position.active === seat && !position.over}
                    role="group" aria-label=${places.length ? placeLabel(model, places[0].number) : seatName(model, seat)}>
                    <span class="seat-sign" aria-hidden="true">${table.seatSign(seat)}</span>
                    ${around.length > 0 && html`<div class="values">${around.map((variable) => html`<${Seated} key=${variable.name} table=${table} variable=${variable} seat=${seat} />`)}</div>`}
                    ${places.map(({ zone, number }) => html`<div key=${number} class="pieces"><${Contents} table=${table} zone=${zone} place=${number} /></div>`)}
                </div>`;
            })}
        </div>
    </section>`;
}

/** A number of a seat, or a pointer to it, where it sits. @param {Props & { variable: ModelVariable, seat: number }} props */
function Seated({ table, variable, seat }) {
    const word = wordIndex(variable, variable.of === null ? null : seat, null);
    const content = table.position.words[word];
    if (variable.kind === "counter") {
        return html`<${Value} table=${table} variable=${variable} word=${word} content=${content} short=${true} />`;
    }
    const name = label(table.model, variable.name);
    return content === seat && html`<span class="value mark" data-word=${word} title=${name} role="img" aria-label=${name}><${Icon} icon=${variable.drawn.icon} /></span>`;
}

/** @param {ModelZone} zone @param {number | null} owner */
function placesOf(zone, owner) {
    return zone.places.filter((place) => owner === null || place.of === owner);
}

/** @param {Table} table @param {number} place */
function isEmpty(table, place) {
    const offered = [...table.offers.byKey.keys()].some((key) => key.startsWith(`piece ${place} `));
    return amount(table.position, place) === 0 && !offered;
}

/**
 * A zone with its name, the number of its pieces, and the pieces themselves as far as they are known.
 * @param {Props & { zone: ModelZone, place: number, name: string }} props
 */
export function ZoneBox({ table, zone, place, name }) {
    const number = amount(table.position, place);
    return html`<section class="zone as-${zone.drawn.as}" data-place=${place} aria-label=${placeLabel(table.model, place)}>
        <h4><${Icon} icon=${zone.drawn.icon} /> ${name} <span class="quiet">${number ?? "?"}</span></h4>
        <div class="pieces" style=${{ "--n": number ?? 0 }} ...${roving()} role="group" aria-label=${placeLabel(table.model, place)}>
            <${Contents} table=${table} zone=${zone} place=${place} />
        </div>
    </section>`;
}

/**
 * The pieces of a place: all, or the top of a pile unless one below is offered.
 * @param {Props & { zone: ModelZone, place: number, small?: boolean }} props
 */
export function Contents({ table, zone, place, small = false }) {
    const ordered = zone.order === "row" || zone.order === "stack" || zone.order === "pile";
    const found = contents(table.position, place, ordered);
    if (found === null) {
        return html`<span class="quiet">?</span>`;
    }
    if (!found.length && !small && PILED.has(zone.drawn.as) && isTall(table.model, zone.component)) {
        return html`<span class="piece shape-${shapeOf(table.model, zone.component)} back none ${isPack(table.model, zone.component) ? "of-pack" : ""}"></span>`;
    }
    const piled = PILED.has(zone.drawn.as) || zone.seen_by === "top" || (ordered && found.length > 12);
    const offered = found.filter(({ class: klass }) => table.offers.byKey.has(pieceKey(place, klass))
        || table.offers.pieces.has(`${zone.component} ${klass}`));
    if (piled && !offered.length && found.length) {
        return html`<${Pile} table=${table} zone=${zone} place=${place} found=${found} small=${small || zone.drawn.area === "seat"} />`;
    }
    const dense = small || (zone.drawn.as !== "hand" && found.length > MANY);
    return found.map(({ class: klass, number }, i) => html`<${PieceButton} key=${`${klass} ${i}`} table=${table} zone=${zone}
        place=${place} klass=${klass} number=${number} small=${dense} />`);
}

/**
 * A pile shows its top piece and opens to show all that is known of it.
 * @param {Props & { zone: ModelZone, place: number, found: Pieces[], small: boolean }} props
 */
function Pile({ table, zone, place, found, small }) {
    const number = found.reduce((sum, each) => sum + each.number, 0);
    const top = found[found.length - 1].class;
    const name = t("table-pile", { zone: placeLabel(table.model, place), number });
    const thing = { ...pieceThing(zone.component, top, place, name), pile: { zone, place } };
    return html`<${Thing} table=${table} thing=${thing} class="pile">
        <${Piece} table=${table} component=${zone.component} klass=${top} small=${small} />
        <span class="depth">${number}</span>
    <//>`;
}

/** @param {Props & { zone: ModelZone, place: number, klass: number, number: number, small: boolean }} props */
function PieceButton({ table, zone, place, klass, number, small }) {
    const { model } = table;
    const named = pieceLabel(model, zone.component, klass);
    const name = number > 1 ? t("table-several", { number, thing: named }) : named;
    const full = t("table-in", { thing: name, place: placeLabel(model, place) });
    const told = model.description.components[zone.component].die ? !/^[1-6]$/.test(className(model, zone.component, klass))
        : model.description.components[zone.component].classes.length > 1;
    return html`<${Thing} table=${table} thing=${pieceThing(zone.component, klass, place, full)}
        class="of-${shapeOf(model, zone.component)}">
        <${Piece} table=${table} component=${zone.component} klass=${klass} number=${number} small=${small} />
        ${told && !isTall(model, zone.component) && klass >= 0
            && html`<span class="under">${label(model, className(model, zone.component, klass))}</span>`}
    <//>`;
}
