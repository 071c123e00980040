// The game in a few lines, as the head of its rulebook has them.

import { html, useLayoutEffect, useRef } from "../html.js";
import { t, wanted } from "../i18n.js";
import { useLoaded } from "./loading.js";

/** @import { RefObject } from "../vendor/preact.js" */

/** Nothing until the rulebook is there, or where it has no such lines. @param {{ load: () => Promise<DocumentFragment>, keys: unknown[] }} props */
export function InShort({ load, keys }) {
    const [lines] = useLoaded(() => load().then((content) => content.querySelector("#short ul")), [...keys, wanted.value]);
    /** @type {RefObject<HTMLElement | null>} */
    const inside = useRef(null);
    useLayoutEffect(() => {
        if (lines) {
            lines.querySelectorAll("a[href]").forEach((link) => link.replaceWith(...link.childNodes));
            inside.current?.replaceChildren(lines);
        }
    }, [lines]);
    return lines && html`<section class="card part in-short" aria-labelledby="in-short"><h2 id="in-short">${t("in-short")}</h2><div class="rulebook" ref=${inside}></div></section>`;
}
