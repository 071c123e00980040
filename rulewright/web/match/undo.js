// Undo: choices can be taken back if nobody has learned anything since, or if the seats concerned agree.

import { FORKED } from "./state.js";
import {
    ASKING, bitsOf, DRAWN, ENDS, FREELY, GOES_ON, IN_BRANCH, joined, MAY_SHOW, offerRow, REASON_BITS, seatsIn, stepRow, VALUE, WAY_BITS,
} from "./views.js";

/**
 * @import { GameEvent, State, Undo } from "../types.d.ts"
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
 * What a seat has learned from a choice, as the number of a reason; 0 if nobody has. Kept with the choice.
 * @param {Game} game
 * @param {HistoryEntry} entry
 */
function reveals(game, entry) {
    entry.record.reveals ??= revealed(game, entry);
    return entry.record.reveals;
}

/** @param {Game} game @param {HistoryEntry} entry */
function revealed(game, { before, after, steps }) {
    const { views } = game;
    const rows = rowsOf(game, steps);
    const learned = views.learned(joined(rows), before, after);
    return learned || views.learned(joined([...rows, ...offers(game, after)]), before, after);
}

/** Steps with their events. @param {Game} game @param {Step[]} steps */
const rowsOf = ({ machine }, steps) => steps.flatMap((step, i) => [stepRow(i, -1, step.seat ?? -1, flagsOf(machine, step)), step.rows]);

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

/**
 * What the module says of taking back the last choice, the last two, and so on.
 * @param {Match} match
 * @param {number} people
 */
function* blocked(match, people) {
    const { game, state } = match;
    let [seats, learned] = [0, 0];
    for (const entry of historyEntries(match)) {
        const own = entry.steps[0].seat ?? -1;
        seats |= 1 << own;
        learned ||= reveals(game, entry);
        yield game.executor.exports.undo(seats, own, learned, people, state[FORKED]);
    }
}

/** All seats, as bits. @param {Match} match */
const seatsOf = ({ game }) => (1 << game.machine.seats) - 1;

/** How many choices the seat that made the last one can take back without consent. @param {Match} match */
export function undoDepth(match) {
    let number = 0;
    for (const found of blocked(match, seatsOf(match))) {
        if (found) break;
        number++;
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
    const { game } = match;
    let number = 0;
    for (const entry of historyEntries(match)) {
        const found = game.views.branch(joined(rowsOf(game, entry.steps)), entry.before, seat);
        if (found === ENDS || (found === GOES_ON && reveals(game, entry))) break;
        if (found === GOES_ON) number++;
    }
    return number;
}

/** By their numbers in the module. */
const REASONS = ["", "at-once", "shown", "may-be-shown", "chance", "uncovered", "still", "chosen-since"];

/**
 * Why the last `number` choices cannot be taken back without consent; null if they can. `people` are the seats that others
 * than bots play; without it, all.
 * @param {Match} match
 * @param {number} number
 * @param {number[] | null} people
 * @returns {{why: string, consent: number[]} | null}
 */
export function undoBlocker(match, number, people = null) {
    if (!(number > 0 && number <= match.history.length)) {
        return { why: match.history.length ? "fewer" : "nothing", consent: [] };
    }
    const found = inTheWay(blocker(match, number, people ? bitsOf(people) : seatsOf(match)));
    return found.why ? found : null;
}

/** What the module says, in words: the reason, and the seats that have to agree. @param {number} found */
const inTheWay = (found) => ({ why: REASONS[found & ((1 << REASON_BITS) - 1)], consent: seatsIn(found >> REASON_BITS) });

/** What the module says of taking back the last choices. @param {Match} match @param {number} number @param {number} people */
function blocker(match, number, people) {
    const answers = blocked(match, people);
    while (--number) answers.next();
    return Number(answers.next().value);
}

/**
 * How many choices a viewer may take back freely; else how many to ask for, up to its own last one, and who has to agree.
 * @param {Match} match
 * @param {number} viewer
 * @param {number[] | null} people
 * @returns {Undo}
 */
export function wayBack(match, viewer, people = null) {
    const { history, steps, state, game, over } = match;
    const number = history.map(({ first }) => steps[first].seat).reverse().indexOf(viewer) + 1;
    const asked = people ? bitsOf(people) : seatsOf(match);
    const found = number && !over && !state[FORKED] ? blocker(match, number, asked) : 0;
    const way = game.views.wayBack(state, viewer, asked, number, found);
    const [kind, none] = [way & ((1 << WAY_BITS) - 1), { free: 0, ask: 0, why: "", consent: [] }];
    if (kind === ASKING) return { ...none, ask: number, ...inTheWay(way >> WAY_BITS) };
    return { ...none, free: kind === IN_BRANCH ? branchDepth(match, viewer) : kind === FREELY ? undoDepth(match) : 0 };
}
