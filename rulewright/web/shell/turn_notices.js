// At a server: a tone and notifications of the browser, for those who look elsewhere when their turn comes.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { notify, sound } from "./settings.js";

/** @import { FieldEvent } from "../types.d.ts" */

/** @type {AudioContext | null} */
let audio = null;

/** A short tone of two notes. A browser that does not allow it stays silent. */
function tone() {
    try {
        const now = (audio ??= new AudioContext());
        now.resume();
        [523.25, 783.99].forEach((pitch, index) => note(now, pitch, now.currentTime + index * 0.13));
    } catch {
        audio = null;
    }
}

/** @param {AudioContext} audio @param {number} pitch @param {number} start */
function note(audio, pitch, start) {
    const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.12, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.32);
    source.connect(volume).connect(audio.destination);
    source.start(start);
    source.stop(start + 0.34);
}

const possible = () => "Notification" in globalThis && isSecureContext;

/** Gives notice as the viewer wants it; by a notification only if nobody looks at the page. @param {string} title @param {string} text */
export function giveNotice(title, text) {
    if (sound.peek()) {
        tone();
    }
    if (notify.peek() && document.hidden && possible() && Notification.permission === "granted") {
        const notification = new Notification(title, { body: text, tag: location.pathname });
        notification.onclick = () => {
            window.focus();
            notification.close();
        };
    }
}

/** The settings. */
export function TurnNotices() {
    const changeSound = (/** @type {FieldEvent} */ event) => {
        sound.value = event.currentTarget.checked;
        if (sound.value) {
            tone();
        }
    };
    return html`<fieldset>
        <legend>${t("notices")}</legend>
        <label class="tick"><input type="checkbox" checked=${sound.value} onChange=${changeSound} />
            <span>${t("sound-on")}</span></label>
        ${possible() && html`<${Notifications} />`}
    </fieldset>`;
}

/** The permission is asked for here alone: on a click of the viewer. */
function Notifications() {
    const refused = Notification.permission === "denied";
    const change = async (/** @type {FieldEvent} */ event) => {
        const box = event.currentTarget;
        notify.value = box.checked && (await Notification.requestPermission()) === "granted";
        box.checked = notify.value;
    };
    return html`<label class="tick"><input type="checkbox" checked=${notify.value && !refused} disabled=${refused} onChange=${change} />
        <span>${t("notify-on")}${refused && html`<br /><small class="quiet">${t("notify-refused")}</small>`}</span></label>`;
}
