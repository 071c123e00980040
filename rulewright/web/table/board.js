// Boards as pictures: cells, lines, what lies on them, and cells that can be chosen.

import { html } from "../html.js";
import { number, t } from "../i18n.js";
import { cellsOf, shadeOf, zonesOn } from "./cells.js";
import { canTurn } from "./orientation.js";
import { contents } from "./model.js";
import { label, pieceLabel, placeLabel, placeName, valueLabel } from "./names.js";
import { pieceKey } from "./offers.js";
import { Heap, Stacked, stackAlong } from "./heaps.js";
import { colours, faceParts, headingOf, inkOn, isTall, pictureOf, shapeOf, signOf, Token } from "./pieces.js";
import { Emblem, outlineOf } from "./emblems.js";
import { roving } from "./roving.js";
import { Hull, segmentsOf } from "./hulls.js";
import { areTold, Stone } from "./stones.js";
import { SvgThing } from "./thing.js";
import { useZoom } from "./zoom.js";

/** @import { BoardScene, KeyPress, Point } from "../types.d.ts" */
/** @import { Cell as CellOnBoard, Item, Model, ModelZone, PieceItem, Props, Style, Table, Thing, WordItem } from "./types.d.ts" */
/** @import { Segment } from "./hulls.js" */
/** @typedef {Props & { scene: BoardScene, cell: CellOnBoard }} CellProps */
/** @typedef {Item & PieceItem & { offset: Point }} BesideItem a piece beside its place */

const LEAST = 24.2;
/** A narrow place may be pressed this far around, in the distance to the next. */
const LONE = 1.5;
const LEAST_OF_CARDS = 40;
/** If more cells are offered than this, each is lit less. */
const MANY_OFFERED = 30;
/** Places may be so much smaller than a finger needs if the whole board is seen then: it can be zoomed, and they are listed, too. */
const WHOLE = 0.7;
const MOST_WIDE = 900;
const MOST_HIGH = 740;
/** Where short parts of a face stand on a card on a board. @type {[part: string, x: number, y: number][]} */
const CORNERS = [["corner", 13, -10.5], ["bottom", -13, 11]];

/**
 * The boards of one picture. `seat`: each seat has such a picture, and this is the one of this seat.
 * @param {Props & { group: string[], seat?: number | null }} props
 */
export function Picture({ table, group, seat = null }) {
    const { model } = table;
    const scenes = group.map((name) => model.scene.boards[name]).filter(Boolean);
    const { width, height } = scenes[0] ?? { width: 0, height: 0 };
    const spread = apart(scenes);
    const smallest = Math.min(...scenes.map((scene) => narrowest(scene, spread)));
    const cards = group.some((name) => zonesOn(model, name).some((zone) => isTall(model, zone.component)));
    const scale = (cards ? LEAST_OF_CARDS : LEAST) / smallest;
    const { frame, pressed, drawing, buttons } = useZoom(width * scale);
    if (!scenes.length) {
        return null;
    }
    const moving = roving();
    const onKeyDown = (/** @type {KeyPress} */ event) => (moving.onKeyDown(event), pressed(event));
    const style = { "--least": `${Math.round(width * scale)}px`, "--least-high": `${Math.round(height * scale)}px`, "--natural": `${naturalWidth(width, height)}px`, "--whole": cards ? 1 : WHOLE };
    const names = group.map((name) => label(model, name)).join(", ");
    const free = group.every((name) => canTurn(model.scene.boards[name]));
    return html`<div class="picture" data-many=${offeredOn(table, group) > MANY_OFFERED} data-flat=${width > 1.8 * height} data-told=${scenes.every(({ told }) => told) || undefined} style=${style} ...${moving} ...${frame} onKeyDown=${onKeyDown} role="group" aria-label=${t("table-board", { board: names })}>
        <svg viewBox="0 0 ${width} ${height}" style=${drawing}>
            ${scenes.map((scene) => html`<${Ground} table=${table} scene=${scene} />`)}
            ${group.map((name) => html`<${Board} key=${name} table=${table} name=${name} seat=${seat} reach=${0.45 * spread} />`)}
        </svg>
        ${free && html`<button type="button" class="slim turn-board" title=${t("table-turn-board")} aria-label=${t("table-turn-board")} onClick=${() => table.turn(group)}>⇅</button>`}
    </div>${buttons}`;
}

/** How many places of some boards are offered. @param {Table} table @param {string[]} group */
function offeredOn(table, group) {
    return [...table.offers.byKey.keys()].filter((key) => group.some((name) => key.startsWith(`value ${name} `))).length;
}

/** As wide a picture is drawn where there is room: small boards larger than large ones. @param {number} width @param {number} height */
function naturalWidth(width, height) {
    const most = width > 1.8 * height ? MOST_WIDE : MOST_HIGH;
    return Math.round(Math.max(width * 1.15, Math.min(width * 2.5, most)));
}

/** How far the two nearest places of some boards are from each other. @param {BoardScene[]} scenes */
function apart(scenes) {
    const points = scenes.flatMap((scene) => scene.points.filter((point) => point !== null)).sort(([a], [b]) => a - b);
    let least = Infinity;
    points.forEach(([x, y], i) => {
        for (let j = i + 1; j < points.length && points[j][0] - x < least; j++) {
            least = Math.min(least, Math.hypot(points[j][0] - x, points[j][1] - y));
        }
    });
    return least;
}

/** How narrow the narrowest cell of a scene is; it counts for more if others are far from it. @param {BoardScene} scene @param {number} spread how far places are from each other */
function narrowest(scene, spread) {
    const span = thinnest(scene);
    return span < 0.8 * spread ? Math.max(span, LONE * spread) : span;
}

/** @param {BoardScene} scene */
function thinnest(scene) {
    const spans = Object.values(scene.shapes ?? {}).filter(Boolean).flatMap((shape) => [0, 1].map((axis) => {
        const all = shape.map((point) => point[axis]);
        return Math.max(...all) - Math.min(...all);
    }));
    return Math.min(scene.size, ...spans);
}

/**
 * What lies under the cells: a picture, the lines between places, texts at the rims, sides that belong to seats.
 * @param {Props & { scene: BoardScene }} props
 */
function Ground({ table, scene }) {
    const points = scene.points;
    return html`<g class="ground" aria-hidden="true">
        ${scene.slab && html`<${Slab} slab=${scene.slab} />`}
        ${(scene.panels ?? []).map((panel) => html`<${Slab} slab=${panel} />`)}
        ${scene.backdrop && html`<${Backdrop} box=${scene.backdrop} />`}
        ${(scene.lines ?? []).map(([a, b]) => points[a] && points[b]
            && html`<line x1=${points[a][0]} y1=${points[a][1]} x2=${points[b][0]} y2=${points[b][1]} />`)}
        ${(scene.dots ?? []).map((i) => points[i] && html`<circle class="dot" cx=${points[i][0]} cy=${points[i][1]} r=${(scene.size * 0.1).toFixed(1)} />`)}
        ${(scene.borders ?? []).map(([seat, line, [x, y]]) => html`<g class="border" style=${table.seatColours(seat)}>
            <polyline points=${line.map((point) => point.join()).join(" ")} />
            <circle cx=${x} cy=${y} r="9" /><text x=${x} y=${y}>${table.seatSign(seat)}</text></g>`)}
        ${(scene.rims ?? []).map(([x, y, text]) => html`<text class="rim" x=${x} y=${y} font-size=${Math.max(11, Math.min(19, scene.width / 56)).toFixed(1)}>${text}</text>`)}
    </g>`;
}

/** A picture behind all places. @param {{ box: NonNullable<BoardScene["backdrop"]> }} props */
function Backdrop({ box: [x, y, width, height, url] }) {
    return html`<image x=${x} y=${y} width=${width} height=${height} href=${url} />`;
}

/** What lies behind all places. @param {{ slab: NonNullable<BoardScene["slab"]> }} props */
function Slab({ slab: [x, y, width, height, tone] }) {
    return html`<rect class="slab" x=${x} y=${y} width=${width} height=${height} rx="4" style=${{ "--tone": tone }} />`;
}

/** @param {Props & { name: string, seat: number | null, reach: number }} props `reach`: around narrow places */
function Board({ table, name, seat, reach }) {
    const { model } = table;
    const scene = model.scene.boards[name];
    const cells = cellsOf(table, name, seat);
    const segments = scene.cell === "square" ? segmentsOf(cells, scene.size) : null;
    return html`${cells.map((cell) => html`<${Cell} key=${cell.value} table=${table} scene=${scene} cell=${cell} segments=${segments} reach=${reach} />`)}
        ${cells.filter((cell) => cell.items.some(isBeside) || cell.frames.size)
            .map((cell) => html`<${Beside} key=${cell.value} table=${table} scene=${scene} cell=${cell} />`)}
        ${(scene.spots ?? []).map(([zone, owner, at]) => html`<${Spots} key=${`${zone} ${owner}`} table=${table} scene=${scene} zone=${model.zones[zone]} owner=${owner} at=${at} />`)}`;
}

/**
 * The pieces of a zone at points of their own; where none lies, the place is seen. The last point holds all that are left.
 * @param {Props & { scene: BoardScene, zone: ModelZone, owner: number | null, at: Point[] }} props
 */
function Spots({ table, scene, zone, owner, at }) {
    const { model } = table;
    const { number: place } = zone.places.find(({ of }) => of === owner) ?? zone.places[0];
    const all = (contents(table.position, place) ?? []).flatMap(({ class: klass, number: many }) => Array.from({ length: many }, () => klass));
    const name = placeLabel(model, place);
    return html`<g data-place=${place} role="group" aria-label=${t("table-counted", { thing: name, number: all.length })}>${at.map(([x, y], i) => {
        const many = i === at.length - 1 ? Math.max(1, all.length - i) : 1;
        const transform = `translate(${x} ${y})`;
        if (i >= all.length) {
            return html`<circle key=${i} class="spot" style=${owner === null ? {} : table.seatColours(owner)} transform=${transform} r=${(scene.size * 0.36).toFixed(1)} />`;
        }
        /** @type {Item & PieceItem} */
        const item = { kind: "piece", component: zone.component, klass: all[i], number: many, owner, place, offset: null, name: pieceLabel(model, zone.component, all[i]), about: { component: zone.component, klass: all[i], place } };
        const thing = { keys: [pieceKey(place, item.klass)], onPiece: item.klass < 0 ? null : `${item.component} ${item.klass}`, value: ["piece", place, item.klass], about: item.about, name: t("table-in", { thing: item.name, place: name }) };
        return html`<${SvgThing} key=${i} table=${table} class="beside" data-place=${place} thing=${thing} transform="${transform} scale(${(scene.size / 44).toFixed(3)})"><${Lying} table=${table} item=${item} /><//>`;
    })}</g>`;
}

/** @param {CellProps & { segments: Map<Item, Segment> | null, reach: number }} props */
function Cell({ table, scene, cell, segments, reach }) {
    const { model } = table;
    const items = cell.items;
    /** @type {Thing} */
    const thing = {
        keys: cell.keys,
        name: cell.name,
        value: ["enum", cell.board, cell.value],
        about: { type: cell.board, value: cell.value, items },
        seat: cell.seat,
    };
    const crowns = crownsOf(items);
    const hulls = items.filter((item) => segments?.has(item));
    const alone = items.length - hulls.length === 1 && !scene.named;
    const aside = items.filter((item) => !item.offset && isAside(item) && !alone && !new Set(/** @type {Item[]} */ (crowns)).has(item));
    const pitch = scene.size * Math.min(0.3, 0.9 / aside.length);
    const along = stackAlong(scene, cell);
    const stacks = along ? items.filter((item) => item.kind !== "piece" && item.heap) : [];
    /** @type {Set<Item>} */
    const taken = new Set([...stacks, ...crowns, ...hulls]);
    const filled = items.some((item) => item.kind === "mark" && (item.variable.drawn.as === "fill" || (items.length === 1 && !item.offset && scene.shapes?.[cell.index] && item.owner === null)));
    const loose = items.filter((item) => !item.offset && !aside.includes(item) && !(filled && item.kind === "mark") && !taken.has(item));
    const shade = items.map((item) => item.kind === "counter" && shadeOf(item.variable, item.content)).find(Boolean);
    const tone = shade || scene.colours?.[scene.tones?.[cell.index] ?? -1];
    const narrow = scene.shapes?.[cell.index] && thinnest({ ...scene, shapes: { [cell.index]: scene.shapes[cell.index] } }) < reach;
    const painted = filled && items.map((item) => item.kind === "mark" && item.variable.drawn.colour).find(Boolean);
    return html`<${SvgThing} table=${table} thing=${thing} class="cell" data-toned=${Boolean(tone)} data-filled=${filled} style=${{ ...(tone && toneColours(tone)), ...(painted && { "--painted": painted }) }} transform="translate(${cell.x} ${cell.y})"
        data-recent=${cell.words.some((word) => table.recent.words.has(word)) || cell.places.some((place) => table.recent.places.has(place))}
        data-place=${cell.places.join(" ")} data-word=${cell.words.join(" ")}>
        <${Outline} scene=${scene} cell=${cell} />
        ${narrow && html`<circle class="hit" r=${reach.toFixed(1)} />`}
        ${scene.named && html`<${Name} model=${model} scene=${scene} cell=${cell} low=${loose.length > 0} up=${items.some(({ offset }) => offset && offset[1] > 0 && offset[1] < scene.size / 2)} />`}
        ${hulls.map((item) => html`<g style=${item.owner === null ? {} : table.seatColours(item.owner)}><${Hull} segment=${segments?.get(item)} size=${scene.size} /></g>`)}
        ${arranged(loose, scene.cell === "point" ? scene.size * 1.18 : scene.size, scene.named && scene.cell !== "circle", aside.length).map(({ item, x, y, scale }) => html`<g transform="translate(${x} ${y}) scale(${scale})"><${Lying} table=${table} item=${item} roomy=${scene.size * Number(scale) > 48} /></g>`)}
        ${crowns.map((item) => html`<text class="crown" style=${loose[0]?.owner == null ? {} : table.seatColours(loose[0].owner)} font-size=${(scene.size * 0.42).toFixed(1)}>${item.variable.drawn.icon}</text>`)}
        ${!filled && aside.map((item, i) => html`<g transform="translate(${pitch * (i - (aside.length - 1) / 2)} ${scene.size * -0.36}) scale(${(pitch / 33).toFixed(2)})">
            <${Lying} table=${table} item=${item} /></g>`)}
        ${stacks.map((item) => html`<${Stacked} item=${item} along=${along} size=${scene.size} style=${styleOf(table, item)} />`)}
        ${items.filter((item) => !isBeside(item) && !taken.has(item)).map((item) => item.offset && html`<g class=${Math.max(...item.offset.map(Math.abs)) < scene.size / 2 ? "" : "outside"}
            transform="translate(${item.offset[0]} ${item.offset[1]}) scale(${(scene.size / 80).toFixed(2)})"><${Lying} table=${table} item=${item} /></g>`)}
    <//>`;
}

/**
 * The signs of marks that stand on the one stone of a place, as a crown on a man that has become a king.
 * @param {Item[]} items
 * @returns {(Item & WordItem)[]}
 */
function crownsOf(items) {
    const stones = items.filter((item) => item.kind === "pointer" && item.points && !item.offset);
    const marks = items.filter((item) => item.kind === "mark" && !item.offset);
    return items.length === 2 && stones.length && marks.every((item) => item.kind !== "piece" && /^[^:]+$/.test(item.variable.drawn.icon ?? "")) ? /** @type {(Item & WordItem)[]} */ (marks) : [];
}

/** @param {Item} item @returns {item is BesideItem} */
function isBeside(item) {
    return item.kind === "piece" && Boolean(item.offset);
}

/** The pieces that lie beside a place: each can be chosen alone. Cards have a frame where none lies. @param {CellProps} props */
function Beside({ table, scene, cell }) {
    const found = cell.items.filter(isBeside);
    const scale = (/** @type {PieceItem} */ item) => (scene.size / (isTall(table.model, item.component) ? 34 : 48)).toFixed(3);
    const before = (/** @type {number} */ i) => found.slice(0, i).filter((other) => other.offset.join() === found[i].offset.join()).length;
    const free = [...cell.frames].filter(([at]) => !found.some((item) => item.offset.join() === at));
    return html`${free.map(([at, owner]) => html`<rect class="frame" key=${at} style=${owner === null ? {} : table.seatColours(owner)}
            transform="translate(${cell.x} ${cell.y}) translate(${at.split(",").join(" ")}) scale(${(scene.size / 34).toFixed(3)})" x="-18" y="-16" width="36" height="32" rx="3" />`)}
        ${found.map((item, i) => html`<${SvgThing} key=${`${item.place} ${item.klass}`} table=${table} class="beside" data-place=${item.place}
            thing=${{ keys: [pieceKey(item.place, item.klass)], onPiece: item.klass < 0 ? null : `${item.component} ${item.klass}`,
                value: ["piece", item.place, item.klass], about: item.about,
                name: t("table-in", { thing: item.name, place: valueLabel(table.model, cell.board, cell.value) }) }}
            transform="translate(${cell.x + item.offset[0] + 9 * before(i)} ${cell.y + item.offset[1] + 9 * before(i)}) scale(${scale(item)})">
            <${Lying} table=${table} item=${item} roomy=${scene.size > 40} />
        <//>`)}`;
}

/** The colour of a cell, and of what is written on it; on dark pages the cell is darker by what `table.css` says. @param {string} tone */
function toneColours(tone) {
    const darker = tone.replace(/[0-9a-f]{2}/gi, (part) => Math.round(parseInt(part, 16) * 0.62 + 8).toString(16).padStart(2, "0"));
    return { "--tone": tone, "--tone-ink": `light-dark(${inkOn(tone)}, ${inkOn(darker)})` };
}

/** @param {{ scene: BoardScene, cell: CellOnBoard }} props */
function Outline({ scene, cell }) {
    const shape = scene.shapes?.[cell.index];
    const points = shape?.map(([x, y]) => [x - cell.x, y - cell.y]) ?? corners(scene);
    return points
        ? html`<polygon class="outline" points=${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />`
        : html`<circle class="outline ${scene.cell}" r=${scene.size / 2} />`;
}

/** The corners of a cell around its point; none for circles. @param {BoardScene} scene */
function corners({ cell, size }) {
    if (cell === "hex") {
        const far = size / Math.sqrt(3);
        return [0, 1, 2, 3, 4, 5].map((i) => [far * Math.sin((i * Math.PI) / 3), -far * Math.cos((i * Math.PI) / 3)]);
    }
    const half = size / 2;
    return cell === "square" ? [[-half, -half], [half, -half], [half, half], [-half, half]] : null;
}

/** @param {{ model: Model, scene: BoardScene, cell: CellOnBoard, low: boolean, up: boolean }} props */
function Name({ model, scene, cell, low, up }) {
    const parts = scene.captions?.[cell.index] ?? [];
    const icon = model.scene.icons && parts.map((part) => model.scene.icons?.[part]).find(Boolean);
    const name = icon ? parts.filter((part) => model.scene.icons?.[part] !== icon).map((part) => label(model, part)).join("").trim() : placeName(model, cell);
    if (icon) {
        const high = Math.min(16, scene.size * 0.2);
        return html`<g class="name captioned" aria-hidden="true"><${Emblem} icon=${icon} size=${scene.size * 0.34} y=${low ? scene.size * -0.26 : scene.size * -0.14} class="name" />
            <text class="name" y=${(low ? scene.size * 0.36 : scene.size * 0.22).toFixed(1)} font-size=${high.toFixed(1)}>${name}</text></g>`;
    }
    const below = isBelow(scene, name, low);
    const lines = below ? (name.length > 12 ? halved(name) : [name]) : !low && name.length > 9 ? halved(name) : [name];
    if (lines.length > 1) {
        const high = Math.max(7, Math.min(below ? 10.5 : 12, (scene.size * (below ? 1.1 : 0.92)) / Math.max(...lines.map((line) => line.length)) / 0.56));
        const first = below ? scene.size / 2 + high * 0.66 : -(up ? 0.9 : 0.5) * high * 1.15;
        return html`<g aria-hidden="true">${lines.map((line, i) => html`<text class="name ${below ? "below" : ""}" y=${(first + i * high * 1.05).toFixed(1)} font-size=${high.toFixed(1)}>${line}</text>`)}</g>`;
    }
    const room = below ? scene.size * 1.9 : scene.size * 0.95;
    const most = below ? (scene.own ? Math.max(10.5, scene.size * 0.16) : 10.5) : 12; // boards of seats are drawn smaller
    const size = Math.max(7, Math.min(most, room / Math.max(3, name.length) / 0.55));
    const y = below ? scene.size / 2 + size * 0.66 : low ? scene.size / 2 - 5 : 0;
    return html`<text class="name ${below ? "below" : ""}" y=${y} font-size=${size.toFixed(1)}
        aria-hidden="true">${name}</text>`;
}

/** A name in two lines of about the same length. @param {string} name */
function halved(name) {
    const words = name.split(" ");
    const longer = (/** @type {number} */ i) => Math.max(words.slice(0, i).join(" ").length, words.slice(i).join(" ").length);
    const cut = words.map((_, i) => i).slice(1).sort((a, b) => longer(a) - longer(b))[0];
    return cut ? [words.slice(0, cut).join(" "), words.slice(cut).join(" ")] : [name];
}

/** Flags stand at the upper edge of a cell, above what lies in it; what a seat has on a board stands in it. @param {Item} item */
function isAside(item) {
    return (item.kind === "mark" && item.variable.drawn.as !== "stone") || (item.kind === "pointer" && !item.points && item.owner === null);
}

/** In round cells long names, and those beside things, stand below. @param {BoardScene} scene @param {string} name @param {boolean} low */
function isBelow(scene, name, low) {
    return scene.cell === "circle" && (low || name.length > 5);
}

/**
 * Things side by side in a cell, below its flags, as large as they can be: positions, a scale for units of 20.
 * @param {Item[]} items
 * @param {number} size
 * @param {boolean} named
 * @param {number} flags
 */
function arranged(items, size, named, flags) {
    const room = size * (named ? 0.72 : 0.86);
    const high = flags ? size * (named ? 0.48 : 0.63) : room;
    const stepOf = (/** @type {number} */ columns) => Math.min(room / columns, high / Math.ceil(items.length / columns));
    const columns = items.map((_, i) => i + 1).reduce((best, more) => (stepOf(more) > stepOf(best) ? more : best), 1);
    const rows = Math.ceil(items.length / columns);
    const step = stepOf(columns);
    const y = size * (named ? 0.28 : 0.43) - high / 2;
    return items.map((item, i) => ({
        item,
        x: ((i % columns) - (columns - 1) / 2) * step,
        y: y + (Math.floor(i / columns) - (rows - 1) / 2) * step,
        scale: Math.max(0.15, step / 38).toFixed(3),
    }));
}

/** The colours of the owner of a thing, or the one that the look gives what nobody owns. @param {Table} table @param {Item} item @returns {Style | undefined} */
function styleOf(table, item) {
    if (item.owner !== null && item.owner !== undefined) {
        return table.seatColours(item.owner);
    }
    return item.kind !== "piece" && item.variable.drawn.colour ? { "--warm": item.variable.drawn.colour } : undefined;
}

/** One thing in a cell, within 18 units around the origin. @param {Props & { item: Item, roomy?: boolean }} props */
function Lying({ table, item, roomy = false }) {
    const { model } = table;
    const owner = styleOf(table, item);
    if (item.kind === "piece") {
        return html`<${BoardPiece} table=${table} item=${item} owner=${owner} roomy=${roomy} />`;
    }
    if (item.kind === "counter") {
        return item.heap
            ? html`<${Heap} item=${item} style=${owner} />`
            : html`<g class="number" data-zero=${!item.content} style=${owner}><circle r="15" class="disc" /><${Numbered} item=${item} /></g>`;
    }
    if (item.variable.drawn.as === "stone") {
        return html`<g class="stone" style=${owner}><${Stone} r=${16} sign=${item.variable.drawn.icon} /></g>`;
    }
    const drawn = item.points && item.variable.drawn.icons?.[item.content];
    if (drawn) {
        return html`<g class="drawn-sign" style=${owner}><${Emblem} icon=${drawn} size=${34} /></g>`;
    }
    if (item.kind === "pointer" && item.points?.[0] === model.seatType) {
        return html`<g class="stone" style=${owner}><${Stone} r=${17} sign=${areTold(model.scene.seats) ? "" : table.seatSign(item.content)} /></g>`;
    }
    if (item.points && !item.variable.drawn.icon) {
        return html`<g class="number">${fitted(short(valueLabel(model, ...item.points), 6))}</g>`;
    }
    const icon = item.variable?.drawn.icon;
    if (item.kind === "pointer" && !item.points && item.owner !== null && !item.offset && !icon?.startsWith("data:")) {
        return html`<g class="stone" style=${owner}><${Stone} r=${16} sign=${icon || (areTold(model.scene.seats) ? "" : table.seatSign(item.owner))} /></g>`;
    }
    if (icon) {
        return html`<g class="sign-on" style=${owner}>${item.owner !== null && html`<circle class="body" r="15" />`}${icon.startsWith("data:")
            ? html`<${Emblem} icon=${icon} size=${item.owner === null ? 30 : 20} class=${item.owner === null ? "of-mark" : "letter"} />`
            : html`<text class="letter" font-size=${Math.min(20, 26 / [...icon].length)}>${icon}</text>`}</g>`;
    }
    return html`<g class=${item.kind} style=${owner}>
        <path class="body" d="M-9 16V-15H11L5 -8L11 -1H-6V16Z" />
    </g>`;
}

/** A number or word that is no wider than other things in a cell. @param {string} text */
function fitted(text) {
    return html`<text style=${{ fontSize: Math.min(16, 60 / text.length) }}>${text}</text>`;
}

/** A number behind its icon. @param {{ item: WordItem }} props */
function Numbered({ item: { variable, content } }) {
    const icon = variable.drawn.icon ?? "";
    if (!icon.startsWith("data:")) {
        return fitted(icon ? `${icon} ${number(content)}` : number(content));
    }
    return html`<${Emblem} icon=${icon} size=${17} x=${-8} class="of-number" /><g transform="translate(9 0)">${fitted(number(content))}</g>`;
}

/**
 * A piece on a board: cards and tiles as small rectangles with their names.
 * @param {Props & { item: PieceItem, owner: Style | undefined, roomy: boolean }} props
 */
function BoardPiece({ table, item, owner, roomy }) {
    const { model } = table;
    const { component, klass, number } = item;
    const alike = model.scene.faces[component]?.owned ?? model.description.components[component].classes.length === 1;
    const style = alike && owner ? owner : colours(model, component, klass);
    const badge = number > 1 && html`<g transform="translate(12 -12)"><circle class="badge" r="8.5" /><text class="badge-text">${number}</text></g>`;
    if (!isTall(model, component) || klass < 0) {
        return html`<g class="on-board ${klass < 0 ? "back" : ""}" style=${style}>
            <g transform=${headingOf(model, component, klass)}><${Token} ...${{ model, component, klass, shape: shapeOf(model, component) }} /></g>${badge}</g>`;
    }
    const picture = pictureOf(model, component, klass);
    const bare = Boolean(picture && outlineOf(picture)); // a sign is read where a name would be too small
    const parts = roomy || bare ? faceParts(model, component, klass) : {};
    const lines = bare ? [] : (roomy && linesOf(pieceLabel(model, component, klass))) || [signOf(model, component, klass)];
    const longest = Math.max(3, ...lines.map((line) => line.length));
    const size = Math.min(roomy ? 8 : lines.length > 1 || longest > 4 ? 8.5 : 13, 34 / longest / 0.68);
    const covered = model.zones[model.description.places[item.place]?.zone]?.seen_by === "owner";
    return html`<g class="on-board ${covered ? "covered" : ""}" style=${style}>
        <rect class="body" x="-18" y="-16" width="36" height="32" rx="3" />
        ${picture && html`<g opacity=${bare ? 1 : 0.4}><${Emblem} icon=${picture} size=${28 - 4 * Number(bare)} x=${-4 * Number(bare)} y=${2 * Number(bare)} /></g>`}
        ${lines.map((line, i) => html`<text class="sign" y=${((i - (lines.length - 1) / 2) * size * 1.1).toFixed(1)}
            font-size=${size.toFixed(1)}>${line}</text>`)}
        ${CORNERS.filter(([part]) => parts[part] && parts[part].length <= 3 && lines.length < 3 && !lines.some((line) => line.split(" ").includes(parts[part]))).map(([part, x, y]) => html`<text class="sign" x=${x} y=${y} font-size=${bare ? 11 : 6.5}>${parts[part]}</text>`)}
        ${badge}
    </g>`;
}

/** A short label in up to three lines; null if it is too long. @param {string} text */
function linesOf(text) {
    /** @type {string[]} */
    const lines = [];
    for (const word of text.split(" ")) {
        const joint = lines.length ? `${lines.at(-1)} ${word}` : word;
        if (lines.length && joint.length <= 9) {
            lines[lines.length - 1] = joint;
        } else {
            lines.push(word);
        }
    }
    return lines.length <= 3 && lines.every((line) => line.length <= 13) ? lines : null;
}

/** @param {string} text @param {number} most */
function short(text, most) {
    return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
