// What has happened, shown on the table: pieces slide, dice tumble, changed numbers flash. Nothing waits for it.

import { label } from "../i18n.js";
import { className } from "./model.js";
import { colours as coloursOf, signOf } from "./pieces.js";

/** @import { Entry, GameEvent } from "../types.d.ts" @import { Model, Style } from "./types.d.ts" */
/** @typedef {(component: string, klass: number) => { text: string, colours: Style }} Look */
/** @typedef {Extract<GameEvent, ["moved", ...unknown[]]>} Move */

const MOST_ENTRIES = 12;
const MOST_MOVES = 24;
const LASTS = 420;

/** How a piece looks that moves. @param {Model} model @returns {Look} */
export const lookOf = (model) => (component, klass) => ({
    text: klass < 0 ? "" : signOf(model, component, klass) || label(className(model, component, klass), model.description),
    colours: coloursOf(model, component, klass),
});

/** Does the viewer want things to move? @param {Document} document */
export function movesWanted(document) {
    const chosen = document.documentElement.dataset.motion;
    return chosen ? chosen !== "less" : !document.defaultView?.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Shows the events of new entries on a table that already stands as it is after them.
 * @param {HTMLElement} root
 * @param {Entry[]} entries
 * @param {Look} look
 */
export function animate(root, entries, look) {
    if (!entries.length || entries.length > MOST_ENTRIES || !movesWanted(root.ownerDocument)) {
        return;
    }
    const events = entries.flatMap((entry) => entry.events);
    const moves = events.filter((event) => event[0] === "moved").filter((event) => event[4] >= 0 && event[5] >= 0 && event[4] !== event[5]);
    moves.slice(0, MOST_MOVES).forEach((event, i) => slide(root, event, look, i));
    for (const event of events) {
        if (event[0] === "changed") {
            flash(at(root, "word", event[1]));
        } else if (event[0] === "thrown") {
            tumble(at(root, "place", event[3]));
        }
    }
}

/** @param {HTMLElement} root @param {"word" | "place"} kind @param {number} number */
function at(root, kind, number) {
    return root.querySelector(`[data-${kind}~="${number}"]`);
}

/** @param {HTMLElement} root @param {Move} event @param {Look} look @param {number} order */
function slide(root, [, component, klass, , from, to], look, order) {
    const [start, end] = [at(root, "place", from), at(root, "place", to)].map((found) => found?.getBoundingClientRect());
    if (!start?.width || !end?.width) {
        return;
    }
    const ghost = root.ownerDocument.createElement("span");
    const { text, colours } = look(component, klass);
    ghost.className = "ghost";
    ghost.setAttribute("aria-hidden", "true");
    ghost.textContent = text;
    for (const [name, value] of Object.entries(colours)) {
        ghost.style.setProperty(name, String(value));
    }
    root.append(ghost);
    const frame = (/** @type {DOMRect} */ { left, top, width, height }) => `translate(${left + width / 2}px, ${top + height / 2}px) translate(-50%, -50%)`;
    const run = ghost.animate(
        [{ transform: frame(start), opacity: 0.95 }, { transform: frame(end), opacity: 0.95, offset: 0.85 }, { transform: frame(end), opacity: 0 }],
        { duration: LASTS, delay: Math.min(order, 8) * 60, easing: "cubic-bezier(.3,.1,.2,1)", fill: "both" },
    );
    run.finished.then(() => ghost.remove(), () => ghost.remove());
}

/** @param {Element | null} element */
function flash(element) {
    element?.animate?.([{ filter: "brightness(1.8) saturate(1.6)" }, { filter: "none" }], { duration: 900, easing: "ease-out" });
}

/** @param {Element | null} element */
function tumble(element) {
    element?.querySelectorAll(".shape-die svg, .token-die").forEach((die, i) => {
        die.animate(
            [{ transform: `rotate(${i % 2 ? -300 : 300}deg) scale(.7)` }, { transform: "rotate(20deg) scale(1.1)", offset: 0.8 }, { transform: "none" }],
            { duration: LASTS + 60 * i, easing: "ease-out" },
        );
    });
}
