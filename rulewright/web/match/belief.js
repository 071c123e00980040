// What a seat knows when it chooses, for a player that searches: a state in which nothing stands that the seat
// does not see, and what may lie there instead. Two positions that it cannot tell apart give the same.

import { BLANK, classesOn, count, FORK, FORKED, FP, MAIN_FP, NONE, PC, SLOT, STOP, waitingBranches } from "./state.js";
import { hasJoined } from "./undo.js";

/**
 * @import { Description, HostTables, OfferedDecision, Part, State } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Machine, Place, Variable } from "./machine.js"
 * @import { Match, Step } from "./match.js"
 * @import { Views } from "./views.js"
 */

/**
 * What `search.js` needs of a game, as plain values.
 * @typedef {{firsts: number[], sizes: number[], passing: number, parts: Part[], many: boolean,
 *   numbers: number[]}} SearchedDecision
 * @typedef {{map: HostTables["map"], seats: number, branches: number, sign: number, row: number,
 *   decisions: Record<string, SearchedDecision>}} SearchedRules
 */

/**
 * What a seat has to solve. `choices` are [part, bit, low, classes, place]; one stands for all pieces of a place that are
 * not seen. `deals` are groups of places among which a pool lies at random, `guesses` are words with their possible values.
 * @typedef {[part: number, bit: number, low: number, classes: number, place: number]} SearchedChoice
 * @typedef {{at: number, kind: number, base: number, number: number, room: number, top: number | null}} DealtPlace
 * @typedef {[word: number, place: number, token: number, classes: number]} NamedPiece
 * @typedef {{pool: number[], die: number, places: DealtPlace[], loose: number, named: NamedPiece[]}} Deal
 * @typedef {[word: number, values: number[]]} Guess
 * @typedef {{state: State, deals: Deal[], guesses: Guess[]}} Hidden
 * @typedef {Hidden & {seat: number, branch: number, node: number, choices: SearchedChoice[]}} Problem
 */

const [RETURN, CALLER] = [0, 1];
const MOST_VALUES = 4096;

/** What `search.js` needs of a game. @param {Game} game @returns {SearchedRules} */
export function rulesOf({ machine }) {
    /** @type {SearchedRules["decisions"]} */
    const decisions = {};
    for (const [node, { parts, passing, numbers = [] }] of Object.entries(machine.decisions)) {
        decisions[node] = { firsts: parts.map(([, , first]) => 64 * first), sizes: parts.map(([, size]) => size), passing, parts, many: parts.some(([, , , ranges]) => Boolean(ranges)), numbers };
    }
    const { seats, branches, best, scores, tables } = machine;
    const sign = best === "highest" ? 1 : best === "lowest" ? -1 : 0;
    return { map: tables.map, seats, branches, sign, row: scores.length + 1, decisions };
}

/**
 * The problem that a seat has to solve, and the words of its choices. Null if it is not asked.
 *
 * Within `together` the state is that of its beginning, with the seat's own choices since: what others have
 * chosen at the same time is not in it. `problem` is null if that cannot be made, since chance came between.
 * @param {Match} match
 * @param {number} seat
 * @returns {{words: string[], problem: Problem | null} | null}
 */
export function problemOf(match, seat) {
    const decision = match.offeredTo(seat).at(0);
    if (!decision) return null;
    const [words, choices] = choicesOf(match, decision);
    const since = match.state[FORKED] ? forkedSince(match) : match.history.length;
    const state = match.state[FORKED] ? alone(match, seat, since) : match.state;
    const { branch, node } = decision;
    if (!state) return { words, problem: null };
    const mixed = mixing(match.game, match.steps.slice(0, match.history[since]?.first), seat);
    return { words, problem: { seat, branch, node: node.number, choices, ...hidden(match.game, state, seat, mixed) } };
}

/**
 * The words of choices, and the choices.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @returns {[string[], SearchedChoice[]]}
 */
function choicesOf({ game: { machine, names } }, { node, what, choices }) {
    /** @type {string[]} */
    const words = [];
    /** @type {SearchedChoice[]} */
    const found = [];
    const met = new Set();
    for (const { option, words: said, hidden: unseen } of choices) {
        const [part, value] = option;
        const [low, size] = part < 0 ? [0, 0] : node.parts[part];
        const bit = part < 0 ? 0 : value === NONE ? size : value - low;
        const kind = names.valueType(node, option, what);
        const used = unseen && kind?.[0] === "piece" ? machine.components[kind[1]].used : 0;
        const place = used ? Math.floor(value / used) : -1;
        const key = [part, used ? -1 : bit, place].join();
        if (met.has(key)) continue;
        met.add(key);
        words.push(said.join(" "));
        found.push([part, used ? 0 : bit, low, used, place]);
    }
    return [words, found];
}

/** How many choices were made before the running `together`. @param {Match} match */
function forkedSince({ history, steps }) {
    let since = history.length;
    const joined = (/** @type {number} */ i) => hasJoined(steps.slice(history[i].first, history[i + 1]?.first));
    while (since && history[since - 1].state[FORKED] && !joined(since - 1)) since--;
    return since;
}

/**
 * The state of the running `together` as if only this seat had chosen; null if chance followed.
 * @param {Match} match
 * @param {number} seat
 * @param {number} since
 */
function alone({ game, history, steps }, seat, since) {
    const begun = history[since];
    if (!begun) return steps[steps.length - 1].state.slice();
    const state = begun.state.slice();
    for (let i = since; i < history.length; i++) {
        const { first } = history[i];
        const { seat: chooser, text } = steps[first];
        if (chooser !== seat) continue;
        const waiting = game.executor.waiting(state).find((one) => one.seat === seat);
        if (!waiting) return null;
        const node = game.machine.decisions[waiting.node];
        const option = game.including(waiting, text).options.find((one) => game.names.choice(node, one, waiting.what).join(" ") === text);
        if (!option || game.executor.choose(state, waiting, option).code !== STOP) return null;
    }
    return state;
}

// ---- what is not seen

/**
 * For each place the first of those with which it may have exchanged pieces unseen: by chance or by a choice,
 * which move one piece, perhaps on and on. What else moves is moved by the rules, as when tiles are sorted into
 * stacks, and the seat knows what it was.
 * @param {Game} game
 * @param {Step[]} steps
 * @param {number} seat
 */
function mixing({ machine, views }, steps, seat) {
    const firsts = [...machine.places.keys()];
    /** @param {number} at @returns {number} */
    const root = (at) => (firsts[at] === at ? at : root(firsts[at]));
    const unseen = (/** @type {number} */ at) => at >= 0 && !views.maySee(at, seat);
    for (const { stream, seat: chooser, events } of steps) {
        if (stream === null && chooser === null) continue;
        /** @type {number[]} */
        const way = [];
        for (const [kind, , , , from, to] of events) {
            if (kind === "moved" && unseen(from) && unseen(to) && (!way.length || way.includes(from))) {
                firsts[root(to)] = root(from);
                way.push(to);
            }
        }
    }
    return firsts.map((_, at) => root(at));
}

/** @param {Game} game @param {State} from @param {number} seat @param {number[]} mixed @returns {Hidden} */
function hidden({ machine, views, description }, from, seat, mixed) {
    const state = from.slice();
    /** @type {Map<string, Deal>} */
    const groups = new Map();
    machine.places.forEach((place, at) => {
        if (views.sees(from, at, seat)) return;
        const { kind, base, classes, capacity } = place;
        const key = `${mixed[at]} ${kind === BLANK}`;
        const die = description.components[place.component].die && kind !== BLANK ? classes : 0;
        const group = groups.get(key) ?? { pool: [], die, places: [], loose: 0, named: [] };
        groups.set(key, group);
        const top = views.tops.includes(at) ? views.top(from, at) : null;
        const number = count(from, place) - (top === null ? 0 : 1);
        const counted = views.counts(from, at, seat);
        group.pool.push(...(group.die || kind === BLANK ? Array(number).fill(0) : classesOn(from, place).slice(0, number)));
        group.loose += counted ? 0 : number;
        const room = counted ? 0 : kind === SLOT ? 1 : capacity || Infinity;
        group.places.push({ at, kind, base, number: counted ? number : 0, room, top });
        state.fill(0, base, base + wordsOf(place));
    });
    const deals = [...groups.values()];
    for (const one of deals) one.pool.sort((a, b) => a - b);
    name(machine, from, state, deals);
    return { state, deals, guesses: guesses(machine, views, description, state, seat) };
}

/**
 * The words of counters, marks and pointers that a seat does not see, each with the values that it may have. They
 * are the first of these in the state. Whether a pointer is none is known from the course of the match.
 * @param {Machine} machine
 * @param {Views} views
 * @param {Description} description
 * @param {State} state
 * @param {number} seat
 */
function guesses(machine, views, description, state, seat) {
    /** @type {Guess[]} */
    const found = [];
    for (const variable of machine.variables) {
        if ((variable.seen_by ?? "all") === "all") continue;
        const values = valuesOf(machine, description, variable);
        for (let k = 0; k < variable.size; k++) {
            const word = variable.base + k;
            if (views.reads(state, variable, k, seat) || state[word] === NONE) continue;
            state[word] = values[0];
            found.push([word, values]);
        }
    }
    return found;
}

/**
 * All values of a variable; of very many numbers so many that are equally far apart, and both ends.
 * @param {Machine} machine
 * @param {Description} description
 * @param {Variable} variable
 */
function valuesOf({ seats }, { types }, { type: [, of], low, high }) {
    const ofSeats = of === "seat";
    const members = ofSeats || of === undefined ? null : types[of]?.members;
    const last = (ofSeats ? seats - 1 : high) - low;
    const length = Math.min(last + 1, MOST_VALUES);
    return members ?? Array.from({ length }, (_, i) => low + (length > last ? i : Math.round((i * last) / (length - 1))));
}

/** @param {Place} place */
const wordsOf = ({ kind, classes, capacity }) => [1, classes, capacity + 1, 1][kind];

/**
 * Words that refer to pieces that are not seen refer to the same ones in each deal.
 * @param {Machine} machine
 * @param {State} from
 * @param {State} state
 * @param {Deal[]} deals
 */
function name(machine, from, state, deals) {
    /** @type {Map<string, {at: number, number: number}>} */
    const tokens = new Map();
    for (const words of references(machine, from)) {
        /** @type {Map<number, number>} */
        const met = new Map();
        for (const [word, used] of words) {
            const at = Math.floor(from[word] / used);
            const group = deals.find(({ places }) => places.some((place) => place.at === at));
            const where = machine.places[at];
            if (!group || machine.components[where.component]?.used !== used) continue;
            const class_ = from[word] % used;
            const there = classesOn(from, where).filter((one) => one === class_).length;
            const index = group.places.findIndex((place) => place.at === at);
            state[word] = at * used;
            if (!there) continue;
            const time = Math.min(met.get(from[word]) ?? 0, there - 1);
            met.set(from[word], time + 1);
            const key = `${from[word]} ${time}`;
            const named = [...tokens.values()].filter((one) => one.at === at).length;
            const token = tokens.get(key) ?? { at, number: named };
            tokens.set(key, token);
            group.named.push([word, index, token.number, used]);
        }
    }
}

/**
 * Every word that refers to a piece: lists of [word, classes], those of one collection together.
 * @param {Machine} machine
 * @param {State} s
 * @returns {Generator<[word: number, classes: number][]>}
 */
function* references({ tables, ...machine }, s) {
    const { held = {}, queues = [] } = tables;
    /** @type {[node: number, frame: number][]} */
    const frames = [];
    /** @param {number} node @param {number} fp */
    const follow = (node, fp) => {
        for (; node >= 0; [node, fp] = [s[fp + RETURN], s[fp + CALLER]]) frames.push([node, fp]);
    };
    if (s[FORKED]) {
        follow(s[FORK], s[MAIN_FP]);
        for (const [seat, node] of waitingBranches(s, machine)) follow(node, s[machine.branches + 3 * seat + 1]);
    } else {
        follow(s[PC], s[FP]);
    }
    for (const [node, fp] of frames) {
        for (const [slot, listed, used] of held[node] ?? []) {
            const [first, number] = listed ? [fp + slot + 1, s[fp + slot]] : [fp + slot, 1];
            yield Array.from({ length: number }, (_, i) => [first + i, used]);
        }
    }
    for (const [at, used] of queues) yield Array.from({ length: s[at] }, (_, i) => [at + 1 + 2 * i, used]);
}
