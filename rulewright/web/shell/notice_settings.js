// Where a seat is told that it is its turn while its player is away: by mail, by a webhook.

import * as api from "../api.js";
import { html, useState } from "../html.js";
import { language, t } from "../i18n.js";
import { announce, errorText } from "./announce.js";
import { useLoaded } from "./loading.js";

/** @import { FormEvent, Trouble } from "../types.d.ts" */
/** @typedef {{ match: string, seat: number }} SeatProps */

/** @param {SeatProps} props */
export function NoticeSettings({ match, seat }) {
    const [server] = useLoaded(api.server, []);
    const [now, , again] = useLoaded(() => api.notices(match, seat), [match, seat]);
    const ways = server?.notices ?? [];
    if (!ways.length) {
        return null;
    }
    return html`<fieldset class="notice-settings">
        <legend>${t("notices-away")}</legend>
        ${ways.includes("mail") && html`<${Way} name="mail" type="email" now=${now?.mail} ...${{ match, seat, again }} />`}
        ${ways.includes("webhook") && html`<${Way} name="webhook" type="url" now=${now?.webhook && t("is-set")} ...${{ match, seat, again }} />`}
    </fieldset>`;
}

/** @param {SeatProps & { name: "mail" | "webhook", type: string, now: string | null | undefined | false, again: () => void }} props */
function Way({ name, type, now, match, seat, again }) {
    const [error, setError] = useState(/** @type {Trouble | null} */ (null));
    const set = async (/** @type {string | null} */ value) => {
        try {
            const about = { seat, language: language.peek() };
            await api.setNotices(match, name === "mail" ? { ...about, mail: value } : { ...about, webhook: value });
            setError(null);
            announce(t("saved"));
            again();
        } catch (failed) {
            setError(/** @type {Trouble} */ (failed));
        }
    };
    const submit = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        set(String(new FormData(event.currentTarget).get(name)));
    };
    return html`<form class="row" onSubmit=${submit}>
        <label class="field"><span>${t(`notice-${name}`)}</span>
            <input type=${type} name=${name} required placeholder=${now || ""} /></label>
        <button type="submit">${t("save")}</button>
        ${now && html`<button type="button" onClick=${() => set(null)}>${t("turn-off")}</button>`}
        ${error && html`<small class="bad" role="alert">${error.code === "malformed" ? t(`notice-${name}-wrong`) : errorText(error)}</small>`}
    </form>`;
}
