// At a server: notifications of the browser, for those who look elsewhere when their turn comes.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { notify } from "./settings.js";

/** @import { FieldEvent } from "../types.d.ts" */

const possible = () => "Notification" in globalThis && isSecureContext;

/** Gives notice as the viewer wants it, if nobody looks at the page. @param {string} title @param {string} text */
export function giveNotice(title, text) {
    if (notify.peek() && document.hidden && possible() && Notification.permission === "granted") {
        const notification = new Notification(title, { body: text, tag: location.pathname });
        notification.onclick = () => {
            window.focus();
            notification.close();
        };
    }
}

/** The settings, where the browser has any. */
export function TurnNotices() {
    return possible() && html`<fieldset>
        <legend>${t("notices")}</legend>
        <${Notifications} />
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
