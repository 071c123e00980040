// Options and rulings of a game, explained by their clauses and readings.

import { html, useLayoutEffect, useRef } from "../html.js";
import { heading, help, label, labelLanguage, t } from "../i18n.js";
import { membersOf, memberText, toggled } from "./option_sets.js";

/** @import { FieldEvent, GameDetails, OptionSets, Ruling as Option, SelectEvent } from "../types.d.ts" @import { RefObject } from "../vendor/preact.js" */
/** @import { NewTable } from "./table_request.js" */
/** @typedef {(mark: string) => void} OpenRule */
/** @typedef {{ game: GameDetails, table: NewTable, change: (part: Partial<NewTable>) => void, openRule: OpenRule }} Props */

/** Marks of clauses as buttons that open the rules there. @param {{ marks: string[] | undefined, openRule: OpenRule, game?: GameDetails }} props */
export function Clauses({ marks, openRule, game }) {
    return (marks ?? []).map(
        (mark) => html`<button type="button" class="clause" key=${mark} title=${game && heading(mark, game)} aria-label=${t("open-clause", { clause: mark })}
            onClick=${() => openRule(mark)}>${mark}</button>`,
    );
}

/** @param {Props} props */
export function OptionFields({ game, table, change, openRule }) {
    if (!game.options.length) {
        return null;
    }
    return html`<fieldset class="card part">
        <legend>${t("options")}</legend>
        <div class="fields">${game.options.map((option) => html`<${Field} key=${option.name} ...${{ game, option, table, change, openRule }} />`)}</div>
    </fieldset>`;
}

/** @param {Props & { option: Option }} props */
function Field({ game, option, table, change, openRule }) {
    const text = label(option.name, game) || option.name.replaceAll("_", " ");
    const value = table.options[option.name];
    const set = (/** @type {string} */ chosen) => change({ options: { ...table.options, [option.name]: chosen } });
    const about = html`<${Clauses} marks=${option.clauses} openRule=${openRule} game=${game} />
        ${help(option.name, game) && html`<small class="quiet">${help(option.name, game)}</small>`}`;
    if (option.sets) {
        return html`<${SetField} ...${{ game, option, sets: option.sets[table.seats], value, text, about, set }} />`;
    }
    if (option.values?.join() === "on,off") {
        return html`<div class="field"><label class="tick">
            <input type="checkbox" checked=${value === "on"} onChange=${(/** @type {FieldEvent} */ event) => set(event.currentTarget.checked ? "on" : "off")} />
            <span>${text}</span></label><span>${about}</span></div>`;
    }
    const control = option.values
        ? html`<select value=${value} onChange=${(/** @type {SelectEvent} */ event) => set(event.currentTarget.value)}>
              ${option.values.map((it) => html`<option value=${it}>${label(it, game)}</option>`)}</select>`
        : html`<input type="number" required min=${option.range?.[0]} max=${option.range?.[1]} value=${value} onChange=${(/** @type {FieldEvent} */ event) => set(event.currentTarget.value)} />`;
    return html`<div class="field"><label><span>${text}</span>${control}</label><span>${about}</span></div>`;
}

/**
 * A box for each value of a set. While there are too few or too many, the form is not sent.
 * @param {{ game: GameDetails, option: Option, sets: OptionSets, value: string, text: string, about: unknown, set: (chosen: string) => void }} props
 */
function SetField({ game, option, sets: { size, values }, value, text, about, set }) {
    const [least, most] = size;
    const members = membersOf(value);
    const wanted = least === most ? t("set-exactly", { number: least }) : t("set-between", { least, most });
    const good = least <= members.length && members.length <= most;
    /** @type {RefObject<HTMLInputElement | null>} */
    const first = useRef(null);
    useLayoutEffect(() => first.current?.setCustomValidity(good ? "" : wanted), [good, wanted]);
    return html`<fieldset class="field set">
        <legend>${text}</legend>
        <p class="quiet small">${wanted} · <span role="status" class=${good ? "" : "wrong"}>${t("set-chosen", { number: members.length })}</span> ${about}</p>
        <div class="members">${values.map(
            (it, index) => html`<label class="tick" key=${it}>
                <input type="checkbox" ref=${index ? null : first} checked=${members.includes(it)} onChange=${() => set(toggled(option, value, it))} />
                <span>${memberText(option.name, it, game)}</span></label>`,
        )}</div>
    </fieldset>`;
}

/** Where the rulebook is silent: each ruling with its readings, the chosen one and why. @param {Props} props */
export function Rulings({ game, table, change, openRule }) {
    if (!game.rulings.length) {
        return null;
    }
    const changed = game.rulings.filter((ruling) => table.options[ruling.name] !== String(ruling.default)).length;
    return html`<details class="card part">
        <summary>${t("rulings")} <span class="chip">${changed ? t("rulings-changed", { number: changed }) : t("rulings-number", { number: game.rulings.length })}</span></summary>
        <p class="quiet">${t("rulings-about")}</p>
        <div class="rulings">${game.rulings.map((ruling) => html`<${Ruling} key=${ruling.name} ...${{ game, ruling, table, change, openRule }} />`)}</div>
    </details>`;
}

/** What rulings and tables say in the viewer's language, where that is translated. @param {GameDetails} game */
export const translationOf = (game) => game.translations?.[labelLanguage(game)];

/**
 * What a value of a ruling means: its reading or label in the viewer's language, else as the rules put it.
 * @param {GameDetails} game
 * @param {Option} ruling
 * @param {string} value
 */
function readingOf(game, ruling, value) {
    const [own, shown] = [game.languages[0], labelLanguage(game)].map((tag) => game.labels?.[tag] ?? {});
    const word = [`${ruling.name}.${value}`, value].find((it) => shown[it] && shown[it] !== own[it]);
    return translationOf(game)?.rulings[ruling.name]?.readings[value] || (word && shown[word]) || ruling.readings[value] || label(value, game);
}

/** @param {Props & { ruling: Option }} props */
function Ruling({ game, ruling, table, change, openRule }) {
    const set = (/** @type {string} */ value) => change({ options: { ...table.options, [ruling.name]: value } });
    return html`<fieldset>
        <legend>${label(ruling.name, game) || ruling.name} <${Clauses} marks=${ruling.clauses} openRule=${openRule} game=${game} /></legend>
        ${(ruling.values ?? []).map(
            (value) => html`<label class="tick" key=${value}>
                <input type="radio" name=${ruling.name} checked=${table.options[ruling.name] === value} onChange=${() => set(value)} />
                <span>${readingOf(game, ruling, value)}${value === ruling.default && html` <span class="chip">${t("proposed")}</span>`}</span>
            </label>`,
        )}
        ${ruling.why && html`<p class="quiet small">${t("because", { why: translationOf(game)?.rulings[ruling.name]?.why || ruling.why })}</p>`}
    </fieldset>`;
}
