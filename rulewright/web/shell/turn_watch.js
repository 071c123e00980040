// Telling the viewer that it is their turn: by the title of the page, and as the page wishes.

import { effect } from "../html.js";
import { t } from "../i18n.js";
import { announce } from "./announce.js";
import { outcomeOf } from "./outcome.js";

/** Is the viewer asked in this position? */
export function asked(position) {
    return Boolean(position && !position.over && position.seat >= 0 && position.waiting.includes(position.seat));
}

/**
 * Watches a match, and tells when the viewer's turn comes or the match ends. Returns how to end that.
 * @param {object} backend
 * @param {(title: string, text: string) => void} [notify] tells it in another way too
 */
export function watchTurn(backend, notify) {
    let before = null;
    const stop = effect(() => {
        const position = backend.position.value;
        const title = backend.description?.title ?? "";
        if (!position) {
            return;
        }
        const now = outcomeOf(backend.table.value, position) ? "over" : asked(position) ? "turn" : "wait";
        document.title = now === "turn" ? t("title-your-turn", { title }) : title;
        if (before !== null && now !== before && now !== "wait") {
            tell(now, title, notify);
        }
        before = now;
    });
    return stop;
}

function tell(what, title, notify) {
    const text = t(what === "turn" ? "your-turn" : "match-over");
    announce(text);
    notify?.(title, text);
}
