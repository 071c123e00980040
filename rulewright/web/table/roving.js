// One stop of the Tab key for each group of things; arrow keys move within it, by what lies where.

/** @import { KeyPress } from "../types.d.ts" @import { TargetedEvent } from "../vendor/preact.js" */

const THING = "[data-thing]";
/** @type {Record<string, number[]>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The properties of a container whose things are moved between by arrow keys. */
export function roving() {
    return { "data-roving": "", ref: settle, onKeyDown: move, onFocusIn: follow };
}

/** Lets Tab stop once in each container: at what was focused last, else at the first thing that can be chosen. @param {Element | null} container */
export function settle(container) {
    if (!container) {
        return;
    }
    const things = [...thingsIn(container)];
    const active = container.ownerDocument.activeElement;
    const stop = things.find((thing) => thing === active)
        ?? things.find((thing) => thing.dataset.state === "offered")
        ?? things.find((thing) => thing.getAttribute("tabindex") === "0")
        ?? things[0];
    things.forEach((thing) => thing.setAttribute("tabindex", thing === stop ? "0" : "-1"));
}

/** The things in a container. @param {Element} container @returns {NodeListOf<HTMLElement | SVGElement>} */
const thingsIn = (container) => container.querySelectorAll(THING);

/** The thing in which something has happened. @param {EventTarget | null} target @returns {HTMLElement | SVGElement | null} */
const thingOf = (target) => (target instanceof Element ? target.closest(THING) : null);

/** @param {TargetedEvent<Element>} event */
function follow(event) {
    const thing = thingOf(event.target);
    if (thing && event.currentTarget.contains(thing)) {
        event.currentTarget.querySelectorAll(THING).forEach((other) => other.setAttribute("tabindex", other === thing ? "0" : "-1"));
    }
}

/** @param {KeyPress} event */
function move(event) {
    const direction = KEYS[event.key];
    const from = thingOf(event.target);
    if (!direction || !from || event.altKey || event.ctrlKey || event.metaKey) {
        return;
    }
    const things = [...thingsIn(event.currentTarget)].filter((thing) => thing !== from);
    const next = nearest(from, things, direction);
    if (next) {
        event.preventDefault();
        next.focus();
    }
}

/**
 * The nearest thing in a direction; what lies aside counts double.
 * @param {HTMLElement | SVGElement} from
 * @param {(HTMLElement | SVGElement)[]} things
 * @param {number[]} direction
 */
export function nearest(from, things, [dx, dy]) {
    const start = middle(from);
    /** @type {HTMLElement | SVGElement | null} */
    let best = null;
    let least = Infinity;
    for (const thing of things) {
        const at = middle(thing);
        const along = (at.x - start.x) * dx + (at.y - start.y) * dy;
        const aside = Math.abs((at.x - start.x) * dy) + Math.abs((at.y - start.y) * dx);
        const far = along + 2 * aside;
        if (along > 2 && far < least && aside <= along * 3) {
            [best, least] = [thing, far];
        }
    }
    return best;
}

/** @param {Element} thing */
function middle(thing) {
    const { left, top, width, height } = thing.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
}
