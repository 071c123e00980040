// Seats of a match: taking and leaving them, links to copy and to revoke, bots.

import * as api from "../api.js";
import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { Waiting, useLoaded } from "./loading.js";
import { letterOf, seatName } from "./players.js";
import { playerName } from "./settings.js";

/** Links that were made with a match; they are told once, and shown at its waiting room. */
const fresh = new Map();

/** Keeps the links of a new match until its waiting room is there. */
export function keepLinks(match, links = []) {
    links.forEach(({ seat, link }) => fresh.set(`${match} ${seat}`, link));
}

/** The seats of a match with what may be done with each. `waiting`: before the start. */
export function SeatRows({ match, seats, owner, waiting, viewer, onChange, onSeat }) {
    const guest = waiting && !seats.some((seat) => seat.mine) && seats.some(isFree);
    return html`${guest && html`<label class="field"><span>${t("your-name")}</span>
            <input type="text" autocomplete="nickname" maxlength="40" value=${playerName.value} placeholder=${t("name-placeholder")}
                onInput=${(event) => (playerName.value = event.currentTarget.value)} /></label>`}
        <ol class="seat-rows">${seats.map(
        (seat) => html`<li key=${seat.seat} class=${`seat-${seat.seat % 8}`}><${SeatRow} ...${{ match, seat, owner, waiting, viewer, onChange, onSeat }} /></li>`,
    )}</ol>`;
}

const isFree = (seat) => seat.kind === "open" || (seat.kind === "invited" && seat.invitation);

function SeatRow({ match, seat, owner, waiting, viewer, onChange, onSeat }) {
    const [link, setLink] = useState(fresh.get(`${match} ${seat.seat}`) ?? null);
    const act = (request) => request.then((answer) => (answer?.link ? setLink(answer.link) : onChange?.()), complain);
    const free = seat.kind === "open" || seat.kind === "invited";
    const sit = () => onSeat(seat.seat);
    const join = () => api.join(match, seat.seat, playerName.peek().trim()).then(sit, complain);
    const leave = () => api.leave(match, seat.seat).then(() => onSeat(null), complain);
    return html`<span class="disc" aria-hidden="true">${letterOf(seat.seat)}</span>
        <span class="who"><span class="name">${seatName(seat)}</span>
            <span class="state">${seat.mine ? t("you") : seat.kind === "bot" ? t("bot") : free ? t(`state-seat-${seat.kind}`) : t(seat.present ? "present" : "away")}</span></span>
        <span class="row do">
            ${!waiting && seat.mine && seat.seat !== viewer && html`<button type="button" class="main slim" onClick=${sit}>${t("play-here")}</button>`}
            ${waiting && isFree(seat) && html`<button type="button" class="main slim" onClick=${join}>${t("sit-down")}</button>`}
            ${(seat.mine || (owner && free)) && html`<button type="button" class="slim" onClick=${() => act(api.seatLink(match, seat.seat))}><${Icon} name="link" />${t("get-link")}</button>`}
            ${owner && seat.kind !== "bot" && !seat.mine && html`<button type="button" class="slim danger" onClick=${() => act(api.revoke(match, seat.seat))}>${t("revoke-link")}</button>`}
            ${owner && free && html`<button type="button" class="slim" onClick=${() => act(api.seatBot(match, seat.seat, "random"))}>${t("seat-a-bot")}</button>`}
            ${seat.mine && html`<button type="button" class="slim" onClick=${leave}>${t("leave-seat")}</button>`}
        </span>
        ${link && (!waiting || free || seat.mine) && html`<${CopyLink} link=${link} />`}`;
}

/** A link in a field, with a button that copies it. */
export function CopyLink({ link }) {
    const [copied, setCopied] = useState(false);
    const copy = async (event) => {
        const field = event.currentTarget.parentElement.querySelector("input");
        field.select();
        try {
            await navigator.clipboard.writeText(link);
        } catch {
            document.execCommand("copy");
        }
        setCopied(true);
        announce(t("copied"));
    };
    return html`<span class="link-field">
        <input type="text" readonly value=${link} aria-label=${t("seat-link")} onFocus=${(event) => event.currentTarget.select()} />
        <button type="button" onClick=${copy}><${Icon} name="copy" />${t(copied ? "copied" : "copy")}</button>
    </span>`;
}

/** The seats during play. */
export function SeatsDialog({ match, table, onSeat, onClose }) {
    const [about, error, again] = useLoaded(() => api.match(match), [match, JSON.stringify(table.seats)]);
    return html`<${Dialog} title=${t("seats-and-links")} onClose=${onClose} wide>
        <p class="quiet">${t("links-about")}</p>
        ${about ? html`<${SeatRows} match=${match} seats=${about.seats} owner=${table.owner} viewer=${table.seat} onSeat=${onSeat} onChange=${again} />` : html`<${Waiting} error=${error} again=${again} />`}
        <p class="quiet small">${t("share-address")}</p>
    <//>`;
}

/**
 * Who has several seats is told when another one of them is asked, and can go there. While all choose at once,
 * the position does not say who is asked, but the server says whether one of the own seats is.
 */
export function OtherSeat({ backend, match, onSeat }) {
    const position = backend.position.value;
    // At a companion table, whoever holds a seat chooses for the one that is asked.
    const asked = !position || position.over || backend.table.value?.companion || position.waiting.includes(position.seat);
    const [about] = useLoaded(async () => (asked ? null : api.match(match)), [match, asked, asked ? 0 : position.seq]);
    const others = about?.seats.filter((seat) => seat.mine && seat.kind === "person" && seat.seat !== position?.seat) ?? [];
    const other = others.find((seat) => position?.waiting.includes(seat.seat)) ?? (position?.together && about?.waiting ? others[0] : null);
    return !asked && other && html`<div class="banner warm" role="status">
        <p>${t("other-seat", { name: seatName(other) })}</p>
        <button type="button" class="main slim" onClick=${() => onSeat(other.seat)}>${t("play-here")}</button>
    </div>`;
}
