// What the last turn has changed, drawn on a position of the past: from where pieces came, and where they went.

import { useLayoutEffect } from "../html.js";
import { lookOf } from "./motion.js";

/** @import { Entry } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" @import { Table } from "./types.d.ts" @import { Move } from "./motion.js" */

const SVG = "http://www.w3.org/2000/svg";
const MOST_TRAILS = 16;
/** The size of the head of an arrow, and how far from the middle of a thing lines begin and end, in pixels. */
const HEAD = 9;
const AWAY = 14;

/**
 * After how many entries the last turn began: all that one seat has chosen last, with what followed. Null before any.
 * @param {Entry[]} entries
 */
export function lastTurn(entries) {
    const chosen = entries.flatMap(({ words, seat }, at) => (words === null ? [] : [{ seat, at }]));
    const last = chosen.at(-1);
    const before = chosen.findLast(({ seat }) => seat !== last?.seat);
    return last ? (chosen.find(({ at }) => at > (before?.at ?? -1))?.at ?? null) : null;
}

/**
 * Draws the trails of the last turn of some entries, where they are `still`, and again when the table has another size.
 * @param {RefObject<HTMLElement | null>} root
 * @param {Table | null} table
 * @param {Entry[]} entries
 * @param {boolean} still
 */
export function useTrails(root, table, entries, still) {
    useLayoutEffect(() => {
        const element = root.current;
        if (!still || !element || !table) {
            return undefined;
        }
        const draw = () => drawn(element, table, entries);
        const watch = new ResizeObserver(draw);
        watch.observe(element);
        draw();
        return () => {
            watch.disconnect();
            element.querySelector(":scope > .trails")?.remove();
        };
    }, [table?.position, entries.length, still]);
}

/** @param {HTMLElement} root @param {Table} table @param {Entry[]} entries */
function drawn(root, { model }, entries) {
    root.querySelector(":scope > .trails")?.remove();
    const layer = document.createElement("div");
    layer.className = "trails";
    layer.setAttribute("aria-hidden", "true");
    const lines = document.createElementNS(SVG, "svg");
    layer.append(lines);
    root.append(layer);
    const origin = layer.getBoundingClientRect();
    const middle = (/** @type {number} */ place) => {
        const box = root.querySelector(`[data-place~="${place}"]`)?.getBoundingClientRect();
        return box?.width ? { x: box.left + box.width / 2 - origin.left, y: box.top + box.height / 2 - origin.top } : null;
    };
    const look = lookOf(model);
    for (const [, component, klass, , from, to] of routes(entries)) {
        const [start, stop] = [middle(from), middle(to)];
        if (start) {
            const ghost = document.createElement("span");
            const { text, colours } = look(component, klass);
            ghost.className = "trace";
            ghost.textContent = text;
            ghost.style.translate = `${start.x}px ${start.y}px`;
            Object.entries(colours).forEach(([name, value]) => ghost.style.setProperty(name, String(value)));
            layer.append(ghost);
        }
        if (start && stop) {
            lines.append(arrow(start, stop));
        }
    }
}

/** Where pieces went in the last turn: one that went on from where it had come to went there at once. @param {Entry[]} entries */
function routes(entries) {
    const events = entries.slice(lastTurn(entries) ?? entries.length).flatMap((entry) => entry.events);
    /** @type {Move[]} */
    const found = [];
    for (const event of events) {
        if (event[0] === "moved" && event[4] >= 0 && event[4] !== event[5]) {
            const before = found.findIndex(([, component, klass, , , to]) => component === event[1] && klass === event[2] && klass >= 0 && to === event[4]);
            const [whole] = before < 0 ? [event] : found.splice(before, 1);
            found.push(/** @type {Move} */ ([event[0], event[1], event[2], event[3], whole[4], event[5]]));
        }
    }
    return found.filter(([, , , , from, to]) => from !== to).slice(-MOST_TRAILS);
}

/** @param {{ x: number, y: number }} start @param {{ x: number, y: number }} stop */
function arrow(start, stop) {
    const line = document.createElementNS(SVG, "path");
    const [dx, dy] = [stop.x - start.x, stop.y - start.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const cut = Math.min(AWAY, length / 4);
    const [x, y] = [stop.x - ux * cut, stop.y - uy * cut];
    const wing = (/** @type {number} */ side) => `${x - HEAD * (ux + side * uy * 0.6)} ${y - HEAD * (uy - side * ux * 0.6)}`;
    line.setAttribute("d", `M${start.x + ux * cut} ${start.y + uy * cut}L${x} ${y}M${wing(1)}L${x} ${y}L${wing(-1)}`);
    return line;
}
