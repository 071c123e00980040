// Telling the viewer that it is their turn: by the title of the page, a tone, and as the page wishes.

import { effect } from "../html.js";
import { t } from "../i18n.js";
import { announce } from "./announce.js";
import { outcomeOf } from "./outcome.js";
import { sound } from "./settings.js";

let audio = null;

/** A short tone of two notes. A browser that does not allow it stays silent. */
export function tone() {
    try {
        audio ??= new AudioContext();
        audio.resume();
        [523.25, 783.99].forEach((pitch, index) => note(pitch, audio.currentTime + index * 0.13));
    } catch {
        audio = null;
    }
}

function note(pitch, start) {
    const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.32);
    source.connect(volume).connect(audio.destination);
    source.start(start);
    source.stop(start + 0.34);
}

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
    if (sound.peek()) {
        tone();
    }
    notify?.(title, text);
}
