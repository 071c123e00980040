// The table with all that is around it; the same for a match at a server and for one in this page.

import { html, useEffect, useMemo, useState } from "../html.js";
import { label, t } from "../i18n.js";
import { Table } from "../table/table.js";
import { Story } from "../table/story.js";
import { complain } from "./announce.js";
import { Companion } from "./companion.js";
import { Connected } from "./connected.js";
import { Header, IconButton } from "./header.js";
import { useKeys } from "./keys.js";
import { MatchMenu } from "./match_menu.js";
import { ViewTitle } from "./navigation.js";
import { asked, watchTurn } from "./notices.js";
import { nameAt, Players } from "./players.js";
import { Proposals, UndoButton, takeBack } from "./proposals.js";
import { Replay, ReplayBackend } from "./replay.js";
import { Result } from "./result.js";
import { RulesPanel } from "./rules_panel.js";
import { moving } from "./settings.js";

/**
 * @param {object} props
 * @param {object} props.backend
 * @param {() => Promise<DocumentFragment>} props.rules loads the rulebook; `rulesKeys` say of what
 */
export function Frame({ backend, rules, rulesKeys, home = true, tools, settings, logAddress, onLog, onRematch, rematch, onLeave }) {
    const [side, setSide] = useState(wide() ? "story" : null);
    const [clause, setClause] = useState({ mark: null });
    const [past, setPast] = useState(null);
    useEffect(() => watchTurn(backend), [backend]);
    const { description } = backend;
    const position = backend.position.value;
    const replay = (seq = null) => setPast(new ReplayBackend(backend, seq ?? backend.entries.peek().length));
    const toggle = (name) => setSide((old) => (old === name ? null : name));
    const openRule = (mark) => {
        setClause({ mark });
        setSide("rules");
    };
    useKeys({
        u: () => takeBack(backend),
        r: () => toggle("rules"),
        s: () => toggle("story"),
        p: () => (past ? setPast(null) : replay()),
        t: () => document.getElementById("table")?.focus(),
    });
    const shown = past ?? backend;
    const seek = (seq) => (past ? past.seek(seq) : replay(seq));
    const story = useMemo(() => html`<${Story} backend=${backend} openRule=${openRule} onSeek=${seek} />`, [backend, past]);
    const ready = description && position;
    return html`<${Header} home=${home} settings=${settings} tools=${html`
                <${IconButton} name=${t("story")} icon="story" aria-expanded=${side === "story"} onClick=${() => toggle("story")} />
                <${IconButton} name=${t("rules")} icon="book" aria-expanded=${side === "rules"} onClick=${() => toggle("rules")} />
                <${IconButton} name=${t("replay")} icon="replay" aria-pressed=${Boolean(past)} onClick=${() => (past ? setPast(null) : replay())} />
                ${tools}
                <${MatchMenu} backend=${backend} ...${{ logAddress, onLog, onLeave }} />`}>
            <${ViewTitle} title=${description?.title}>${description?.title ?? ""}<//>
            ${ready && html`<${Turn} backend=${backend} position=${position} />`}
        <//>
        <main id="main" class=${`match${side ? " with-side" : ""}${past ? " in-past" : ""}`} tabindex="-1">
            <div class="around">
                <${Connected} backend=${backend} />
                ${ready && html`<${Players} backend=${backend} position=${(past ?? backend).position.value} replaying=${Boolean(past)} />`}
                ${!past && html`<${Proposals} backend=${backend} /><${Companion} backend=${backend} />`}
                ${past && html`<${Replay} backend=${past} onClose=${() => setPast(null)} />`}
                ${ready && !past && position.over && html`<${Result} backend=${backend} openRule=${openRule} onReplay=${() => replay(0)} ...${{ onRematch, rematch, logAddress, onLog }} />`}
                <section id="table" class="the-table" aria-label=${t("table")} tabindex="-1">
                    ${ready && html`<${Table} key=${past ? "past" : "now"} backend=${shown} openRule=${openRule} moving=${moving} onError=${complain} />`}
                    ${!ready && html`<p class="quiet waiting-for"><span class="spinner" aria-hidden="true"></span>${t("loading")}</p>`}
                </section>
                ${ready && !past && html`<${UndoButton} backend=${backend} />`}
            </div>
            ${side === "story" && html`<aside class="panel story" aria-label=${t("story")}>
                <header><h2>${t("story")}</h2><${IconButton} name=${t("close")} icon="close" onClick=${() => setSide(null)} /></header>
                <div class="inside">${ready && story}</div>
            </aside>`}
            ${side === "rules" && html`<${RulesPanel} load=${rules} keys=${rulesKeys} clause=${clause} onClose=${() => setSide(null)} />`}
        </main>`;
}

const wide = () => globalThis.matchMedia?.("(min-width: 64rem)").matches ?? true;

/** Whose turn it is, in few words. */
function Turn({ backend, position }) {
    const table = backend.table.value;
    const phase = label(backend.description.phases[position.phase] ?? "", backend.description);
    return html`<p class="turn"><span class=${asked(position) ? "chip turn" : "chip"}>${turnText(table, position)}</span>
        ${phase && !position.over && html`<span class="phase quiet">${phase}</span>`}</p>`;
}

function turnText(table, position) {
    if (position.over) {
        return t("match-over");
    }
    if (asked(position)) {
        return t("your-turn");
    }
    if (position.together) {
        return t("all-choose");
    }
    const [seat] = position.waiting;
    return seat === undefined ? t("referee-goes-on") : t("turn-of", { name: nameAt(table, seat) });
}
