// Many equal things on a place: as a heap of dots, or stacked along a long cell.

import { html } from "../html.js";

/** @import { BoardScene } from "../types.d.ts" @import { Cell, Style, WordItem } from "./types.d.ts" */

const TEXT = 11.2;

/** In a long cell heaps are stacked from its point towards its other end: the way, or null. @param {BoardScene} scene @param {Cell} cell */
export function stackAlong(scene, cell) {
    const shape = scene.shapes?.[cell.index];
    if (!shape) {
        return null;
    }
    const ys = shape.map(([, y]) => y - cell.y);
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    return bottom - top < 2 * scene.size ? null : -top > bottom ? top : bottom;
}

/**
 * Equal things one beyond the other, closer if they are many, and their number.
 * @param {{ item: WordItem, along: number, size: number, style: Style }} props
 */
export function Stacked({ item, along, size, style }) {
    const radius = size * 0.4;
    const room = Math.abs(along) - 2 * radius;
    const step = Math.min(2 * radius, room / Math.max(1, item.content - 1)) * Math.sign(along);
    const at = (/** @type {number} */ i) => (i * step).toFixed(1);
    return html`<g class="heap" style=${style}>
        ${Array.from({ length: item.content }, (_, i) => html`<circle class="body" cy=${at(i)} r=${radius.toFixed(1)} />`)}
        ${item.content > 1 && html`<text class="stack-number" y=${at(item.content - 1)} font-size=${(radius * 0.95).toFixed(1)}>${item.content}</text>`}
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
