// A picture that is drawn larger than its frame: by buttons, by keys, by the wheel with Ctrl, by two fingers.

import { html, useState } from "../html.js";
import { t } from "../i18n.js";

/** @import { KeyPress } from "../types.d.ts" */
/** @typedef {{ svg: SVGSVGElement, width: number, x: number, y: number }} Spot the width before, and what lies under the pointer */

const STEP = 1.3;
const MOST = 5;
/** A picture that is wider than this, as its places are large enough for a finger, has buttons. */
const WIDE = 340;
/** @type {Record<string, number>} */
const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 };

/** How a picture is zoomed: properties of its frame, of its drawing, and the buttons. @param {number} least how wide it is at least, in pixels */
export function useZoom(least) {
    const [factor, setFactor] = useState(1);
    const [width, setWidth] = useState(0);
    /** @param {Element} frame @param {number} by 0: as at first @param {{ x: number, y: number } | null} [at] */
    const zoom = (frame, by, at = null) => {
        const svg = frame.querySelector("svg");
        if (!svg) {
            return;
        }
        const first = factor === 1 ? svg.getBoundingClientRect().width : width;
        const whole = Math.min(1, (frame.clientWidth - 4) / first); // a wide board may be made small enough to be seen as a whole
        const next = by ? Math.max(whole, Math.min(MOST, factor * by)) : 1;
        if (next === factor) {
            return;
        }
        const box = frame.getBoundingClientRect();
        const { x, y } = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
        const old = svg.getBoundingClientRect();
        const [u, v] = [(x - old.left) / old.width, (y - old.top) / old.height];
        setWidth(first);
        setFactor(next);
        requestAnimationFrame(() => {
            const now = svg.getBoundingClientRect();
            frame.scrollBy(now.left + u * now.width - x, now.top + v * now.height - y);
        });
    };
    const [fingers] = useState(() => /** @type {Map<number, { x: number, y: number }>} */ (new Map()));
    const apart = () => {
        const [a, b] = [...fingers.values()];
        return { far: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    };
    const lift = (/** @type {PointerEvent} */ event) => void fingers.delete(event.pointerId);
    const frame = {
        "data-zoomed": factor > 1,
        onWheel: (/** @type {WheelEvent & { currentTarget: Element }} */ event) => {
            if (event.ctrlKey) {
                event.preventDefault();
                zoom(event.currentTarget, STEP ** Math.sign(-event.deltaY), { x: event.clientX, y: event.clientY });
            }
        },
        onPointerDownCapture: (/** @type {PointerEvent} */ event) => {
            event.pointerType === "touch" && fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        },
        onPointerMove: (/** @type {PointerEvent & { currentTarget: Element }} */ event) => {
            if (fingers.size === 2 && fingers.has(event.pointerId)) {
                const before = apart();
                fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
                const now = apart();
                zoom(event.currentTarget, now.far / before.far, now);
            }
        },
        onPointerUp: lift, onPointerCancel: lift, onPointerLeave: lift,
    };
    const pressed = (/** @type {KeyPress} */ event) => {
        const by = KEYS[event.key];
        if (by !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            zoom(event.currentTarget, by);
        }
    };
    const by = (/** @type {number} */ step) => (/** @type {{ currentTarget: Element }} */ { currentTarget }) => {
        const picture = currentTarget.parentElement?.previousElementSibling;
        picture && zoom(picture, step);
    };
    const buttons = (least > WIDE || factor !== 1) && html`<div class="zoom">
        <button type="button" class="icon plain" aria-label=${t("table-zoom-in")} title=${t("table-zoom-in")} disabled=${factor >= MOST} onClick=${by(STEP)}>+</button>
        <button type="button" class="icon plain" aria-label=${t("table-zoom-out")} title=${t("table-zoom-out")} onClick=${by(1 / STEP)}>−</button>
    </div>`;
    const drawing = factor !== 1 ? { width: `${Math.round(width * factor)}px`, minWidth: 0, maxWidth: "none", maxHeight: "none" } : {};
    return { frame, pressed, drawing, buttons };
}
