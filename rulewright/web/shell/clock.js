// The clocks of a match at a server.

import { html, useEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { announce } from "./announce.js";
import { remaining } from "./clock_text.js";

/** @import { Backend } from "../types.d.ts" */

/**
 * The clock of a seat, ticking between what the server says. Its end is told to whom it belongs.
 * @param {{ backend: Backend, seat: number, own: boolean }} props
 */
export function Clock({ backend, seat, own }) {
    const clocks = backend.table.value?.clocks;
    const clock = clocks?.seats?.[seat];
    const [, tick] = useState(0);
    const deadline = clock?.deadline ?? 0;
    const running = deadline > 0;
    const left = running ? deadline - Date.now() - backend.skew.value : (clock?.left ?? 0);
    const hurried = left < 20_000;
    useEffect(() => {
        if (!running) {
            return undefined;
        }
        const timer = setInterval(() => tick((count) => count + 1), hurried ? 100 : 500);
        return () => clearInterval(timer);
    }, [running, hurried]);
    const warned = running && own && hurried && left > 0;
    useEffect(() => {
        if (warned) {
            announce(t("time-short"));
        }
    }, [warned]);
    if (!clock || clock.left === null) {
        return null;
    }
    return html`<span role="timer" class=${`clock number${running ? " running" : ""}${hurried ? " short" : ""}`} aria-label=${`${t("time-left")}: ${remaining(left)}`}>
        ${remaining(left)}
    </span>`;
}
