// Each seat's view beside the others.

import { html } from "/web/html.js";
import { Table } from "/web/table/table.js";
import { SPECTATOR } from "../match.js";
import { viewerName } from "./table.js";

/** @import { Props } from "../studio.js" */

/** @param {Props} props */
export function SeatsPanel({ studio }) {
    const { match } = studio;
    const state = match.state.value;
    if (!state || state.log === undefined) {
        return html`<p class="quiet padded">There is no match yet.</p>`;
    }
    const viewers = [...Array(state.seats).keys(), SPECTATOR];
    return html`<div class="side-by-side">${viewers.map((viewer) => html`<section key=${viewer} class="view" data-asked-seat=${state.waiting.includes(viewer)} aria-label=${`as ${viewerName(match, viewer)} sees it`}>
        <h3>${viewerName(match, viewer)} ${state.waiting.includes(viewer) && html`<span class="chip turn">asked</span>`}</h3>
        <div class="pane-table small-table"><${Table} backend=${match.of(viewer)} /></div>
    </section>`)}</div>`;
}
