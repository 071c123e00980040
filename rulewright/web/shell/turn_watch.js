// Telling the viewer that it is their turn: by the title of the page, and as the page wishes.

import { effect } from "../html.js";
import { t } from "../i18n.js";
import { announce } from "./announce.js";
import { outcomeOf } from "./outcome.js";

/** @import { Backend, Position } from "../types.d.ts" */

/** Is the viewer asked in this position? @param {Position | null} position */
export function asked(position) {
    return Boolean(position && !position.over && position.seat >= 0 && position.waiting.includes(position.seat));
}

/**
 * Watches a match, and tells when the viewer's turn comes or the match ends. Returns how to end that.
 * @param {Backend} backend
 * @param {(title: string, text: string) => void} [notify] tells it in another way too
 */
export function watchTurn(backend, notify) {
    let before = "";
    const stop = effect(() => {
        const position = backend.position.value;
        const title = backend.description?.title ?? "";
        if (!position) {
            return;
        }
        const now = outcomeOf(backend.table.value, position) ? "over" : asked(position) ? "turn" : "wait";
        document.title = now === "turn" ? t("title-your-turn", { title }) : title;
        if (before && now !== before && now !== "wait") {
            tell(now, title, notify);
        }
        before = now;
    });
    return stop;
}

/** @param {string} what @param {string} title @param {((title: string, text: string) => void) | undefined} notify */
function tell(what, title, notify) {
    const text = t(what === "turn" ? "your-turn" : "match-over");
    announce(text);
    notify?.(title, text);
}
