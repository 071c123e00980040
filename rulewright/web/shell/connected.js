// What is said when the connection to the server is lost.

import { html } from "../html.js";
import { known, label, list, t } from "../i18n.js";

/** What has changed in the rules since the match began: the clauses, or else the names of what is new. */
function changedText(backend, { clauses = [], changed = [] }) {
    const names = clauses.length ? clauses : changed.map((name) => label(name, backend.description));
    return names.length ? t("kept-rules-changed", { what: list(names) }) : "";
}

export function Connected({ backend }) {
    const status = backend.status.value;
    const code = backend.error?.value;
    const text = status === "reconnecting" ? t("reconnecting") : code && known(`error-${code}`) ? t(`error-${code}`) : "";
    const rules = backend.table.value?.rules;
    return html`<div role="status">
            ${text && html`<div class="banner warm"><p>${status === "reconnecting" && html`<span class="spinner" aria-hidden="true"></span>`}${text}</p></div>`}
        </div>
        ${rules?.kept && html`<p class="banner"><span>${t("kept-rules")} ${changedText(backend, rules)}</span></p>`}`;
}
