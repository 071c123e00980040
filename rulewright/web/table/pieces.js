// Pieces: cards, tiles, discs, cubes, figures and dice, in HTML and in SVG.

import { html } from "../html.js";
import { amount, className, hidden } from "./model.js";
import { columnText, label, pieceLabel, rowText, valueLabel } from "./names.js";
import { DrawnFace, drawnParts } from "./faces.js";
import { areTold, Figure, Stone } from "./stones.js";
import { Emblem, Icon, ValueIcon } from "./emblems.js";

/** @import { Face, Position } from "../types.d.ts" @import { Column } from "./names.js" @import { Model, Props, Style } from "./types.d.ts" */
/**
 * @typedef {{ type: string, value: number, cell: number, there: number | null, place: number | null }} Wanted how much of a value a piece has or needs, and what lies on it there
 */
/** @typedef {{ column: Column, cells: Wanted[] }} Group */

/** @type {Record<string, number[][]>} */
const PIPS = {
    1: [[0, 0]],
    2: [[-1, -1], [1, 1]],
    3: [[-1, -1], [0, 0], [1, 1]],
    4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
    5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
    6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
/** Where the pips of a playing card are, in rows of a third of its width and of its height. @type {Record<number, number[][]>} */
const PACK_PIPS = {
    1: [[0, 0]],
    2: [[0, -3], [0, 3]],
    3: [[0, -3], [0, 0], [0, 3]],
    4: [[-1, -3], [1, -3], [-1, 3], [1, 3]],
    5: [[-1, -3], [1, -3], [0, 0], [-1, 3], [1, 3]],
    6: [[-1, -3], [1, -3], [-1, 0], [1, 0], [-1, 3], [1, 3]],
    7: [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [-1, 3], [1, 3]],
    8: [[-1, -3], [1, -3], [0, -1.5], [-1, 0], [1, 0], [0, 1.5], [-1, 3], [1, 3]],
    9: [[-1, -3], [1, -3], [-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1], [-1, 3], [1, 3]],
    10: [[-1, -3], [1, -3], [0, -2], [-1, -1], [1, -1], [-1, 1], [1, 1], [0, 2], [-1, 3], [1, 3]],
};
const HOLE = /\{(\w+)\}/g;
const TALL = new Set(["card", "tile"]);
/** So many equal dice are drawn one by one. */
const MOST_DICE = 8;
/** A small card shows no more of each list that its face names. */
const MOST_SMALL = 4;

/** The shape in which pieces of a component are drawn. @param {Model} model @param {string} component @returns {Face["shape"]} */
export function shapeOf(model, component) {
    const decl = model.description.components[component];
    return model.scene.faces[component]?.shape ?? (decl.die ? "die" : decl.columns.length > 1 ? "card" : "disc");
}

/** Cards and tiles have room for text, the others do not. @param {Model} model @param {string} component */
export function isTall(model, component) {
    return TALL.has(shapeOf(model, component));
}

/** Is a component a pack of playing cards? @param {Model} model @param {string} component */
export function isPack(model, component) {
    return Boolean(model.scene.faces[component]?.cards) && shapeOf(model, component) === "card";
}

/**
 * The colours of a piece as custom properties: `--fill`, `--face-ink`.
 * @param {Model} model
 * @param {string} component
 * @param {number} klass
 * @returns {Style}
 */
export function colours(model, component, klass) {
    const face = model.scene.faces[component];
    const name = className(model, component, klass);
    const light = face?.colours?.[name];
    if (klass < 0 || !light) {
        return {};
    }
    const dark = face.dark?.[name] ?? light;
    if (face.owned) {
        return { "--fill": `var(--seat, light-dark(${light}, ${dark}))`, "--face-ink": `var(--seat-ink, ${inkOn(light)})` };
    }
    const ink = face.ink?.[name] ?? inkOn(light);
    return { "--fill": `light-dark(${light}, ${dark})`, "--face-ink": `light-dark(${ink}, ${dark === light ? ink : inkOn(dark)})` };
}

/** Black or white, whichever is easier to read on a colour like `#c5dcec`. @param {string} colour */
export function inkOn(colour) {
    const parts = /^#(..)(..)(..)$/.exec(colour)?.slice(1).map((part) => (parseInt(part, 16) / 255) ** 2.2);
    return parts && 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] < 0.19 ? "#f4efe6" : "#1b1b1b";
}

/** The picture of a piece as a `data:` URL, if its icon is one. @param {Model} model @param {string} component @param {number} klass */
export function pictureOf(model, component, klass) {
    const icon = model.scene.faces[component]?.icons?.[className(model, component, klass)];
    return icon?.startsWith("data:") ? icon : null;
}

/** A short sign for a piece: its icon, its sign, or the start of its label. @param {Model} model @param {string} component @param {number} klass */
export function signOf(model, component, klass) {
    const face = model.scene.faces[component];
    const name = className(model, component, klass);
    const icon = face?.icons?.[name];
    if (icon && !icon.startsWith("data:")) {
        return icon;
    }
    return face?.signs?.[name] ?? label(model, name).slice(0, 2);
}

/**
 * The parts of a face as texts: `{label}`, `{sign}` and cells of columns filled in.
 * @param {Model} model
 * @param {string} component
 * @param {number} klass
 */
export function faceParts(model, component, klass) {
    const decl = model.description.components[component];
    const template = model.scene.faces[component]?.template ?? { middle: "{label}" };
    /** @type {Record<string, string>} */
    const found = {};
    for (const [part, text] of Object.entries(template)) {
        const filled = text.replace(HOLE, (_, name) => {
            if (name === "label") {
                return pieceLabel(model, component, klass);
            }
            if (name === "sign") {
                return signOf(model, component, klass);
            }
            if (decl.texts?.[name]) {
                return rowText(model, decl, className(model, component, klass), name);
            }
            const i = decl.columns.findIndex((column) => column.name === name);
            return i < 0 || (decl.columns[i].keyed_by && part !== "middle") ? "" : columnText(model, decl.columns[i], decl.rows[klass]?.[i]);
        });
        found[part] = filled.replace(/\s+/g, " ").trim();
    }
    return found;
}

/** How a piece that points ahead of a seat is turned on a board; undefined for others. @param {Model} model @param {string} component @param {number} klass */
export function headingOf(model, component, klass) {
    const seat = model.scene.faces[component]?.ahead?.[className(model, component, klass)];
    return seat === undefined ? undefined : `rotate(${(seat * 360) / model.description.seats + (model.turned ? 180 : 0)})`;
}

/** Is the sign of a piece written somewhere on its face? @param {Model} model @param {string} component */
function spelled(model, component) {
    return Object.values(model.scene.faces[component]?.template ?? {}).some((text) => text.includes("{sign}"));
}

/** The groups of columns that a template names; null if it names none. @param {Model} model @param {string} component */
function groupsNamed(model, component) {
    const names = Object.values(model.scene.faces[component]?.template ?? {}).flatMap((text) => [...text.matchAll(HOLE)].map((match) => match[1]));
    const found = model.description.components[component].columns.filter((column) => column.keyed_by && names.includes(column.name));
    return found.length ? new Set(found.map((column) => column.name)) : null;
}

/**
 * The groups of columns of a class that have something, e.g. what it costs of each good, with what lies on it. `chosen`:
 * only those that the template of its face names.
 * @param {Model} model
 * @param {Position} position
 * @param {string} component
 * @param {number} klass
 * @param {number} [most]
 * @param {boolean} [chosen]
 * @returns {Group[]}
 */
export function groups(model, position, component, klass, most = 4, chosen = false) {
    const decl = model.description.components[component];
    const posted = Object.values(model.zones).filter((zone) => zone.of === component && zone.at);
    const named = groupsNamed(model, component);
    /** @type {Group[]} */
    const found = [];
    decl.columns.forEach((column, i) => {
        const key = column.keyed_by;
        if ((named ? !named.has(column.name) : chosen) || isMiddle(model, component, column) || !key || column.type[0] !== "int" || hidden(model.description, column.name)) {
            return;
        }
        const on = posted.find((zone) => zone.at === key);
        const type = model.description.types[key];
        const members = type?.members ?? [];
        const row = decl.rows[klass]?.[i];
        const cells = (Array.isArray(row) ? row : []).map((cell, k) => {
            const value = members[k] ?? (type?.lo ?? 0) + k;
            const place = on?.places.find((p) => p.of === klass && p.at === value);
            return { type: key, value, cell: Number(cell), there: place ? amount(position, place.number) : null, place: place?.number ?? null };
        });
        const used = cells.filter(({ cell, there }) => cell || there);
        if (used.length && used.length <= most) {
            found.push({ column, cells: used });
        }
    });
    return found;
}

/** @param {Model} model @param {string} component @param {Column} column */
function isMiddle(model, component, column) {
    return (model.scene.faces[component]?.template?.middle ?? "").includes(`{${column.name}}`);
}

/** A piece in HTML, without a button around it. @param {Props & { component: string, klass: number, number?: number, small?: boolean }} props */
export function Piece({ table, component, klass, number: count = 1, small = false }) {
    const { model } = table;
    const shape = shapeOf(model, component);
    const style = colours(model, component, klass);
    const badge = count > 1 && html`<span class="count">×${count}</span>`;
    if (shape === "die" && klass >= 0 && count > 1 && count <= MOST_DICE) {
        return html`<span class="dice">${Array.from({ length: count }, () => html`<${Piece} ...${{ table, component, klass, small }} />`)}</span>`;
    }
    if (!TALL.has(shape)) {
        return html`<span class="piece token shape-${shape}" style=${style} data-back=${klass < 0}>
            <svg viewBox="-20 -20 40 40" aria-hidden="true"><${Token} ...${{ model, component, klass, shape }} /></svg>
            ${badge}
        </span>`;
    }
    const drawn = drawnParts(model, component, klass);
    if (drawn) {
        return html`<span class="piece shape-${shape} drawn ${small ? "small" : ""}"><${DrawnFace} ...${{ model, component, parts: drawn }} />${badge}</span>`;
    }
    if (klass < 0) {
        return html`<span class="piece shape-${shape} back ${isPack(model, component) ? "of-pack" : ""} ${small ? "small" : ""}"><span>${count > 1 ? count : ""}</span></span>`;
    }
    const card = cardOf(model, component, klass);
    if (card && shape === "card") {
        return html`<span class="piece shape-card pack ${small ? "small" : ""}" style=${style}>
            <svg viewBox="0 0 64 90" aria-hidden="true"><${PackFace} card=${card} /></svg>${badge}
        </span>`;
    }
    const parts = faceParts(model, component, klass);
    const emblem = pictureOf(model, component, klass) ?? (shape === "card" && !spelled(model, component) ? model.scene.faces[component]?.icons?.[className(model, component, klass)] : null);
    const lists = groups(model, table.position, component, klass, small ? MOST_SMALL : 8, small);
    const matrix = lists.reduce((sum, list) => sum + list.cells.length, 0) > 7;
    const letters = Math.max(1, ...(parts.middle ?? "").split(/[\s-]+/).map(widthOf));
    return html`<span class="piece shape-${shape} ${small ? "small" : ""} ${matrix ? "wide" : ""}" style=${{ ...style, "--letters": letters }}>
        <span class="head">
            ${parts.corner && html`<span class="corner">${parts.corner}</span>`}
            ${parts.top && html`<span class="top">${parts.top}</span>`}
            ${emblem && html`<${Icon} class="emblem" icon=${emblem} />`}
            <span class="middle">${parts.middle ?? label(model, className(model, component, klass))}</span>
        </span>
        ${!small && parts.body && html`<span class="body">${parts.body}</span>`}
        ${matrix ? html`<${Matrix} table=${table} lists=${lists} />` : lists.map((list) => html`<${Wants} table=${table} list=${list} small=${small} />`)}
        ${parts.bottom && html`<span class="bottom">${parts.bottom}</span>`}
        ${badge}
    </span>`;
}

/** What a playing card shows; null for other pieces. @param {Model} model @param {string} component @param {number} klass */
function cardOf(model, component, klass) {
    return model.scene.faces[component]?.cards?.[className(model, component, klass)] ?? null;
}

/** The face of a playing card, 64 by 90: rank and suit in two corners, pips or a court between them. @param {{ card: [string, string, number] }} props */
function PackFace({ card: [rank, suit, pips] }) {
    const corner = html`<g class="index" text-anchor="middle">
        <text x="9.5" y="15.5" font-size=${rank.length > 1 ? 13 : 16}>${rank}</text>
        <${Emblem} icon=${suit} x=${9.5} y=${23.5} size=${11} />
    </g>`;
    return html`${corner}<g transform="rotate(180 32 45)">${corner}</g>
        ${PACK_PIPS[pips]
            ? PACK_PIPS[pips].map(([x, y]) => html`<${Emblem} class="pip" icon=${suit} x=${32 + 10.5 * x} y=${45 + 9.6 * y} size=${pips === 1 ? 27 : 11.5} />`)
            : html`<rect class="court" x="17" y="12" width="30" height="66" rx="3" />
                <text text-anchor="middle" x="32" y="47" font-size="28" class="court-rank">${rank}</text>
                <${Emblem} icon=${suit} x=${32} y=${62.5} size=${16} />`}`;
}

/** How wide a word is, in letters: some are wider than others. @param {string} word */
const widthOf = (word) => word.length + 0.5 * word.replace(/[^mw]/gi, "").length;

/**
 * What a card has or needs of each of some values, and how much of it is there; on a small card only if there is some.
 * @param {Props & { list: Group, small: boolean }} props
 */
function Wants({ table, list, small }) {
    const letters = Math.max(...list.cells.flatMap(({ type, value }) => valueLabel(table.model, type, value).split(" ")).map(widthOf));
    return html`<span class="wants" style=${{ "--letters": letters }}>
        ${list.cells.map(({ type, value, cell, there, place }) => html`<span class="want" data-place=${place}
            data-full=${there !== null && there >= cell}>
            <span><${ValueIcon} ...${{ model: table.model, type, value }} />${valueLabel(table.model, type, value)}</span>${" "}<b>${there === null || (small && !there) ? cell : `${there}/${cell}`}</b>
        </span>`)}
    </span>`;
}

/** Several lists over the same values as one small table. @param {Props & { lists: Group[] }} props */
function Matrix({ table, lists }) {
    const { model } = table;
    const types = [...new Set(lists.map((list) => list.cells[0].type))];
    return types.map((type) => {
        const columns = lists.filter((list) => list.cells[0].type === type);
        const values = [...new Set(columns.flatMap((list) => list.cells.map((cell) => cell.value)))].sort((a, b) => a - b);
        return html`<span class="matrix" style=${{ "--columns": columns.length }}>
            <span></span>${columns.map(({ column }) => html`<i>${label(model, column.name)}</i>`)}
            ${values.map((value) => html`<span>${valueLabel(model, type, value)}</span>
                ${columns.map((list) => html`<b>${list.cells.find((cell) => cell.value === value)?.cell ?? "·"}</b>`)}`)}
        </span>`;
    });
}

/** A token in SVG around the origin, within 18 units. @param {{ model: Model, component: string, klass: number, shape?: Face["shape"] }} props */
export function Token({ model, component, klass, shape = shapeOf(model, component) }) {
    const decl = model.description.components[component];
    const name = className(model, component, klass);
    const pips = shape === "die" && klass >= 0 && /^[1-6]$/.test(name) ? PIPS[name] : null;
    const sign = klass < 0 ? "?" : signOf(model, component, klass);
    const picture = pictureOf(model, component, klass);
    const plain = decl.classes.length === 1 && shape !== "die";
    const card = shape === "card" && klass >= 0 ? cardOf(model, component, klass) : null;
    const figure = model.scene.faces[component]?.figures?.[name];
    if (figure && klass >= 0) {
        return html`<${Figure} paths=${figure} />`;
    }
    if (shape === "disc" && !picture && klass >= 0 && (plain || (isOfSeats(model, decl.classes) && areTold(model.scene.seats)))) {
        return html`<g class="token-disc" style=${plain ? undefined : { "--stone": model.scene.seats.colours[klass], "--stone-ink": inkOn(model.scene.seats.colours[klass]) }}><${Stone} r=${16} /></g>`;
    }
    if (card) {
        return html`<g class="token-card">${outline(shape)}
            <text class="sign" y="-6" font-size="15">${card[0]}</text><${Emblem} icon=${card[1]} y=${9} size=${13} /></g>`;
    }
    return html`<g class="token-${shape}">
        ${outline(shape)}
        ${pips?.map(([x, y]) => html`<circle class="pip" cx=${x * 8} cy=${y * 8} r="3.2" />`)}
        ${picture
            ? html`<${Emblem} icon=${picture} size=${shape === "figure" ? 16 : shape === "wedge" ? 22 : 24} y=${shape === "wedge" ? 2 : 0} />`
            : !pips && !plain && html`<text class="sign" y="0" ...${fitted(sign, shape)}>${sign}</text>`}
    </g>`;
}

/** Are the kinds of pieces the seats? @param {Model} model @param {string[]} classes */
function isOfSeats(model, classes) {
    return classes.join() === model.description.seat_names.join();
}

/** @param {string} text @param {Face["shape"]} shape */
function fitted(text, shape) {
    const room = shape === "die" || shape === "cube" ? 28 : 26;
    const width = /^[\x20-\x7e]*$/.test(text) ? 0.62 : 1.05;
    const size = Math.min(16, room / Math.max(1, [...text].length) / width);
    return { "font-size": size.toFixed(1) };
}

/** @param {Face["shape"]} shape */
function outline(shape) {
    switch (shape) {
        case "die":
            return html`<rect class="body" x="-16" y="-16" width="32" height="32" rx="6" />`;
        case "cube":
            return html`<rect class="body" x="-14" y="-14" width="28" height="28" rx="2" />`;
        case "figure":
            return html`<path class="body" d="M0 -17a7 7 0 0 1 4 12.7C9 -1 10 8 12 16H-12C-10 8 -9 -1 -4 -4.3A7 7 0 0 1 0 -17Z" />`;
        case "card":
            return html`<rect class="body" x="-13" y="-18" width="26" height="36" rx="3" />`;
        case "wedge":
            return html`<path class="body" d="M0 -17.5L11.5 -12.5L15.5 17H-15.5L-11.5 -12.5Z" />`;
        case "tile":
            return html`<rect class="body" x="-17" y="-17" width="34" height="34" rx="3" />`;
        default:
            return html`<circle class="body" r="16" />`;
    }
}
