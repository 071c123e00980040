// What has changed in meaning since the last commit.

import { html } from "/web/html.js";

/** @import { Props } from "../studio.js" @import { Change as Changed, ScenarioResult } from "../types.d.ts" */

const SIGNS = { added: "+", removed: "−", renamed: "~", changed: "~" };

/** @param {Props} props */
export function ChangesPanel({ studio }) {
    const found = studio.followed.value.changes;
    if (!found) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The comparison follows when the rules have no mistakes." : "The versions are being compared…"}</p>`;
    }
    if (!found.changes) {
        return html`<p class="note">There is nothing to compare with: ${found.why}.</p>`;
    }
    if (found.same) {
        return html`<p class="note good" role="status">No change in meaning since the last commit.</p>`;
    }
    const { results = [] } = studio.followed.value.scenarios ?? {};
    return html`<p class="note" role="status">${found.changes.length} ${found.changes.length === 1 ? "thing has" : "things have"} changed in meaning since the last commit.${found.clauses.length ? ` Clauses that are touched: ${found.clauses.join(" ")}.` : ""}${studio.isBroken ? " This is as of the last text without mistakes." : ""}</p>
        <ul class="list">${found.changes.map((change, number) => html`<${Change} key=${number} studio=${studio} change=${change} />`)}</ul>
        <${Traced} studio=${studio} clauses=${found.clauses} results=${results} />`;
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
