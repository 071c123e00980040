// What is asked now: whose turn, the actions as buttons, choices that lie on nothing on the table, taking back.

import { html, useState } from "../html.js";
import { endText, list, number, t } from "../i18n.js";
import { alone, purpose } from "./choice_texts.js";
import { Thrown } from "./dice.js";
import { askedLabel, label, seatName, streamOf, spokenWords, valueLabel, valueText } from "./names.js";
import { NumberField } from "./number_field.js";
import { greyed, isOfRange } from "./offers.js";
import { MANY, Searchable } from "./searchable.js";

/** @import { FieldEvent, PositionDecision, Press } from "../types.d.ts" */
/** @import { Model, Offered, PressEvent, Props, Table } from "./types.d.ts" */

const FEW = 8;

/** @param {Props & { loose: Offered[], helps?: unknown }} props */
export function Prompt({ table, loose, helps = null }) {
    const { offers, position } = table;
    const { decision, passing } = offers;
    const chosen = chosenOfSet(table);
    return html`<div class="prompt" data-mine=${Boolean(decision)}>
        <${Thrown} table=${table} />
        <p class="asked" tabindex="-1" data-asked>${asked(table)}</p>
        ${chosen.length > 0 && html`<p class="chosen">${t("table-set-chosen", { things: list(chosen) })}</p>`}
        ${table.planned.length > 0 && html`<p class="chosen">${t("table-planned", { things: list(table.planned.map(({ name }) => name)) })}
            <button type="button" class="slim" onClick=${() => table.plan(null)}>${t("table-plan-cancel")}</button></p>`}
        ${decision && html`<div class="actions" role="toolbar" aria-label=${t("table-actions")}>
            ${[...offers.actions].filter(([, choices]) => offers.actions.size > 1 || choices[0].value === null).map(([name, choices]) => html`<${Action} key=${name} table=${table} name=${name} choices=${choices} />`)}
            ${greyed(table.model, offers).map((action) => html`<button type="button" key=${action} class="refused" aria-haspopup="dialog"
                aria-label=${t("table-ask-why", { action: alone(label(table.model, action)) })}
                onClick=${(/** @type {Press} */ event) => table.openAction(action, event.currentTarget)}>${alone(label(table.model, action))}${offers.asked.some((each) => each.action === action && each.type !== null) && "…"}</button>`)}
            <${Loose} table=${table} loose=${loose} />
            ${offers.ranges.map((range) => html`<${NumberField} key=${`${decision.node} ${range.words}`} table=${table} range=${range} name=${alone(label(table.model, range.action ?? askedLabel(table.model, range.decision)))} />`)}
            ${passing && html`<button type="button" class="pass" data-choices=${passing.words} onClick=${(/** @type {Press} */ event) => table.chooseBy(passing, event)}>
                ${spokenWords(table.model, passing.words)}</button>`}
        </div>`}
        <div class="helps">
            ${offers.only !== null && html`<button type="button" class="slim" onClick=${() => table.only(null)}>${t("table-all-actions")}</button>`}
            ${position.undo?.free > 0 && !table.backend.chance?.value && html`<${Help} text=${chosen.length ? t("table-take-back-it", { thing: chosen.at(-1) ?? "" }) : t("table-take-back")} sign="↶" onClick=${(/** @type {Press} */ event) => table.takeBack(event)} />`}
            ${offers.byKey.size > 0 && html`<${Help} text=${t("table-reveal")} sign="↕" class="plain on-phone" onClick=${() => table.reveal()} />`}
            ${helps}
            ${decision && html`<${Help} text=${t("table-look")} sign="?" class="plain" aria-pressed=${table.looking} onClick=${() => table.look(!table.looking)} />`}
        </div>
    </div>`;
}

/** A button beside what is asked; where there is little room it is a sign. @param {{ text: string, sign: string, class?: string }} props */
function Help({ text, sign, class: classes = "", ...more }) {
    return html`<button type="button" class="slim ${classes}" aria-label=${text} title=${text} ...${more}>
        <span class="in-full">${text}</span><span class="in-short" aria-hidden="true">${sign}</span></button>`;
}

/** Whose turn it is, and for what. @param {Table} table */
function asked(table) {
    const { model, offers, position } = table;
    if (position.over) {
        return overText(table);
    }
    if (table.backend.chance?.value) {
        return t("table-tell", { what: label(model, streamOf(model.description, table.backend.chance.value)) });
    }
    if (offers.decision) {
        return [position.asked === undefined || position.asked === null ? null : seatName(model, position.asked), toChoose(table, offers.decision)].filter(Boolean).join(": ");
    }
    if (!position.waiting.length) {
        return t(position.together ? "table-wait-together" : "table-wait");
    }
    return t("table-waiting", { seats: list(position.waiting.map((seat) => seatName(model, seat))), number: position.waiting.length });
}

/** How the match has ended, and who has won. @param {Pick<Table, "model" | "position">} table */
export function overText({ model, position: { outcome, ended_by: by, winners } }) {
    const names = winnersOf(model, winners ?? []);
    const end = endText(outcome, by, model.description);
    const lead = end ? `${end.replace(/\.$/u, "")}. ` : "";
    return lead + (names.length ? t("table-over", { winners: list(names), number: winners?.length ?? 0 }) : t("table-over-nobody"));
}

/** Who has won: of a whole team its name, with those who are in it. @param {Model} model @param {number[]} winners */
function winnersOf(model, winners) {
    const { teams, seats } = model.description;
    const names = winners.map((seat) => seatName(model, seat));
    const team = teams?.[winners[0]];
    const whole = teams && team !== undefined && teams.slice(0, seats).every((one, seat) => (one === team) === winners.includes(seat));
    return whole ? [`${valueLabel(model, "team", team)} (${list(names)})`] : names;
}

/** What is to be chosen, and for what. @param {Table} table @param {PositionDecision} decision */
function toChoose(table, decision) {
    const { model, offers } = table;
    if (offers.only !== null) {
        return t("table-choose", { what: `${alone(label(model, offers.only.split(" ")[0]))}…` });
    }
    const by = (decision.self && valueText(model, decision.self)) || purpose(model, decision);
    const what = question(table, decision);
    return by ? t("table-choose-for", { what, by }) : what;
}

/** What is asked for; where there are several actions, what to do. @param {Table} table @param {PositionDecision} decision */
function question(table, decision) {
    const { model, offers } = table;
    const firsts = [...offers.actions.values()].map(([choice]) => choice);
    const [only, ...more] = new Set(firsts.map(({ action }) => action));
    if (more.length || (!only && offers.asked.length > 1)) {
        return t("table-choose-action");
    }
    const what = alone(only ? label(model, only) : ofSet(table, askedLabel(model, decision)));
    return t("table-choose", { what: only && firsts[0].value ? `${what}…` : what });
}

/** What is asked for; of a set, which one of how many. @param {Table} table @param {string} what */
function ofSet(table, what) {
    const [index, low, high, told] = setOf(table) ?? [0, 0, 0, false];
    const number = told ? Number(ownWords(table).at(-index)?.words.split(" ").at(-1)) || 0 : 0;
    const [least, most] = number ? [number, number] : [low, high];
    if (!index || most === 1) {
        return what;
    }
    const given = { what, index, least, number: most };
    return t(least === most ? "table-set-exact" : least > 1 ? "table-set-between" : "table-set-up-to", given);
}

/** @param {Table} table */
function setOf({ model, offers: { decision } }) {
    return decision && model.description.decisions[String(decision.node)]?.of_set;
}

/** The choices of the viewer, or of the seat that is asked for at a physical table. @param {Table} table */
function ownWords({ position, backend }) {
    const seat = position.asked ?? position.seat;
    return backend.entries.value.filter((entry) => entry.seat === seat).flatMap(({ words, node }) => (words ? [{ words, node }] : []));
}

/** What has been chosen of the set that is asked for now: the last choices, each of one of its values. @param {Table} table */
function chosenOfSet(table) {
    const { model } = table;
    const [index] = setOf(table) ?? [0];
    return index > 1 ? ownWords(table).slice(1 - index).map(({ words, node }) => {
        const offered = model.description.decisions[String(node)]?.offers;
        return spokenWords(model, offered ? words.slice(words.indexOf(" ") + 1) : words);
    }) : [];
}

/** @param {Props & { name: string, choices: Offered[] }} props */
function Action({ table, name, choices }) {
    const { model, offers } = table;
    const given = choices[0].arguments.map((value) => valueText(model, value)).filter(Boolean);
    const text = [label(model, choices[0].action ?? ""), ...given].join(" ");
    if (choices.length === 1 && choices[0].value === null) {
        return html`<button type="button" class="main" data-choices=${choices[0].words} onClick=${(/** @type {Press} */ event) => table.chooseBy(choices[0], event)}>${text}</button>`;
    }
    return html`<button type="button" aria-pressed=${offers.only === name} onClick=${() => table.only(offers.only === name ? null : name)}>
        ${alone(text)}…${choices.some((choice) => isOfRange(choice, choice.decision)) ? "" : html` <span class="tally" aria-hidden="true">${number(choices.length)}</span><span class="unseen">${t("table-so-many-choices", { number: choices.length })}</span>`}</button>`;
}

/** Choices whose values lie nowhere on the table: few as buttons, numbers as a stepper. @param {Props & { loose: Offered[] }} props */
function Loose({ table, loose }) {
    const numbers = loose.filter((choice) => choice.value?.[0] === "int");
    const stepped = numbers.length > FEW && sameAction(numbers) ? numbers : [];
    const rest = loose.filter((choice) => !stepped.includes(choice) && !(choice.value === null && choice.action));
    if (rest.length > MANY) {
        return html`<${LongList} table=${table} choices=${rest} />`;
    }
    return html`
        ${rest.map((choice) => html`<button type="button" key=${choice.words} class="main" data-choices=${choice.words}
            onClick=${(/** @type {Press} */ event) => table.chooseBy(choice, event)}>${text(table, choice)}</button>`)}
        ${stepped.length > 0 && html`<${Stepper} key=${stepped[0].decision.node} table=${table} choices=${stepped} />`}`;
}

/** Many choices that lie nowhere, such as cards that nobody has shown: they are searched by name. @param {Props & { choices: Offered[] }} props */
function LongList({ table, choices }) {
    const items = choices.map((choice) => ({ key: choice.words, text: text(table, choice), choice }));
    return html`<${Searchable} items=${items} name=${t("table-actions")} onPick=${(/** @type {{ choice: Offered }} */ { choice }, /** @type {PressEvent} */ event) => table.chooseBy(choice, event)} />`;
}

/** @param {Table} table @param {Offered} choice */
function text(table, choice) {
    return choice.action === null && choice.value ? valueText(table.model, choice.value) || spokenWords(table.model, choice.words)
        : spokenWords(table.model, choice.words, choice.decision);
}

/** @param {Offered[]} choices */
function sameAction(choices) {
    return choices.every((choice) => choice.action === choices[0].action);
}

/** The number that a choice is. @param {Offered} choice */
const numberOf = ({ value }) => (value?.[0] === "int" ? value[1] : 0);

/** A number out of many: a slider over those that are offered, with buttons beside it. @param {Props & { choices: Offered[] }} props */
function Stepper({ table, choices }) {
    const sorted = [...choices].sort((a, b) => numberOf(a) - numberOf(b));
    const [index, setIndex] = useState(0);
    const at = Math.min(index, sorted.length - 1);
    const choice = sorted[at];
    const name = label(table.model, choice.action ?? askedLabel(table.model, choice.decision));
    const step = (/** @type {number} */ by) => setIndex(Math.max(0, Math.min(sorted.length - 1, at + by)));
    return html`<span class="stepper" role="group" aria-label=${name}>
        <button type="button" class="icon" aria-label=${t("table-less")} disabled=${at === 0} onClick=${() => step(-1)}>−</button>
        <input type="range" min="0" max=${sorted.length - 1} value=${at} aria-label=${name} aria-valuetext=${String(numberOf(choice))}
            onInput=${(/** @type {FieldEvent} */ event) => setIndex(Number(event.currentTarget.value))} />
        <button type="button" class="icon" aria-label=${t("table-more")} disabled=${at === sorted.length - 1} onClick=${() => step(1)}>+</button>
        <button type="button" class="main" data-choices=${sorted.map(({ words }) => words).join("\n")} onClick=${(/** @type {Press} */ event) => table.chooseBy(choice, event)}>${spokenWords(table.model, choice.words, choice.decision)}</button>
    </span>`;
}

