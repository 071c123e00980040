// What checks and exploration find, each that has a match with a button that opens it at the table.

import { html } from "/web/html.js";
import { Amount } from "../amount.js";
import { placeOf } from "./table.js";

/** @import { Props } from "../studio.js" @import { CheckFinding, Explored } from "../types.d.ts" */

/** @param {Props} props */
export function ChecksPanel({ studio }) {
    const { connection } = studio;
    const checked = studio.checked.value;
    const explored = studio.explored.value;
    const play = () => {
        studio.begin(studio.checked, { running: true }, {}, "check", { seconds: studio.asked.peek().seconds });
    };
    const explore = () => {
        studio.begin(studio.explored, { running: true }, {}, "explore", { seconds: studio.asked.peek().seconds });
    };
    return html`<div class="panel-bar"><button type="button" class="slim" disabled=${checked.running} onClick=${play}>Check with play</button>
            <button type="button" class="slim" disabled=${explored.running} onClick=${explore}>Explore every position</button>
            ${explored.running && html`<button type="button" class="slim" onClick=${() => {
                studio.explored.value = {};
                connection.tell("stop", { what: "explored" });
            }}>Stop</button>`}</div>
        <${Amount} studio=${studio} name="seconds" label="the longest that is played or explored" least=${1} most=${600} unit="seconds" />
        <h3 class="list-title">Checks</h3>
        <${CheckStatus} studio=${studio} />
        <${Findings} studio=${studio} findings=${checked.findings ?? []} />
        <h3 class="list-title">Exploration</h3>
        ${!explored.findings && !explored.running && !explored.failed && html`<p class="quiet">Goes through all positions that can be reached, for as long as is said above at most.</p>`}
        <${ExploreStatus} found=${explored} what=${explored.positions ? `${explored.positions} positions, ${explored.exhaustive ? "all that there are" : "not all that there are"}` : ""} />
        <${Findings} studio=${studio} findings=${explored.findings ?? []} />
        ${explored.unseen && explored.unseen.length > 0 && html`<p class="quiet">Not seen: ${explored.unseen.join(", ")}${explored.exhaustive ? "" : " (this proves nothing)"}</p>`}`;
}

/** How far the checks are, and which kind of them. @param {Props} props */
function CheckStatus({ studio }) {
    const found = studio.checked.value;
    if (found.failed) {
        return html`<p class="note bad">${found.failed}</p>`;
    }
    if (found.running) {
        return html`<p class="quiet" role="status">The game is checked and played at random, for at most a minute…</p>`;
    }
    if (!found.findings) {
        return html`<p class="quiet" role="status">${studio.isBroken ? "The game is checked when the rules have no mistakes." : "The game is being checked…"}</p>`;
    }
    const checks = `${found.checks} ${found.checks === 1 ? "check" : "checks"}`;
    const said = found.findings.length ? `${checks}, ${found.findings.length} ${found.findings.length === 1 ? "finding" : "findings"}` : `${checks}, no findings`;
    const left = found.left?.length ? ` There was no time for ${found.left.join(", ")}.` : "";
    const more = found.more ? ` ${found.more} more are under way.` : "";
    const unplayed = !found.played && !found.more ? " “Check with play” plays random matches too." : "";
    return html`<p class="quiet" role="status">${said}${found.allowed ? ` (and ${found.allowed} that the game allows)` : ""}.${more}${left}${unplayed}${studio.isBroken ? " This is as of the last text without mistakes." : ""}</p>`;
}

/** @param {{ found: Explored, what: string }} props */
function ExploreStatus({ found, what }) {
    if (found.failed) {
        return html`<p class="note bad">${found.failed}</p>`;
    }
    if (found.running) {
        return html`<p class="quiet" role="status">Under way…</p>`;
    }
    return found.findings ? html`<p class="quiet" role="status">${found.findings.length ? `${found.findings.length} ${found.findings.length === 1 ? "finding" : "findings"}` : "No findings"} in ${what}.</p>` : null;
}

/** @param {Props & { findings: CheckFinding[] }} props */
function Findings({ studio, findings }) {
    return html`<ul class="list">${findings.map((one, number) => {
        const [path, line] = placeOf(one.place, studio.name);
        const match = /^(\d+) seats?, seed (\d+)$/.exec(one.match ?? "");
        return html`<li key=${number}><button type="button" class="finding" data-severity=${one.severity} onClick=${() => path && studio.goToLine(path, line)}>
                <b>${one.code}</b> ${one.message} <small>${path}${line ? `:${line}` : ""}</small>
                ${one.help && html`<small class="help">help: ${one.help}</small>`}
                ${one.words && html`<small class="help">path: ${one.words.length ? one.words.slice(-8).join(" · ") : "at the start"}</small>`}
            </button>
            ${match && html`<button type="button" class="slim" onClick=${() => studio.openFault(Number(match[1]), Number(match[2]))}>Open the match</button>`}
            ${one.log && html`<button type="button" class="slim" onClick=${() => studio.takeUp(one.log ?? "", "the position of the finding")}>Open the position</button>`}</li>`;
    })}</ul>`;
}
