// The phases as a drawing: lit are the phase that is played, and those of the line at the cursor.

import { html, useEffect, useLayoutEffect, useRef, useState } from "/web/html.js";

/** @import { KeyPress, Press } from "/web/types.d.ts" @import { RefObject, TargetedPointerEvent, TargetedWheelEvent } from "/web/vendor/preact.js" */
/** @import { Props } from "../studio.js" @import { Graph } from "../types.d.ts" */

/** The nodes that the lines at the cursor belong to. @param {Graph | undefined} graph @param {string} name @param {{ path: string, line: number }} cursor */
export function nodesAt(graph, name, { path, line }) {
    const file = `${name}/${path}`;
    const around = (graph?.spans ?? []).filter((span) => span.file === file && span.first <= line && line <= span.last);
    return new Set(around.flatMap(({ nodes }) => nodes));
}

/** @param {Props} props */
export function PhasesPanel({ studio }) {
    const graph = studio.followed.value.graph;
    /** @type {RefObject<HTMLDivElement | null>} */
    const ref = useRef(null);
    const [zoom, setZoom] = useState(1);
    const dragged = useRef(false);
    const phase = studio.match.state.value?.phase;
    const cursor = studio.cursor.value;
    useLayoutEffect(() => {
        if (ref.current && graph) {
            ref.current.innerHTML = graph.svg;
            const drawing = ref.current.querySelector("svg");
            drawing?.setAttribute("role", "img");
            drawing?.setAttribute("aria-label", "the phases of the game");
        }
    }, [graph?.svg]);
    useLayoutEffect(() => {
        const drawing = ref.current?.querySelector("svg");
        drawing && (drawing.style.width = zoom === 1 ? "" : `${100 * zoom}%`);
        drawing && (drawing.style.maxWidth = zoom === 1 ? "" : "none");
    }, [zoom, graph?.svg]);
    const zoomBy = (/** @type {number} */ factor) => setZoom((now) => Math.min(8, Math.max(0.25, now * factor)));
    useEffect(() => {
        const here = nodesAt(graph, studio.name, cursor);
        ref.current?.querySelectorAll("[data-node]").forEach((drawn) => {
            const node = drawn.getAttribute("data-node") ?? "";
            drawn.classList.toggle("lit-play", node === `phase_${phase}`);
            drawn.classList.toggle("lit-cursor", here.has(node));
        });
    });
    const wheel = (/** @type {TargetedWheelEvent<HTMLElement>} */ event) => {
        if (event.ctrlKey || event.metaKey) {
            event.preventDefault();
            zoomBy(event.deltaY < 0 ? 1.2 : 1 / 1.2);
        }
    };
    const keys = (/** @type {KeyPress} */ event) => {
        const factor = new Map([["+", 1.25], ["=", 1.25], ["-", 0.8]]).get(event.key);
        factor && zoomBy(factor);
        event.key === "0" && setZoom(1);
    };
    const go = (/** @type {Press} */ event) => {
        if (dragged.current || !(event.target instanceof Element)) {
            return;
        }
        const node = event.target.closest("[data-node]")?.getAttribute("data-node") ?? "";
        const span = graph?.spans.find(({ nodes, file }) => file.endsWith("game.yaml") && nodes.includes(node));
        span && studio.goToLine(span.file.slice(studio.name.length + 1), span.first);
    };
    if (!graph) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The drawing follows when the rules have no mistakes." : "The drawing is being made…"}</p>`;
    }
    const places = graph.spans.filter(({ file }) => file.endsWith("game.yaml"));
    return html`<div class="panel-bar"><span class="chip turn">played${phase ? `: ${phase}` : ""}</span> <span class="chip good">at the cursor</span>
            ${places.map(({ file, first, nodes }) => html`<button type="button" class="slim" onClick=${() => studio.goToLine(file.slice(studio.name.length + 1), first)}>${nodes[0].replace("phase_", "")}</button>`)}</div>
        <div class="row" role="group" aria-label="Zoom"><button type="button" class="slim" aria-label="smaller" onClick=${() => zoomBy(0.8)}>−</button>
            <button type="button" class="slim" onClick=${() => setZoom(1)}>${zoom === 1 ? "whole" : `${Math.round(100 * zoom)} %`}</button>
            <button type="button" class="slim" aria-label="larger" onClick=${() => zoomBy(1.25)}>+</button>
            <span class="quiet small">drag to move; Ctrl and wheel, or + − 0, to zoom</span></div>
        <div class="drawing" ref=${ref} tabindex="0" role="region" aria-label="the drawing" onClick=${go} onWheel=${wheel} onKeyDown=${keys} onPointerDown=${(/** @type {TargetedPointerEvent<HTMLElement>} */ event) => drag(event, dragged)}></div>`;
}

/**
 * Moves the drawing with the pointer. `dragged` says afterwards whether it was moved, so that it was no click.
 * @param {TargetedPointerEvent<HTMLElement>} event
 * @param {RefObject<boolean>} dragged
 */
function drag(event, dragged) {
    const box = event.currentTarget;
    const from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
    const first = { x: event.clientX, y: event.clientY };
    dragged.current = false;
    const move = (/** @type {PointerEvent} */ { clientX, clientY }) => {
        dragged.current ||= Math.hypot(clientX - first.x, clientY - first.y) > 5;
        box.scrollLeft = from.x - clientX;
        box.scrollTop = from.y - clientY;
    };
    const end = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
}
