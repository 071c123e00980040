// Sounds at the table, off until the viewer wants them: a choice, one's turn, the end. They are made here; no file is played.

import { effect, html } from "../html.js";
import { t } from "../i18n.js";
import { movesWanted } from "../table/motion.js";
import { outcomeOf } from "./outcome.js";
import { sound, volume } from "./settings.js";
import { asked } from "./turn_watch.js";

/** @import { Backend, FieldEvent } from "../types.d.ts" @typedef {keyof typeof NOTES} Sound */

/** The notes of each sound: pitch, and in seconds when it begins and how long it is heard. */
const NOTES = {
    move: [[196, 0, 0.09]],
    turn: [[523.25, 0, 0.32], [783.99, 0.13, 0.32]],
    end: [[523.25, 0, 0.4], [659.25, 0.14, 0.4], [783.99, 0.28, 0.6]],
};
/** The volume of a note, where the viewer's is 1; and milliseconds after which it is too late to be heard. */
const LOUDEST = 0.3;
const LATE = 500;

/** @type {AudioContext | null} */
let audio = null;

/** Plays a sound. A browser that does not allow it, which is so before the first click, stays silent. @param {Sound} name */
async function play(name) {
    try {
        const now = (audio ??= new AudioContext());
        const wanted = Date.now();
        await now.resume();
        if (Date.now() - wanted < LATE) {
            NOTES[name].forEach(([pitch, start, length]) => note(now, pitch, now.currentTime + start, length));
        }
    } catch {
        audio = null;
    }
}

/** @param {AudioContext} audio @param {number} pitch @param {number} start @param {number} length */
function note(audio, pitch, start, length) {
    const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
    const loudness = new GainNode(audio, { gain: 0 });
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(LOUDEST * volume.peek(), start + 0.015);
    loudness.gain.exponentialRampToValueAtTime(0.0001, start + length);
    source.connect(loudness).connect(audio.destination);
    source.start(start);
    source.stop(start + length);
}

/**
 * Watches a match, and plays its sounds. Who wants little movement hears no choices, only their turn and the end. Returns how
 * to end that.
 * @param {Backend} backend
 */
export function watchSounds(backend) {
    let [state, known] = ["", -1];
    return effect(() => {
        const position = backend.position.value;
        const number = backend.entries.value.length;
        const now = !position ? "" : outcomeOf(backend.table.value, position) ? "end" : asked(position) ? "turn" : "wait";
        const news = state && now !== state && now !== "wait" ? /** @type {Sound} */ (now) : known >= 0 && number > known ? "move" : null;
        [state, known] = [now, position ? number : -1];
        if (news && sound.peek() && volume.peek() && (news !== "move" || (!document.hidden && movesWanted(document)))) {
            play(news);
        }
    });
}

/** The setting. */
export function Sounds() {
    const change = (/** @type {FieldEvent} */ event) => {
        sound.value = event.currentTarget.checked;
        sound.value && play("turn");
    };
    const louder = (/** @type {FieldEvent} */ event) => {
        volume.value = event.currentTarget.valueAsNumber;
        play("turn");
    };
    return html`<fieldset><legend>${t("sounds")}</legend>
        <label class="tick"><input type="checkbox" checked=${sound.value} onChange=${change} /><span>${t("sounds-on")}</span></label>
        ${sound.value && html`<label class="field"><span>${t("volume")}</span><input type="range" min="0.1" max="1" step="0.1" value=${volume.value} onChange=${louder} /></label>`}
    </fieldset>`;
}
