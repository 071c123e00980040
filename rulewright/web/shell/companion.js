// The referee of a physical table: what the dice and the cards there have brought is told to it.

import { html, useState } from "../html.js";
import { label, t } from "../i18n.js";
import { complain } from "./announce.js";

/** As many outcomes have a button each; more are typed in. */
const MOST_BUTTONS = 40;

export function Companion({ backend }) {
    const waiting = backend.chance?.value ?? null;
    return html`<div role="status">${waiting && html`<${Asked} backend=${backend} chance=${waiting} />`}</div>`;
}

function Asked({ backend, chance }) {
    const [text, setText] = useState("");
    const tell = (outcome) => {
        setText("");
        backend.outcome(chance.stream, outcome).catch(complain);
    };
    const outcomes = (chance.odds ?? []).map(([name]) => name);
    const submit = (event) => {
        event.preventDefault();
        tell(text.trim());
    };
    return html`<section class="card companion" aria-label=${t("companion")}>
        <h2>${t("what-came", { what: label(asked(chance, backend.description)) })}</h2>
        ${chance.text && html`<p class="quiet">${chance.text}</p>`}
        ${outcomes.length > 0 && outcomes.length <= MOST_BUTTONS
            ? html`<div class="outcomes">${outcomes.map((name) => html`<button type="button" key=${name} onClick=${() => tell(name)}>${spoken(name)}</button>`)}</div>`
            : html`<form class="row" onSubmit=${submit}>
                  <label class="field"><span>${t("outcome")}</span>
                      <input type="text" list="outcomes" required autocomplete="off" value=${text} onInput=${(event) => setText(event.currentTarget.value)} /></label>
                  <datalist id="outcomes">${outcomes.map((name) => html`<option value=${name}>${spoken(name)}</option>`)}</datalist>
                  <button type="submit" class="main">${t("tell")}</button>
              </form>`}
        <button type="button" class="plain slim" onClick=${() => backend.cancelOutcome?.()}>${t("cancel-choice")}</button>
    </section>`;
}

/** An outcome as people read it: each of its words by its label. */
function spoken(outcome) {
    return outcome.split(" ").map((word) => (/^\d+$/.test(word) ? word : label(word))).join(" ");
}

/** The stream, or the zone to which an unknown piece has come that everybody sees now. */
function asked({ stream, place }, description) {
    return stream ?? description?.places?.[place]?.zone ?? "";
}
