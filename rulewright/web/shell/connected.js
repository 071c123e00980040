// What is said when the connection to the server is lost, or the rules have changed there.

import { html } from "../html.js";
import { label, list, t } from "../i18n.js";

/** @import { ServerBackend } from "../backend/server.js" @import { TableState } from "../types.d.ts" */

/**
 * What has changed in the rules since the match began: the clauses, or else the names of what is new.
 * @param {ServerBackend} backend
 * @param {TableState["rules"]} rules
 */
function changedText(backend, { clauses = [], changed = [] }) {
    const names = clauses.length ? clauses : changed.map((name) => label(name, backend.description));
    return names.length ? t("kept-rules-changed", { what: list(names) }) : "";
}

/** @param {{ backend: ServerBackend }} props */
export function Connected({ backend }) {
    const lost = backend.status.value === "reconnecting";
    const rules = backend.table.value?.rules;
    return html`<div role="status">
            ${lost && html`<div class="banner warm"><p><span class="spinner" aria-hidden="true"></span>${t("reconnecting")}${backend.waiting.value.length > 0 && ` ${t("reconnecting-kept")}`}</p></div>`}
        </div>
        ${rules?.kept && html`<p class="banner"><span>${t("kept-rules")} ${changedText(backend, rules)}</span></p>`}`;
}
