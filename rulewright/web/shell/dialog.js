// Dialogs, as the browser has them: they keep the focus inside, close by Escape, and give the focus back.

import { html, useEffect, useId, useRef } from "../html.js";
import { t } from "../i18n.js";
import { Icon } from "./icons.js";

/** @import { Press } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */

/**
 * A dialog that is open as long as it is on the page. `actions` is its foot.
 * @param {{ title: string, onClose: () => void, actions?: unknown, wide?: boolean, children?: unknown }} props
 */
export function Dialog({ title, onClose, actions, wide, children }) {
    /** @type {RefObject<HTMLDialogElement | null>} */
    const ref = useRef(null);
    const id = useId();
    useEffect(() => {
        const dialog = ref.current;
        const before = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement);
        dialog?.showModal();
        return () => {
            dialog?.close();
            if (before?.isConnected) {
                before.focus({ preventScroll: true });
            }
        };
    }, []);
    const cancelled = (/** @type {Event} */ event) => {
        event.preventDefault();
        onClose();
    };
    const clicked = (/** @type {Press} */ event) => event.target === ref.current && onClose();
    return html`<dialog ref=${ref} class=${wide ? "wide" : ""} aria-labelledby=${id} onCancel=${cancelled} onClick=${clicked}>
        <header>
            <h2 id=${id}>${title}</h2>
            <button type="button" class="icon plain" aria-label=${t("close")} title=${t("close")} onClick=${onClose}><${Icon} name="close" /></button>
        </header>
        <div class="inside">${children}</div>
        ${actions && html`<footer>${actions}</footer>`}
    </dialog>`;
}

/**
 * A question that is answered by yes or no before something is done.
 * @param {{ title: string, text: string, yes: string, danger?: boolean, onYes: () => void, onNo: () => void }} props
 */
export function Confirm({ title, text, yes, danger, onYes, onNo }) {
    const actions = html`<button type="button" onClick=${onNo}>${t("cancel")}</button>
        <button type="button" class=${danger ? "danger" : "main"} onClick=${onYes}>${yes}</button>`;
    return html`<${Dialog} title=${title} onClose=${onNo} actions=${actions}><p>${text}</p><//>`;
}
