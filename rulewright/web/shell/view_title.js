// The heading of what is shown, and the title of the page.

import { html, useLayoutEffect, useRef } from "../html.js";

/** @import { RefObject } from "../vendor/preact.js" */

const PRODUCT = "Rulewright";

/** Has the viewer gone from one view to another? */
let elsewhere = false;

/** The viewer has gone to another view. */
export function visited() {
    elsewhere = true;
}

/**
 * The heading of a view. It has the focus when the view was gone to, so that a screen reader reads it.
 * @param {{ children?: unknown, title?: string }} props and what else its element has
 */
export function ViewTitle({ children, title, ...rest }) {
    /** @type {RefObject<HTMLElement | null>} */
    const ref = useRef(null);
    useLayoutEffect(() => {
        if (elsewhere) {
            ref.current?.focus({ preventScroll: true });
        }
    }, []);
    useLayoutEffect(() => {
        document.title = title ? `${title} · ${PRODUCT}` : PRODUCT;
    }, [title]);
    return html`<h1 tabindex="-1" ref=${ref} ...${rest}>${children}</h1>`;
}
