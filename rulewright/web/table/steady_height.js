// The bar above the board does not push it away under a hand that clicks quickly.

import { useEffect, useLayoutEffect, useMemo } from "../html.js";

/** @import { RefObject } from "../vendor/preact.js" */

/** Milliseconds without a press after which the board may move. */
const RESTS = 600;
/** Pixels that are kept at most: two lines of buttons. */
const MOST = 110;

/**
 * Keeps the height of a bar that others stand below: up to two lines it never shrinks while the window
 * stays as it is, and what it grows by lies over what is below until nobody presses anything.
 *
 * Sets `--tallest`, the height that it keeps, and `--growth`, by how much it lies over what is below, in pixels.
 * @param {RefObject<HTMLElement | null>} bar
 */
export function useSteadyHeight(bar) {
    const own = useMemo(() => ({ tallest: 0, pressed: -RESTS, timer: 0 }), []);
    const settle = () => {
        const { current } = bar;
        if (!current) {
            return;
        }
        const height = current.offsetHeight;
        const rested = own.pressed + RESTS - performance.now();
        const waits = own.tallest > 0 && height > own.tallest && rested > 0;
        clearTimeout(own.timer);
        if (waits) {
            own.timer = window.setTimeout(settle, rested);
        } else {
            own.tallest = Math.min(MOST, Math.max(own.tallest, height));
            current.style.setProperty("--tallest", `${own.tallest}px`);
        }
        current.style.setProperty("--growth", `${waits ? height - own.tallest : 0}px`);
    };
    useLayoutEffect(settle);
    useEffect(() => {
        const pressed = () => (own.pressed = performance.now());
        const resized = () => {
            own.tallest = 0;
            bar.current?.style.removeProperty("--tallest");
            settle();
        };
        document.addEventListener("pointerdown", pressed, true);
        window.addEventListener("resize", resized);
        return () => {
            document.removeEventListener("pointerdown", pressed, true);
            window.removeEventListener("resize", resized);
            clearTimeout(own.timer);
        };
    }, []);
}
