// The phases as a drawing: lit are the phase that is played, and those of the line at the cursor.

import { html, useEffect, useLayoutEffect, useRef } from "/web/html.js";

/** The nodes that the lines at the cursor belong to. */
export function nodesAt(graph, name, { path, line }) {
    const file = `${name}/${path}`;
    const around = (graph?.spans ?? []).filter((span) => span.file === file && span.first <= line && line <= span.last);
    return new Set(around.flatMap(({ nodes }) => nodes));
}

export function PhasesPanel({ studio }) {
    const graph = studio.followed.value.graph;
    const ref = useRef(null);
    const phase = studio.match.state.value?.phase;
    const cursor = studio.cursor.value;
    useLayoutEffect(() => {
        if (ref.current && graph) {
            ref.current.innerHTML = graph.svg;
            const drawing = ref.current.querySelector("svg");
            drawing.setAttribute("role", "img");
        }
    }, [graph?.svg]);
    useEffect(() => {
        const here = nodesAt(graph, studio.name, cursor);
        ref.current?.querySelectorAll("[data-node]").forEach((node) => {
            node.classList.toggle("lit-play", node.dataset.node === `phase_${phase}`);
            node.classList.toggle("lit-cursor", here.has(node.dataset.node));
        });
    });
    const go = (event) => {
        const node = event.target.closest("[data-node]")?.dataset.node;
        const span = graph?.spans.find(({ nodes, file }) => file.endsWith("game.yaml") && nodes.includes(node));
        span && studio.goToLine(span.file.slice(studio.name.length + 1), span.first);
    };
    if (!graph) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The drawing follows when the rules have no mistakes." : "The drawing is being made…"}</p>`;
    }
    const places = graph.spans.filter(({ file }) => file.endsWith("game.yaml"));
    return html`<div class="panel-bar"><span class="chip turn">played${phase ? `: ${phase}` : ""}</span> <span class="chip good">at the cursor</span>
            ${places.map(({ file, first, nodes }) => html`<button type="button" class="slim" onClick=${() => studio.goToLine(file.slice(studio.name.length + 1), first)}>${nodes[0].replace("phase_", "")}</button>`)}</div>
        <div class="drawing" ref=${ref} onClick=${go}></div>`;
}
