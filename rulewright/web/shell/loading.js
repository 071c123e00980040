// Waiting for what comes from the server.

import { html, useEffect, useState } from "../html.js";
import { t } from "../i18n.js";
import { errorText } from "./announce.js";

/** @import { Trouble } from "../types.d.ts" */

/**
 * Loads something, and again when `keys` change, `reload` does so too. The former value stays meanwhile.
 * @template T
 * @param {() => Promise<T>} load
 * @param {unknown[]} keys
 * @returns {[value: T | null, error: Trouble | null, reload: () => void]}
 */
export function useLoaded(load, keys) {
    const [state, setState] = useState(/** @type {{ value: T | null, error: Trouble | null }} */ ({ value: null, error: null }));
    const [round, setRound] = useState(0);
    useEffect(() => {
        let current = true;
        load().then(
            (value) => current && setState({ value, error: null }),
            (error) => current && setState((old) => ({ value: old.value, error })),
        );
        return () => void (current = false);
    }, [...keys, round]);
    return [state.value, state.error, () => setRound((old) => old + 1)];
}

/**
 * What is shown as long as there is nothing else: that it is being waited for, or what went wrong.
 * @param {{ error?: Trouble | null, again?: () => void }} props
 */
export function Waiting({ error, again }) {
    if (!error) {
        return html`<p class="waiting-for quiet" role="status"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`;
    }
    return html`<div class="banner bad" role="alert">
        <p>${errorText(error)}</p>
        ${again && html`<button type="button" onClick=${again}>${t("try-again")}</button>`}
    </div>`;
}
