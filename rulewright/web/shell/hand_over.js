// The screen between two players of a game with secrets.

import { html, useLayoutEffect, useRef } from "../html.js";
import { t } from "../i18n.js";
import { seatColours } from "../table/seat_colours.js";
import { nameAt } from "./players.js";

/** @import { Backend } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */

/**
 * Covers the page until the player of a seat is there, who says so; `seat` is null if nobody is waited for.
 * @param {{ backend: Backend, seat: number | null, onTake: (seat: number) => void }} props
 */
export function HandOver({ backend, seat, onTake }) {
    return seat !== null && html`<${Cover} key=${seat} backend=${backend} seat=${seat} onTake=${onTake} />`;
}

/** @param {{ backend: Backend, seat: number, onTake: (seat: number) => void }} props */
function Cover({ backend, seat, onTake }) {
    /** @type {RefObject<HTMLDialogElement | null>} */
    const ref = useRef(null);
    useLayoutEffect(() => {
        const dialog = ref.current;
        dialog?.showModal();
        return () => dialog?.close();
    }, []);
    // A second Escape closes it whatever the page says, and nobody could take the screen any more.
    const closed = () => ref.current?.isConnected && ref.current.showModal();
    const name = nameAt(backend.table.value, seat);
    const take = () => {
        onTake(seat);
        document.getElementById("table")?.focus();
    };
    return html`<dialog class="cover" style=${seatColours(backend.description?.scene.seats, seat)} ref=${ref} aria-labelledby="hand-over" onCancel=${(/** @type {Event} */ event) => event.preventDefault()} onClose=${closed}>
        <span class="disc" aria-hidden="true">${String.fromCharCode(65 + seat)}</span>
        <h2 id="hand-over">${t("hand-over", { name })}</h2>
        <p>${t("hand-over-about", { name })}</p>
        <button type="button" class="main big" onClick=${take}>${t("hand-over-take", { name })}</button>
    </dialog>`;
}
