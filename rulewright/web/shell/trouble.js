// What went wrong with a match, above its table.

import { html } from "../html.js";
import { known, t } from "../i18n.js";

/** @import { Backend } from "../types.d.ts" */

/** @param {{ backend: Backend }} props */
export function Trouble({ backend }) {
    const code = backend.error?.value;
    const text = code && known(`error-${code}`) ? t(`error-${code}`) : "";
    return html`<div role="status">${text && html`<p class="banner warm">${text}</p>`}</div>`;
}
