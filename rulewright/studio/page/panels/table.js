// The panel of the table: who looks, taking back, beginning anew, and the question when rules and match have parted.

import { html, useEffect, useRef, useState } from "/web/html.js";
import { label } from "/web/i18n.js";
import { Table } from "/web/table/table.js";
import { ASKED, REFEREE, SPECTATOR } from "../match.js";
import { attempt, say } from "../notices.js";
import { Players } from "./players.js";

/** @import { FormEvent, SelectEvent } from "/web/types.d.ts" @import { RefObject } from "/web/vendor/preact.js" */
/** @import { Match } from "../match.js" @import { Props } from "../studio.js" @import { Calls, MatchState } from "../types.d.ts" */
/** @typedef {Props & { state: MatchState }} MatchProps */

/** @param {Props} props */
export function TablePanel({ studio }) {
    const { match } = studio;
    const state = match.state.value;
    if (!state || state.log === undefined) {
        return html`<p class="quiet padded">${state?.failed ? `There is no match: ${state.failed}` : "There is no match yet: correct the mistakes in the rules first."}</p>`;
    }
    return html`<${Bar} studio=${studio} state=${state} /><${Players} studio=${studio} state=${state} /><${Parted} studio=${studio} state=${state} />
        ${studio.isBroken && html`<p class="note" role="status">The rules have mistakes now: the table goes on under those from before.</p>`}
        ${studio.isLookBroken && html`<p class="note" role="status">The look has a mistake: the game is shown as it was before.</p>`}
        ${state.failed && html`<p class="note bad" role="alert">${state.failed}</p>`}
        ${state.differs && html`<div class="note">The match was played again under the changed rules. It differs ${match.seesAll.value ? state.differs : state.differs.split(": ")[0]}.
            ${!match.seesAll.value && html`<${Hidden} text=${state.differs} />`}</div>`}
        <${RefusedAt} studio=${studio} />
        <div class="pane-table"><${Table} backend=${match.table} openRule=${(/** @type {string} */ clause) => say(clause)} helps=${null} /></div>`;
}

/** What may name something that the one who looks may not see: shown when it is asked for. @param {{ text: string }} props */
function Hidden({ text }) {
    return html`<details key=${text}><summary>What, as the referee sees it</summary><p>${text}</p></details>`;
}

/** The line that has refused what was tried at the table last. @param {Props} props */
function RefusedAt({ studio }) {
    const [path, line] = placeOf(`${studio.match.refusedAt.value}:1`, studio.name);
    return path && html`<p class="note warm" role="status">Refused by <button type="button" class="plain link" onClick=${() => studio.goToLine(path, line)}>${path}:${line}</button></p>`;
}

/** A name for a viewer. @param {Match} match @param {number} viewer */
export function viewerName(match, viewer) {
    /** @type {Record<number, string>} */
    const named = { [SPECTATOR]: "spectators", [REFEREE]: "everything" };
    return named[viewer] ?? label(match.description.value?.seat_names[viewer] ?? "");
}

/** @param {MatchProps} props */
function Bar({ studio, state }) {
    const { match } = studio;
    const [setting, setSetting] = useState(false);
    const viewers = [...Array(state.seats).keys(), SPECTATOR, REFEREE];
    return html`<div class="panel-bar">
        <label>seen by <select value=${String(match.looking.value)} onChange=${(/** @type {SelectEvent} */ event) => (match.looking.value = event.currentTarget.value === ASKED ? ASKED : Number(event.currentTarget.value))}>
            <option value=${ASKED}>whoever is asked</option>
            ${viewers.map((viewer) => html`<option value=${String(viewer)}>${viewerName(match, viewer)}</option>`)}
        </select></label>
        <button type="button" class="slim" disabled=${!state.choices} title="Alt+Z" onClick=${() => studio.takeBack()}>Take back</button>
        <button type="button" class="slim" aria-expanded=${setting} onClick=${() => setSetting(!setting)}>New match</button>
        <span class="quiet small" data-testid="steps">${state.choices} ${state.choices === 1 ? "choice" : "choices"}${state.phase ? html` · phase <b>${label(state.phase)}</b>` : ""}${state.over ? " · over" : ""}</span>
    </div>
    ${setting && html`<${NewMatch} studio=${studio} state=${state} onDone=${() => setSetting(false)} />`}`;
}

/** @param {MatchProps & { onDone: () => void }} props */
function NewMatch({ studio, state, onDone }) {
    const { match, connection } = studio;
    const rulings = match.description.value?.rulings ?? [];
    /** @type {RefObject<HTMLFormElement | null>} */
    const form = useRef(null);
    useEffect(() => form.current?.scrollIntoView({ block: "center" }), []);
    const begin = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        /** @type {Record<string, string>} */
        const options = {};
        for (const ruling of rulings) {
            const value = given.get(`option ${ruling.name}`);
            if (value) {
                options[ruling.name] = String(value);
            }
        }
        const seed = given.get("seed");
        attempt(connection.ask("begin", { seats: Number(given.get("seats")), options, seed: seed ? Number(seed) : null }).then(onDone));
    };
    return html`<form class="note new-match" ref=${form} onSubmit=${begin}>
        <label>seats <input type="number" name="seats" min="1" max="12" value=${state.seats} /></label>
        <label>seed <input type="number" name="seed" min="0" placeholder="any" /></label>
        ${rulings.map((ruling) => html`<label key=${ruling.name}>${label(ruling.name)}
            ${ruling.sets
                ? html`<input type="text" name=${`option ${ruling.name}`} placeholder=${ruling.sets[state.seats]?.default} value=${state.options[ruling.name] ?? ""} />`
                : ruling.values?.length
                ? html`<select name=${`option ${ruling.name}`}>${["", ...ruling.values].map((value) => html`<option value=${value} selected=${(state.options[ruling.name] ?? "") === value}>${value === "" ? "default" : label(value)}</option>`)}</select>`
                : html`<input type="number" name=${`option ${ruling.name}`} placeholder=${ruling.default} value=${state.options[ruling.name] ?? ""} />`}</label>`)}
        <button class="main slim">Begin</button>
    </form>`;
}

/** The rules have changed so that the match cannot be what it was. @param {MatchProps} props */
function Parted({ studio, state }) {
    const { match, connection } = studio;
    const { parting, stays } = state;
    if (!parting) {
        return null;
    }
    const settle = (/** @type {Calls["settle"]["given"]["answer"]} */ answer) => attempt(connection.ask("settle", { answer }));
    const [path, line] = placeOf(parting.place, studio.name);
    const open = match.seesAll.value || !parting.step;
    return html`<section class="note warm parted" role="alert" aria-label="The match and the rules have parted">
        ${stays
            ? html`<p><b>The match goes on under the rules from before the edit.</b></p>`
            : html`<p><b>The changed rules cannot follow the match:</b> ${open ? parting.text : `step ${parting.step} is not possible any more`}.${parting.step > 0 && " Steps are choices and outcomes of chance."}</p>
                ${!open && html`<${Hidden} text=${parting.text} />`}
                ${path && html`<p>Refused at <button type="button" class="plain link" onClick=${() => studio.goToLine(path, line)}>${path}:${line}</button>${parting.clauses.length ? ` (${parting.clauses.join(" ")})` : ""}</p>`}
                ${parting.changes.length > 0 && html`<p>Behind it: ${parting.changes.join(", ")}</p>`}`}
        <div class="row">
            ${!stays && html`<button type="button" class="slim" onClick=${() => settle("stay")}>Stay under the old rules</button>`}
            <button type="button" class="slim" onClick=${() => settle("rewind")}>${parting.step > 1 ? `Rewind to before step ${parting.step}` : "Rewind as far as needed"}</button>
            <button type="button" class="slim" onClick=${() => settle("anew")}>Begin anew</button>
        </div>
    </section>`;
}

/**
 * `game/main.rules:5:3` as a path in the folder and a line.
 * @param {string | null | undefined} place
 * @param {string} name
 * @returns {[path: string, line: number]}
 */
export function placeOf(place, name) {
    const found = /^(.*?):(\d+):\d+$/.exec(place ?? "");
    return found ? [found[1].startsWith(`${name}/`) ? found[1].slice(name.length + 1) : found[1], Number(found[2])] : ["", 0];
}
