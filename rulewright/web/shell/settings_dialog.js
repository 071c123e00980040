// The viewer's settings: language, colours, motion, choosing; and what the page adds.

import { html, useId } from "../html.js";
import { chosenLanguage, described, labelLanguage, LANGUAGES, language, namesLanguage, t } from "../i18n.js";
import { Dialog } from "./dialog.js";
import { chooseLanguage, confirming, guided, motion, planning, shortcuts, sole, theme } from "./settings.js";
import { Sounds } from "./sounds.js";

/** @import { FieldEvent, SelectEvent, Signal } from "../types.d.ts" */

/** `children` are settings that not every page has. @param {{ onClose: () => void, children?: unknown }} props */
export function SettingsDialog({ onClose, children }) {
    return html`<${Dialog} title=${t("settings")} onClose=${onClose}>
        <div class="stack settings">
            <${LanguageChoice} />
            <${NamesChoice} />
            <${Segments} title=${t("theme")} setting=${theme} values=${["auto", "light", "dark"]} name="theme" />
            <${Segments} title=${t("motion")} setting=${motion} values=${["auto", "full", "less"]} name="motion" />
            <${Sounds} />
            ${children}
            <fieldset>
                <legend>${t("choosing")}</legend>
                <${Tick} setting=${confirming} text=${t("confirming-on")} />
                <${Tick} setting=${planning} text=${t("planning-on")} />
                <${Tick} setting=${sole} text=${t("sole-on")} />
                <${Tick} setting=${shortcuts} text=${t("shortcuts-on")} />
                <${Tick} setting=${guided} text=${t("guided-on")} />
            </fieldset>
        </div>
    <//>`;
}

/** @param {{ setting: Signal<boolean>, text: string }} props */
function Tick({ setting, text }) {
    return html`<label class="tick"><input type="checkbox" checked=${setting.value} onChange=${(/** @type {FieldEvent} */ event) => (setting.value = event.currentTarget.checked)} />
        <span>${text}</span></label>`;
}

function LanguageChoice() {
    const id = useId();
    return html`<div>
        <label for=${id}>${t("language")}</label>
        <select id=${id} value=${chosenLanguage.value || language.value} onChange=${(/** @type {SelectEvent} */ event) => chooseLanguage(event.currentTarget.value)}>
            ${Object.entries(LANGUAGES).map(([tag, name]) => html`<option value=${tag} lang=${tag}>${name}</option>`)}
        </select>
    </div>`;
}

/** The language of the names in a game that has several, or another one than the page. */
function NamesChoice() {
    const id = useId();
    const game = described.value;
    const languages = game?.languages ?? [];
    if (!game || languages.every((tag) => tag === language.value)) {
        return null;
    }
    const name = (/** @type {string} */ tag) => new Intl.DisplayNames([tag], { type: "language", fallback: "code" }).of(tag);
    return html`<div>
        <label for=${id}>${t("names-language")}</label>
        <select id=${id} value=${labelLanguage(game)} onChange=${(/** @type {SelectEvent} */ event) => (namesLanguage.value = event.currentTarget.value)}>
            ${languages.map((tag) => html`<option value=${tag} lang=${tag}>${name(tag)}</option>`)}
        </select>
    </div>`;
}

/** @param {{ title: string, setting: Signal<string>, values: string[], name: string }} props */
function Segments({ title, setting, values, name }) {
    return html`<fieldset>
        <legend>${title}</legend>
        <div class="segments">
            ${values.map(
                (value) => html`<label key=${value}>
                    <input type="radio" name=${name} value=${value} checked=${setting.value === value} onChange=${() => (setting.value = value)} />
                    <span>${t(`${name}-${value}`)}</span>
                </label>`,
            )}
        </div>
    </fieldset>`;
}
