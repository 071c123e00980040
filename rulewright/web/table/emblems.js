// Icons of a look: some characters, a picture, or an outline that takes the colour of what is written beside it.

import { html } from "../html.js";
import { valueName } from "./model.js";

/** @import { Model } from "./types.d.ts" */
/** @typedef {{ box: string, path: string }} Outline a picture that is one path without a colour of its own */

const ONE_PATH = /^<svg xmlns="[^"]+" viewBox="([^"]+)"><path d="([^"]+)">?(?:\/>|<\/path>)<\/svg>$/;
const SVG = "data:image/svg+xml;base64,";

/** @type {Map<string, Outline | null>} */
const outlines = new Map();

/** The outline that a picture is, or null. @param {string} icon */
export function outlineOf(icon) {
    if (!outlines.has(icon)) {
        const found = icon.startsWith(SVG) ? ONE_PATH.exec(atob(icon.slice(SVG.length))) : null;
        outlines.set(icon, found && { box: found[1], path: found[2] });
    }
    return outlines.get(icon) ?? null;
}

/** An icon in a text. @param {{ icon: string | undefined, class?: string }} props */
export function Icon({ icon, class: classes = "icon" }) {
    if (!icon) {
        return null;
    }
    const outline = outlineOf(icon);
    if (outline) {
        return html`<svg class="${classes} outlined" viewBox=${outline.box} aria-hidden="true"><path d=${outline.path} /></svg>`;
    }
    return icon.startsWith("data:") ? html`<img class=${classes} src=${icon} alt="" />` : html`<span class=${classes} aria-hidden="true">${icon}</span>`;
}

/**
 * An icon in a drawing, in the middle of a square.
 * @param {{ icon: string, size: number, x?: number, y?: number, class?: string }} props
 */
export function Emblem({ icon, size, x = 0, y = 0, class: classes = "sign" }) {
    const [left, top] = [x - size / 2, y - size / 2];
    const outline = outlineOf(icon);
    if (outline) {
        return html`<svg class="${classes} outlined" x=${left} y=${top} width=${size} height=${size} viewBox=${outline.box}><path d=${outline.path} /></svg>`;
    }
    return icon.startsWith("data:")
        ? html`<image href=${icon} x=${left} y=${top} width=${size} height=${size} />`
        : html`<text class=${classes} text-anchor="middle" dominant-baseline="central" x=${x} y=${y} font-size=${size / Math.max(1, 0.8 * [...icon].length)}>${icon}</text>`;
}

/** The icon of a value of a type, before its name. @param {{ model: Model, type: string | null | undefined, value: number }} props */
export function ValueIcon({ model, type, value }) {
    return type && model.scene.icons ? html`<${Icon} icon=${model.scene.icons[valueName(model, type, value)]} />` : null;
}
