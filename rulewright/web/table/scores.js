// Scores: each line with what it counts, its clauses, and the tie-breaks.

import { html } from "../html.js";
import { number, scoreLabel, t } from "../i18n.js";
import { Clauses, headingOf } from "./clauses.js";
import { seatName } from "./names.js";

/** @import { DescribedScore } from "../types.d.ts" @import { Props } from "./types.d.ts" */

/** @param {Props & { seat: number }} props */
export function ScoreSheet({ table, seat }) {
    const { model, position } = table;
    const sheet = position.scores[seat];
    const decls = new Map(model.description.scores.map((line) => [line.name, line]));
    return html`<table class="score-sheet">
        <caption>${seatName(model, seat)}</caption>
        <tbody>${sheet.lines.map(([name, value]) => html`<${Line} table=${table} name=${name} value=${value} decl=${decls.get(name)} />`)}</tbody>
        <tfoot>
            <tr class="total"><th scope="row">${t("table-total")}</th><td>${written(sheet.total)}</td></tr>
            ${sheet.ties.map(([name, value]) => html`<${Line} table=${table} name=${name} value=${value} decl=${decls.get(name)} tie=${true} />`)}
        </tfoot>
    </table>`;
}

/** @param {Props & { name: string, value: number | null, decl: DescribedScore | undefined, tie?: boolean }} props */
function Line({ table, name, value, decl, tie = false }) {
    const says = decl?.clauses.map((clause) => headingOf(table.model, clause)).filter(Boolean).join(". ");
    const line = scoreLabel(name, table.model.description);
    return html`<tr>
        <th scope="row">${tie ? t("table-tie", { line }) : line}
            ${says && html`<span class="line-text">${says}</span>`}
            <${Clauses} table=${table} clauses=${decl?.clauses ?? []} /></th>
        <td>${written(value)}</td>
    </tr>`;
}

/** @param {number | null} value */
function written(value) {
    return value === null ? t("table-secret") : number(value);
}
