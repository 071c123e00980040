// Undo: choices can be taken back if nobody has learned anything since, or if the seats concerned agree.

import { FORKED } from "./state.js";

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

/** @param {Game} game @param {HistoryEntry} entry */
function revealed(game, { before, after, steps }) {
    if (game.machine.seats > 1 && before[FORKED] && hasJoined(steps)) return "at-once";
    const kinds = game.machine.tables.events;
    if (steps.some((step) => step.events.some((event) => event[kinds[event[0]].openly ?? -1]))) return "shown";
    if (steps[0].mayShow) return "may-be-shown";
    if (steps.some(({ stream }) => stream !== null && isValue(game.machine, stream))) return "chance";
    if (!uncovers(game, before, after, steps) && !offersUnseen(game, after)) return "";
    return steps.some((step) => step.stream !== null) ? "chance" : "uncovered";
}

/**
 * Whether chance has chosen a value, which any change after it may show.
 * @param {Machine} machine
 * @param {string} stream
 */
const isValue = ({ components, zones }, stream) => !Object.hasOwn(components, stream) && !Object.hasOwn(zones, stream);

/**
 * Whether a seat newly sees or counts pieces, or sees the outcome of a roll or a shuffle.
 * @param {Game} game
 * @param {State} before
 * @param {State} after
 * @param {Step[]} steps
 */
function uncovers(game, before, after, steps) {
    const { views } = game;
    const seats = witnesses(game, before, after, steps);
    /** @param {GameEvent} event @param {boolean} byChance */
    const informs = (event, byChance) => {
        const { uncovers = [] } = game.machine.tables.events[event[0]];
        const [place, to] = uncovers.map((field) => Number(event[field]));
        if (to === undefined) {
            return place !== undefined && byChance && (views.tops.includes(place) || seats.some((seat) => views.seesOpenly(after, place, seat)));
        }
        return seats.some(
            (seat) =>
                (views.seesOpenly(after, to, seat) && !views.seesOpenly(before, place, seat)) ||
                (views.countsOpenly(after, to, seat) && !views.countsOpenly(before, place, seat)),
        );
    };
    return steps.some((step) => step.events.some((event) => informs(event, step.stream !== null)));
}

/**
 * The seats that see it happen: all; in `together` only those whose branches have run.
 * @param {Game} game
 * @param {State} before
 * @param {State} after
 * @param {Step[]} steps
 */
function witnesses(game, before, after, steps) {
    const seats = [...Array(game.machine.seats).keys()];
    if (!(before[FORKED] && after[FORKED])) return seats;
    const ran = steps.flatMap((step) => step.events.flatMap(([kind, seat]) => (kind === "branched" ? [seat] : [])));
    return seats.filter((seat) => ran.includes(seat) || seat === steps[0].seat);
}

/** Whether a seat may now choose among pieces that it does not see. @param {Game} game @param {State} after */
function offersUnseen(game, after) {
    return game.executor.waiting(after).some(({ seat, node, options, what }) =>
        options.some((option) => {
            const kind = game.names.valueType(game.machine.decisions[node], option, what);
            if (kind?.[0] !== "piece") return false;
            return !game.views.seesOpenly(after, Math.floor(option[1] / game.machine.components[kind[1]].used), seat);
        }),
    );
}

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
