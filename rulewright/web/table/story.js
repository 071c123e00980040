// The story beside the table, newest first, with the odds where chance decided.

import { html, useMemo, useState } from "../html.js";
import { number, t, wanted } from "../i18n.js";
import { label, notInSight, seatName } from "./names.js";
import { overText } from "./prompt.js";
import { roving } from "./roving.js";
import { passages } from "./sentences.js";

/** @import { Entry } from "../types.d.ts" @import { TargetedEvent } from "../vendor/preact.js" */
/** @import { Chance, Passage } from "./sentences.js" @import { Model, Props } from "./types.d.ts" */

const SHOWN = 40;
const MOST_TEXT = 150;

/** @typedef {(range: { first: number, last: number }) => unknown} DrawMoment draws what belongs to a passage: the numbers of its entries, from 1 */

/** @param {Props & { entries: Entry[], ended?: string, moment?: DrawMoment | null }} props */
export function Story({ table, entries, ended = "", moment = null }) {
    const { model } = table;
    const [all, setAll] = useState(false);
    const recent = all ? entries : entries.slice(-SHOWN * 4);
    const first = entries.length - recent.length;
    const found = useMemo(() => passages(model, recent, first), [model, entries, all, wanted.value, model.names]);
    const chosen = found.flatMap(({ key }) => (typeof key === "number" ? [key] : []));
    const rangeOf = (/** @type {Passage["key"]} */ key) => (typeof key === "number" ? { first: key + 1, last: chosen[chosen.indexOf(key) + 1] ?? entries.length } : null);
    const over = ended || (table.position.over ? overText(table) : "");
    const shown = (all ? found : found.slice(-SHOWN)).filter(({ key }) => !over || !String(key).endsWith("end"));
    return html`<section class="story" aria-label=${t("table-story")}>
        <h3>${t("table-story")}</h3>
        <div class="told" tabindex="0" role="group" aria-label=${t("table-story")}><ol ...${moment ? roving() : {}}>${over && html`<li key="over"><p class="head">${over}</p></li>`}${shown.toReversed().map((passage) => html`<${Told} key=${passage.key} table=${table} passage=${passage} range=${entries.length ? rangeOf(passage.key) : null} moment=${moment} />`)}</ol></div>
        ${(shown.length < found.length || first > 0) && html`<button type="button" class="slim" onClick=${() => setAll(true)}>${t("table-story-all")}</button>`}
    </section>`;
}

/** @param {Props & { passage: Passage, range: { first: number, last: number } | null, moment: DrawMoment | null }} props */
function Told({ table, passage, range, moment }) {
    const { model } = table;
    const { seat, head, facts, odds, turn } = passage;
    const style = seat === null ? {} : table.seatColours(seat);
    const bare = seat !== null && head === seatName(model, seat);
    return html`<li class=${bare ? "bare" : ""} style=${style} data-seat=${seat}>
        ${head && html`<p class=${turn ? "turn" : "head"}>${head}</p>`}
        <${Facts} facts=${facts} />
        ${range && moment?.(range)}
        ${odds.length > 0 && html`<${Chances} model=${model} odds=${odds} />`}
    </li>`;
}

/** The odds of a passage, which are made when they are looked at: a start of a match has many. @param {{ model: Model, odds: Chance[] }} props */
function Chances({ model, odds }) {
    const [open, setOpen] = useState(false);
    return html`<details class="odds" onToggle=${(/** @type {TargetedEvent<HTMLDetailsElement>} */ event) => setOpen(event.currentTarget.open)}><summary>${t("table-odds", { number: odds.length })}</summary>
        ${open && odds.slice(0, 6).map((each) => html`<${Odds} model=${model} each=${each} />`)}</details>`;
}

/** What followed; of much only the beginning, and the rest on demand. @param {{ facts: string[] }} props */
function Facts({ facts }) {
    if (!facts.length) {
        return null;
    }
    let shown = 0;
    for (let length = 0; shown < facts.length && (shown === 0 || length + facts[shown].length <= MOST_TEXT); shown += 1) {
        length += facts[shown].length;
    }
    const rest = facts.length - shown;
    if (rest < 2) {
        return html`<p class="facts">${facts.join("; ")}</p>`;
    }
    return html`<p class="facts">${facts.slice(0, shown).join("; ")}</p>
        <details class="more"><summary>${t("table-story-more", { number: rest })}</summary><p class="facts">${facts.slice(shown).join("; ")}</p></details>`;
}

/**
 * How likely each outcome was, or what was not in sight; what came is marked if the viewer may know it.
 * @param {{ model: Model, each: Chance }} props
 */
function Odds({ model, each: { stream, component, rows, exact } }) {
    const sum = rows.reduce((total, [, weight]) => total + weight, 0);
    return html`<table><caption>${label(model, stream ?? "")}${!exact && component && html`. ${notInSight(model, component, sum)}`}</caption><tbody>
        ${rows.slice(0, 60).map(([text, weight, came]) => html`<tr data-came=${came}>
            <th scope="row">${text}</th>
            <td>${exact ? `${number(Math.round((1000 * weight) / sum) / 10)} %` : number(weight)}</td>
            <td class="share"><meter min="0" max=${sum} value=${weight} aria-hidden="true"></meter></td>
        </tr>`)}
    </tbody></table>`;
}

/**
 * What is read out when something has happened: the newest passages as plain text.
 * @param {Model} model
 * @param {Entry[]} entries
 * @param {number} since
 */
export function spoken(model, entries, since) {
    return passages(model, entries.slice(since), since)
        .slice(-4)
        .map(({ head, facts }) => [head, facts.join("; ")].filter(Boolean).join(". "))
        .join(". ");
}
