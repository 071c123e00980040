// The referee of a physical table: what the dice and the cards there have brought is told to it.

import { html } from "../html.js";
import { label, t } from "../i18n.js";
import { MANY, Searchable } from "../table/searchable.js";
import { complain } from "./announce.js";
import { nameAt } from "./players.js";

export function Companion({ backend }) {
    const waiting = backend.chance?.value ?? null;
    return html`<div role="status">${waiting && html`<${Asked} key=${waiting.version} backend=${backend} chance=${waiting} />`}</div>`;
}

function Asked({ backend, chance }) {
    const { description } = backend;
    const tell = (outcome) => backend.outcome(chance.stream, outcome).catch(complain);
    const items = (chance.possible ?? (chance.odds ?? []).map(([name]) => name)).map((key) => ({ key, text: spoken(key, description) }));
    const what = t("what-came", { what: label(asked(chance, description), description) });
    const seat = chance.seat ?? null;
    return html`<section class="card companion" aria-label=${t("companion")}>
        <h2>${what}</h2>
        ${seat !== null && html`<p class="quiet">${t("turn-of", { name: nameAt(backend.table.value, seat) })}</p>`}
        ${chance.told?.length > 0 && html`<p class="quiet">${t("told-so-far", { outcomes: chance.told.map((it) => spoken(it, description)).join(", ") })}</p>`}
        ${items.length > MANY
            ? html`<${Searchable} items=${items} name=${what} onPick=${({ key }) => tell(key)} />`
            : html`<div class="outcomes">${items.map(({ key, text }) => html`<button type="button" key=${key} data-outcome=${key} onClick=${() => tell(key)}>${text}</button>`)}</div>`}
        <div class="row">
            ${chance.possible && chance.stream && html`<button type="button" class="plain slim" onClick=${() => tell(null)}>${t("outcome-unseen")}</button>`}
            <button type="button" class="plain slim" onClick=${() => backend.cancelOutcome?.()?.catch?.(complain)}>${t("cancel-choice")}</button>
        </div>
    </section>`;
}

/** An outcome as people read it: each of its words by its label. */
function spoken(outcome, description) {
    return outcome.split(" ").map((word) => (/^\d+$/.test(word) ? word : label(word, description))).join(" ");
}

/** The stream, or the zone to which an unknown piece has come that everybody sees now. */
function asked({ stream, place }, description) {
    return stream ?? description?.places?.[place]?.zone ?? "";
}
