// What a file has that follows a physical table: a backend, its panel, and its place in the form of a new match.

import { CompanionBackend } from "../backend/companion.js";
import { html } from "../html.js";
import { t } from "../i18n.js";
import { Companion } from "./companion.js";

/** @import { FieldEvent } from "../types.d.ts" */

export const told = { Backend: CompanionBackend, Panel: Companion, Choice };

/** Whether the dice and the cards of a new match are those of a table. @param {{ told: boolean, onChange: (told: boolean) => void }} props */
function Choice({ told, onChange }) {
    return html`<label class="tick"><input type="checkbox" checked=${told} onChange=${(/** @type {FieldEvent} */ event) => onChange(event.currentTarget.checked)} />
        <span>${t("chance")}: ${t("chance-companion")}<br /><small class="quiet">${t("chance-companion-help")}</small></span></label>`;
}
