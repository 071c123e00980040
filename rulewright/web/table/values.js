// Counters, marks and pointers beside the boards: numbers, tracks, signs.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { NOTHING, wordIndex } from "./model.js";
import { label, ofSeat, pieceLabel, valueLabel } from "./names.js";
import { valueThing, Thing } from "./thing.js";

/** An icon of a look: some characters, or a picture. */
export function Icon({ icon }) {
    if (!icon) {
        return null;
    }
    return icon.startsWith("data:") ? html`<img class="icon" src=${icon} alt="" />` : html`<span class="icon" aria-hidden="true">${icon}</span>`;
}

/** The variables of an area that have one word for each owner: of a seat, or what lies before all. */
export function plainVariables(model, area, seat = null) {
    return model.variables
        .filter((variable) => variable.drawn.area === area && variable.drawn.as !== "hidden" && variable.at === null)
        .filter((variable) => (variable.of === null ? seat === null : variable.of === "seat" && (seat !== null || area === "shared")))
        .sort((a, b) => a.drawn.order - b.drawn.order);
}

/** The numbers, marks and pointers of an area. */
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

const SHOWN_AS = { flag: "mark", enum: "pointer" };

/** The computed values that the look shows, of all or of a seat, as variables. */
export function computedIn({ model, position }, seat = null) {
    return (model.description.computed ?? [])
        .map((value, at) => {
            const found = position.computed?.[at];
            return { variable: { ...value, kind: SHOWN_AS[value.type[0]], drawn: {} }, content: seat === null ? found : found?.[seat] };
        })
        .filter(({ variable, content }) => (variable.of === null) === (seat === null) && content != null && content !== NOTHING && (content || variable.kind !== "mark"));
}

/** The computed values of all, or of a seat. */
export function Computed({ table, seat = null }) {
    const found = computedIn(table, seat);
    return found.length > 0 && html`<div class="values">
        ${found.map((each) => html`<${Value} key=${each.variable.name} table=${table} ...${each} />`)}
    </div>`;
}

/** One value: `money 10`, a track, a mark, or what a pointer shows; `owner`: the seat that is named with it. */
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
    if (variable.drawn.as === "track" && content !== null && !short && variable.high - variable.low <= 24) {
        return html`<${Track} name=${name} word=${word} content=${content} variable=${variable} />`;
    }
    return html`<span class="value" data-word=${word} title=${name}>
        <${Icon} icon=${variable.drawn.icon} />
        ${!(short && variable.drawn.icon) && html`<span class="value-name">${name}</span>`} <b data-zero=${content === 0}>${content === null ? "?" : number(content)}</b>
    </span>`;
}

/** A cell for each number; for 0, at which nothing is there yet, none. */
function Track({ name, word, content, variable }) {
    const first = variable.low === 0 ? 1 : variable.low;
    const steps = Array.from({ length: variable.high - first + 1 }, (_, i) => first + i);
    return html`<span class="value track" data-word=${word}>
        <${Icon} icon=${variable.drawn.icon} />
        <span class="value-name">${name}</span> <b>${number(content)}</b>
        <span class="steps" aria-hidden="true">${steps.map((step) => html`<i data-on=${step <= content} data-here=${step === content}></i>`)}</span>
    </span>`;
}

export function Mark({ name, word, icon = "" }) {
    return html`<span class="value mark" data-word=${word}><${Icon} icon=${icon || "✓"} /> ${name}</span>`;
}

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

function pieceAt(model, component, content) {
    const { classes } = model.description.components[component];
    return pieceLabel(model, component, ((content % classes.length) + classes.length) % classes.length);
}
