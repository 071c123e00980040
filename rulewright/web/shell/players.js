// Who sits where: names, presence, scores, clocks, whose turn it is.

import { html } from "../html.js";
import { described, known, label, number, scoreLabel, t } from "../i18n.js";
import { Icon } from "./icons.js";
import { seatColours } from "../table/seat_colours.js";
import { outcomeOf } from "./outcome.js";

/** @import { Backend, Description, Position, SeatScore, TableSeat, TableState } from "../types.d.ts" */
/** @typedef {{ backend: Backend, position: Position | null, clock: unknown, replaying: boolean }} StripProps */

/** The name of the player of a seat; of an empty one, what it waits for. @param {Partial<TableSeat>} seat */
export function seatName(seat) {
    if (seat.name) {
        return seat.name;
    }
    const letter = roleOf(seat.seat ?? 0);
    const kind = seat.kind ?? "person";
    return kind === "person" && letter[1] ? letter : t(`seat-${kind}`, { letter });
}

/** What the game calls a seat: A, B, C, … or as its author does. @param {number} seat */
function roleOf(seat) {
    return label(described.value?.seat_names[seat] ?? String.fromCharCode(65 + seat));
}

/** The letter of a seat, as it stands on its pieces. @param {number} seat */
export function letterOf(seat) {
    return roleOf(seat)[0];
}

/** The name of a seat at a table, with what the viewer is called. @param {TableState | null} table @param {number} seat */
export function nameAt(table, seat) {
    return seatName(table?.seats?.[seat] ?? { seat });
}

/** What a bot is called, with how strong it is. @param {string | null} bot */
export function botText(bot) {
    const strength = known(`bot-${bot}`) ? t(`bot-${bot}`) : (bot ?? "");
    return strength ? `${t("bot")}: ${strength}` : t("bot");
}

/** The players in a strip. `position` may be one of a replay; `clock` draws the clock of a seat, if there are any. @param {StripProps} props */
export function Players({ backend, position, clock, replaying }) {
    const table = backend.table.value;
    const seats = table?.seats ?? [];
    return html`<section class="players" aria-label=${t("players")}>
        <ul>${seats.map((seat) => html`<${Player} key=${seat.seat} backend=${backend} seat=${seat} position=${position} clock=${clock} replaying=${replaying} />`)}</ul>
        ${table && table.watching > 0 && html`<p class="small quiet watching"><${Icon} name="eye" />${t("watching", { number: table.watching })}</p>`}
    </section>`;
}

/** @param {StripProps & { seat: TableSeat }} props */
function Player({ backend, seat, position, clock, replaying }) {
    const outcome = replaying && !position?.over ? null : outcomeOf(backend.table.value, position);
    const waiting = Boolean(position && !outcome && position.waiting.includes(seat.seat));
    const won = Boolean(outcome?.winners.includes(seat.seat));
    const score = position?.scores?.[seat.seat];
    const classes = ["player", waiting && "on-turn", seat.mine && "own", won && "won"];
    return html`<li class=${classes.filter(Boolean).join(" ")} style=${seatColours(backend.description?.scene?.seats, seat.seat)}>
        <span class="disc" aria-hidden="true">${letterOf(seat.seat)}</span>
        <span class="who">
            <span class="name">${seatName(seat)}${seat.mine && html`<span class="quiet"> ${t("you")}</span>`}</span>
            <${Presence} seat=${seat} waiting=${waiting} won=${won} online=${backend.kind !== "local" && !backend.table.value?.companion} />
        </span>
        ${score && score.lines.length > 0 && typeof score.total === "number" && html`<span class="total number" title=${scoreTitle(score)}><span class="unseen">${t("score")}: </span>${number(score.total)}</span>`}
        ${clock && html`<${clock} backend=${backend} seat=${seat.seat} own=${seat.mine} />`}
    </li>`;
}

/** @param {SeatScore} score */
function scoreTitle(score) {
    return score.lines.map(([name, value]) => `${scoreLabel(name)}: ${value === null ? "?" : number(value)}`).join("\n");
}

/** @param {{ seat: TableSeat, waiting: boolean, won: boolean, online: boolean }} props */
function Presence({ seat, waiting, won, online }) {
    if (won) {
        return html`<span class="state">${t("has-won")}</span>`;
    }
    if (waiting) {
        return html`<span class="state now">${t(seat.mine ? "your-turn" : "thinking")}</span>`;
    }
    if (seat.kind === "bot") {
        return html`<span class="state">${botText(seat.bot)}</span>`;
    }
    const text = seat.kind !== "person" ? `state-seat-${seat.kind}` : seat.present ? "present" : "away";
    return online ? html`<span class=${`state ${seat.present && seat.kind === "person" ? "here" : ""}`}>${t(text)}</span>` : null;
}

/** The name of the team of a seat, in a game that has teams. @param {Description | null} description @param {number} seat */
export function teamName(description, seat) {
    return description?.teams && label(description.types.team.names[description.teams[seat]], description);
}
