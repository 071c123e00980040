// Counters, marks and pointers beside the boards: numbers, tracks, signs.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { Icon, ValueIcon } from "./emblems.js";
import { NOTHING, wordIndex } from "./model.js";
import { label, ofSeat, pieceLabel, valueLabel } from "./names.js";
import { valueThing, Thing } from "./thing.js";

/** @import { Area, ValueType } from "../types.d.ts" @import { Model, ModelVariable, Props, Table } from "./types.d.ts" */
/**
 * @typedef {Pick<ModelVariable, "name" | "kind" | "of" | "type"> & { low?: number, high?: number, drawn: { as?: string, icon?: string } }} ShownVariable a variable, or a computed value that is shown as one
 */

/** More numbers than these are not all written on a lane. */
const MOST_CELLS = 25;

/**
 * The variables of an area that have one word for each owner: of a seat, or what lies before all.
 * @param {Model} model
 * @param {Area} area
 * @param {number | null} [seat]
 */
export function plainVariables(model, area, seat = null) {
    return model.variables
        .filter((variable) => variable.drawn.area === area && variable.drawn.as !== "hidden" && variable.at === null && !isSeated(model, variable))
        .filter((variable) => (variable.of === null ? seat === null : variable.of === "seat" && (seat !== null || area === "shared")))
        .sort((a, b) => a.drawn.order - b.drawn.order);
}

/** The numbers that each seat has among what all share, and what points to a seat there by an icon: they stand round a table. @param {Model} model */
export function seatedVariables(model) {
    return model.variables.filter((variable) => isSeated(model, variable)).sort((a, b) => a.drawn.order - b.drawn.order);
}

/** @param {Model} model @param {ModelVariable} variable */
function isSeated(model, { kind, of, at, type, drawn }) {
    const own = kind === "counter" ? of === "seat" : kind === "pointer" && of === null && type[1] === model.seatType && Boolean(drawn.icon);
    return own && at === null && drawn.area === "shared" && !["hidden", "lane", "track"].includes(drawn.as ?? "") && model.variables.some((one) => one.of === "seat" && one.kind === "counter" && one.drawn.area === "shared" && one.drawn.as === "number");
}

/** The numbers, marks and pointers of an area. @param {Props & { area: Area, seat?: number | null }} props */
export function Values({ table, area, seat = null }) {
    const { model, position } = table;
    const [lanes, plain] = [true, false].map((is) => plainVariables(model, area, seat).filter((variable) => (variable.drawn.as === "lane") === is));
    const found = plain.flatMap((variable) => Array.from({ length: seat === null ? variable.of_size : 1 }, (_, i) => {
        const word = wordIndex(variable, seat ?? i, null);
        return { variable, word, content: position.words[word], owner: seat === null && variable.of ? i : null };
    }));
    const shown = found.filter(({ variable, content }) => !(variable.kind === "mark" && !content) && content !== NOTHING && (content !== null || variable.kind === "counter"));
    const rest = found.filter((each) => !shown.includes(each));
    return html`<div class="values">
        ${shown.map((each) => html`<${Value} key=${each.word} table=${table} ...${each} />`)}
        ${rest.map(({ word }) => html`<span key=${word} data-word=${word}></span>`)}
        ${lanes.map((variable) => html`<${Lane} key=${variable.name} table=${table} variable=${variable} seat=${seat} />`)}
    </div>`;
}

/** @type {Partial<Record<ValueType[0], ModelVariable["kind"]>>} */
const SHOWN_AS = { flag: "mark", enum: "pointer" };

/**
 * The computed values that the look shows, of all or of a seat, as variables.
 * @param {Pick<Table, "model" | "position">} table
 * @param {number | null} [seat]
 */
export function computedIn({ model, position }, seat = null) {
    return (model.description.computed ?? [])
        .map((value, at) => {
            const found = position.computed?.[at];
            return { variable: { ...value, kind: SHOWN_AS[value.type[0]], drawn: {} }, content: Array.isArray(found) ? found[seat ?? -1] : found };
        })
        .filter(({ variable, content }) => (variable.of === null) === (seat === null) && content != null && content !== NOTHING && (content || variable.kind !== "mark"));
}

/** The computed values of all, or of a seat. @param {Props & { seat?: number | null }} props */
export function Computed({ table, seat = null }) {
    const found = computedIn(table, seat);
    return found.length > 0 && html`<div class="values">
        ${found.map((each) => html`<${Value} key=${each.variable.name} table=${table} ...${each} />`)}
    </div>`;
}

/**
 * One value: `money 10`, a track, a mark, or what a pointer shows; `owner`: the seat that is named with it.
 * @param {Props & { variable: ShownVariable, word?: number, content: number | null, owner?: number | null, short?: boolean }} props
 */
export function Value({ table, variable, word, content, owner = null, short = false }) {
    const { model } = table;
    const thing = label(model, variable.name);
    const name = owner === null ? thing : ofSeat(model, variable, thing, owner);
    if (variable.kind === "mark") {
        return html`<${Mark} name=${name} word=${word} icon=${variable.drawn.icon} />`;
    }
    if (variable.kind === "pointer") {
        return html`<${Pointer} table=${table} variable=${variable} word=${word} content=${content} name=${name} short=${short} />`;
    }
    if (variable.drawn.as === "track" && content !== null && !short && (variable.high ?? Infinity) - (variable.low ?? 0) <= 24) {
        return html`<${Track} name=${name} word=${word} content=${content} variable=${variable} />`;
    }
    return html`<span class="value" data-word=${word} title=${name}>
        <${Icon} icon=${variable.drawn.icon} />
        ${!(short && variable.drawn.icon) && html`<span class="value-name">${name}</span>`} <b data-zero=${content === 0}>${content === null ? "?" : number(content)}</b>
    </span>`;
}

/**
 * A cell for each number; for 0, at which nothing is there yet, none.
 * @param {{ name: string, word: number | undefined, content: number, variable: ShownVariable }} props
 */
function Track({ name, word, content, variable: { low, high = 0, drawn } }) {
    const first = low || 1;
    const steps = Array.from({ length: high - first + 1 }, (_, i) => first + i);
    return html`<span class="value track" data-word=${word}>
        <${Icon} icon=${drawn.icon} />
        <span class="value-name">${name}</span> <b>${number(content)}</b>
        <span class="steps" aria-hidden="true">${steps.map((step) => html`<i data-on=${step <= content} data-here=${step === content}></i>`)}</span>
    </span>`;
}

/** A row of numbers, with a man on that of each seat, or one for all. @param {Props & { variable: ModelVariable, seat: number | null }} props */
function Lane({ table, variable, seat }) {
    const { model, position } = table;
    const { low = 0, high = 0, drawn } = variable;
    const name = label(model, variable.name);
    const size = high - low + 1;
    const step = size <= MOST_CELLS ? 1 : 10 ** Math.ceil(Math.log10(size / MOST_CELLS));
    const men = Array.from({ length: seat === null ? variable.of_size : 1 }, (_, i) => {
        const owner = variable.of === null ? null : (seat ?? i);
        const word = wordIndex(variable, owner, null);
        return { owner, word, content: position.words[word] ?? low };
    });
    const said = men.map(({ owner, content }) => t("table-counted", { thing: owner === null ? name : ofSeat(model, variable, name, owner), number: content })).join(", ");
    return html`<div class="lane" role="img" aria-label=${said}>
        <span class="value-name"><${Icon} icon=${drawn.icon} /> ${name}</span>
        <div class="lane-numbers" data-fine=${step > 1}>
            ${Array.from({ length: Math.ceil(size / step) }, (_, i) => Math.min(step, size - i * step)).map(
                (share, i) => html`<i style=${{ "--share": share }}>${2 * share > step ? low + i * step : ""}</i>`,
            )}
            ${men.map(({ owner, word, content }, i) => html`<b key=${word} class="seat-sign" data-word=${word} title=${String(content)}
                style=${{ ...(owner === null ? {} : table.seatColours(owner)), "--at": `${((content - low + 0.5) / size) * 100}%`, "--row": i }}>${owner === null ? content : table.seatSign(owner)}</b>`)}
        </div>
    </div>`;
}

/** @param {{ name: string, word?: number, icon?: string }} props */
export function Mark({ name, word, icon = "" }) {
    return html`<span class="value mark" data-word=${word}><${Icon} icon=${icon || "✓"} /> ${name}</span>`;
}

/** @param {Props & { variable: ShownVariable, word?: number, content: number, name: string, short: boolean }} props */
function Pointer({ table, variable, word, content, name, short }) {
    const { model } = table;
    const [kind, type] = variable.type;
    const style = type === model.seatType ? table.seatColours(content) : undefined;
    const shown = kind === "enum" ? valueLabel(model, type, content) : kind === "piece" ? pieceAt(model, type, content) : number(content);
    const text = html`${!short && html`<span class="value-name">${name}</span>`} <b class=${style ? "seated" : ""} style=${style}>${kind === "enum" && html`<${ValueIcon} ...${{ model, type, value: content }} />`} ${shown}</b>`;
    if (kind !== "enum" || model.scene.boards[type] || type === model.seatType || short) {
        return html`<span class="value pointer" data-word=${word} title=${name}>${text}</span>`;
    }
    const thing = valueThing(type, content, t("table-pointing", { thing: name, value: shown }));
    return html`<${Thing} table=${table} thing=${thing} class="value pointer" data-word=${word}>${text}<//>`;
}

/** @param {Model} model @param {string} component @param {number} content */
function pieceAt(model, component, content) {
    const { classes } = model.description.components[component];
    return pieceLabel(model, component, ((content % classes.length) + classes.length) % classes.length);
}
