// Where the viewer is on the server's page, and how they go elsewhere without loading it again.

import { html, signal } from "../html.js";
import { clearBanners } from "./announce.js";
import { visited } from "./view_title.js";

/** @import { Press, Signal } from "../types.d.ts" */

/**
 * @typedef {{view: "lobby", lost: string | null} | {view: "game", game: string} | {view: "match", match: string, seat: number | null} | {view: "about"} | {view: "lost"}} Route
 */

/** The route of an address. @param {string} pathname @param {string} [search] @returns {Route} */
export function routeOf(pathname, search = "") {
    const [first, second, ...more] = pathname.split("/").filter(Boolean).map(decoded);
    const query = new URLSearchParams(search);
    if (first === undefined || first === "new") {
        return { view: "lobby", lost: query.get("lost") };
    }
    if (first === "about" && second === undefined) {
        return { view: "about" };
    }
    if (first === "game" && second && !more.length) {
        return { view: "game", game: second };
    }
    if (first === "match" && second && !more.length) {
        return { view: "match", match: second, seat: query.has("seat") ? Number(query.get("seat")) : null };
    }
    return { view: "lost" };
}

/** A part of an address; one that is not encoded as it should be means nothing, and is left as it is. @param {string} part */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** @type {Signal<Route>} */
export const route = signal(
    globalThis.location ? routeOf(location.pathname, location.search) : { view: "lobby", lost: null },
);

/** Goes to an address of this page. @param {string} address */
export function go(address) {
    history.pushState(null, "", address);
    arrive();
}

function arrive() {
    visited();
    clearBanners();
    route.value = routeOf(location.pathname, location.search);
    scrollTo(0, 0);
}

/** Begins to listen to the browser's buttons. */
export function listenToHistory() {
    addEventListener("popstate", arrive);
}

/** A link inside the page. @param {{ to: string, children?: unknown }} props and what else its element has */
export function Link({ to, children, ...rest }) {
    const click = (/** @type {Press} */ event) => {
        if (event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
            event.preventDefault();
            go(to);
        }
    };
    return html`<a href=${to} onClick=${click} ...${rest}>${children}</a>`;
}
