// What has changed in meaning since the last commit, or since another version, and what matches of both show.

import { html, useEffect } from "/web/html.js";
import { Amount, Strength } from "../amount.js";
import { Stale } from "./analysis.js";
import { Figures } from "./numbers.js";

/** @import { SelectEvent } from "/web/types.d.ts" @import { Props } from "../studio.js" @import { Change as Changed, Changes as Found, ScenarioResult } from "../types.d.ts" */

const SIGNS = { added: "+", removed: "−", renamed: "~", changed: "~" };

const COMMIT = "@HEAD";
/** Versions that are offered, by what the server knows them by; others are asked for. */
const VERSIONS = { [COMMIT]: "the last commit", "": "what is saved" };

/** @param {Props} props */
export function ChangesPanel({ studio }) {
    const { old } = studio.asked.value;
    const committed = studio.followed.value.changes;
    useEffect(() => {
        if (old !== COMMIT && !studio.isBroken) {
            studio.begin(studio.differing, { ...studio.differing.peek(), running: true, failed: "" }, {}, "differ", { old });
        }
    }, [old, committed]);
    const { changes, failed, old: of } = studio.differing.value;
    const found = old === COMMIT ? committed : of === old ? changes : undefined;
    return html`<${Version} studio=${studio} old=${old} />
        ${failed && old !== COMMIT ? html`<p class="note bad" role="alert">${failed}</p>` : html`<${Changes} studio=${studio} found=${found} since=${called(old)} />`}
        <${Matches} studio=${studio} old=${old} />`;
}

/** What a version is called. @param {string} old */
const called = (old) => (old === COMMIT || old === "" ? VERSIONS[old] : old);

/** Which version the rules are compared with. @param {Props & { old: string }} props */
function Version({ studio, old }) {
    const choose = (/** @type {SelectEvent} */ { currentTarget }) => {
        const chosen = currentTarget.value;
        currentTarget.value = old;
        if (chosen === OTHER) {
            studio.asking.value = { title: "Compare with", value: old.length > 1 ? old : "@HEAD~1", hint: "a revision such as @v1.0 or @HEAD~1, a folder, a game", act: (written) => written.trim() && studio.ask({ old: written.trim() }) };
        } else {
            studio.ask({ old: chosen });
        }
    };
    const offered = { ...VERSIONS, ...(old in VERSIONS ? {} : { [old]: old }) };
    return html`<div class="panel-bar"><label>compared with <select value=${old} onChange=${choose}>
        ${Object.entries(offered).map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}<option value=${OTHER}>another…</option></select></label></div>`;
}

const OTHER = "other";

/** @param {Props & { found?: Found, since: string }} props */
function Changes({ studio, found, since }) {
    if (!found) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The comparison follows when the rules have no mistakes." : "The versions are being compared…"}</p>`;
    }
    if (!found.changes) {
        return html`<p class="note">There is nothing to compare with: ${found.why}.</p>`;
    }
    if (found.same) {
        return html`<p class="note good" role="status">No change in meaning since ${since}.</p>`;
    }
    const { results = [] } = studio.followed.value.scenarios ?? {};
    return html`<p class="note" role="status">${found.changes.length} ${found.changes.length === 1 ? "thing has" : "things have"} changed in meaning since ${since}.${found.clauses.length ? ` Clauses that are touched: ${found.clauses.join(" ")}.` : ""}${studio.isBroken ? " This is as of the last text without mistakes." : ""}</p>
        <ul class="list">${found.changes.map((change, number) => html`<${Change} key=${number} studio=${studio} change=${change} />`)}</ul>
        <${Traced} studio=${studio} clauses=${found.clauses} results=${results} />`;
}

/** What matches of both versions show, if that is asked for. @param {Props & { old: string }} props */
function Matches({ studio, old }) {
    const { asked, compared } = studio;
    const { bots, pairs, margin } = asked.value;
    const found = compared.value.old === old || compared.value.running ? compared.value : {};
    const { running, failed, ended, played = 0, most = pairs, measures = [], said, note, faults = [], same = 0 } = found;
    const play = () => studio.begin(compared, { running: true, old }, {}, "compare", { old, bots, pairs, margin });
    return html`<section class="padded" aria-label="What matches show"><h3 class="list-title">What matches show</h3>
        <p class="quiet">Matches of ${called(old)} and of the rules as they are now, in pairs with the same chance, until it is known whether they differ.</p>
        <${Strength} studio=${studio} label="who plays all seats" id="compare-bots" bot=${bots} onBot=${(/** @type {string} */ bot) => studio.ask({ bots: bot })} />
        <${Amount} studio=${studio} name="pairs" label="pairs at most" least=${10} most=${100000} />
        <${Amount} studio=${studio} name="margin" label="a difference of the win share that matters" least=${1} most=${50} unit="%" />
        <div class="row"><button type="button" class="slim main" disabled=${running || studio.isBroken} onClick=${play}>Play both</button>
            ${running && html`<button type="button" class="slim" onClick=${() => studio.stop(compared, "compared")}>Stop</button>`}</div>
        ${failed && html`<p class="note bad" role="alert">${failed}</p>`}
        ${ended && !running && html`<p class="note warm" role="status">${ended}</p>`}
        ${running && html`<label class="progress">${played} pairs <progress max=${most} value=${played}></progress></label>`}
        ${measures.length > 0 && html`<${Stale} studio=${studio} version=${found.version} />`}
        ${said && html`<p role="status"><b>${said}</b>${played ? `, after ${played} pairs, of which ${same} ended the same` : ""}${note ? ` (${note})` : ""}</p>`}
        ${measures.length > 0 && html`<${Figures} measures=${measures} now="before" then="now" />`}
        ${faults.map((fault) => html`<p class="bad-text">some matches fail: ${fault}</p>`)}</section>`;
}

/** @param {Props & { change: Changed }} props */
function Change({ studio, change }) {
    const { verb, kind, name, was, facts, lines, clauses } = change;
    const place = change.new;
    const own = place?.file.startsWith(`${studio.name}/`) ? place : null;
    return html`<li class="change" data-verb=${verb}>
        <p><b>${SIGNS[verb]} ${kind} ${own ? html`<button type="button" class="plain link" onClick=${() => studio.goToLine(own.file.slice(studio.name.length + 1), own.line)}>${name}</button>` : name}</b>${was ? `, once ${was}` : ""} <span class="chip">${verb}</span> <small class="quiet">${clauses.join(" ")}</small></p>
        ${facts.map(({ what, old, new: now }) => html`<p class="fact"><code>${what}</code> ${old && html`<del>${old}</del>`} ${now && html`<ins>${now}</ins>`}</p>`)}
        ${lines.length > 0 && html`<pre class="edits">${lines.map(({ sign, text, depth }) => html`<span data-sign=${sign}>${`${sign} ${"  ".repeat(depth)}${text}`}</span>`)}</pre>`}
    </li>`;
}

/** The clauses that the changes touch, with the scenarios that cite them. @param {Props & { clauses: string[], results: ScenarioResult[] }} props */
function Traced({ studio, clauses, results }) {
    if (!clauses.length) {
        return null;
    }
    return html`<h3 class="list-title">Clauses that are touched</h3>
        <ul class="list">${clauses.map((clause) => {
            const citing = results.filter(({ cites }) => cites.includes(clause));
            return html`<li key=${clause}><b>${clause}</b> ${citing.length ? `is cited by ${citing.length} ${citing.length === 1 ? "scenario" : "scenarios"}` : html`<span class="bad-text">no scenario cites it</span>`}
                ${citing.filter(({ holds }) => !holds).map(({ name, path, line }) => html` <button type="button" class="plain link" onClick=${() => studio.goToLine(path, line)}>${name} fails</button>`)}</li>`;
        })}</ul>`;
}
