// Waiting for what comes from the server.

import { html, useEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { errorText } from "./announce.js";

/** Loads something, and again when `keys` change: `[value, error, reload]`. The former value stays meanwhile. */
export function useLoaded(load, keys) {
    const [state, setState] = useState({ value: null, error: null });
    const [round, setRound] = useState(0);
    useEffect(() => {
        let current = true;
        load().then(
            (value) => current && setState({ value, error: null }),
            (error) => current && setState((old) => ({ value: old.value, error })),
        );
        return () => (current = false);
    }, [...keys, round]);
    return [state.value, state.error, () => setRound((old) => old + 1)];
}

/** What is shown as long as there is nothing else: that it is being waited for, or what went wrong. */
export function Waiting({ error, again }) {
    if (!error) {
        return html`<p class="waiting-for quiet" role="status"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`;
    }
    return html`<div class="banner bad" role="alert">
        <p>${errorText(error)}</p>
        ${again && html`<button type="button" onClick=${again}>${t("try-again")}</button>`}
    </div>`;
}
