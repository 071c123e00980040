// The end of a match: who has won, and the score sheets.

import { html, useEffect, useState } from "../html.js";
import { endText, list, number, scoreLabel, t } from "../i18n.js";
import { CopyButton } from "./clipboard.js";
import { Icon } from "./icons.js";
import { nameAt } from "./players.js";
import { SealedSeed } from "./sealed_seed.js";

/** @import { Backend, Position, ScoreSheet as WholeSheet, SeatScore, TableState } from "../types.d.ts" */
/** @import { LogProps } from "./frame.js" @import { Outcome } from "./outcome.js" */
/** @typedef {SeatScore | WholeSheet} Sheet @typedef {{ name: string, tie: boolean, values: (number | null)[] }} Line */

/**
 * @param {LogProps & { backend: Backend, position: Position, outcome: Outcome, openRule: (mark: string) => void, onReplay: () => void,
 *     onRematch?: false | (() => void), rematch?: string | null }} props
 */
export function Result({ backend, position, outcome, openRule, onReplay, onRematch, rematch, logAddress, onLog, notation }) {
    const table = backend.table.value;
    const winners = outcome.winners.map((seat) => nameAt(table, seat));
    return html`<section class="card result" aria-label=${t("result")}>
        <h2><${Icon} name="trophy" />${winners.length ? t("winners", { names: list(winners), number: winners.length }) : t("no-winner")}</h2>
        ${outcome.by === "rules" && html`<${Why} position=${position} openRule=${openRule} />`}
        ${outcome.by === "rules" && html`<${Places} table=${table} ranking=${position.ranking ?? []} />`}
        ${outcome.by !== "rules" && html`<p class="quiet">${endedBy(table, outcome)}</p>`}
        <${ScoreSheet} key=${position.seq} backend=${backend} position=${position} openRule=${openRule} />
        ${table?.chance?.seed && html`<details><summary>${t("sealed-seed")}</summary><${SealedSeed} chance=${table.chance} /></details>`}
        <div class="row no-print">
            ${onRematch && html`<button type="button" class="main" onClick=${onRematch}>${t(position.next ? "next-match" : rematch ? "to-rematch" : "rematch")}</button>`}
            <button type="button" onClick=${onReplay}><${Icon} name="replay" />${t("look-back")}</button>
            ${logAddress && html`<a class="button" href=${logAddress} download><${Icon} name="download" />${t("log")}</a>`}
            ${onLog && html`<button type="button" onClick=${onLog}><${Icon} name="download" />${t("log")}</button>`}
            ${notation && html`<${CopyButton} class="" icon="copy" name=${t("copy-notation")} text=${notation} />`}
        </div>
    </section>`;
}

/** Why the match has ended, and by which clauses. @param {{ position: Position, openRule: (mark: string) => void }} props */
function Why({ position: { outcome, ended_by: by }, openRule }) {
    return (outcome || by?.length) && html`<p>${endText(outcome, by)} <${Marks} marks=${by} openRule=${openRule} /></p>`;
}

/** @param {{ marks: string[] | undefined, openRule: (mark: string) => void }} props */
const Marks = ({ marks, openRule }) => marks?.map(
    (mark) => html` <button type="button" class="clause" aria-label=${t("open-clause", { clause: mark })} onClick=${() => openRule(mark)}>${mark}</button>`,
);

/** The places of more than two seats, unless all have the same. @param {{ table: TableState | null, ranking: number[] }} props */
function Places({ table, ranking }) {
    const places = [...new Set(ranking)].sort((a, b) => a - b);
    if (ranking.length < 3 || places.length < 2) {
        return null;
    }
    const at = (/** @type {number} */ place) => list(ranking.flatMap((found, seat) => (found === place ? [nameAt(table, seat)] : [])));
    return html`<ul class="places">${places.map((place) => html`<li key=${place} value=${place}>${number(place)}. ${at(place)}</li>`)}</ul>`;
}

/** Why a match has ended before its rules would have ended it. @param {TableState | null} table @param {Outcome} outcome */
export function endedBy(table, { by, seat }) {
    return seat === null ? t(`ended-by-${by}`) : t(`ended-by-${by}-of`, { name: nameAt(table, seat) });
}

/**
 * The score sheets side by side: a row for each line, with the clauses that it comes from.
 * @param {{ backend: Backend, position: Position, openRule: (mark: string) => void }} props
 */
export function ScoreSheet({ backend, position, openRule }) {
    const [sheets, setSheets] = useState(/** @type {Sheet[]} */ (position.scores));
    useEffect(() => {
        backend.account().then((scores) => scores.length && setSheets(scores), () => {});
    }, [position.seq]);
    const facts = new Map((backend.description?.scores ?? []).map((it) => [it.name, it]));
    const table = backend.table.value;
    const rows = [...lines(sheets, "lines"), ...lines(sheets, "ties")];
    if (!rows.length) {
        return null;
    }
    const row = (/** @type {Line} */ { name, values, tie }) => html`<tr key=${name} class=${tie ? "tie" : ""}>
        <th scope="row">${scoreLabel(name)}<${Marks} marks=${facts.get(name)?.clauses} openRule=${openRule} /></th>
        ${values.map((value, seat) => html`<td key=${seat} class="number">${value === null ? "?" : number(value)}</td>`)}
    </tr>`;
    return html`<div class="scroll"><table class="accounts">
        <caption class="unseen">${t("scores")}</caption>
        <thead><tr><th></th>${sheets.map((_, seat) => html`<th scope="col" key=${seat}>${nameAt(table, seat)}</th>`)}</tr></thead>
        <tbody>${rows.filter((it) => !it.tie).map(row)}
            <tr class="sum"><th scope="row">${t("total")}</th>${sheets.map((it, seat) => html`<td key=${seat} class="number">${it.total === null ? "?" : number(it.total)}</td>`)}</tr>
            ${rows.filter((it) => it.tie).map(row)}
        </tbody>
    </table></div>`;
}

/** @param {Sheet[]} sheets @param {"lines" | "ties"} part @returns {Line[]} */
function lines(sheets, part) {
    return (sheets[0]?.[part] ?? []).map(([name], index) => ({
        name,
        tie: part === "ties",
        values: sheets.map((sheet) => sheet[part][index]?.[1] ?? null),
    }));
}
