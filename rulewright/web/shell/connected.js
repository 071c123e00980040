// What is said when the connection to the server is lost.

import { html } from "../html.js";
import { known, t } from "../i18n.js";

export function Connected({ backend }) {
    const status = backend.status.value;
    const code = backend.error?.value;
    const text = status === "reconnecting" ? t("reconnecting") : code && known(`error-${code}`) ? t(`error-${code}`) : "";
    const kept = backend.table.value?.rules?.kept;
    return html`<div role="status">
            ${text && html`<div class="banner warm"><p>${status === "reconnecting" && html`<span class="spinner" aria-hidden="true"></span>`}${text}</p></div>`}
        </div>
        ${kept && html`<p class="banner"><span>${t("kept-rules")}</span></p>`}`;
}
