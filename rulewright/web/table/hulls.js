// Things that cover several places in a row, such as ships: a part of the hull in each cell.

import { html } from "../html.js";

/** @import { Cell, Item, WordItem } from "./types.d.ts" */
/** @typedef {{ turned: boolean, first: boolean, last: boolean }} Segment which part of a hull lies in a cell; `turned`: it runs downwards */

const LONGEST = 8;

/**
 * The parts of hulls by item: where all places that point to the same value are one straight row of neighbours, and
 * nothing but marks lies there, too.
 * @param {Cell[]} cells
 * @param {number} step from a cell to its neighbour
 * @returns {Map<Item, Segment>}
 */
export function segmentsOf(cells, step) {
    /** @type {Map<string, { cell: Cell, item: Item & WordItem }[]>} */
    const groups = new Map();
    for (const cell of cells) {
        for (const item of cell.items) {
            if (item.kind === "pointer" && item.points && item.variable.at === cell.board && item.points[0] !== "seat") {
                const key = `${item.variable.name} ${item.owner} ${item.content}`;
                groups.set(key, [...(groups.get(key) ?? []), { cell, item }]);
            }
        }
    }
    /** @type {Map<Item, Segment>} */
    const found = new Map();
    for (const group of groups.values()) {
        const turned = group.every(({ cell }) => cell.x === group[0].cell.x);
        const along = (/** @type {Cell} */ cell) => (turned ? cell.y : cell.x);
        group.sort((a, b) => along(a.cell) - along(b.cell));
        const straight = turned || group.every(({ cell }) => cell.y === group[0].cell.y);
        const joined = group.slice(1).every(({ cell }, i) => Math.abs(along(cell) - along(group[i].cell) - step) < 1);
        const alone = group.every(({ cell, item }) => cell.items.every((other) => other === item || other.kind === "mark"));
        if (straight && joined && alone && group.length > 1 && group.length <= LONGEST) {
            group.forEach(({ item }, i) => found.set(item, { turned, first: i === 0, last: i === group.length - 1 }));
        }
    }
    return found;
}

/** A part of a hull across a cell of some size: its bow, its middle or its stern. @param {{ segment: Segment, size: number }} props */
export function Hull({ segment: { turned, first, last }, size }) {
    const [end, half] = [size / 2 + 0.5, size * 0.3];
    const left = first ? `M${end} ${-half}H${-end * 0.2}Q${-end * 0.75} ${-half} ${-end * 0.85} 0Q${-end * 0.75} ${half} ${-end * 0.2} ${half}H${end}Z` : "";
    const right = last ? `M${-end} ${-half}H${end * 0.55}Q${end * 0.8} ${-half} ${end * 0.8} 0Q${end * 0.8} ${half} ${end * 0.55} ${half}H${-end}Z` : "";
    return html`<g class="hull" transform=${turned ? "rotate(90)" : undefined}>
        <path class="body" d=${left || right || `M${-end} ${-half}H${end}V${half}H${-end}Z`} />
        <circle class="deck" r=${(size * 0.13).toFixed(1)} />
    </g>`;
}
