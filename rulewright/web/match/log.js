// Logs: the record of a match as sealed JSON lines, as `rulewright replay` reads them.

import { commitment } from "./commitment.js";
import { shaOfText } from "./hashes.js";
import { write } from "./json.js";

/**
 * @import { GameEvent } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Match, Step } from "./match.js"
 */

export const VERSION = 1;

/**
 * The text of the log of a match so far. With `nonce`, it has a commitment to the seed.
 * @param {Match} match
 * @param {{players: string[], nonce?: string|null}} about
 */
export function writeLog(match, { players, nonce = null }) {
    let seal = "";
    let text = "";
    for (const line of [head(match, players, nonce), ...lines(match)]) {
        const body = write(line);
        seal = sealOf(seal, body);
        text += `${body.slice(0, -1)}, "seal": "${seal}"}\n`;
    }
    return text;
}

/** The seal of a line over itself and all lines before it. @param {string} before @param {string} body */
export const sealOf = (before, body) => shaOfText(`${before}\n${body}`).slice(0, 16);

/** @param {Match} match @param {string[]} players @param {string | null} nonce */
function head(match, players, nonce) {
    const { game, digest, seats, options } = match.game.description;
    const found = { rulewright: VERSION, game, rules: digest, seats, options, seed: match.seed, players };
    const position = match.carried && { set: Object.fromEntries(match.carried.map(([address, value]) => [address, [value]])), carried: true };
    const begun = { ...found, ...(position ? { position } : {}) };
    if (nonce === null) return begun;
    return { ...begun, nonce, commitment: commitment(found, match.seed, nonce) };
}

/** @param {Match} match */
function lines(match) {
    const { names } = match.game;
    /** @type {object[]} */
    const found = match.steps.map((step) => line(match.game, step));
    if (match.over) {
        const scores = Object.fromEntries(match.accounts().map(({ total }, seat) => [names.seat(seat), total]));
        const outcome = match.outcome();
        const winners = match.winners().map((seat) => names.seat(seat));
        const by = match.endedBy();
        found.push({ over: true, winners, scores, ...(outcome === null ? {} : { outcome }), ...(by.length ? { ended_by: by } : {}) });
    }
    return found;
}

/** @param {Game} game @param {Step} step */
function line(game, step) {
    const events = step.events.filter(([kind]) => kind !== "branched").map((event) => named(game, event));
    return { ...what(game, step), ...(step.supplied && { supplied: true }), events, hash: step.hash };
}

/** @param {Game} game @param {Step} step */
function what(game, { seat, stream, text }) {
    if (seat !== null) return { seat: game.names.seat(seat), choose: text };
    return stream === null ? { start: true } : { chance: stream, outcome: text };
}

/** An event in the words of the rules: its kind, then its fields. @param {Game} game @param {GameEvent} event */
function named({ names, machine }, event) {
    const { fields } = machine.tables.events[event[0]];
    const place = (/** @type {number} */ number) => names.place(number);
    const className = (/** @type {string} */ component, /** @type {number} */ number) => machine.components[component].classes[number];
    const said = (/** @type {string} */ role, /** @type {GameEvent[number]} */ given) => {
        const value = Number(given);
        switch (role) {
            case "class":
                return className(String(event[1]), value);
            case "place":
                return place(value);
            case "pieces":
                return (Array.isArray(given) ? given : []).map(([at, number, count]) => [place(at), className(machine.places[at].component, number), count]);
            case "word": {
                const variable = machine.variableOf(value);
                return names.word(variable, value - variable.first);
            }
            case "value": {
                const { kind, type } = machine.variableOf(Number(event[1 + fields.indexOf("word")]));
                return kind === "counter" ? value : names.value(type, value);
            }
            case "seat":
                return value < 0 ? null : names.seat(value);
            case "phase":
                return machine.phases[value];
            case "outcome":
                return machine.endings[value - 1] ?? null;
            default:
                return given;
        }
    };
    return [event[0], ...fields.filter((role) => role !== "node").map((role, i) => said(role, event[i + 1]))];
}
