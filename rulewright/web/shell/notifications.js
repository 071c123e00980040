// Notifications of the browser, for those who look at another page when their turn comes.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { notify } from "./settings.js";

const possible = () => "Notification" in globalThis && isSecureContext;

/** Shows a notification, if the viewer wants that and does not look at the page. */
export function notifyAway(title, text) {
    if (notify.peek() && document.hidden && possible() && Notification.permission === "granted") {
        const notification = new Notification(title, { body: text, tag: location.pathname });
        notification.onclick = () => {
            window.focus();
            notification.close();
        };
    }
}

/** The setting. The permission is asked for here alone: on a click of the viewer. */
export function Notifications() {
    if (!possible()) {
        return null;
    }
    const refused = Notification.permission === "denied";
    const change = async (event) => {
        const box = event.currentTarget;
        notify.value = box.checked && (await Notification.requestPermission()) === "granted";
        box.checked = notify.value;
    };
    return html`<label class="tick"><input type="checkbox" checked=${notify.value && !refused} disabled=${refused} onChange=${change} />
        <span>${t("notify-on")}${refused && html`<br /><small class="quiet">${t("notify-refused")}</small>`}</span></label>`;
}
