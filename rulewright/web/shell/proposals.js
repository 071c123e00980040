// Taking back, and what others have to agree to.

import { html, useEffect } from "../html.js";
import { list, t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Icon } from "./icons.js";
import { nameAt } from "./players.js";

/** @import { Backend, Proposal as Proposed, TableState } from "../types.d.ts" */

/** Takes back the last choice, or asks the others for it. @param {Backend} backend */
export function takeBack(backend) {
    const undo = backend.position.peek()?.undo;
    if (!undo || !(undo.free || undo.ask)) {
        announce(t("nothing-to-undo"));
        return;
    }
    backend.undo?.(undo.answer ? 0 : 1).then((answer) => announce(t(answer?.proposal ? "undo-asked" : "undone")), complain);
}

/**
 * Beside what is asked: asks the others to take back, or takes back what bots alone have answered. The own last
 * choices are taken back at the table.
 * @param {{ backend: Backend }} props
 */
export function AskUndo({ backend }) {
    const undo = backend.position.value?.undo;
    if (!undo?.ask || undo.free) {
        return null;
    }
    const table = backend.table.value;
    const names = list(undo.consent.map((seat) => nameAt(table, seat)));
    const text = t(names ? "ask-undo" : "undo");
    return html`<button type="button" class="slim undo" aria-label=${text} title=${names ? t("undo-consent", { names }) : text} onClick=${() => takeBack(backend)}>
        <${Icon} name="undo" /><span class="in-full">${text}</span></button>`;
}

/** What waits for consent, of whom, with the viewer's answer. @param {{ backend: Backend }} props */
export function Proposals({ backend }) {
    const table = backend.table.value;
    const proposals = table?.proposals ?? [];
    return html`<div class="proposals" role="status">
        ${typeof table?.declined === "number" && html`<p class="banner">${t("rematch-declined", { name: nameAt(table, table.declined) })}</p>`}
        ${proposals.map((it) => html`<${Proposal} key=${it.proposal} backend=${backend} table=${table} proposal=${it} />`)}
    </div>`;
}

/** @param {{ backend: Backend, table: TableState, proposal: Proposed }} props */
function Proposal({ backend, table, proposal }) {
    const { kind, by, asked, agreed } = proposal;
    const viewer = backend.position.value?.seat ?? -1;
    const open = asked.filter((seat) => !agreed.includes(seat));
    // At one screen everybody who is asked answers here, together.
    const said = t(`proposal-${kind}`, { name: nameAt(table, by), number: proposal.number ?? 1, seq: proposal.seq ?? 0 });
    const say = (/** @type {boolean} */ agree) => backend.answer?.(proposal.proposal, agree).catch(complain);
    const own = (/** @type {number} */ seat) => seat === viewer || (kind === "rematch" && table.seats[seat].mine);
    const mine = backend.kind === "local" || open.some(own);
    useEffect(() => {
        if (mine) {
            announce(said);
        }
    }, [mine]);
    return html`<div class="banner warm">
        <p>${said} <span class="quiet">${t("proposal-waits", { names: list(open.map((seat) => nameAt(table, seat))) })}</span></p>
        <div class="row">
            ${mine && html`<button type="button" class="main slim" onClick=${() => say(true)}>${t("agree")}</button>
                <button type="button" class="slim" onClick=${() => say(false)}>${t("decline")}</button>`}
            ${own(by) && html`<button type="button" class="slim" onClick=${() => say(false)}>${t("withdraw")}</button>`}
        </div>
    </div>`;
}
