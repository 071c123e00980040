// Who plays a match in this page.

import { BOTS, HUMAN, usualBot } from "../backend/local_settings.js";
import { html, useState } from "../html.js";
import { label, t } from "../i18n.js";
import { Dialog } from "./dialog.js";
import { valueText } from "./option_sets.js";
import { botText, letterOf, teamName } from "./players.js";
import { Provenance } from "./provenance.js";
import { playerName } from "./settings.js";
import { seatColours } from "../table/seat_colours.js";

/** @import { Settings } from "../backend/local_settings.js" @import { Backend, Description, FieldEvent, FormEvent, SelectEvent } from "../types.d.ts" */
/** @import { Variant } from "./local_match.js" @import { told } from "./told.js" */
/** @typedef {ReturnType<typeof firstPlayers>[number]} Player */

/**
 * @param {{ variants: Variant[], Choice: typeof told.Choice | undefined, backend: Backend, onBegin: (variant: Variant, settings: Settings) => void, onClose: () => void }} props
 */
export function NewLocalMatch({ variants, Choice, backend, onBegin, onClose }) {
    const now = Math.max(0, variants.findIndex((it) => it.description === backend.description));
    const [chosen, setChosen] = useState(now);
    const [players, setPlayers] = useState(() => firstPlayers(variants[now].description, backend));
    const [told, setTold] = useState(Boolean(backend.table.peek()?.companion));
    const vary = (/** @type {number} */ index) => {
        setChosen(index);
        setPlayers(firstPlayers(variants[index].description, backend));
    };
    const change = (/** @type {number} */ seat, /** @type {Partial<Player>} */ part) => setPlayers((old) => old.map((it, index) => (index === seat ? { ...it, ...part } : it)));
    const begin = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        const settings = { players: players.map(({ kind }) => kind), names: players.map(({ name }) => name.trim() || null), told };
        onBegin(variants[chosen], settings);
    };
    return html`<${Dialog} title=${t("new-match")} onClose=${onClose}>
        <form class="stack" onSubmit=${begin}>
            <${Provenance} entries=${variants[chosen].description.provenance} game=${variants[chosen].description} />
            ${variants.length > 1 && html`<label class="field"><span>${t("variant")}</span>
                <select value=${chosen} onChange=${(/** @type {SelectEvent} */ event) => vary(Number(event.currentTarget.value))}>
                    ${variants.map((it, index) => html`<option value=${index}>${variantText(it.description, variants)}</option>`)}
                </select></label>`}
            <fieldset><legend class="unseen">${t("take-players")}</legend>
                <ol class="seat-rows">${players.map(
                    ({ kind, name }, seat) => html`<li key=${seat} style=${seatColours(variants[chosen].description.scene.seats, seat)}>
                        <span class="disc" aria-hidden="true">${letterOf(seat)}</span>
                        <${Team} name=${teamName(variants[chosen].description, seat)} />
                        ${!told && html`<select aria-label=${t("seat-number", { number: seat + 1 })} value=${kind} onChange=${(/** @type {SelectEvent} */ event) => change(seat, { kind: event.currentTarget.value })}>
                            <option value="human">${t("human")}</option>${BOTS.map((bot) => html`<option value=${bot}>${botText(bot)}</option>`)}
                        </select>`}
                        ${(told || kind === "human") && html`<input type="text" maxlength="40" aria-label=${t("your-name")} placeholder=${t("seat-person", { letter: letterOf(seat) })}
                            value=${name} onInput=${(/** @type {FieldEvent} */ event) => change(seat, { name: event.currentTarget.value })} />`}
                    </li>`,
                )}</ol></fieldset>
            ${Choice && html`<${Choice} told=${told} onChange=${setTold} />`}
            <div class="row"><button type="submit" class="main">${t("begin")}</button></div>
        </form>
    <//>`;
}

/** @param {{ name: string | undefined }} props */
const Team = ({ name }) => name && html`<span class="chip team">${name}</span>`;

/** As before, where the seats are as many; else the viewer against bots. @param {Description} description @param {Backend} backend */
function firstPlayers(description, backend) {
    const before = backend.description === description ? (backend.table.peek()?.seats ?? []) : [];
    return Array.from({ length: description.seats }, (_, seat) => ({
        kind: before[seat] ? (before[seat].bot ?? HUMAN) : seat ? usualBot() : HUMAN,
        name: before[seat]?.name ?? (seat ? "" : playerName.peek()),
    }));
}

/** What a configuration differs in from the others of the file. @param {Description} description @param {Variant[]} variants */
function variantText(description, variants) {
    const names = Object.keys(description.options).filter((name) => variants.some((it) => it.description.options[name] !== description.options[name]));
    const options = names.map((name) => `${label(name, description)}: ${valueText(name, description.options[name], description)}`);
    return [t("seats-exactly", { number: description.seats }), ...options].join(" · ");
}
