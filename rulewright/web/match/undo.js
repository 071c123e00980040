// Undo: choices can be taken back if nobody has learned anything since, or if the seats concerned agree.

import { FORKED } from "./state.js";
import { DRAWN, joined, MAY_SHOW, offerRow, stepRow, VALUE } from "./views.js";

/**
 * @import { GameEvent, State } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Machine } from "./machine.js"
 * @import { Match, MatchRecord, Step } from "./match.js"
 * @typedef {{record: MatchRecord, before: State, after: State, steps: Step[]}} HistoryEntry
 */

/** Whether an event says that all branches of `together` have ended. @param {GameEvent} event */
export const joins = (event) => event[0] === "branched" && event[1] < 0;

/** @param {Step[]} steps */
export const hasJoined = (steps) => steps.some((step) => step.events.some(joins));

/**
 * The choices of a match, the last one first: the states before and after each, and its steps.
 * @param {Match} match
 * @returns {Generator<HistoryEntry>}
 */
function* historyEntries(match) {
    let after = match.state;
    let end = match.steps.length;
    for (const record of match.history.toReversed()) {
        yield { record, before: record.state, after, steps: match.steps.slice(record.first, end) };
        [after, end] = [record.state, record.first];
    }
}

/**
 * What a seat has learned from a choice, as the name of a reason; empty if nobody has. Kept with the choice.
 * @param {Game} game
 * @param {HistoryEntry} entry
 */
function reveals(game, entry) {
    entry.record.reveals ??= revealed(game, entry);
    return entry.record.reveals;
}

/** By what the module says that a seat has learned. */
const REASONS = ["", "at-once", "shown", "may-be-shown", "chance", "uncovered"];

/** @param {Game} game @param {HistoryEntry} entry */
function revealed(game, { before, after, steps }) {
    const { views } = game;
    const rows = steps.flatMap((step, i) => [stepRow(i, -1, step.seat ?? -1, flagsOf(game.machine, step)), step.rows]);
    const learned = views.learned(joined(rows), before, after);
    return REASONS[learned || views.learned(joined([...rows, ...offers(game, after)]), before, after)];
}

/** @param {Machine} machine @param {Step} step */
const flagsOf = ({ components, zones }, { stream, mayShow }) =>
    (stream === null ? 0 : DRAWN) |
    // a value that chance has chosen may be shown by any change after it
    (stream === null || Object.hasOwn(components, stream) || Object.hasOwn(zones, stream) ? 0 : VALUE) |
    (mayShow ? MAY_SHOW : 0);

/** The seats that may now choose a piece of a place, with the place. @param {Game} game @param {State} after */
const offers = ({ executor, machine, names }, after) =>
    executor.waiting(after).flatMap(({ seat, node, options, what }) =>
        options.flatMap((option) => {
            const kind = names.valueType(machine.decisions[node], option, what);
            return kind?.[0] === "piece" ? [offerRow(seat, Math.floor(option[1] / machine.components[kind[1]].used))] : [];
        }),
    );

/** How many choices the seat that made the last one can take back without consent. @param {Match} match */
export function undoDepth(match) {
    let number = 0;
    let seat = null;
    for (const entry of historyEntries(match)) {
        if (entry.steps[0].seat !== (seat ?? entry.steps[0].seat) || reveals(match.game, entry)) break;
        number++;
        seat = entry.steps[0].seat;
    }
    return number;
}

/**
 * How many choices a seat can take back in a running `together` although others have chosen since. What it has
 * learned, drawn, or done to the branches of others cannot be taken back.
 * @param {Match} match
 * @param {number} seat
 */
export function branchDepth(match, seat) {
    let number = 0;
    for (const entry of historyEntries(match)) {
        if (!entry.before[FORKED] || hasJoined(entry.steps)) break;
        if (entry.steps[0].seat !== seat) continue;
        if (entry.steps.some(({ stream, events }) => stream !== null || events.some(([kind]) => kind === "branched"))) break;
        if (reveals(match.game, entry)) break;
        number++;
    }
    return number;
}

/**
 * Why the last `number` choices cannot be taken back without consent; null if they can. Bots chose by the position alone:
 * their choices are taken back with those before them, and they have no say. `people` are the seats that others than bots
 * play; without it, all.
 * @param {Match} match
 * @param {number} number
 * @param {number[] | null} people
 * @returns {{why: string, consent: number[]} | null}
 */
export function undoBlocker(match, number, people = null) {
    if (!(number > 0 && number <= match.history.length)) {
        return { why: match.history.length ? "fewer" : "nothing", consent: [] };
    }
    const taken = [...historyEntries(match)].slice(0, number);
    const chosen = taken.map((entry) => entry.steps[0].seat ?? -1);
    const others = chosen.filter((seat) => seat !== chosen.at(-1));
    const everybody = people ?? [...Array(match.game.machine.seats).keys()];
    if (others.length && match.state[FORKED]) return { why: "still", consent: everybody };
    const learned = taken.map((entry) => reveals(match.game, entry)).find(Boolean);
    if (learned) return { why: learned, consent: everybody };
    const other = others.find((seat) => everybody.includes(seat));
    if (other === undefined) return null;
    return { why: "chosen-since", consent: everybody.filter((seat) => chosen.includes(seat)) };
}
