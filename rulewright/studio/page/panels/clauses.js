// The clauses of the rulebook: what renders each, how many scenarios execute it, which assert it.

import { html, useState } from "/web/html.js";

/** @import { FieldEvent } from "/web/types.d.ts" @import { Props } from "../studio.js" */
/** @import { ClauseRow, Duty, FileLine } from "../types.d.ts" */

/** @type {Duty[]} */
const DUTIES = ["rendered", "executed", "asserted"];

/** @param {Props} props */
export function ClausesPanel({ studio }) {
    const rows = studio.followed.value.trace;
    const cursor = studio.cursor.value;
    const [sought, setSought] = useState("");
    const [missing, setMissing] = useState(false);
    if (!rows) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The clauses are traced when the rules have no mistakes." : "The clauses are traced when all scenarios have been run…"}</p>`;
    }
    if (!rows.length) {
        return html`<p class="note">The game has no rulebook: <code>clauses:</code> in game.yaml names one, and marks such as <code>§2.1</code> cite it.</p>`;
    }
    const here = rows.filter((row) => isAt(row, `${studio.name}/${cursor.path}`, cursor.line));
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = rows.filter((row) => (!missing || row.missing.length) && words.every((word) => `${row.id} ${row.text}`.toLowerCase().includes(word)));
    const lacking = rows.filter((row) => row.missing.length).length;
    return html`<div class="panel-bar"><label>find <input type="search" value=${sought} placeholder="§2.1, or words" onInput=${(/** @type {FieldEvent} */ event) => setSought(event.currentTarget.value)} /></label>
            <label class="tick"><input type="checkbox" checked=${missing} onChange=${() => setMissing(!missing)} /> only what is missing</label></div>
        <p role="status" class=${`note ${lacking ? "warm" : "good"}`}>${rows.length} clauses; ${lacking ? `${lacking} ${lacking === 1 ? "lacks" : "lack"} something` : "none lacks anything"}. Executed counts scenarios; <code>rulewright trace</code> plays at random too.${studio.isBroken ? " This is as of the last text without mistakes." : ""}</p>
        ${here.length > 0 && html`<h3 class="list-title">At the cursor, line ${cursor.line} of ${cursor.path}</h3><ul class="list">${here.map((row) => html`<${Clause} key=${row.id} studio=${studio} row=${row} open=${true} />`)}</ul>`}
        <h3 class="list-title">${missing || words.length ? `${shown.length} of ${rows.length}` : "All clauses"}</h3>
        <ul class="list">${shown.map((row) => html`<${Clause} key=${row.id} studio=${studio} row=${row} open=${false} />`)}</ul>`;
}

/**
 * Whether a line is one of a clause: in the rulebook, in the rules, or of a scenario that asserts it.
 * @param {ClauseRow} row
 * @param {string} file
 * @param {number} line
 */
function isAt(row, file, line) {
    return [row, ...row.sites, ...row.asserted, ...row.failing].some((place) => place.file === file && place.line === line);
}

/** @param {Props & { row: ClauseRow, open: boolean }} props */
function Clause({ studio, row, open }) {
    return html`<li class="traced" data-missing=${row.missing.length > 0}><details open=${open}>
        <summary><b>${row.id}</b> ${row.text} <span class="duties">${DUTIES.filter((duty) => row.asked.includes(duty) || times(row, duty) > 0).map((duty) => html`<span class="chip" data-lacks=${row.missing.includes(duty)}>${row.missing.includes(duty) ? `not ${duty}` : `${duty} ${amount(row, duty)}`}</span>`)}</span></summary>
        <${Places} studio=${studio} title="in the rulebook" places=${[{ ...row, text: row.kind }]} />
        <${Places} studio=${studio} title="rendered by" places=${row.sites} />
        <${Places} studio=${studio} title="asserted by" places=${row.asserted} />
        <${Places} studio=${studio} title="cited by scenarios that fail" places=${row.failing} />
    </details></li>`;
}

/** How often a clause has been met. @param {ClauseRow} row @param {Duty} duty */
const times = (row, duty) => ({ rendered: row.sites.length, executed: row.executed, asserted: row.asserted.length })[duty];

/** @param {ClauseRow} row @param {Duty} duty */
const amount = (row, duty) => (duty === "executed" && row.stands ? "" : times(row, duty));

/** @param {Props & { title: string, places: (FileLine & { text?: string, name?: string })[] }} props */

function Places({ studio, title, places }) {
    if (!places.length) {
        return null;
    }
    return html`<p class="places"><span class="quiet">${title}</span> ${places.map(({ file, line, text, name }) => {
        const path = file.startsWith(`${studio.name}/`) ? file.slice(studio.name.length + 1) : file;
        return html` <button type="button" class="plain link" title=${text ?? ""} onClick=${() => studio.goToLine(path, line)}>${name ?? `${path}:${line}`}</button>`;
    })}</p>`;
}
