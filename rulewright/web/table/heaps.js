// Many equal things on a place: as a heap of dots, or stacked along a long cell.

import { html } from "../html.js";
import { Stone } from "./stones.js";

/** @import { BoardScene } from "../types.d.ts" @import { Cell, Style, WordItem } from "./types.d.ts" */

const TEXT = 11.2;

/** In a long cell heaps are stacked from its point towards its other end: the way, or null. @param {BoardScene} scene @param {Cell} cell @returns {[across: number, down: number] | null} */
export function stackAlong(scene, cell) {
    const shape = scene.shapes?.[cell.index];
    if (!shape) {
        return null;
    }
    const [across, down] = [reachOf(shape.map(([x]) => x - cell.x), scene.size), reachOf(shape.map(([, y]) => y - cell.y), scene.size)];
    return Math.abs(across) > Math.abs(down) ? [across, 0] : down ? [0, down] : null;
}

/** How far a cell reaches to its farther end; 0 if it is not long. @param {number[]} all @param {number} size */
function reachOf(all, size) {
    const [least, most] = [Math.min(...all), Math.max(...all)];
    return most - least < 2 * size ? 0 : -least > most ? least : most;
}

/**
 * Equal things one beyond the other, closer if they are many, and their number.
 * @param {{ item: WordItem, along: [across: number, down: number], size: number, style?: Style }} props
 */
export function Stacked({ item, along, size, style }) {
    const radius = size * 0.4;
    const room = Math.abs(along[0] + along[1]) - 2 * radius;
    const step = Math.min(2 * radius, room / Math.max(1, item.content - 1));
    const at = (/** @type {number} */ i) => along.map((way) => (i * step * Math.sign(way)).toFixed(1)).join(" ");
    return html`<g class="heap" style=${style}>
        ${Array.from({ length: item.content }, (_, i) => html`<g transform="translate(${at(i)})"><${Stone} r=${radius.toFixed(1)} /></g>`)}
        ${item.content > 1 && html`<text class="stack-number" transform="translate(${at(item.content - 1)})" font-size=${(radius * 0.95).toFixed(1)}>${item.content}</text>`}
    </g>`;
}

/** Many equal things: up to nine as dots, and always the number. @param {{ item: WordItem, style?: Style }} props */
export function Heap({ item, style }) {
    const shown = Math.min(item.content, 9);
    const dots = Array.from({ length: shown }, (_, i) => {
        const ring = i === 0 ? 0 : 8.6;
        return [ring * Math.sin((i * 2 * Math.PI) / Math.max(1, shown - 1)), ring * Math.cos((i * 2 * Math.PI) / Math.max(1, shown - 1))];
    });
    return html`<g class="heap" style=${style}>
        ${dots.map(([x, y]) => html`<circle class="body" cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="4.3" />`)}
        <text class="heap-number" x="13" y="14" font-size=${TEXT}>${item.content}</text>
    </g>`;
}
