// Scenarios: which do not hold, which run what was edited or the line at the cursor; and recording one from play.

import { html, useRef, useState } from "/web/html.js";
import { attempt, say } from "../notices.js";

/** @import { FieldEvent } from "/web/types.d.ts" @import { RefObject } from "/web/vendor/preact.js" */
/** @import { Props, Studio } from "../studio.js" @import { Recorded, ScenarioResult } from "../types.d.ts" */

/** @param {Props} props */
export function ScenariosPanel({ studio }) {
    const found = studio.followed.value.scenarios;
    const cursor = studio.cursor.value;
    const [all, setAll] = useState(false);
    if (!found) {
        return html`<${Recording} studio=${studio} /><p class="quiet padded" role="status">${studio.isBroken ? "The scenarios are run when the rules have no mistakes." : "The scenarios are being run…"}</p>`;
    }
    const numbered = found.results.map((one, number) => ({ ...one, number }));
    const here = new Set(found.lines[`${studio.name}/${cursor.path}:${cursor.line}`] ?? []);
    const failed = numbered.filter(({ holds }) => !holds);
    const concerned = numbered.filter(({ concerns }) => concerns);
    const atCursor = numbered.filter(({ number }) => here.has(number));
    return html`<${Recording} studio=${studio} />
        <p role="status" class=${`note ${failed.length ? "bad" : "good"}`} data-testid="scenarios">${tally(failed.length, numbered.length)}${found.left ? `, ${found.left} more are being run` : ""}${found.edited ? `; ${concerned.length} ${concerned.length === 1 ? "runs" : "run"} what was edited` : ""}${studio.isBroken ? ", as of the last text without mistakes" : ""}</p>
        <${List} studio=${studio} title="Do not hold" scenarios=${failed} />
        ${found.edited && html`<${List} studio=${studio} title="Run what was edited" scenarios=${concerned.filter(({ holds }) => holds)} />`}
        <${List} studio=${studio} title=${`Run line ${cursor.line} of ${cursor.path}`} scenarios=${atCursor.filter(({ holds }) => holds)} empty=${found.left ? "" : "No scenario runs this line."} />
        <button type="button" class="slim" aria-expanded=${all} onClick=${() => setAll(!all)}>All scenarios</button>
        ${all && html`<${List} studio=${studio} title="All" scenarios=${numbered} />`}`;
}

/** How many scenarios are known not to hold. @param {Studio} studio */
export function failing(studio) {
    return studio.followed.value.scenarios?.results.filter(({ holds }) => !holds).length ?? 0;
}

/** How many of the scenarios do not hold. @param {number} failed @param {number} number */
function tally(failed, number) {
    const scenarios = number === 1 ? "scenario" : "scenarios";
    if (failed) {
        return `${failed} of ${number} ${scenarios} ${failed === 1 ? "does" : "do"} not hold`;
    }
    if (!number) {
        return "There are no scenarios yet";
    }
    return number === 1 ? "1 scenario, which holds" : `${number} ${scenarios}, all hold`;
}

/** @param {Props & { title: string, scenarios: ScenarioResult[], empty?: string }} props */
function List({ studio, title, scenarios, empty = "" }) {
    if (!scenarios.length) {
        return empty ? html`<h3 class="list-title">${title}</h3><p class="quiet">${empty}</p>` : null;
    }
    return html`<h3 class="list-title">${title} <span class="quiet">${scenarios.length}</span></h3>
        <ul class="list">${scenarios.map((one) => html`<li key=${one.path + one.line}>
            <button type="button" class="finding" data-severity=${one.holds ? "good" : "error"} onClick=${() => studio.goToLine(one.path, one.line)}>
                <b>${one.holds ? "holds" : "fails"}</b> ${one.name} <small>${one.path}:${one.line} ${one.cites.join(" ")}</small>
                ${one.failed.map(({ text, hint }) => html`<small class="help">${text}${hint ? ` (${hint})` : ""}</small>`)}
            </button></li>`)}</ul>`;
}

/** A scenario from what was played: its name, from which choice on, and what must hold. @param {Props} props */
function Recording({ studio }) {
    const { match, connection, files } = studio;
    const state = match.state.value;
    const [recorded, setRecorded] = useState(/** @type {Recorded | null} */ (null));
    const [name, setName] = useState("");
    const [since, setSince] = useState(0);
    const [chosen, setChosen] = useState(/** @type {string[] | null} */ (null));
    const [cited, setCited] = useState(/** @type {string[] | null} */ (null));
    const [path, setPath] = useState("scenarios/played.yaml");
    /** The answer that is shown or under way. @type {RefObject<Promise<Recorded | undefined> | null>} */
    const latest = useRef(null);
    if (!state?.choices) {
        return html`<p class="note">Play some choices at the table, and record them here as a scenario.</p>`;
    }
    const ask = async (/** @type {string[] | null} */ which, from = since, called = name, marks = cited) => {
        setChosen(which); // a box follows its press, the text the answer
        setCited(marks);
        const answer = attempt(connection.ask("record", { since: from, name: called || "As it was played", chosen: which, cited: marks }));
        latest.current = answer;
        const found = await answer;
        found && latest.current === answer && setRecorded(found);
        return found;
    };
    if (!recorded) {
        return html`<div class="panel-bar"><button type="button" class="slim main" onClick=${() => ask(null, since, name, null)}>Record a scenario</button>
            <label>from choice <input type="number" min="1" max=${state.choices} value=${since + 1} onInput=${(/** @type {FieldEvent} */ event) => setSince(Math.max(0, Number(event.currentTarget.value) - 1))} /></label>
            <span class="quiet small">of ${state.choices}</span></div>`;
    }
    const kept = chosen ?? recorded.offered.slice(0, 12);
    const marks = cited ?? recorded.cites;
    const toggle = (/** @type {string} */ claim) => {
        const now = kept.includes(claim) ? kept.filter((one) => one !== claim) : recorded.offered.filter((one) => one === claim || kept.includes(one));
        ask(now);
    };
    const cite = (/** @type {string} */ mark) => {
        ask(kept, since, name, recorded.clauses.filter((one) => marks.includes(one) !== (one === mark)));
    };
    const write = async () => {
        // a press takes the focus from the name, and so comes right after the question that the name has changed
        const written = (await latest.current) ?? (await ask(kept));
        if (!written) {
            return;
        }
        const file = files.file(path);
        const before = file ? `${file.text.trimEnd()}\n\n` : "";
        files.create(path, before + written.text);
        studio.editor.open(path);
        studio.goToLine(path, before.split("\n").length);
        say(`The scenario stands in ${path}: save it with Ctrl+S`, "good");
        setName("");
        setRecorded(null);
    };
    const says = (/** @type {string} */ mark) => studio.followed.value.trace?.find(({ id }) => id === mark)?.text ?? "";
    return html`<section class="note" aria-label="Recording a scenario">
        <div class="row"><label>name <input value=${name} placeholder="As it was played" onInput=${(/** @type {FieldEvent} */ event) => setName(event.currentTarget.value)} onChange=${(/** @type {FieldEvent} */ event) => ask(kept, since, event.currentTarget.value)} /></label>
            <label>file <input value=${path} list="scenario-files" onInput=${(/** @type {FieldEvent} */ event) => setPath(event.currentTarget.value)} /></label>
            <datalist id="scenario-files">${files.all.value.filter((file) => file.path.startsWith("scenarios/")).map((file) => html`<option value=${file.path} />`)}</datalist></div>
        ${since > 0 && recorded.whole && html`<p class="quiet">The position before choice ${since + 1} cannot be written as one: the scenario begins where the match began.</p>`}
        <fieldset class="claims"><legend>What must hold</legend>${recorded.offered.map((claim) => html`<label class="tick" key=${claim}><input type="checkbox" checked=${kept.includes(claim)} onChange=${() => toggle(claim)} /><code>${claim}</code></label>`)}</fieldset>
        ${recorded.clauses.length > 0 && html`<details class="cited"><summary>What it is about: ${marks.join(" ") || "no clause"}</summary>
            <p class="quiet small">The clauses of what was chosen, then those of all other rules that ran.</p>
            <fieldset class="claims" aria-label="Clauses that it cites">${recorded.clauses.map((mark) => html`<label class="tick" key=${mark}><input type="checkbox" checked=${marks.includes(mark)} onChange=${() => cite(mark)} /><span>${mark} <small>${says(mark)}</small></span></label>`)}</fieldset></details>`}
        <pre class="recorded">${recorded.text}</pre>
        <p class=${recorded.result.holds ? "quiet" : "note bad"}>${recorded.result.holds ? "It was run, and holds." : `It was run, and does not hold: ${recorded.result.failed.map(({ text }) => text).join("; ")}`}</p>
        <div class="row"><button type="button" class="slim main" onClick=${write}>Write it into the file</button><button type="button" class="slim" onClick=${() => setRecorded(null)}>Cancel</button></div>
    </section>`;
}
