// The page of a game: what it is, and the form that makes a match of it.

import * as api from "../api.js";
import { html, useState } from "../html.js";
import { label, t } from "../i18n.js";
import { complain } from "./announce.js";
import { lineOf } from "./game_search.js";
import { Icon } from "./icons.js";
import { InShort } from "./in_short.js";
import { seatsText } from "./lobby.js";
import { Waiting, useLoaded } from "./loading.js";
import { go, Link } from "./navigation.js";
import { OptionFields, Rulings } from "./option_fields.js";
import { botText, letterOf } from "./players.js";
import { playNow } from "./play_now.js";
import { Provenance } from "./provenance.js";
import { RulesPanel } from "./rules_panel.js";
import { keepLinks } from "./seats.js";
import { Header } from "./server_header.js";
import { loadRules } from "./server_rules.js";
import { playerName } from "./settings.js";
import { seatColours } from "../table/seat_colours.js";
import { asCompanion, firstTable, furtherNames, requestOf, withCompany, withSeats } from "./table_request.js";
import { ViewTitle } from "./view_title.js";

/** @import { FieldEvent, FormEvent, GameDetails, Press, SelectEvent, Trouble } from "../types.d.ts" @import { NewTable } from "./table_request.js" */
/** @typedef {{ table: NewTable, change: (part: Partial<NewTable>) => void }} PartProps */
/** @typedef {{ game: GameDetails, table: NewTable, setTable: (change: (old: NewTable) => NewTable) => void }} SeatsProps */

/** @param {{ name: string }} props */
export function GamePage({ name }) {
    const [game, error, again] = useLoaded(() => api.game(name), [name]);
    if (!game) {
        return html`<${Header} /><main id="main" class="new" tabindex="-1">
            ${error && html`<${ViewTitle} title=${t("cannot-open-game")}>${t("cannot-open-game")}<//>`}
            <${Waiting} error=${error} again=${again} />
            ${error && html`<p><${Link} to="/" class="button">${t("to-lobby")}<//></p>`}
        </main>`;
    }
    return html`<${Header} /><${Page} game=${game} />`;
}

/** @param {{ game: GameDetails }} props */
function Page({ game }) {
    const [table, setTable] = useState(() => firstTable(game));
    const [clause, setClause] = useState(/** @type {{ mark: string | null } | null} */ (null));
    const [busy, setBusy] = useState(false);
    const change = (/** @type {Partial<NewTable>} */ part) => setTable((old) => ({ ...old, ...part }));
    const openRule = (/** @type {string} */ mark) => setClause({ mark });
    const submit = async (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        setBusy(true);
        try {
            playerName.value = table.name.trim();
            const match = await api.create(requestOf(game, table));
            keepLinks(match.match, match.links);
            await Promise.all(furtherNames(table).map(({ seat, name }) => api.rename(match.match, seat, name)));
            go(`/match/${encodeURIComponent(match.match)}`);
        } catch (error) {
            setBusy(false);
            complain(/** @type {Trouble} */ (error));
        }
    };
    const rules = () => loadRules(game.game, table.seats, table.options, game.languages);
    return html`<main id="main" class=${`new${clause ? " with-rules" : ""}`} tabindex="-1">
        <section class="intro">
            <span class="thumb"><img src=${game.picture} alt="" /></span>
            <div>
                <${ViewTitle} title=${game.title}>${game.title}<//>
                ${lineOf(game.says) && html`<p>${lineOf(game.says)}</p>`}
                <p class="quiet" title=${game.weight ? t("weight-about") : ""}>${factsOf(game)}</p>
                <div class="row"><button type="button" class="main slim" title=${t("play-now-about")} onClick=${(/** @type {Press} */ event) => playNow(game.game, event.currentTarget)}>
                    <${Icon} name="play" />${t("play-now")}</button>
                <button type="button" class="slim" aria-expanded=${Boolean(clause)} onClick=${() => setClause(clause ? null : { mark: null })}>
                    <${Icon} name="book" />${t("rules")}</button></div>
            </div>
        </section>
        <${InShort} load=${rules} keys=${[game.game]} />
        <form class="stack" onSubmit=${submit} aria-label=${t("new-match")}>
            <${Provenance} entries=${game.provenance} game=${game} />
            <${Company} game=${game} table=${table} setTable=${setTable} />
            ${table.chance !== "companion" && html`<${Pace} table=${table} change=${change} />`}
            <${OptionFields} game=${game} table=${table} change=${change} openRule=${openRule} />
            <${Rulings} game=${game} table=${table} change=${change} openRule=${openRule} />
            <${More} table=${table} change=${change} />
            <div class="submit"><button type="submit" class="main big" disabled=${busy}><${Icon} name="play" />${t(submitWord(table))}</button></div>
        </form>
        ${clause && html`<${RulesPanel} load=${rules} keys=${[table.seats, JSON.stringify(table.options)]} clause=${clause} onClose=${() => setClause(null)} />`}
    </main>`;
}

/** Players, minutes with the fewest and the most, weight and kinds, in a line. @param {GameDetails} game */
function factsOf({ seats, lengths, weight, tags }) {
    const minutes = [...new Set([lengths[0], lengths.at(-1)].map((one) => one?.[2]))].filter((it) => it !== undefined);
    const facts = [seatsText(seats), minutes.length > 0 && t("about-minutes", { minutes: minutes.join("–") }), weight && t(`weight-${weight}`), ...tags.map((tag) => t(`tag-${tag}`))];
    return facts.filter(Boolean).join(" · ");
}

/** A table with nobody to wait for starts at once. @param {NewTable} table */
function submitWord(table) {
    return table.players.some((kind) => kind === "open" || kind === "invited") ? "make-table" : "start-match";
}

/** @param {SeatsProps} props */
function Company({ game, table, setTable }) {
    const counts = game.seats;
    return html`<fieldset class="card part">
        <legend>${t("who-plays")}</legend>
        <div class="row">
            <label class="field"><span>${t("your-name")}</span>
                <input type="text" name="name" autocomplete="nickname" maxlength="40" value=${table.name} placeholder=${t("name-placeholder")}
                    onInput=${(/** @type {FieldEvent} */ event) => setTable((old) => ({ ...old, name: event.currentTarget.value }))} /></label>
            ${counts.length > 1 && html`<label class="field"><span>${t("how-many")}</span>
                <select value=${table.seats} onChange=${(/** @type {SelectEvent} */ event) => setTable((old) => withSeats(game, old, Number(event.currentTarget.value)))}>
                    ${counts.map((count) => html`<option value=${count}>${count}</option>`)}
                </select></label>`}
        </div>
        ${table.seats > 1 && html`<div class="segments company" role="group" aria-label=${t("company")}>
            ${["bot", "invited", "open", "me"].map(
                (kind) => html`<button type="button" key=${kind} aria-pressed=${table.chance !== "companion" && table.players.slice(1).every((it) => kindOf(it) === kind)}
                    onClick=${() => setTable((old) => withCompany(old, kind))}>${t(`company-${kind}`)}</button>`,
            )}
            <button type="button" aria-pressed=${table.chance === "companion"} onClick=${() => setTable(asCompanion)}>${t("company-companion")}</button>
        </div>
        ${table.chance === "companion" && html`<p class="quiet">${t("company-companion-help")}</p>`}
        <${Seats} game=${game} table=${table} setTable=${setTable} />`}
    </fieldset>`;
}

/** `bot` of `bot:medium`. @param {string} player */
const kindOf = (player) => player.split(":")[0];

/** Who may play a seat: people, or bots by how strong they are. @param {SeatsProps} props */
function Seats({ game, table, setTable }) {
    const bots = game.bots.map((bot) => `bot:${bot}`);
    const kinds = table.chance === "companion" ? ["me", "invited", "open"] : ["me", ...bots, "invited", "open"];
    const change = (/** @type {number} */ seat, /** @type {string} */ kind) => setTable((old) => ({ ...old, players: old.players.map((it, index) => (index === seat ? kind : it)) }));
    const name = (/** @type {number} */ seat, /** @type {string} */ text) => setTable((old) => ({ ...old, names: Object.assign([...old.names], { [seat]: text }) }));
    return html`<ol class="seat-rows">${table.players.map(
        (kind, seat) => html`<li key=${seat} style=${seatColours(game.seat_colours, seat)}>
            <span class="disc" aria-hidden="true">${letterOf(seat)}</span>
            <label><span class="unseen">${t("seat-number", { number: seat + 1 })}</span>
                <select value=${kind} onChange=${(/** @type {SelectEvent} */ event) => change(seat, event.currentTarget.value)}>
                    ${kinds.map((it) => html`<option value=${it}>${kindOf(it) === "bot" ? botText(it.slice(4)) : t(`player-${it}`)}</option>`)}
                </select></label>
            ${kind === "me" && seat !== table.players.indexOf("me") && html`<input type="text" class="slim" maxlength="40" value=${table.names[seat] ?? ""}
                aria-label=${t("name-of-seat", { number: seat + 1 })} placeholder=${t("seat-person", { letter: letterOf(seat) })}
                onInput=${(/** @type {FieldEvent} */ event) => name(seat, event.currentTarget.value)} />`}
            ${game.teams[seat] && html`<span class="chip team">${label(game.teams[seat], game)}</span>`}
        </li>`,
    )}</ol>
    ${game.usual_bot === "random" && table.players.some((it) => kindOf(it) === "bot") && html`<p class="quiet">${t("bots-at-random")}</p>`}`;
}

/** @type {NewTable["clock"]["kind"][]} */
const CLOCKS = ["none", "move", "match", "days"];

/** @param {PartProps} props */
function Pace({ table, change }) {
    const { kind } = table.clock;
    const set = (/** @type {Partial<NewTable["clock"]>} */ part) => change({ clock: { ...table.clock, ...part } });
    return html`<fieldset class="card part">
        <legend>${t("pace")}</legend>
        <div class="choices">
            ${CLOCKS.map(
                (it) => html`<label class="tick" key=${it}>
                    <input type="radio" name="clock" value=${it} checked=${kind === it} onChange=${() => set({ kind: it })} />
                    <span>${t(`clock-${it}`)}</span></label>`,
            )}
        </div>
        ${kind === "move" && html`<${Number_} label=${t("seconds-a-move")} value=${table.clock.move} least=${5} most=${3600} onChange=${(/** @type {number} */ move) => set({ move })} />`}
        ${kind === "match" && html`<div class="row"><${Number_} label=${t("minutes-a-match")} value=${table.clock.minutes} least=${1} most=${600} onChange=${(/** @type {number} */ minutes) => set({ minutes })} />
            <${Number_} label=${t("increment")} value=${table.clock.increment} least=${0} most=${300} onChange=${(/** @type {number} */ increment) => set({ increment })} /></div>`}
        ${kind === "days" && html`<${Number_} label=${t("days-a-move")} value=${table.clock.days} least=${1} most=${30} onChange=${(/** @type {number} */ days) => set({ days })} />`}
        ${kind !== "none" && html`<label class="field"><span>${t("expiry")}</span>
            <select value=${table.clock.expiry} onChange=${(/** @type {SelectEvent} */ event) => set({ expiry: event.currentTarget.value === "absent" ? "absent" : "forfeit" })}>
                <option value="forfeit">${t("expiry-forfeit")}</option><option value="absent">${t("expiry-absent")}</option>
            </select></label>`}
    </fieldset>`;
}

/** @param {{ label: string, value: number, least: number, most: number, onChange: (number: number) => void }} props */
function Number_({ label: text, value, least, most, onChange }) {
    return html`<label class="field"><span>${text}</span>
        <input type="number" inputmode="numeric" required min=${least} max=${most} value=${value} onChange=${(/** @type {FieldEvent} */ event) => onChange(event.currentTarget.valueAsNumber)} /></label>`;
}

/** @param {PartProps} props */
function More({ table, change }) {
    const choice = (/** @type {"visibility" | "watching-by" | "talk" | "chance"} */ name, /** @type {string[]} */ values) => html`<label class="field"><span>${t(name)}</span>
        <select value=${table[name]} onChange=${(/** @type {SelectEvent} */ event) => change({ [name]: event.currentTarget.value })}>
            ${values.map((value) => html`<option value=${value}>${t(`${name}-${value}`)}</option>`)}
        </select><small class="quiet">${t(`${name}-${table[name]}-help`)}</small></label>`;
    return html`<details class="card part">
        <summary>${t("more-settings")}</summary>
        <div class="fields">
            ${choice("visibility", ["auto", "open", "invited", "private"])}
            ${choice("watching-by", ["all", "late", "nobody"])}
            ${choice("talk", ["auto", "free", "phrases", "none"])}
            ${table.chance !== "companion" && choice("chance", ["system", "committed"])}
            ${table.chance !== "companion" && html`<label class="tick"><input type="checkbox" checked=${table.hints} onChange=${(/** @type {FieldEvent} */ event) => change({ hints: event.currentTarget.checked })} />
                <span>${t("hints-allowed")}</span></label>`}
        </div>
    </details>`;
}
