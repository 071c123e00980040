// What is asked now: whose turn, the actions as buttons, choices that lie on nothing on the table, taking back.

import { html, useState } from "../html.js";
import { list, number, t } from "../i18n.js";
import { headingOf } from "./clauses.js";
import { askedLabel, label, seatName, streamOf, spokenWords, valueLabel, valueText } from "./names.js";
import { NumberField } from "./number_field.js";
import { greyed, isOfRange } from "./offers.js";
import { MANY, Searchable } from "./searchable.js";

const FEW = 8;

export function Prompt({ table, loose, helps = null }) {
    const { offers, position } = table;
    const chosen = chosenOfSet(table);
    return html`<div class="prompt" data-mine=${Boolean(offers.decision)}>
        <p class="asked" tabindex="-1" data-asked>${asked(table)}</p>
        ${chosen.length > 0 && html`<p class="chosen">${t("table-set-chosen", { things: list(chosen) })}</p>`}
        ${offers.decision && html`<div class="actions" role="toolbar" aria-label=${t("table-actions")}>
            ${[...offers.actions].filter(([, choices]) => offers.actions.size > 1 || choices[0].value === null).map(([name, choices]) => html`<${Action} key=${name} table=${table} name=${name} choices=${choices} />`)}
            ${greyed(table.model, offers).map((action) => html`<button type="button" key=${action} class="refused" aria-haspopup="dialog"
                aria-label=${t("table-ask-why", { action: alone(label(table.model, action)) })}
                onClick=${(event) => table.openAction(action, event.currentTarget)}>${alone(label(table.model, action))}</button>`)}
            <${Loose} table=${table} loose=${loose} />
            ${offers.ranges.map((range) => html`<${NumberField} key=${`${offers.decision.node} ${range.words}`} table=${table} range=${range} name=${alone(label(table.model, range.action ?? askedLabel(table.model, range.decision)))} />`)}
            ${offers.passing && html`<button type="button" class="pass" data-choices=${offers.passing.words} onClick=${(event) => table.chooseBy(offers.passing, event)}>
                ${spokenWords(table.model, offers.passing.words)}</button>`}
        </div>`}
        <div class="helps">
            ${offers.only !== null && html`<button type="button" class="slim" onClick=${() => table.only(null)}>${t("table-all-actions")}</button>`}
            ${position.undo?.free > 0 && !table.backend.chance?.value && html`<${Help} text=${chosen.length ? t("table-take-back-it", { thing: chosen.at(-1) }) : t("table-take-back")} sign="↶" onClick=${(event) => table.takeBack(event)} />`}
            ${offers.byKey.size > 0 && html`<${Help} text=${t("table-reveal")} sign="↕" class="plain on-phone" onClick=${() => table.reveal()} />`}
            ${helps}
            ${offers.decision && html`<${Help} text=${t("table-look")} sign="?" class="plain" aria-pressed=${table.looking} onClick=${() => table.look(!table.looking)} />`}
        </div>
    </div>`;
}

/** A button beside what is asked; where there is little room it is a sign. */
function Help({ text, sign, class: classes = "", ...more }) {
    return html`<button type="button" class="slim ${classes}" aria-label=${text} title=${text} ...${more}>
        <span class="in-full">${text}</span><span class="in-short" aria-hidden="true">${sign}</span></button>`;
}

/** Whose turn it is, and for what. */
function asked(table) {
    const { model, offers, position } = table;
    if (position.over) {
        const names = winnersOf(model, position.winners ?? []);
        const lead = position.outcome ? `${label(model, position.outcome)}. ` : "";
        return lead + (names.length ? t("table-over", { winners: list(names), number: position.winners.length }) : t("table-over-nobody"));
    }
    if (table.backend.chance?.value) {
        return t("table-tell", { what: label(model, streamOf(model.description, table.backend.chance.value)) });
    }
    if (offers.decision) {
        return [position.asked === undefined ? null : seatName(model, position.asked), toChoose(table)].filter(Boolean).join(": ");
    }
    if (!position.waiting.length) {
        return t(position.together ? "table-wait-together" : "table-wait");
    }
    return t("table-waiting", { seats: list(position.waiting.map((seat) => seatName(model, seat))), number: position.waiting.length });
}

/** Who has won: of a whole team its name, with those who are in it. */
function winnersOf(model, winners) {
    const { teams, seats } = model.description;
    const names = winners.map((seat) => seatName(model, seat));
    const team = teams?.[winners[0]];
    const whole = team !== undefined && teams.slice(0, seats).every((one, seat) => (one === team) === winners.includes(seat));
    return whole ? [`${valueLabel(model, "team", team)} (${list(names)})`] : names;
}

/** What is to be chosen, and for what. */
function toChoose(table) {
    const { model, offers } = table;
    if (offers.only !== null) {
        return t("table-choose", { what: `${alone(label(model, offers.only.split(" ")[0]))}…` });
    }
    const by = (offers.decision.self && valueText(model, offers.decision.self)) || purpose(table);
    return by ? t("table-choose-for", { what: question(table), by }) : question(table);
}

/** What a choice is made for: the step or action that asks for it, or else what the rulebook calls that. */
function purpose({ model, offers: { decision } }) {
    const { within, offers } = model.description.decisions[String(decision.node)] ?? {};
    if (offers || !within) {
        return "";
    }
    const text = label(model, within);
    return text && text !== within.replaceAll("_", " ") ? alone(text) : headingOf(model, decision.clauses?.[0]);
}

/** What is asked for; where there are several actions, what to do. */
function question(table) {
    const { model, offers } = table;
    const [only, ...more] = new Set([...offers.actions.values()].map(([choice]) => choice.action));
    if (more.length || (!only && offers.asked.length > 1)) {
        return t("table-choose-action");
    }
    const what = alone(only ? label(model, only) : ofSet(table, askedLabel(model, offers.decision)));
    return t("table-choose", { what: only && offers.actions.values().next().value[0].value ? `${what}…` : what });
}

/** What is asked for; of a set, which one of how many. */
function ofSet(table, what) {
    const [index, low, high, told] = setOf(table) ?? [];
    const number = told ? Number(ownWords(table).at(-index)?.words.split(" ").at(-1)) || 0 : 0;
    const [least, most] = number ? [number, number] : [low, high];
    if (!index || most === 1) {
        return what;
    }
    const given = { what, index, least, number: most };
    return t(least === most ? "table-set-exact" : least > 1 ? "table-set-between" : "table-set-up-to", given);
}

function setOf({ model, offers: { decision } }) {
    return decision && model.description.decisions[String(decision.node)]?.of_set;
}

/** The choices of the viewer, or of the seat that is asked for at a physical table. */
function ownWords({ position, backend }) {
    const seat = position.asked ?? position.seat;
    return backend.entries.value.filter((entry) => entry.seat === seat && entry.words);
}

/** What has been chosen of the set that is asked for now: the last choices, each of one of its values. */
function chosenOfSet(table) {
    const { model } = table;
    const [index] = setOf(table) ?? [];
    return index > 1 ? ownWords(table).slice(1 - index).map(({ words, node }) => {
        const offered = model.description.decisions[String(node)]?.offers;
        return spokenWords(model, offered ? words.slice(words.indexOf(" ") + 1) : words);
    }) : [];
}

/** A label that leads to what follows it, such as `buy:`, without its colon. */
function alone(text) {
    return text.replace(/:$/, "");
}

function Action({ table, name, choices }) {
    const { model, offers } = table;
    const given = choices[0].arguments.map((value) => valueText(model, value)).filter(Boolean);
    const text = [label(model, choices[0].action), ...given].join(" ");
    if (choices.length === 1 && choices[0].value === null) {
        return html`<button type="button" class="main" data-choices=${choices[0].words} onClick=${(event) => table.chooseBy(choices[0], event)}>${text}</button>`;
    }
    return html`<button type="button" aria-pressed=${offers.only === name} onClick=${() => table.only(offers.only === name ? null : name)}>
        ${alone(text)}…${choices.some((choice) => isOfRange(choice, choice.decision)) ? "" : html` <span class="tally" aria-hidden="true">${number(choices.length)}</span><span class="unseen">${t("table-so-many-choices", { number: choices.length })}</span>`}</button>`;
}

/** Choices whose values lie nowhere on the table: few as buttons, numbers as a stepper. */
function Loose({ table, loose }) {
    const numbers = loose.filter((choice) => choice.value?.[0] === "int");
    const stepped = numbers.length > FEW && sameAction(numbers) ? numbers : [];
    const rest = loose.filter((choice) => !stepped.includes(choice) && !(choice.value === null && choice.action));
    if (rest.length > MANY) {
        return html`<${LongList} table=${table} choices=${rest} />`;
    }
    return html`
        ${rest.map((choice) => html`<button type="button" key=${choice.words} class="main" data-choices=${choice.words}
            onClick=${(event) => table.chooseBy(choice, event)}>${text(table, choice)}</button>`)}
        ${stepped.length > 0 && html`<${Stepper} key=${stepped[0].decision.node} table=${table} choices=${stepped} />`}`;
}

/** Many choices that lie nowhere, such as cards that nobody has shown: they are searched by name. */
function LongList({ table, choices }) {
    const items = choices.map((choice) => ({ key: choice.words, text: text(table, choice), choice }));
    return html`<${Searchable} items=${items} name=${t("table-actions")} onPick=${({ choice }, event) => table.chooseBy(choice, event)} />`;
}

function text(table, choice) {
    return choice.action === null && choice.value ? valueText(table.model, choice.value) || spokenWords(table.model, choice.words)
        : spokenWords(table.model, choice.words, choice.decision);
}

function sameAction(choices) {
    return choices.every((choice) => choice.action === choices[0].action);
}

/** A number out of many: a slider over those that are offered, with buttons beside it. */
function Stepper({ table, choices }) {
    const sorted = [...choices].sort((a, b) => a.value[1] - b.value[1]);
    const [index, setIndex] = useState(0);
    const at = Math.min(index, sorted.length - 1);
    const choice = sorted[at];
    const name = label(table.model, choice.action ?? askedLabel(table.model, choice.decision));
    const step = (by) => setIndex(Math.max(0, Math.min(sorted.length - 1, at + by)));
    return html`<span class="stepper" role="group" aria-label=${name}>
        <button type="button" class="icon" aria-label=${t("table-less")} disabled=${at === 0} onClick=${() => step(-1)}>−</button>
        <input type="range" min="0" max=${sorted.length - 1} value=${at} aria-label=${name} aria-valuetext=${String(choice.value[1])}
            onInput=${(event) => setIndex(Number(event.target.value))} />
        <button type="button" class="icon" aria-label=${t("table-more")} disabled=${at === sorted.length - 1} onClick=${() => step(1)}>+</button>
        <button type="button" class="main" data-choices=${sorted.map(({ words }) => words).join("\n")} onClick=${(event) => table.chooseBy(choice, event)}>${spokenWords(table.model, choice.words, choice.decision)}</button>
    </span>`;
}

