// The rulebook at hand: a panel beside the game that opens at a clause.

import { html, useEffect, useLayoutEffect, useRef } from "../html.js";
import { t, wanted } from "../i18n.js";
import { IconButton } from "./header.js";
import { Waiting, useLoaded } from "./loading.js";

/** @import { Press } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */

/** What the panel shows of a rulebook as HTML: its sections, without anything that runs, styles or loads. @param {string} page */
export function contentOf(page) {
    const bare = page.replaceAll(/<style>.*?<\/style>/gs, "");
    const parsed = new DOMParser().parseFromString(bare, "text/html");
    const content = parsed.querySelector("main") ?? parsed.body;
    content.querySelectorAll("script, style, link, meta, base, iframe, object, embed, form").forEach((it) => it.remove());
    for (const element of content.querySelectorAll("*")) {
        for (const { name, value } of [...element.attributes]) {
            if (name.startsWith("on") || (/^(xlink:)?href$|^src$/.test(name) && !/^(#|data:image\/)/.test(value))) {
                element.removeAttribute(name);
            }
        }
    }
    const fragment = document.createDocumentFragment();
    fragment.append(...content.childNodes);
    return fragment;
}

/** The id of a clause in a rulebook: "§4.3" is at `clause-4-3`. @param {string} mark */
export function anchorOf(mark) {
    return `clause-${mark.replace("§", "").replace(/[^\p{L}\p{N}]+/gu, "-")}`;
}

/**
 * The panel. `clause` is `{mark}`: a new object opens the panel there again.
 * @param {{load: () => Promise<DocumentFragment>, keys: unknown[], clause: {mark: string | null}, onClose: () => void}} props
 */
export function RulesPanel({ load, keys, clause, onClose }) {
    const [content, error, again] = useLoaded(load, [...keys, wanted.value]);
    /** @type {RefObject<HTMLElement | null>} */
    const inside = useRef(null);
    useLayoutEffect(() => {
        if (content?.childNodes.length) {
            inside.current?.replaceChildren(content);
        }
    }, [content]);
    useEffect(() => {
        if (content && clause.mark && inside.current) {
            show(inside.current, anchorOf(clause.mark));
        }
    }, [content, clause]);
    const click = (/** @type {Press} */ event) => {
        const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
        if (link) {
            event.preventDefault();
            show(event.currentTarget, decodeURIComponent(link.getAttribute("href")?.slice(1) ?? ""));
        }
    };
    return html`<aside class="panel rules" aria-label=${t("rules")}>
        <header><h2>${t("rules")}</h2><${IconButton} name=${t("close")} icon="close" onClick=${onClose} /></header>
        ${!content && html`<${Waiting} error=${error} again=${again} />`}
        <div class="inside rulebook" ref=${inside} onClick=${click}></div>
    </aside>`;
}

/** Leads eyes, focus and screen reader to a place of the rulebook. @param {HTMLElement} inside @param {string} id */
function show(inside, id) {
    /** @type {HTMLElement | null} */
    const place = inside.querySelector(`#${CSS.escape(id)}`);
    if (!place) {
        return;
    }
    inside.querySelectorAll(".shown").forEach((old) => old.classList.remove("shown"));
    place.classList.add("shown");
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "center" });
}
