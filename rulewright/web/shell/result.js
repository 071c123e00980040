// The end of a match: who has won, and the score sheets.

import { html, useEffect, useState } from "../html.js";
import { label, list, number, scoreLabel, t } from "../i18n.js";
import { Icon } from "./icons.js";
import { nameAt } from "./players.js";
import { SealedSeed } from "./sealed_seed.js";

export function Result({ backend, outcome, openRule, onReplay, onRematch, rematch, logAddress, onLog }) {
    const table = backend.table.value;
    const position = backend.position.value;
    const winners = outcome.winners.map((seat) => nameAt(table, seat));
    return html`<section class="card result" aria-label=${t("result")}>
        <h2><${Icon} name="trophy" />${winners.length ? t("winners", { names: list(winners), number: winners.length }) : t("no-winner")}</h2>
        ${outcome.by === "rules" && position?.outcome && html`<p>${label(position.outcome)}</p>`}
        ${outcome.by === "rules" && html`<${Places} table=${table} ranking=${position?.ranking ?? []} />`}
        ${outcome.by !== "rules" && html`<p class="quiet">${endedBy(table, outcome)}</p>`}
        <${ScoreSheet} key=${position.seq} backend=${backend} position=${position} openRule=${openRule} />
        ${table?.chance?.seed && html`<details><summary>${t("sealed-seed")}</summary><${SealedSeed} chance=${table.chance} /></details>`}
        <div class="row no-print">
            ${onRematch && html`<button type="button" class="main" onClick=${onRematch}>${t(rematch ? "to-rematch" : "rematch")}</button>`}
            <button type="button" onClick=${onReplay}><${Icon} name="replay" />${t("look-back")}</button>
            ${logAddress && html`<a class="button" href=${logAddress} download><${Icon} name="download" />${t("log")}</a>`}
            ${onLog && html`<button type="button" onClick=${onLog}><${Icon} name="download" />${t("log")}</button>`}
        </div>
    </section>`;
}

/** The places of more than two seats, unless all have the same. */
function Places({ table, ranking }) {
    const places = [...new Set(ranking)].sort((a, b) => a - b);
    if (ranking.length < 3 || places.length < 2) {
        return null;
    }
    const at = (place) => list(ranking.flatMap((found, seat) => (found === place ? [nameAt(table, seat)] : [])));
    return html`<ul class="places">${places.map((place) => html`<li key=${place} value=${place}>${number(place)}. ${at(place)}</li>`)}</ul>`;
}

/** Why a match has ended before its rules would have ended it. */
export function endedBy(table, { by, seat }) {
    return seat === null ? t(`ended-by-${by}`) : t(`ended-by-${by}-of`, { name: nameAt(table, seat) });
}

/** The score sheets side by side: a row for each line, with the clauses that it comes from. */
export function ScoreSheet({ backend, position, openRule }) {
    const [sheets, setSheets] = useState(position.scores);
    useEffect(() => {
        backend.account().then((scores) => scores.length && setSheets(scores), () => {});
    }, [position.seq]);
    const facts = new Map((backend.description.scores ?? []).map((it) => [it.name, it]));
    const table = backend.table.value;
    const rows = [...lines(sheets, "lines"), ...lines(sheets, "ties")];
    if (!rows.length) {
        return null;
    }
    const row = ({ name, values, tie }) => html`<tr key=${name} class=${tie ? "tie" : ""}>
        <th scope="row">${scoreLabel(name)}${facts.get(name)?.clauses?.map(
            (mark) => html` <button type="button" class="clause" aria-label=${t("open-clause", { clause: mark })} onClick=${() => openRule(mark)}>${mark}</button>`,
        )}</th>
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

function lines(sheets, part) {
    return (sheets[0]?.[part] ?? []).map(([name], index) => ({
        name,
        tie: part === "ties",
        values: sheets.map((sheet) => sheet[part][index]?.[1] ?? null),
    }));
}
