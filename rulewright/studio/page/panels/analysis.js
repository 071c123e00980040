// What many matches show: of bots that play now, and of people who have played; each thing with the line it is about.

import { html } from "/web/html.js";
import { Amount, Strength } from "../amount.js";
import { placeOf } from "./table.js";

/** @import { FieldEvent, FormEvent } from "/web/types.d.ts" @import { Props } from "../studio.js" @import { Analysed, Clumsy, Playtested } from "../types.d.ts" */

/** @param {Props} props */
export function AnalysisPanel({ studio }) {
    const { asked, analysed, playtested } = studio;
    const { bots, matches, records } = asked.value;
    const found = analysed.value;
    const play = () => studio.begin(analysed, { running: true }, {}, "analyse", { bots, number: matches });
    const read = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        studio.begin(playtested, { running: true }, {}, "playtests", { records });
    };
    return html`<section class="padded" aria-label="Matches of bots"><h3 class="list-title">Matches of bots</h3>
            <${Strength} studio=${studio} label="who plays all seats" id="analysis-bots" bot=${bots} onBot=${(/** @type {string} */ bot) => studio.ask({ bots: bot })} />
            <${Amount} studio=${studio} name="matches" label="matches of each part" least=${10} most=${10000} />
            <div class="row"><button type="button" class="slim main" disabled=${found.running || studio.isBroken} onClick=${play}>Analyse</button>
            ${found.running && html`<button type="button" class="slim" onClick=${() => studio.stop(analysed, "analysed")}>Stop</button>`}</div>
            <${Progress} found=${found} />
            <${Shown} studio=${studio} found=${found} /></section>
        <section class="padded" aria-label="Playtests with people"><h3 class="list-title">Playtests with people</h3>
            <form class="row" onSubmit=${read}><label>records in the folder <input value=${records} required onInput=${(/** @type {FieldEvent} */ event) => studio.ask({ records: event.currentTarget.value })} /></label>
            <button class="slim main" disabled=${playtested.value.running || studio.isBroken}>Read them</button></form>
            <${People} studio=${studio} found=${playtested.value} /></section>`;
}

/** @param {{ found: Analysed }} props */
function Progress({ found }) {
    const { running, ended, failed, matches = 0, number = 0, part = "", part_number = 0, parts = 1 } = found;
    if (failed) {
        return html`<p class="note bad" role="alert">${failed}</p>`;
    }
    if (!running) {
        return ended ? html`<p class="note warm" role="status">${ended}</p>` : null;
    }
    const inPart = number && part_number === 0 ? matches / number : 0;
    return html`<label class="progress">${part ? `playing ${part}` : "the first matches are being played"} <progress max=${parts} value=${part_number + inPart}></progress></label>`;
}

/** That files were edited since what is shown was played. @param {Props & { version?: number }} props */
export function Stale({ studio, version }) {
    const edits = studio.followed.value && studio.files.version;
    return version !== undefined && version !== edits && html`<p class="note warm">Files were edited since: this is of the rules as they were then.</p>`;
}

/** @param {Props & { found: Analysed }} props */
function Shown({ studio, found }) {
    const { matches = 0, headlines = [], shown = [], choices = [], faults = [], too_few, page, page_missing, running } = found;
    if (!matches && !faults.length) {
        return null;
    }
    return html`<${Stale} studio=${studio} version=${found.version} /><p role="status"><b>${matches} ${matches === 1 ? "match" : "matches"}</b>, ${shown.length ? `${shown.length} ${shown.length === 1 ? "finding" : "findings"}` : too_few ? "too few for findings" : running ? "no finding yet" : "nothing stands out"}.</p>
        <ul class="list">${shown.map(({ text, place, plain }) => html`<li key=${text}><${AtLine} studio=${studio} place=${place} severity="warning">${text.replaceAll("`", "")}${plain && " (between random bots)"}<//></li>`)}</ul>
        ${faults.map(({ text, seeds }) => html`<p class="bad-text">${seeds} of the matches ${seeds === 1 ? "fails" : "fail"}: ${text}</p>`)}
        ${headlines.length > 0 && html`<table class="figures"><tbody>${headlines.map(([label, value, between]) => html`<tr key=${label}><th scope="row">${label}</th><td>${value}</td><td class="quiet">${between}</td></tr>`)}</tbody></table>`}
        ${choices.length > 0 && html`<details class="cells"><summary>How often each choice is taken where it is offered</summary>
            <table class="figures"><tbody>${choices.map(({ name, offered, taken, place }) => html`<tr key=${name}><th scope="row"><${AtLine} studio=${studio} place=${place}>${name}<//></th><td>${Math.round((100 * taken) / offered)} %</td><td class="quiet">${taken} of ${offered}</td></tr>`)}</tbody></table></details>`}
        ${page && html`<p><button type="button" class="slim" onClick=${() => save(page, `${studio.name}-analysis.html`)}>Save the page with pictures</button></p>`}
        ${page_missing && html`<p class="quiet">${page_missing}</p>`}`;
}

/** A button that leads to a line; a text where there is none. @param {Props & { place: string | null, severity?: string, children?: unknown }} props */
function AtLine({ studio, place, severity, children }) {
    const [path, line] = placeOf(place, studio.name);
    const known = path && studio.files.file(path);
    if (severity) {
        return known ? html`<button type="button" class="finding" data-severity=${severity} onClick=${() => studio.goToLine(path, line)}>${children} <small>${path}:${line}</small></button>` : html`<p class="finding" data-severity=${severity}>${children}</p>`;
    }
    return known ? html`<button type="button" class="plain link" title=${`${path}:${line}`} onClick=${() => studio.goToLine(path, line)}>${children}</button>` : html`<span>${children}</span>`;
}

/** Lets the browser keep a page. @param {string} text @param {string} name */
function save(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What records of playtests show. @param {Props & { found: Playtested }} props */
function People({ studio, found }) {
    const { all, first = [], versions = [], between = [], unread = [], failed, running } = found;
    if (failed) {
        return html`<p class="note bad" role="alert">${failed}</p>`;
    }
    if (!all) {
        return html`<p class="quiet" role="status">${running ? "The records are being read…" : "People leave records at a link for testers, on the panel Publish, or at `rulewright serve --playtest`."}</p>`;
    }
    const of = versions.length > 1 ? `${versions.length} versions of the rules` : versions[0]?.present ? "the present rules" : "other rules than the present ones";
    return html`<p role="status"><b>${all.matches} ${all.matches === 1 ? "match" : "matches"}</b> of ${of}, ${all.agreed} of ${all.seats} seats agreed, median of ${all.minutes.toFixed(1)} minutes.</p>
        ${first.map((text) => html`<p>${text.replaceAll("`", "")}</p>`)}
        ${unread.map((text) => html`<p class="bad-text">${text}</p>`)}
        ${between.map((text) => html`<h4>Between versions</h4><pre class="recorded">${text}</pre>`)}
        ${all.clauses.length > 0 && html`<h4>Where they were refused, or asked why not</h4><ul class="list">${all.clauses.map((one) => html`<li key=${one.clause}><${AtLine} studio=${studio} place=${one.place} severity="warning"><b>${one.clause ?? "what no clause says"}</b> ${one.heading}: ${stumbles(one, all.matches)}
            ${Object.entries(one.conditions).slice(0, 3).map(([text, times]) => text && html`<small class="help">${times} × ${text}</small>`)}<//></li>`)}</ul>`}
        ${all.actions.length > 0 && html`<h4>What was thought about</h4><table class="figures"><thead><tr><th scope="col">action</th><th scope="col">choices</th><th scope="col">median</th><th scope="col">90 %</th><th scope="col">taken back</th><th scope="col">hints</th></tr></thead>
            <tbody>${all.actions.map(({ action, times, median, ninetieth, undone, hints, place }) => html`<tr key=${action}><th scope="row"><${AtLine} studio=${studio} place=${place}>${action}<//></th><td>${times}</td><td>${median.toFixed(1)} s</td><td>${ninetieth.toFixed(1)} s</td><td>${undone}</td><td>${hints}</td></tr>`)}</tbody></table>`}
        ${all.marks.length > 0 && html`<h4>Marks</h4><ul class="list">${all.marks.map(({ match, entry, action, text, place }) => html`<li><${AtLine} studio=${studio} place=${place} severity="good">${text || "–"} <small>${action ? `after ${action}` : "before the first choice"}, entry ${entry} of ${match}</small><//></li>`)}</ul>`}
        ${all.answers.map(({ question, numbers, median, texts }) => html`<h4 key=${question}>${question}</h4><p>${numbers > 0 && `${numbers} ${numbers === 1 ? "number" : "numbers"}, median ${median}. `}${counted(texts).map(([text, times]) => html`<q>${text}</q>${times > 1 && ` ${times} times`} `)}</p>`)}`;
}

/** Texts with how often each was said, the most frequent first. @param {string[]} texts */
function counted(texts) {
    /** @type {Map<string, number>} */
    const times = new Map();
    for (const text of texts) {
        times.set(text, (times.get(text) ?? 0) + 1);
    }
    return [...times].sort(([, a], [, b]) => b - a);
}

/** @param {Clumsy} one @param {number} of */
const stumbles = ({ refused, asked, players, matches }, of) => `${refused} ${refused === 1 ? "refusal" : "refusals"}, ${asked} ${asked === 1 ? "question" : "questions"} of ${players} ${players === 1 ? "player" : "players"} in ${matches} of ${of} ${of === 1 ? "match" : "matches"}`;
