// What the pointer does besides clicking: it rests on a thing to read it, holds it to open its window, drags it to
// where it may go, and pulls a picture that is larger than its frame.

/** @import { Table } from "./types.d.ts" */
/** @typedef {ReturnType<typeof gesturing>} Gestures @typedef {{ current: Table | null }} Latest the table as it is now */
/** @typedef {{ x: number, y: number, thing: HTMLElement | SVGElement | null, picture: Element | null, touch: boolean, moved: "" | "drag" | "pan" }} Hold */

/** In milliseconds: how long the mouse rests before a thing is told, and a finger before its window opens. */
const RESTS = 600;
const HOLDS = 500;
/** In pixels: what is not yet a movement. */
const SLACK = 6;

/** What is remembered of a pointer. */
export function gesturing() {
    return {
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        resting: undefined,
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        holding: undefined,
        /** @type {Hold | null} */
        hold: null,
        /** What follows the pointer. @type {HTMLElement | null} */
        ghost: null,
        /** Until when a click is what is left of a gesture. */
        spent: 0,
    };
}

/** @param {EventTarget | null} target @returns {HTMLElement | SVGElement | null} */
const thingAt = (target) => (target instanceof Element ? target.closest("[data-thing]") : null);

/** Is there more of a picture than its frame shows? @param {Element} picture */
const isLarger = ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) => scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;

/** The properties of the root of a table. @param {Gestures} own @param {Latest} latest */
export function gestures(own, latest) {
    const facts = (/** @type {Element | null} */ drawn) => latest.current?.things.get(drawn?.getAttribute("data-thing") ?? "");
    const end = () => {
        clearTimeout(own.holding);
        own.ghost?.remove();
        own.ghost = own.hold = null;
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", cancel);
    };
    const move = (/** @type {PointerEvent} */ event) => {
        const hold = own.hold;
        const table = latest.current;
        if (!hold || !table) {
            return;
        }
        const [dx, dy] = [event.clientX - hold.x, event.clientY - hold.y];
        if (!hold.moved && Math.hypot(dx, dy) > SLACK) {
            clearTimeout(own.holding);
            const thing = facts(hold.thing);
            if (hold.thing && thing && table.mayDrag(thing)) {
                hold.moved = "drag";
                own.ghost = ghostOf(hold.thing);
                table.pickUp(thing);
            } else if (hold.picture && !hold.touch && isLarger(hold.picture)) {
                hold.moved = "pan";
            } else {
                end();
                return;
            }
        }
        if (hold.moved === "drag") {
            own.ghost?.style.setProperty("transform", `translate(${event.clientX}px,${event.clientY}px) translate(-50%,-50%)`);
        } else if (hold.moved === "pan") {
            hold.picture?.scrollBy(-dx, -dy);
            [hold.x, hold.y] = [event.clientX, event.clientY];
        }
    };
    const up = (/** @type {PointerEvent} */ event) => {
        const hold = own.hold;
        end();
        if (hold?.moved) {
            own.spent = performance.now() + 50;
        }
        if (hold?.moved === "drag") {
            const drawn = thingAt(document.elementFromPoint(event.clientX, event.clientY));
            drawn !== hold.thing && latest.current?.drop(facts(drawn) ?? null);
        }
    };
    const cancel = () => {
        const dragged = own.hold?.moved === "drag";
        end();
        dragged && latest.current?.drop(null);
    };
    return {
        onPointerOver: (/** @type {PointerEvent} */ event) => {
            const drawn = thingAt(event.target);
            clearTimeout(own.resting);
            latest.current?.rest(null, null);
            if (event.pointerType === "mouse" && drawn && !event.buttons) {
                own.resting = setTimeout(() => {
                    const thing = facts(drawn);
                    drawn.isConnected && thing && latest.current?.rest(thing, drawn);
                }, RESTS);
            }
        },
        onPointerLeave: () => {
            clearTimeout(own.resting);
            latest.current?.rest(null, null);
        },
        onPointerDown: (/** @type {PointerEvent} */ event) => {
            clearTimeout(own.resting);
            latest.current?.rest(null, null);
            end();
            if (event.button !== 0 || !event.isPrimary) {
                return;
            }
            const drawn = thingAt(event.target);
            const picture = event.target instanceof Element ? event.target.closest(".picture") : null;
            const touch = event.pointerType !== "mouse";
            own.hold = { x: event.clientX, y: event.clientY, thing: drawn, picture, touch, moved: "" };
            own.spent = 0;
            addEventListener("pointermove", move);
            addEventListener("pointerup", up);
            addEventListener("pointercancel", cancel);
            if (touch && drawn) {
                own.holding = setTimeout(() => {
                    const thing = facts(drawn);
                    end();
                    own.spent = Infinity;
                    thing && latest.current?.open(thing, drawn, true);
                }, HOLDS);
            }
        },
        onTouchMove: (/** @type {TouchEvent} */ event) => {
            // A finger that pulls a thing over a board does not scroll; `touch-action` is not heeded within a drawing.
            if (own.hold?.picture && event.cancelable && (own.hold.moved === "drag" || own.hold.thing?.hasAttribute("data-drag"))) {
                event.preventDefault();
            }
        },
        onClickCapture: (/** @type {MouseEvent} */ event) => {
            if (event.detail && performance.now() < own.spent) {
                own.spent = 0;
                event.stopPropagation();
                event.preventDefault();
            }
        },
    };
}

/** What follows the pointer: the thing as it is drawn, without the place that it lies on. @param {HTMLElement | SVGElement} drawn */
function ghostOf(drawn) {
    const { width, height } = drawn.getBoundingClientRect();
    const copy = /** @type {Element} */ (drawn.cloneNode(true));
    copy.querySelectorAll(".outline, .name, :scope > [aria-hidden]:not(svg)").forEach((part) => part.remove());
    for (const name of ["data-thing", "data-state", "data-choices", "role", "tabindex", "aria-label", "transform"]) {
        copy.removeAttribute(name);
    }
    const ghost = document.createElement("div");
    ghost.className = "dragged";
    ghost.setAttribute("aria-hidden", "true");
    ghost.style.setProperty("width", `${width}px`);
    ghost.style.setProperty("height", `${height}px`);
    if (drawn instanceof SVGGraphicsElement) {
        const { x, y, width: wide, height: high } = drawn.getBBox();
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        svg.setAttribute("viewBox", `${x} ${y} ${wide} ${high}`);
        svg.append(copy);
        ghost.append(svg);
    } else {
        ghost.append(copy);
    }
    drawn.closest(".table-root")?.append(ghost);
    return ghost;
}
