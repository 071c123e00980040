// Options and rulings of a game, explained by their clauses and readings.

import { html } from "../html.js";
import { help, label, labelLanguage, t } from "../i18n.js";

/** Marks of clauses as buttons that open the rules there. */
export function Clauses({ marks, openRule, game }) {
    return (marks ?? []).map(
        (mark) => html`<button type="button" class="clause" key=${mark} title=${game?.clauses?.[mark]} aria-label=${t("open-clause", { clause: mark })}
            onClick=${() => openRule(mark)}>${mark}</button>`,
    );
}

export function OptionFields({ game, table, change, openRule }) {
    if (!game.options.length) {
        return null;
    }
    return html`<fieldset class="card part">
        <legend>${t("options")}</legend>
        <div class="fields">${game.options.map((option) => html`<${Field} key=${option.name} ...${{ game, option, table, change, openRule }} />`)}</div>
    </fieldset>`;
}

function Field({ game, option, table, change, openRule }) {
    const text = label(option.name, game) || option.name.replaceAll("_", " ");
    const value = table.options[option.name];
    const set = (chosen) => change({ options: { ...table.options, [option.name]: String(chosen) } });
    const about = html`<${Clauses} marks=${option.clauses} openRule=${openRule} game=${game} />
        ${help(option.name, game) && html`<small class="quiet">${help(option.name, game)}</small>`}`;
    if (option.values?.join() === "on,off") {
        return html`<div class="field"><label class="tick">
            <input type="checkbox" checked=${value === "on"} onChange=${(event) => set(event.currentTarget.checked ? "on" : "off")} />
            <span>${text}</span></label><span>${about}</span></div>`;
    }
    const control = option.values
        ? html`<select value=${value} onChange=${(event) => set(event.currentTarget.value)}>
              ${option.values.map((it) => html`<option value=${it}>${label(it, game)}</option>`)}</select>`
        : html`<input type="number" required min=${option.range[0]} max=${option.range[1]} value=${value} onChange=${(event) => set(event.currentTarget.value)} />`;
    return html`<div class="field"><label><span>${text}</span>${control}</label><span>${about}</span></div>`;
}

/** Where the rulebook is silent: each ruling with its readings, the chosen one and why. */
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

/** What a value of a ruling means: its label where there is one in the viewer's language, else as the rules put it. */
function readingOf(game, ruling, value) {
    const [own, shown] = [game.languages[0], labelLanguage(game)].map((tag) => game.labels?.[tag] ?? {});
    const word = [`${ruling.name}.${value}`, value].find((it) => shown[it] && shown[it] !== own[it]);
    return (word && shown[word]) || ruling.readings[value] || label(value, game);
}

function Ruling({ game, ruling, table, change, openRule }) {
    const set = (value) => change({ options: { ...table.options, [ruling.name]: value } });
    return html`<fieldset>
        <legend>${label(ruling.name, game) || ruling.name} <${Clauses} marks=${ruling.clauses} openRule=${openRule} game=${game} /></legend>
        ${ruling.values.map(
            (value) => html`<label class="tick" key=${value}>
                <input type="radio" name=${ruling.name} checked=${table.options[ruling.name] === value} onChange=${() => set(value)} />
                <span>${readingOf(game, ruling, value)}${value === ruling.default && html` <span class="chip">${t("proposed")}</span>`}</span>
            </label>`,
        )}
        ${ruling.why && html`<p class="quiet small">${t("because", { why: ruling.why })}</p>`}
    </fieldset>`;
}
