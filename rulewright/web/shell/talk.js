// What is said at a table: a panel beside the game with phrases in each viewer's language, and free texts.
//
// What others have written is shown as it is, one line, apart from the text around it: no part of it is a link or markup.

import * as api from "../api.js";
import { html, useEffect, useRef, useState } from "../html.js";
import { number, pageLanguage, t } from "../i18n.js";
import { announce, complain, errorText } from "./announce.js";
import { IconButton } from "./header.js";
import { Icon } from "./icons.js";
import { nameAt } from "./players.js";

/** @import { ServerBackend } from "../backend/server.js" @import { Pending, Saying } from "../backend/conversation.js" */
/** @import { FieldEvent, Said, SelectEvent, TableState, TalkRule } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */

/** Phrases, in the order in which they are offered; the server knows the same. */
const PHRASES = ["hello", "luck", "good-move", "thanks", "moment", "your-turn", "sorry", "oops", "well-played", "bye"];
const LONGEST_TEXT = 300;
/** @type {TalkRule["allowed"][]} */
const ALLOWED = ["none", "phrases", "free"];

/** What is allowed at a table; nothing, where nothing is said of it. @param {TableState | null} table */
const ruleOf = (table) => table?.talk ?? { allowed: /** @type {const} */ ("none"), spectators: false };

/** Whether there is anything for this viewer to hear or to say. @param {TableState | null} table */
function isOpen(table) {
    const { allowed, spectators } = ruleOf(table);
    return Boolean(table && (table.owner || (allowed !== "none" && (spectators || table.seat >= 0))));
}

/** @param {{ phrase?: string, text?: string }} said */
const textOf = ({ phrase, text }) => (phrase === undefined ? (text ?? "") : t(`phrase-${phrase}`));

/** @param {TableState | null} table @param {Said} said */
const speakerOf = (table, { name, seat }) => name ?? nameAt(table, seat);

/**
 * The button of the panel, with how much was not read; what is new is read out while the panel is shut.
 * @param {{ backend: ServerBackend, open: boolean, onToggle: () => void }} props
 */
export function TalkButton({ backend, open, onToggle }) {
    const { conversation, table: { value: table } } = backend;
    const heard = conversation.heard.value;
    const known = useRef(-1);
    const own = (/** @type {number} */ seat) => Boolean(table?.seats[seat]?.mine);
    useEffect(() => {
        const last = heard.at(-1);
        if (known.current >= 0 && heard.length > known.current && !open && last && !own(last.seat)) {
            announce(t("says", { name: speakerOf(table, last), text: textOf(last) }));
        }
        known.current = table && backend.position.peek() ? heard.length : -1;
        open && conversation.reading();
    }, [heard, open, Boolean(table)]);
    if (!isOpen(table)) {
        return null;
    }
    const unread = open ? 0 : conversation.unread(own);
    return html`<span class="talk-button"><${IconButton} name=${unread ? t("talk-unread", { number: unread }) : t("talk")} icon="bubble" aria-expanded=${open} onClick=${onToggle} />
        ${unread > 0 && html`<span class="badge" aria-hidden="true">${unread > 9 ? "9+" : number(unread)}</span>`}</span>`;
}

/** @param {{ backend: ServerBackend, onClose: () => void }} props */
export function TalkPanel({ backend, onClose }) {
    const { conversation, table: { value: table } } = backend;
    const { allowed } = ruleOf(table);
    /** @type {RefObject<HTMLElement | null>} */
    const list = useRef(null);
    const said = conversation.heard.value;
    const pending = conversation.pending.value;
    useEffect(() => {
        list.current?.scrollTo(0, list.current.scrollHeight);
    }, [said, pending]);
    const speaks = table && table.seat >= 0 && allowed !== "none";
    return html`<aside class="panel talk" aria-label=${t("talk")}>
        <header><h2>${t("talk")}</h2><${IconButton} name=${t("close")} icon="close" onClick=${onClose} /></header>
        <div class="inside" ref=${list} tabindex="0" role="log" aria-label=${t("talk")}>
            ${said.length === 0 && html`<p class="quiet">${t(allowed === "none" ? "talk-off" : "talk-nothing")}</p>`}
            <ol>${said.map((one, at) => html`<${Line} key=${`${one.at} ${at}`} table=${table} said=${one} />`)}
                ${pending.map((one) => html`<${Unsent} key=${one.key} backend=${backend} pending=${one} />`)}</ol>
        </div>
        <div class="foot">
            ${speaks && html`<${Speak} backend=${backend} free=${allowed === "free"} />`}
            ${table && !speaks && allowed !== "none" && html`<p class="quiet small">${t("talk-spectators-only-read")}</p>`}
            <${Voices} backend=${backend} table=${table} />
            ${table?.owner && html`<${Rule} table=${table} />`}
        </div>
    </aside>`;
}

/** @param {{ table: TableState | null, said: Said }} props */
function Line({ table, said }) {
    const at = new Date(said.at);
    const time = new Intl.DateTimeFormat(pageLanguage.value, { hour: "2-digit", minute: "2-digit", ...(Date.now() - said.at > 72e6 && { day: "numeric", month: "short" }) });
    return html`<li class=${table?.seats[said.seat]?.mine ? "own" : ""}><p class="by"><bdi>${speakerOf(table, said)}</bdi> <time class="quiet" datetime=${at.toISOString()}>${time.format(at)}</time></p>
        <p class="text" dir="auto">${textOf(said)}</p></li>`;
}

/** What was not told to others yet, or could not be sent. @param {{ backend: ServerBackend, pending: Pending }} props */
function Unsent({ backend, pending: { key, saying, failed } }) {
    const { conversation } = backend;
    const again = () => {
        conversation.drop(key);
        conversation.say(saying);
    };
    return html`<li class="own unsent"><p class="text" dir="auto">${textOf(saying)}</p>
        ${failed ? html`<p class="bad small">${t("talk-not-sent")} ${errorText(failed)}</p>
            <div class="row"><button type="button" class="slim" onClick=${again}>${t("try-again")}</button><button type="button" class="slim" onClick=${() => conversation.drop(key)}>${t("dismiss")}</button></div>`
            : html`<p class="quiet small">${t(backend.status.value === "online" ? "talk-sending" : "talk-waits")}</p>`}</li>`;
}

/** @param {{ backend: ServerBackend, free: boolean }} props */
function Speak({ backend, free }) {
    const [text, setText] = useState("");
    const say = (/** @type {Saying} */ saying) => void backend.conversation.say(saying);
    const send = (/** @type {Event} */ event) => {
        event.preventDefault();
        if (text.trim()) {
            say({ text: text.trim() });
            setText("");
        }
    };
    return html`<div class="phrases" role="group" aria-label=${t("phrases")}>${PHRASES.map((phrase) => html`<button type="button" class="slim" key=${phrase} onClick=${() => say({ phrase })}>${t(`phrase-${phrase}`)}</button>`)}</div>
        ${free && html`<form class="row" onSubmit=${send}><input type="text" autocomplete="off" maxlength=${LONGEST_TEXT} dir="auto" value=${text} aria-label=${t("talk-write")} placeholder=${t("talk-write")}
                onInput=${(/** @type {FieldEvent} */ event) => setText(event.currentTarget.value)} />
            <button type="submit" class="main" disabled=${!text.trim()}>${t("send")}</button></form>`}`;
}

/** Whom the viewer hears. @param {{ backend: ServerBackend, table: TableState | null }} props */
function Voices({ backend: { conversation }, table }) {
    const others = table?.seats.filter(({ kind, mine }) => kind === "person" && !mine) ?? [];
    const muted = conversation.muted.value;
    return others.length > 0 && html`<details><summary>${t("talk-mute")}${muted.length > 0 && html` <span class="chip">${number(muted.length)}</span>`}</summary>
        ${others.map(({ seat }) => html`<label class="tick" key=${seat}><input type="checkbox" checked=${muted.includes(seat)} onChange=${() => conversation.mute(seat)} />
            <span><${Icon} name="mute" /><bdi>${nameAt(table, seat)}</bdi></span></label>`)}</details>`;
}

/** What the owner allows. @param {{ table: TableState }} props */
function Rule({ table }) {
    const { allowed, spectators } = ruleOf(table);
    const change = (/** @type {Partial<TalkRule>} */ rule) => api.allowTalk(table.match, rule).catch(complain);
    return html`<details><summary>${t("talk-allowed")}</summary>
        <label class="field"><span>${t("talk-allowed")}</span><select value=${allowed} onChange=${(/** @type {SelectEvent} */ event) => change({ allowed: /** @type {TalkRule["allowed"]} */ (event.currentTarget.value) })}>
            ${ALLOWED.map((value) => html`<option value=${value}>${t(`talk-${value}`)}</option>`)}</select></label>
        ${table.spectators.allowed && html`<label class="tick"><input type="checkbox" checked=${spectators} onChange=${(/** @type {FieldEvent} */ event) => change({ spectators: event.currentTarget.checked })} />
            <span>${t("talk-spectators")}</span></label>`}</details>`;
}
