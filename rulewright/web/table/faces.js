// Faces that are data: the parts that a look has placed, as they are printed.

import { html } from "../html.js";
import { labelLanguage } from "../i18n.js";
import { className } from "./model.js";

/** @import { FacePart } from "../types.d.ts" @import { Model } from "./types.d.ts" */

/** From the middle of a line down to its base line, in the size of the letters. */
const BASE = 0.35;
/** How large the parts are in the picture, for a mm: browsers draw letters of less than a unit badly. */
const SCALE = 4;
/** The corners of a hexagon, in the width and height of what it is cut out of. */
const HEXAGON = [[0.5, 0], [1, 0.25], [1, 0.75], [0.5, 1], [0, 0.75], [0, 0.25]];

/**
 * The parts of the face of a piece, or of its back; null if its look has none.
 * @param {Model} model
 * @param {string} component
 * @param {number} klass
 * @returns {FacePart[] | null}
 */
export function drawnParts(model, component, klass) {
    const face = model.scene.faces[component];
    if (klass < 0) {
        return face?.back ?? null;
    }
    const drawn = face?.drawn;
    const spoken = drawn?.[labelLanguage(model.description)] ?? (drawn && Object.values(drawn)[0]);
    return spoken?.[className(model, component, klass)] ?? null;
}

/** A face in SVG. @param {{ model: Model, component: string, parts: FacePart[] }} props */
export function DrawnFace({ model, component, parts }) {
    const face = model.scene.faces[component];
    const [width, height] = (face.size ?? [63, 88]).map((side) => side * SCALE);
    const style = { "aspect-ratio": `${width} / ${height}`, "clip-path": cut(face.outline) };
    return html`<svg class="face" style=${style} viewBox="0 0 ${width} ${height}" aria-hidden="true">
        ${parts.map((part) => drawn(model, part))}
    </svg>`;
}

/** @param {string | undefined} outline */
function cut(outline) {
    const corners = HEXAGON.map(([x, y]) => `${x * 100}% ${y * 100}%`).join();
    return outline === "round" ? "ellipse(50% 50%)" : outline === "hex" ? `polygon(${corners})` : "none";
}

/** @param {Model} model @param {FacePart} part */
function drawn(model, part) {
    const [x, y, width, height] = [part[1], part[2], part[3], part[4]].map((length) => length * SCALE);
    const area = { x, y, width, height };
    switch (part[0]) {
        case "r":
            return html`<rect ...${area} rx=${part[7] * SCALE} fill=${part[5] || "none"} fill-opacity=${part[8]}
                stroke=${part[6] || "none"} stroke-width="1" />`;
        case "p":
            return html`<image ...${area} href=${model.scene.pictures?.[part[5]]} preserveAspectRatio=${part[6] ? "xMidYMid slice" : "xMidYMid meet"} />`;
        default:
            return html`<text x=${x} y=${y + BASE * height} font-size=${height} fill=${part[5]} textLength=${width} lengthAdjust="spacingAndGlyphs"
                font-weight=${part[6] & 1 ? "bold" : "normal"} font-style=${part[6] & 2 ? "italic" : "normal"}>${part[7]}</text>`;
    }
}
