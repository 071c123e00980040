// What can be chosen but is out of sight: an arrow at the edge towards it says how much there is, and leads there.

import { html, useEffect, useLayoutEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { movesWanted } from "./motion.js";

/** @import { Press } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @typedef {"up" | "down" | "left" | "right"} Way */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
/** @typedef {{ way: Way, things: Element[], at: number, edge: number }} Arrow the nearest thing first; where along its edge it stands, and how far from it */

const LIT = ".thing[data-state='offered'], .actions button:not(.refused)";
const SIGNS = { up: "↑", down: "↓", left: "←", right: "→" };

/** The arrows. @param {{ root: RefObject<HTMLElement | null> }} props */
export function OutOfSight({ root }) {
    const [arrows, setArrows] = useState(/** @type {Arrow[]} */ ([]));
    const measure = () => {
        const found = root.current ? arrowsOf(root.current) : [];
        setArrows((old) => (same(old, found) ? old : found));
    };
    useLayoutEffect(measure);
    useEffect(() => {
        let frame = 0;
        const soon = () => {
            cancelAnimationFrame(frame);
            frame = requestAnimationFrame(measure);
        };
        const growing = new ResizeObserver(soon);
        root.current && growing.observe(root.current);
        addEventListener("scroll", soon, { capture: true, passive: true });
        addEventListener("resize", soon);
        return () => {
            cancelAnimationFrame(frame);
            growing.disconnect();
            removeEventListener("scroll", soon, { capture: true });
            removeEventListener("resize", soon);
        };
    }, []);
    return html`<div class="out-of-sight">${arrows.map(({ way, things, at, edge }) => html`<button type="button" key=${way} class="to-${way}" data-number=${things.length}
        style=${{ "--at": `${Math.round(at)}px`, "--edge": `${Math.round(edge)}px` }} aria-label=${said(way, things.length)} title=${said(way, things.length)}
        onClick=${(/** @type {Press} */ event) => lead(things[0], event.detail === 0)}><span aria-hidden="true">${SIGNS[way]} ${things.length}</span></button>`)}</div>`;
}

/** @param {Way} way @param {number} number */
const said = (way, number) => t(`table-out-of-sight-${way}`, { number });

/** Brings a thing into sight; who uses the keyboard goes there. @param {Element} thing @param {boolean} focused */
export function lead(thing, focused = false) {
    focused && /** @type {HTMLElement} */ (thing).focus({ preventScroll: true });
    thing.scrollIntoView({ block: "center", inline: "center", behavior: movesWanted(document) ? "smooth" : "auto" });
}

/** @param {Arrow[]} a @param {Arrow[]} b */
const same = (a, b) => a.length === b.length && a.every((one, i) => one.way === b[i].way && one.things.join() === b[i].things.join()
    && one.things[0] === b[i].things[0] && one.things.length === b[i].things.length && Math.abs(one.at - b[i].at) < 4 && Math.abs(one.edge - b[i].edge) < 2);

/** What of the window shows the table: without the bars at its upper and lower edge. @param {HTMLElement} root @returns {Box} */
export function frameOf(root) {
    const bar = root.querySelector(".prompt-bar")?.getBoundingClientRect();
    const low = bar && bar.top > innerHeight / 2;
    const above = parseFloat(getComputedStyle(root).getPropertyValue("--below")) * parseFloat(getComputedStyle(document.documentElement).fontSize) || 0;
    return { left: 0, right: innerWidth, top: bar && !low ? Math.max(0, bar.bottom) : above, bottom: low ? Math.min(bar.top, innerHeight) : innerHeight };
}

/** @param {HTMLElement} root @returns {Arrow[]} */
function arrowsOf(root) {
    const frame = frameOf(root);
    const bar = root.querySelector(".prompt-bar");
    /** @type {Map<Element | null, Box>} */
    const views = new Map([[root, frame]]);
    bar && views.set(bar, crossed({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, bar.getBoundingClientRect()));
    /** @type {Map<Way, { far: number, thing: Element, along: number }[]>} */
    const found = new Map();
    for (const thing of root.querySelectorAll(LIT)) {
        const { left, top, width, height } = thing.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const view = viewOf(thing.parentElement, views);
        /** @type {[Way, number][]} */
        const ways = [["up", view.top - y], ["down", y - view.bottom], ["left", view.left - x], ["right", x - view.right]];
        const [way, far] = ways.find((each) => each[1] > 0) ?? [null, 0];
        if (way && width) {
            const along = way === "up" || way === "down" ? x : y;
            found.set(way, [...(found.get(way) ?? []), { far, thing, along }]);
        }
    }
    return [...found].map(([way, all]) => {
        all.sort((a, b) => a.far - b.far);
        const upright = way === "up" || way === "down";
        const [low, high] = upright ? [frame.left + 40, frame.right - 40] : [frame.top + 40, frame.bottom - 40];
        const edge = way === "up" ? frame.top : way === "down" ? innerHeight - frame.bottom : 0;
        return { way, things: all.map(({ thing }) => thing), at: Math.max(low, Math.min(high, all[0].along)), edge };
    });
}

/** What shows the things in an element: less where something around it scrolls. @param {Element | null} element @param {Map<Element | null, Box>} views @returns {Box} */
function viewOf(element, views) {
    const known = views.get(element);
    if (known || !element) {
        return known ?? { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    }
    const around = viewOf(element.parentElement, views);
    const scrolls = element instanceof HTMLElement && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
        && getComputedStyle(element).overflow !== "visible";
    const view = scrolls ? crossed(around, element.getBoundingClientRect()) : around;
    views.set(element, view);
    return view;
}

/** @param {Box} a @param {Box} b @returns {Box} */
const crossed = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
