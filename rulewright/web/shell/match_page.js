// A match at the server: its waiting room, then the table with all that is around it.

import * as api from "../api.js";
import { ServerBackend } from "../backend/server.js";
import { effect, html, useCallback, useEffect, useRef, useState } from "../html.js";
import { described, label, t } from "../i18n.js";
import { complain, errorText } from "./announce.js";
import { ReplayWithBeliefs } from "./beliefs.js";
import { Clock } from "./clock.js";
import { clockText } from "./clock_text.js";
import { Companion } from "./companion.js";
import { Connected } from "./connected.js";
import { Confirm } from "./dialog.js";
import { Frame } from "./frame.js";
import { WAYS_OUT } from "./giving_up.js";
import { HandOver } from "./hand_over.js";
import { IconButton } from "./header.js";
import { Waiting, useLoaded } from "./loading.js";
import { InShort } from "./in_short.js";
import { go, Link } from "./navigation.js";
import { NoticeSettings } from "./notice_settings.js";
import { valueText } from "./option_sets.js";
import { Playtest } from "./playtest.js";
import { Proposals } from "./proposals.js";
import { SeatRows, SeatsDialog } from "./seats.js";
import { Header, Home } from "./server_header.js";
import { loadRules, withLanguage } from "./server_rules.js";
import { TalkButton, TalkPanel } from "./talk.js";
import { giveNotice, TurnNotices } from "./turn_notices.js";
import { ViewTitle } from "./view_title.js";

/** @import { Description, MatchSummary, TableState } from "../types.d.ts" @import { Replay } from "./replay.js" */
/** @typedef {{ seat: number | null, next?: number | null, during?: string }} Own as whom the match is seen */
/** @typedef {{ backend: ServerBackend, match: string }} MatchProps @typedef {MatchProps & { table: TableState }} RoomProps */
/** @typedef {MatchProps & { own: Own, take: (seat: number, during?: string) => void, handOver: (next?: number | null) => void }} AtProps */

/** What was connected before the page was drawn, and whom to. @type {MatchProps & { seat: number | null } | null} */
let early = null;

/** Connects to a match while the words of the page are still on their way. @param {{ match: string, seat: number | null }} route */
export function connect({ match, seat }) {
    early = { match, seat: atFirst(seat), backend: backendOf(match, atFirst(seat)) };
}

/** @param {string} match @param {number | null} seat */
const backendOf = (match, seat) => new ServerBackend({ match, seat, describe: api.description, rematch: api.rematch, hint: api.hint });

/**
 * As whom a page begins: as a spectator, if its address says so, else as the server knows the visitor. Which of several
 * seats is shown is for its player to say, who need not be there.
 * @param {number | null} seat
 */
const atFirst = (seat) => (seat === -1 ? -1 : null);

/** @param {string} match @param {number | null} seat */
function connected(match, seat) {
    const { backend } = early?.match === match && early.seat === seat ? early : { backend: backendOf(match, seat) };
    early = null;
    return backend;
}

/**
 * A match as one of the seats of this visitor (`own.seat`), or handed over to one of them (`own.next`). A player may look
 * while another one of them is asked (`own.during`).
 * @param {{ match: string, seat: number | null }} props
 */
export function MatchPage({ match, seat }) {
    const [backend, setBackend] = useState(/** @type {ServerBackend | null} */ (null));
    const [own, setOwn] = useState(/** @type {Own} */ ({ seat: atFirst(seat) }));
    useEffect(() => {
        const made = connected(match, own.seat);
        const stop = effect(() => void (described.value = made.description));
        setBackend(made);
        return () => {
            stop();
            made.close();
            described.value = null;
        };
    }, [match, own]);
    const take = (/** @type {number} */ chosen, /** @type {string | undefined} */ during) => setOwn({ seat: chosen, during });
    const handOver = (/** @type {number | null} */ next = null) => setOwn({ seat: null, next });
    useEffect(() => {
        // A browser may keep a page that was left as it was, and show it to whoever comes back.
        const shown = (/** @type {PageTransitionEvent} */ event) => event.persisted && handOver();
        addEventListener("pageshow", shown);
        return () => removeEventListener("pageshow", shown);
    }, []);
    return backend && html`<${AtMatch} backend=${backend} match=${match} own=${own} take=${take} handOver=${handOver} />`;
}

/** @param {AtProps} props */
function AtMatch({ backend, match, own, take, handOver }) {
    const table = backend.table.value;
    if (backend.status.value === "closed" && backend.error.value) {
        return html`<${Header} /><main id="main" class="narrow" tabindex="-1">
            <${ViewTitle}>${t("cannot-open")}<//>
            <p>${errorText({ code: backend.error.value })}</p>
            <p><${Link} to="/" class="button">${t("to-lobby")}<//></p>
        </main>`;
    }
    if (!table) {
        return html`<${Header} /><main id="main" class="narrow" tabindex="-1"><${Waiting} error=${resting(backend)} /></main>`;
    }
    if (table.status === "open") {
        return html`<${WaitingRoom} backend=${backend} match=${match} table=${table} onSeat=${() => handOver()} />`;
    }
    return html`<${AtDevice} backend=${backend} match=${match} table=${table} own=${own} take=${take} handOver=${handOver} />`;
}

/**
 * The table for one of the people at this device. Where seats have secrets, nothing of a seat stays on the page, or in
 * it, when another one is asked; what everybody sees is covered until that player is there.
 * @param {AtProps & { table: TableState }} props
 */
function AtDevice({ backend, match, table, own, take, handOver }) {
    const device = table.seat < 0 && table.seats.some(({ mine }) => mine);
    const now = (table.asked ?? []).join();
    const next = device ? (own.next ?? null) : null;
    const asked = next ?? (own.during === now ? null : backend.handover.value);
    const secrets = backend.description?.secrets;
    const leaves = asked !== null && secrets !== false && table.seat >= 0;
    useEffect(() => {
        if (asked !== null && secrets === false) {
            take(asked);
        } else if (leaves && secrets) {
            handOver();
        }
    }, [asked, secrets, leaves]);
    if (leaves) {
        return html`<${Header} /><main id="main" class="narrow" tabindex="-1"><${Waiting} /></main>`;
    }
    const other = secrets ? handOver : take;
    return html`<${Running} backend=${backend} match=${match} table=${table} onSeat=${(/** @type {number | null} */ seat) => (seat === null ? handOver() : other(seat))} />
        <${HandOver} backend=${backend} seat=${device && secrets ? asked : null} onTake=${(/** @type {number} */ seat) => take(seat, seat === next ? now : undefined)} />`;
}

/** Why there is no table yet, if the server has said so; the page tries again by itself. @param {ServerBackend} backend */
const resting = ({ error: { value: code } }) => (code !== null && RESTING.has(code) ? { code } : null);
const RESTING = new Set(["too-costly", "not-available"]);

/** Before the start: who sits where, links to send, an empty seat to take. @param {RoomProps & { onSeat: () => void }} props */
function WaitingRoom({ backend, match, table, onSeat }) {
    const [about, , again] = useLoaded(() => api.match(match), [match, JSON.stringify(table.seats)]);
    const [closing, setClosing] = useState(false);
    const title = backend.description?.title ?? table.title;
    const languages = backend.description?.languages;
    const rules = () => loadRules(table.game, table.seats.length, table.options, languages);
    const rulesAddress = api.rulebookAddress(table.game, table.seats.length, withLanguage(table.options, languages));
    const close = () => api.closeMatch(match).then(() => go("/"), complain);
    return html`<${Header} />
        <main id="main" class="narrow" tabindex="-1">
            <${ViewTitle} title=${title}>${title}<//>
            <p class="quiet">${[t("waiting-for-players"), clockText(about?.clock), about?.hints === false && t("hints-forbidden"), ...optionTexts(about, backend.description)].filter(Boolean).join(" · ")}</p>
            <section class="card part stack" aria-label=${t("players")}>
                <${SeatRows} match=${match} seats=${about?.seats ?? table.seats} owner=${table.owner} description=${backend.description} waiting onChange=${again} onSeat=${onSeat} />
            </section>
            <${Proposals} backend=${backend} />
            ${table.visibility !== "private" && html`<p class="quiet">${t("share-address")}</p>`}
            <${InShort} load=${rules} keys=${[table.game]} />
            <p><a class="button" href=${rulesAddress} target="_blank" rel="noopener">${t("rules")}</a></p>
            ${table.owner && html`<p><button type="button" class="danger" onClick=${() => setClosing(true)}>${t("close-match")}</button></p>`}
            ${closing && html`<${Confirm} title=${t("close-match")} text=${t("close-match-sure")} yes=${t("close-match")} danger onYes=${close} onNo=${() => setClosing(false)} />`}
        </main>`;
}

/** The options that were chosen for a match. @param {MatchSummary | null} about @param {Description | null} description */
function optionTexts(about, description) {
    return Object.entries(about?.options ?? {}).map(([name, value]) => `${label(name, description)}: ${valueText(name, value, description)}`);
}

/**
 * What leads to the rematch, or null while it waits for those who are asked: proposing it, or going to the one that has
 * begun. Whoever has played goes there when it begins.
 * @param {TableState} table
 * @param {string} match
 * @param {(match: string) => void} toMatch
 */
function useRematch(table, match, toMatch) {
    const waits = (table.proposals ?? []).some(({ kind }) => kind === "rematch");
    const own = table.seats.some(({ mine }) => mine);
    const waited = useRef(false);
    const begun = !waits && table.rematch;
    useEffect(() => {
        if (begun && waited.current) {
            toMatch(begun);
        }
        waited.current = own && waits;
    }, [begun, own, waits]);
    const waitsFor = (/** @type {MatchSummary} */ { status, seats }) => status === "open" && seats.some(({ kind, mine }) => kind === "person" && !mine);
    const propose = () => api.rematch(match).then((made) => waitsFor(made) || toMatch(made.match), complain);
    return begun ? () => toMatch(begun) : own && !waits && propose;
}

const TALK = { Button: TalkButton, Panel: TalkPanel };

/** @param {RoomProps & { onSeat: (seat: number | null) => void }} props */
function Running({ backend, match, table, onSeat }) {
    const [seats, setSeats] = useState(false);
    const over = table.status === "over" && !table.companion;
    const toMatch = (/** @type {string} */ other) => go(`/match/${encodeURIComponent(other)}`);
    const rematch = useRematch(table, match, toMatch);
    const rules = () => loadRules(table.game, table.seats.length, table.options, backend.description?.languages);
    const replay = useCallback((/** @type {Parameters<typeof Replay>[0]} */ given) => html`<${ReplayWithBeliefs} match=${match} ...${given} />`, [match]);
    const tools = html`<${IconButton} name=${t("seats-and-links")} icon="people" onClick=${() => setSeats(true)} /><${Playtest} backend=${backend} match=${match} table=${table} />`;
    const notices = html`<${TurnNotices} />${table.seat >= 0 && html`<${NoticeSettings} match=${match} seat=${table.seat} />`}`;
    return html`<${Frame} backend=${backend} rules=${rules} rulesKeys=${[table.game, JSON.stringify(table.options)]} tools=${tools} notices=${notices} notify=${giveNotice}
            home=${html`<${Home} />`} connection=${html`<${Connected} backend=${backend} />`} clock=${Clock} companion=${Companion} waysOut=${WAYS_OUT} replay=${replay}
            logAddress=${over && api.logAddress(match)} notation=${over && (() => api.log(match))} talk=${TALK}
            onRematch=${rematch} rematch=${table.rematch} />
        ${seats && html`<${SeatsDialog} match=${match} table=${table} description=${backend.description} onSeat=${onSeat} onClose=${() => setSeats(false)} />`}`;
}
