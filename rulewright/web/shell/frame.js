// The table with all that is around it; the same for a match at a server and for one in this page.

import { html, useEffect, useRef, useState } from "../html.js";
import { label, t } from "../i18n.js";
import { notationOf } from "../match/notation.js";
import { Table } from "../table/table.js";
import { lastTurn } from "../table/trails.js";
import { Guarded } from "./guarded.js";
import { Guide } from "./guide.js";
import { Bar, IconButton } from "./header.js";
import { AskHint, HintPanel } from "./hint.js";
import { Icon } from "./icons.js";
import { useKeys } from "./keys.js";
import { MatchMenu } from "./match_menu.js";
import { Moment, stepIn } from "./moments.js";
import { outcomeOf } from "./outcome.js";
import { nameAt, Players, seatName } from "./players.js";
import { AskUndo, Proposals, takeBack } from "./proposals.js";
import { Provenance } from "./provenance.js";
import { Replay, ReplayBackend } from "./replay.js";
import { endedBy, Result } from "./result.js";
import { RulesPanel } from "./rules_panel.js";
import { confirming, planning, sole } from "./settings.js";
import { watchSounds } from "./sounds.js";
import { Trouble } from "./trouble.js";
import { asked, watchTurn } from "./turn_watch.js";
import { ViewTitle } from "./view_title.js";

/** @import { Backend, Description, FieldEvent, Position, TableState } from "../types.d.ts" */
/** @import { Clock } from "./clock.js" @import { Companion as Asking } from "./companion.js" @import { WayOut } from "./giving_up.js" */
/** @typedef {{ logAddress?: string | false, onLog?: () => void, notation?: () => string | Promise<string> }} LogProps where the log is, or what downloads it, and what is copied of it */
/** @typedef {LogProps & { waysOut?: WayOut[], onOpenLog?: (event: FieldEvent) => void, onNew?: () => void }} MenuProps */

/**
 * @typedef {object} Around what is around the table
 * @property {Backend} backend
 * @property {() => Promise<DocumentFragment>} rules loads the rulebook; `rulesKeys` say of what
 * @property {unknown[]} rulesKeys
 * @property {typeof Asking} [companion] draws what the referee of a physical table asks
 * @property {unknown} [home] what leads away from the table
 * @property {unknown} [connection] what is said of the connection to a server
 * @property {typeof Clock} [clock] draws the clock of a seat
 * @property {unknown} [tools]
 * @property {{ Button: (props: any) => unknown, Panel: (props: any) => unknown }} [talk] what is said at the table of a server
 * @property {unknown} [notices] ways of giving notice, for the settings; `notify` is one
 * @property {(title: string, text: string) => void} [notify]
 * @property {false | (() => void)} [onRematch]
 * @property {string | null} [rematch]
 * @property {typeof Replay | ((props: Parameters<typeof Replay>[0]) => unknown)} [replay] draws the replay
 */

/** @param {Around & MenuProps} props */
export function Frame({ backend, companion: Companion, rules, rulesKeys, home, connection, clock, tools, talk, notices, notify, waysOut, logAddress, onLog, notation, onOpenLog, onNew, onRematch, rematch, replay: Past = Replay }) {
    const [side, setSide] = useState(/** @type {{ mark: string | null } | "talk" | null} */ (null));
    const [past, setPast] = useState(/** @type {{ backend: ReplayBackend, plays: boolean } | null} */ (null));
    useEffect(() => watchTurn(backend, notify), [backend]);
    useEffect(() => watchSounds(backend), [backend]);
    const { description } = backend;
    const position = backend.position.value;
    const lookBack = (/** @type {number} */ seq, plays = false, /** @type {number | null} */ seat = null) => setPast({ backend: new ReplayBackend(backend, seq, seat), plays });
    const togglePast = () => (past ? setPast(null) : lookBack(backend.entries.peek().length));
    const turn = lastTurn(backend.entries.value);
    const lookAgain = () => turn !== null && lookBack(turn, true);
    const openRule = (/** @type {string} */ mark) => setSide({ mark });
    const clause = side === "talk" ? null : side;
    const toggleRules = () => setSide(clause ? null : { mark: null });
    const toggleTalk = () => setSide(side === "talk" ? null : "talk");
    useKeys({
        u: () => takeBack(backend),
        r: toggleRules,
        p: togglePast,
        l: lookAgain,
        ...(talk && { c: toggleTalk }),
        t: () => document.getElementById("table")?.focus(),
    });
    const shown = past?.backend ?? backend;
    const drawn = description && shown.position.value;
    const names = backend.table.value?.seats.map(seatName);
    const ready = description && position;
    const outcome = outcomeOf(backend.table.value, position);
    useStepOfAddress(Boolean(ready), (seq, seat) => lookBack(seq, false, outcome && (seat ?? 0) < (names?.length ?? 0) ? seat : null));
    const log = { logAddress, onLog, notation: notation && (async () => notationOf(await notation())) };
    const menu = { waysOut, ...log, onOpenLog, onNew };
    return html`<${Bar} home=${home} notices=${notices} tools=${html`
                <${IconButton} name=${t("rules")} icon="book" aria-expanded=${clause !== null} onClick=${toggleRules} />
                <${IconButton} name=${t("replay")} icon="replay" aria-pressed=${!!past} onClick=${togglePast} />
                ${talk && html`<${talk.Button} backend=${backend} open=${side === "talk"} onToggle=${toggleTalk} />`}
                ${tools}
                <${MatchMenu} backend=${backend} ...${menu} />`}>
            <${ViewTitle}>${description?.title ?? ""}<//>
            ${ready && html`<${Turn} backend=${backend} description=${description} position=${position} />`}
        <//>
        <main id="main" class=${`match${side ? " with-side" : ""}${past ? " in-past" : ""}`} tabindex="-1">
            <div class="around">
                ${connection}
                <${Trouble} backend=${backend} />
                ${ready && html`<${Players} backend=${backend} position=${shown.position.value} clock=${past ? null : clock} replaying=${!!past} />`}
                ${!past && html`<${Proposals} backend=${backend} />${Companion && html`<${Companion} backend=${backend} />`}`}
                ${past && html`<${Past} key=${past.backend} backend=${past.backend} plays=${past.plays} onClose=${() => setPast(null)} />`}
                ${ready && !past && outcome && html`<${Result} backend=${backend} position=${position} outcome=${outcome} openRule=${openRule} onReplay=${() => lookBack(0)} ...${{ onRematch, rematch, ...log }} />`}
                ${ready && !past && !outcome && html`<${Guide} backend=${backend} openRule=${openRule} />`}
                ${ready && !past && html`<${HintPanel} backend=${backend} />`}
                <section id="table" class="the-table" aria-label=${t("table")} tabindex="-1">
                    ${drawn && html`<${Guarded} news=${shown.position.value}><${Table} key=${past ? "past" : "now"} backend=${shown} openRule=${openRule} names=${names} confirming=${confirming.value} planning=${planning.value} sole=${sole.value} still=${!!past} outcome=${past ? null : outcome} ended=${!past && outcome && outcome.by !== "rules" ? endedBy(backend.table.value, outcome) : ""} moment=${(/** @type {{ first: number, last: number }} */ range) => html`<${Moment} backend=${backend} ...${range} onLook=${lookBack} />`}
                        helps=${!past && html`<${AskUndo} backend=${backend} /><${AskHint} backend=${backend} />${turn !== null && html`<${LastTurn} onLook=${lookAgain} />`}`} /><//>`}
                    ${!drawn && html`<p class="quiet waiting-for"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`}
                </section>
                ${ready && html`<${Provenance} entries=${description.provenance} game=${description} />`}
            </div>
            ${side === "talk" && talk && html`<${talk.Panel} backend=${backend} onClose=${() => setSide(null)} />`}
            ${clause && html`<${RulesPanel} load=${rules} keys=${rulesKeys} clause=${clause} onClose=${() => setSide(null)} />`}
        </main>`;
}

/** Shows the last turn again. @param {{ onLook: () => void }} props */
function LastTurn({ onLook }) {
    return html`<button type="button" class="slim last-turn" aria-label=${t("last-turn")} title=${t("last-turn")} onClick=${onLook}>
        <${Icon} name="replay" /><span class="in-full">${t("last-turn")}</span></button>`;
}

/** The part of the address that was followed last: who takes the seat at this device is not led there again. */
let seen = "";

/**
 * Shows the step that the address of the page names, when there is a position, and whenever the address changes.
 * @param {boolean} ready
 * @param {(seq: number, seat: number | null) => void} show
 */
function useStepOfAddress(ready, show) {
    const latest = useRef(show);
    latest.current = show;
    useEffect(() => {
        const look = () => {
            const found = stepIn(location.hash);
            seen = location.hash;
            found && latest.current(found.seq, found.seat);
        };
        ready && location.hash !== seen && look();
        addEventListener("hashchange", look);
        return () => removeEventListener("hashchange", look);
    }, [ready]);
}

/** Whose turn it is, in few words. @param {{ backend: Backend, description: Description, position: Position }} props */
function Turn({ backend, description, position }) {
    const table = backend.table.value;
    const ended = outcomeOf(table, position) !== null;
    const { phases, rotating = [] } = description;
    // Where turns go round in one phase alone, its name says nothing: it is a turn.
    const only = rotating.length === 1 && phases.length <= 3 && rotating[0] === phases[position.phase];
    const phase = only ? "" : label(phases[position.phase] ?? "", description);
    const text = backend.chance?.value ? t("companion-asks") : turnText(table, position);
    return html`<p class="turn"><span class=${asked(position) && !ended ? "chip turn" : "chip"}>${ended ? t("match-over") : text}</span>
        ${phase && !ended && html`<span class="phase quiet">${phase}</span>`}</p>`;
}

/** @param {TableState | null} table @param {Position} position */
function turnText(table, position) {
    if (asked(position)) {
        return t("your-turn");
    }
    if (typeof position.asked === "number") {
        return t("turn-of", { name: nameAt(table, position.asked) });
    }
    if (position.together) {
        return t("all-choose");
    }
    const [seat] = position.waiting;
    return seat === undefined ? t("referee-goes-on") : t("turn-of", { name: nameAt(table, seat) });
}
