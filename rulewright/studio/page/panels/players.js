// Who plays at the table: each seat by hand or by a bot.

import { html } from "/web/html.js";
import { label } from "/web/i18n.js";
import { Strength, STRENGTHS } from "../amount.js";
import { attempt } from "../notices.js";

/** @import { SelectEvent } from "/web/types.d.ts" @import { Match } from "../match.js" */
/** @import { Props } from "../studio.js" @import { MatchState } from "../types.d.ts" */

/** The bots that are offered beside those of the slider, by name; others are asked for. */
const BOTS = { "search:2s": "search, 2 s", "search:10s": "search, 10 s" };
const BOT = "bot";
const OTHER = "other";
/** The bot that plays first where somebody wants one: it needs nothing. */
const FIRST = STRENGTHS[0];

/** @param {Props & { state: MatchState }} props */
export function Players({ studio, state }) {
    const { match, connection } = studio;
    const { players, policies, bots_wait, bots_failed, over } = state;
    const names = match.description.value?.seat_names ?? [];
    return html`<div class="players" role="group" aria-label="Who plays">
        ${players.map((bot, seat) => html`<${Player} key=${seat} studio=${studio} seat=${seat} bot=${bot} policies=${policies} name=${label(names[seat])} />`)}
        ${players.some(Boolean) && !over && html`<button type="button" class="slim" aria-pressed=${bots_wait} onClick=${() => attempt(connection.ask("bots", { wait: !bots_wait }))}>${bots_wait ? "Let the bots play" : "Hold the bots"}</button>`}
        <span class="quiet small" role="status" data-testid="bots">${connection.status.value === "online" ? said(match, names, bots_wait, over) : ""}</span>
    </div>
    ${bots_failed && html`<p class="note bad" role="alert">The bots wait: ${bots_failed}</p>`}`;
}

/** @param {Match} match @param {string[]} names @param {boolean} wait @param {boolean} over */
function said(match, names, wait, over) {
    const thinking = match.thinking.map((seat) => label(names[seat]));
    if (thinking.length) {
        return `${thinking.join(", ")} ${thinking.length === 1 ? "thinks" : "think"}…`;
    }
    return wait && !over ? "the bots wait: all seats are played by hand" : "";
}

/** @param {Props & { seat: number, bot: string | null, policies: string[], name: string }} props */
function Player({ studio, seat, bot, policies, name }) {
    const seated = (/** @type {string | null} */ bot) => attempt(studio.connection.ask("player", { seat, bot }));
    const isStrength = bot !== null && STRENGTHS.includes(bot);
    const shown = isStrength ? BOT : (bot ?? "");
    const choose = (/** @type {SelectEvent} */ { currentTarget }) => {
        const chosen = currentTarget.value;
        currentTarget.value = shown; // until the server has seated it
        if (chosen === OTHER) {
            studio.asking.value = { title: `A bot for ${name}`, value: bot ?? "search:500", hint: "such as search:500, search:2s or policy:FILE.onnx", act: (written) => seated(written.trim()) };
        } else if (chosen === BOT) {
            studio.askCosts();
            seated(FIRST);
        } else {
            seated(chosen || null);
        }
    };
    const named = Object.fromEntries([...policies, ...(bot && !isStrength && !(bot in BOTS) ? [bot] : [])].map((one) => [one, one.replace(/^policy:/, "policy ")]));
    return html`<span class="player"><label>${name} <select aria-label=${`who plays ${name}`} value=${shown} onChange=${choose}>
        <option value="">by hand</option>
        <option value=${BOT}>a bot</option>
        ${Object.entries({ ...BOTS, ...named }).map(([id, text]) => html`<option key=${id} value=${id}>${text}</option>`)}
        <option value=${OTHER}>another…</option>
    </select></label>
    ${isStrength && html`<${Strength} studio=${studio} id=${`strength-${seat}`} label=${`strength of ${name}`} isNamed bot=${bot} onBot=${async (/** @type {string} */ wanted) => (await seated(wanted)) !== undefined} />`}</span>`;
}
