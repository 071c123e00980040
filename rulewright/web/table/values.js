// Counters, marks and pointers beside the boards: numbers, tracks, signs.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { NOTHING, wordIndex } from "./model.js";
import { label, ofSeat, pieceLabel, valueLabel } from "./names.js";
import { valueThing, Thing } from "./thing.js";

/** @import { Area, ValueType } from "../types.d.ts" @import { Model, ModelVariable, Props, Table } from "./types.d.ts" */
/**
 * @typedef {Pick<ModelVariable, "name" | "kind" | "of" | "type"> & { low?: number, high?: number, drawn: { as?: string, icon?: string } }} ShownVariable a variable, or a computed value that is shown as one
 */

/** An icon of a look: some characters, or a picture. @param {{ icon: string | undefined }} props */
export function Icon({ icon }) {
    if (!icon) {
        return null;
    }
    return icon.startsWith("data:") ? html`<img class="icon" src=${icon} alt="" />` : html`<span class="icon" aria-hidden="true">${icon}</span>`;
}

/**
 * The variables of an area that have one word for each owner: of a seat, or what lies before all.
 * @param {Model} model
 * @param {Area} area
 * @param {number | null} [seat]
 */
export function plainVariables(model, area, seat = null) {
    return model.variables
        .filter((variable) => variable.drawn.area === area && variable.drawn.as !== "hidden" && variable.at === null)
        .filter((variable) => (variable.of === null ? seat === null : variable.of === "seat" && (seat !== null || area === "shared")))
        .sort((a, b) => a.drawn.order - b.drawn.order);
}

/** The numbers, marks and pointers of an area. @param {Props & { area: Area, seat?: number | null }} props */
export function Values({ table, area, seat = null }) {
    const { model, position } = table;
    const found = plainVariables(model, area, seat).flatMap((variable) => Array.from({ length: seat === null ? variable.of_size : 1 }, (_, i) => {
        const word = wordIndex(variable, seat ?? i, null);
        return { variable, word, content: position.words[word], owner: seat === null && variable.of ? i : null };
    }));
    const shown = found.filter(({ variable, content }) => !(variable.kind === "mark" && !content) && content !== NOTHING && (content !== null || variable.kind === "counter"));
    const rest = found.filter((each) => !shown.includes(each));
    return html`<div class="values">
        ${shown.map((each) => html`<${Value} key=${each.word} table=${table} ...${each} />`)}
        ${rest.map(({ word }) => html`<span key=${word} data-word=${word}></span>`)}
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

/** @param {{ name: string, word?: number, icon?: string }} props */
export function Mark({ name, word, icon = "" }) {
    return html`<span class="value mark" data-word=${word}><${Icon} icon=${icon || "✓"} /> ${name}</span>`;
}

/** @param {Props & { variable: ShownVariable, word?: number, content: number, name: string, short: boolean }} props */
function Pointer({ table, variable, word, content, name, short }) {
    const { model } = table;
    const [kind, type] = variable.type;
    const style = type === model.seatType ? table.seatColours(content) : undefined;
    const shown = kind === "enum" ? valueLabel(model, type, content) : kind === "piece" ? pieceAt(model, type, content) : String(content);
    const text = html`${!short && html`<span class="value-name">${name}</span>`} <b class=${style ? "seated" : ""} style=${style}>${shown}</b>`;
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
