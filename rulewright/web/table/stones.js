// Stones and men: round ones with light on them, and figures by their outline.

import { html } from "../html.js";

/** @import { SeatColours } from "../types.d.ts" */

/** Colours of which each pair has at least this contrast are told apart by lightness alone. */
const TOLD = 3;

/** The relative luminance of a colour like `#c5dcec`. @param {string} colour */
function luminance(colour) {
    const [red, green, blue] = (/^#(..)(..)(..)$/.exec(colour)?.slice(1) ?? ["0", "0", "0"]).map((part) => (parseInt(part, 16) / 255) ** 2.2);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Are all seats told apart by how light their colours are, so that their stones need no letters? @param {SeatColours} seats */
export function areTold({ colours }) {
    const lights = colours.map(luminance).sort((a, b) => a - b);
    return lights.slice(1).every((light, i) => (light + 0.05) / (lights[i] + 0.05) >= TOLD);
}

/** A round stone of radius `r`, with a sign on it. @param {{ r: number | string, sign?: string }} props */
export function Stone({ r, sign = "" }) {
    return html`<circle class="body" r=${r} /><circle class="light" r=${r} fill="url(#light-on-stone)" />${sign && html`<text class="letter">${sign}</text>`}`;
}

/** Where the light on stones is described, once a page. */
export function LightOnStones() {
    return html`<svg class="unseen" width="0" height="0" aria-hidden="true"><radialGradient id="light-on-stone" cx=".34" cy=".28" r=".75">
        <stop offset="0" stop-color="#fff" stop-opacity=".62" /><stop offset=".42" stop-color="#fff" stop-opacity=".08" /><stop offset="1" stop-color="#000" stop-opacity=".34" />
    </radialGradient></svg>`;
}

/** A man by its outline, within 18 units. @param {{ paths: [body: string, lines: string] }} props */
export function Figure({ paths: [body, lines] }) {
    return html`<g class="figure" transform="scale(1.12)"><path class="body" d=${body} /><path class="within" d=${lines} /></g>`;
}
