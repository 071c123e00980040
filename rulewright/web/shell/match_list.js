// Matches as cards in the lobby.

import * as api from "../api.js";
import { html, useState } from "../html.js";
import { pageLanguage, list, t } from "../i18n.js";
import { complain } from "./announce.js";
import { clockText } from "./clock_text.js";
import { Confirm } from "./dialog.js";
import { Icon } from "./icons.js";
import { go, Link } from "./navigation.js";
import { seatName } from "./players.js";
import { playerName } from "./settings.js";
import { seatColours } from "../table/seat_colours.js";

/** @import { MatchSummary, Trouble } from "../types.d.ts" */
/** @typedef {"mine" | "open" | "watch"} Kind */

/**
 * A list of matches; nothing if it is empty.
 * @param {{ title: string, matches: MatchSummary[] | undefined, kind: Kind, again?: () => void }} props
 */
export function MatchList({ title, matches, kind, again }) {
    const [leaving, setLeaving] = useState(/** @type {MatchSummary[]} */ ([]));
    if (!matches?.length) {
        return null;
    }
    const mineFirst = [...matches].sort((one, other) => urgency(other) - urgency(one));
    const alone = again ? matches.filter(isAlone) : [];
    const botMatches = alone.filter(({ seats }) => seats.some((seat) => seat.kind === "bot"));
    const leave = async () => {
        setLeaving([]);
        // one after the other: each of them is a change that counts
        for (const { match } of leaving) {
            try {
                await api.dismiss(match);
            } catch (error) {
                complain(/** @type {Trouble} */ (error));
                break;
            }
        }
        again?.();
    };
    return html`<section aria-labelledby=${kind}>
        <div class="row apart section-head"><h2 id=${kind}>${title}</h2>
            ${botMatches.length > 1 && html`<button type="button" class="slim" onClick=${() => setLeaving(botMatches)}>${t("dismiss-bots")}</button>`}</div>
        <ul class="matches">${mineFirst.map((match) => html`<li key=${match.match}><${MatchCard} match=${match} kind=${kind} onDismiss=${alone.includes(match) && (() => setLeaving([match]))} /></li>`)}</ul>
        ${leaving.length > 0 && html`<${Confirm} title=${leaving.length > 1 ? t("dismiss-bots") : `${t("dismiss-match")}: ${leaving[0].title}`} danger yes=${t("dismiss-match")}
            text=${t(leaving.length > 1 ? "dismiss-sure" : "dismiss-one-sure")} onYes=${leave} onNo=${() => setLeaving([])} />`}
    </section>`;
}

/** Is it a match that goes on, of nobody else but bots? @param {MatchSummary} match */
const isAlone = ({ status, seats }) => status === "running" && seats.every((seat) => seat.kind === "bot" || seat.mine);

/**
 * The viewer's matches of which the server cannot read any more than their addresses; nothing if there are none.
 * @param {{ matches: string[] | undefined }} props
 */
export function UnreadableMatches({ matches }) {
    return matches && matches.length > 0 && html`<section aria-labelledby="unreadable">
        <div class="section-head"><h2 id="unreadable">${t("unreadable-matches")}</h2></div>
        <ul class="matches">${matches.map((match) => html`<li key=${match}><article class="card match">
            <div class="row apart"><h3>${t("unreadable-match")}</h3><span class="chip">${t("state-unreadable")}</span></div>
            <p class="quiet small">${t("unreadable-about")} <code>${match}</code></p>
        </article></li>`)}</ul>
    </section>`;
}

/** Those that wait for the viewer first, finished ones last. @param {MatchSummary} match */
function urgency(match) {
    return match.waiting ? 2 : match.status === "over" ? 0 : 1;
}

/** @param {{ match: MatchSummary, kind: Kind, onDismiss: false | (() => void) }} props */
function MatchCard({ match, kind, onDismiss }) {
    const clock = clockText(match.clock);
    return html`<article class=${`card match${match.waiting ? " due" : ""}`}>
        <div class="row apart">
            <h3>${match.title}</h3>
            <${State} match=${match} />
        </div>
        <ul class="sitting">${match.seats.map((seat) => html`<li key=${seat.seat} style=${seatColours(match.seat_colours, seat.seat)}>
            <span class="disc" aria-hidden="true"></span><span class=${seat.kind === "open" ? "quiet" : ""}>${seatName(seat)}</span>
        </li>`)}</ul>
        <div class="row apart foot">
            <span class="quiet small">${[clock, ago(match.changed ?? match.made)].filter(Boolean).join(" · ")}</span>
            <span class="row">
                ${onDismiss && html`<button type="button" class="slim" aria-label=${`${t("dismiss-match")}: ${match.title}`} onClick=${onDismiss}>${t("dismiss-match")}</button>`}
                <${Action} match=${match} kind=${kind} />
            </span>
        </div>
    </article>`;
}

/** @param {{ match: MatchSummary }} props */
function State({ match }) {
    if (match.waiting) {
        return html`<span class="chip turn">${t("your-turn")}</span>`;
    }
    if (match.status === "over") {
        const winners = (match.result?.winners ?? []).map((seat) => seatName(match.seats[seat]));
        return html`<span class="chip"><${Icon} name="trophy" />${winners.length ? list(winners) : t("state-over")}</span>`;
    }
    return html`<span class="chip">${t(`state-${match.status}`)}</span>`;
}

/** @param {{ match: MatchSummary, kind: Kind }} props */
function Action({ match, kind }) {
    const address = `/match/${encodeURIComponent(match.match)}`;
    if (kind === "open") {
        return html`<button type="button" class="main slim" onClick=${() => join(match)}>${t("sit-down")}</button>`;
    }
    const text = kind === "watch" ? "watch" : match.status === "over" ? "look-back" : match.waiting ? "play-on" : "open-match";
    return html`<${Link} to=${address} class=${`button slim${match.waiting ? " main" : ""}`} aria-label=${`${t(text)}: ${match.title}`}>${t(text)}<//>`;
}

/** @param {MatchSummary} match */
async function join(match) {
    try {
        await api.join(match.match, null, playerName.peek());
        go(`/match/${encodeURIComponent(match.match)}`);
    } catch (error) {
        complain(/** @type {Trouble} */ (error));
    }
}

/** @type {[unit: "day" | "hour" | "minute", size: number][]} */
const UNITS = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
];

/** How long ago something was, as the viewer says it. @param {string} time */
export function ago(time) {
    const seconds = (Date.now() - Date.parse(time)) / 1000;
    if (!Number.isFinite(seconds)) {
        return "";
    }
    const format = new Intl.RelativeTimeFormat(pageLanguage.value, { numeric: "auto" });
    const found = UNITS.find(([, least]) => seconds >= least);
    return found ? format.format(-Math.floor(seconds / found[1]), found[0]) : format.format(0, "second");
}
