// Seats of a match: taking and leaving them, links to copy and to revoke, bots.

import * as api from "../api.js";
import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { complain } from "./announce.js";
import { copyText } from "./clipboard.js";
import { Confirm, Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { Waiting, useLoaded } from "./loading.js";
import { seatColours } from "../table/seat_colours.js";
import { botText, letterOf, seatName, teamName } from "./players.js";
import { playerName } from "./settings.js";

/** @import { Description, FieldEvent, MatchSummary, SeatLink, TableSeat, TableState } from "../types.d.ts" */
/** @import { TargetedFocusEvent } from "../vendor/preact.js" */
/**
 * The seats of a match. `waiting`: before the start; `onSeat` goes on as a seat, `onChange` hears that something has changed.
 * @typedef {{ match: string, owner: boolean, waiting?: boolean, viewer?: number, onChange?: () => void, onSeat: (seat: number | null) => void }} RowsProps
 */

/** Links that were made with a match; they are told once, and shown at its waiting room. @type {Map<string, SeatLink>} */
const fresh = new Map();

/** Keeps the links of a new match until its waiting room is there. @param {string} match @param {SeatLink[]} [links] */
export function keepLinks(match, links = []) {
    links.forEach((link) => fresh.set(`${match} ${link.seat}`, link));
}

/**
 * The seats of a match with what may be done with each. `waiting`: before the start.
 * @param {RowsProps & { seats: TableSeat[], description: Description | null }} props
 */
export function SeatRows({ match, seats, owner, waiting, viewer, description, onChange, onSeat }) {
    const first = seats.find(isFree);
    const sit = (/** @type {Event} */ event) => {
        event.preventDefault();
        first && api.join(match, first.seat, playerName.peek().trim()).then(() => onSeat(first.seat), complain);
    };
    const guest = waiting && !seats.some((seat) => seat.mine) && first;
    return html`${guest && html`<form onSubmit=${sit}><label class="field"><span>${t("your-name")}</span>
            <input type="text" autocomplete="nickname" maxlength="40" value=${playerName.value} placeholder=${t("name-placeholder")}
                onInput=${(/** @type {FieldEvent} */ event) => (playerName.value = event.currentTarget.value)} /></label></form>`}
        <ol class="seat-rows">${seats.map(
        (seat) => html`<li key=${seat.seat} style=${seatColours(description?.scene?.seats, seat.seat)}><${SeatRow} ...${{ match, seat, owner, waiting, viewer, team: teamName(description, seat.seat), onChange, onSeat }} /></li>`,
    )}</ol>`;
}

/** @param {TableSeat} seat */
const isFree = (seat) => seat.kind === "open" || (seat.kind === "invited" && seat.invitation);

/** @param {RowsProps & { seat: TableSeat, team: string | undefined }} props */
function SeatRow({ match, seat, owner, waiting, viewer, team, onChange, onSeat }) {
    const [link, setLink] = useState(fresh.get(`${match} ${seat.seat}`) ?? null);
    const act = (/** @type {Promise<SeatLink | MatchSummary>} */ request) => request.then((answer) => (answer && "link" in answer ? setLink(answer) : onChange?.()), complain);
    const [revoking, setRevoking] = useState(false);
    const revoke = () => {
        setRevoking(false);
        act(api.revoke(match, seat.seat));
    };
    const free = seat.kind === "open" || seat.kind === "invited";
    const sit = () => onSeat(seat.seat);
    const join = () => api.join(match, seat.seat, playerName.peek().trim()).then(sit, complain);
    const leave = () => api.leave(match, seat.seat).then(() => onSeat(null), complain);
    const of = `${letterOf(seat.seat)}: ${seatName(seat)}`;
    const named = (/** @type {string} */ id) => `${t(id)}, ${of}`;
    return html`<span class="disc"><span class="unseen">${t("seat-number", { number: seat.seat + 1 })} </span>${letterOf(seat.seat)}</span>
        <span class="who"><span class="name">${seatName(seat)}</span>
            <span class="state">${seat.mine ? t("you") : seat.kind === "bot" ? botText(seat.bot) : free ? t(`state-seat-${seat.kind}`) : t(seat.present ? "present" : "away")}</span></span>
        ${team && html`<span class="chip team">${team}</span>`}
        <span class="row do">
            ${!waiting && seat.mine && seat.seat !== viewer && html`<button type="button" class="main slim" aria-label=${named("play-here")} onClick=${sit}>${t("play-here")}</button>`}
            ${waiting && isFree(seat) && html`<button type="button" class="main slim" aria-label=${named("sit-down")} onClick=${join}>${t("sit-down")}</button>`}
            ${(seat.mine || (owner && free)) && html`<button type="button" class="slim" aria-label=${named("get-link")} onClick=${() => act(api.seatLink(match, seat.seat))}><${Icon} name="link" />${t("get-link")}</button>`}
            ${owner && seat.kind !== "bot" && !seat.mine && html`<button type="button" class="slim danger" aria-label=${named("revoke-link")} onClick=${() => setRevoking(true)}>${t("revoke-link")}</button>`}
            ${owner && free && html`<button type="button" class="slim" aria-label=${named("seat-a-bot")} onClick=${() => act(api.seatBot(match, seat.seat, true))}>${t("seat-a-bot")}</button>`}
            ${seat.mine && html`<button type="button" class="slim" aria-label=${named("leave-seat")} onClick=${leave}>${t("leave-seat")}</button>`}
        </span>
        ${revoking && html`<${Confirm} title=${`${t("revoke-link")} — ${of}`} text=${t("revoke-sure")} yes=${t("revoke-link")} danger onYes=${revoke} onNo=${() => setRevoking(false)} />`}
        ${link && (!waiting || free || seat.mine) && html`<${CopyLink} ...${link} of=${of} />`}`;
}

/**
 * A link in a field, with a button that copies it, and as a code for a camera, which the server has made.
 * @param {{ link: string, code: string | null, of: string }} props
 */
export function CopyLink({ link, code, of }) {
    const [copied, setCopied] = useState(false);
    const copy = async () => {
        await copyText(link);
        setCopied(true);
    };
    return html`<span class="link-field">
        <input type="text" readonly value=${link} aria-label=${`${t("seat-link")}, ${of}`} onFocus=${(/** @type {TargetedFocusEvent<HTMLInputElement>} */ event) => event.currentTarget.select()} />
        <button type="button" aria-label=${`${t(copied ? "copied" : "copy")}, ${of}`} onClick=${copy}><${Icon} name="copy" />${t(copied ? "copied" : "copy")}</button>
    </span>
    ${code ? html`<img class="link-code" src=${code} alt=${`${t("seat-code")}, ${of}`} />` : html`<p class="quiet small">${t("no-seat-codes")}</p>`}`;
}

/**
 * The seats during play.
 * @param {{ match: string, table: TableState, description: Description | null, onSeat: (seat: number | null) => void, onClose: () => void }} props
 */
export function SeatsDialog({ match, table, description, onSeat, onClose }) {
    const [about, error, again] = useLoaded(() => api.match(match), [match, JSON.stringify(table.seats)]);
    return html`<${Dialog} title=${t("seats-and-links")} onClose=${onClose} wide>
        <p class="quiet">${t("links-about")}</p>
        ${about ? html`<${SeatRows} match=${match} seats=${about.seats} owner=${table.owner} viewer=${table.seat} description=${description} onSeat=${onSeat} onChange=${again} />` : html`<${Waiting} error=${error} again=${again} />`}
        <p class="quiet small">${t("share-address")}</p>
    <//>`;
}
