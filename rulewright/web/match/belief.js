// What a seat knows when it chooses, for a player that searches: a state in which nothing stands that the seat
// does not see, and what may lie there instead. Two positions that it cannot tell apart give the same.

import { BLANK, classesOn, count, FORKED, FP, NONE, PC, SLOT, STOP, waitingBranches } from "./state.js";
import { hasJoined } from "./undo.js";

const [RETURN, CALLER] = [0, 1];
const MOST_VALUES = 4096;

/** What `search.js` needs of a game, as plain values. */
export function rulesOf({ machine }) {
    const decisions = {};
    for (const [node, { parts, passing }] of Object.entries(machine.decisions)) {
        decisions[node] = { firsts: parts.map(([, , first]) => 64 * first), sizes: parts.map(([, size]) => size), passing, parts, many: parts.some(([, , , ranges]) => ranges) };
    }
    const { seats, branches, best, scores, tables } = machine;
    const sign = { highest: 1, lowest: -1 }[best] ?? 0;
    return { map: tables.map, seats, branches, sign, row: scores.length + 1, decisions };
}

/**
 * The problem that a seat has to solve, and the words of its choices. Null if it is not asked.
 *
 * Within `together` the state is that of its beginning, with the seat's own choices since: what others have
 * chosen at the same time is not in it. `problem` is null if that cannot be made, since chance came between.
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

/** Choices as [part, bit, low, classes, place]; one stands for all pieces of a place that are not seen. */
function choicesOf({ game: { machine, names } }, { node, what, choices }) {
    const [words, found, met] = [[], [], new Set()];
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

/** How many choices were made before the running `together`. */
function forkedSince({ history, steps }) {
    let since = history.length;
    const joined = (i) => hasJoined(steps.slice(history[i].first, history[i + 1]?.first));
    while (since && history[since - 1].state[FORKED] && !joined(since - 1)) since--;
    return since;
}

/** The state of the running `together` as if only this seat had chosen; null if chance followed. */
function alone({ game, history, steps }, seat, since) {
    const begun = history[since];
    if (!begun) return steps.at(-1).state.slice();
    const state = begun.state.slice();
    for (let i = since; i < history.length; i++) {
        const { first } = history[i];
        const { seat: chooser, text } = steps[first];
        if (chooser !== seat) continue;
        const waiting = game.executor.waiting(state).find((one) => one.seat === seat);
        const node = waiting && game.machine.decisions[waiting.node];
        const option = waiting && game.including(waiting, text).options.find((one) => game.names.choice(node, one, waiting.what).join(" ") === text);
        if (!option || game.executor.choose(state, waiting, option).code !== STOP) return null;
    }
    return state;
}

// ---- what is not seen

/**
 * For each place the first of those with which it may have exchanged pieces unseen: by chance or by a choice,
 * which move one piece, perhaps on and on. What else moves is moved by the rules, as when tiles are sorted into
 * stacks, and the seat knows what it was.
 */
function mixing({ machine, views }, steps, seat) {
    const firsts = [...machine.places.keys()];
    const root = (at) => (firsts[at] === at ? at : root(firsts[at]));
    const unseen = (at) => at >= 0 && !views.maySee(at, seat);
    for (const { stream, seat: chooser, events } of steps) {
        if (stream === null && chooser === null) continue;
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

function hidden({ machine, views, description }, from, seat, mixed) {
    const state = from.slice();
    const groups = new Map();
    machine.places.forEach((place, at) => {
        if (views.sees(from, at, seat)) return;
        const { kind, base, classes, capacity } = place;
        const key = `${mixed[at]} ${kind === BLANK}`;
        if (!groups.has(key)) {
            const die = description.components[place.component].die && kind !== BLANK ? classes : 0;
            groups.set(key, { pool: [], die, places: [], loose: 0, named: [] });
        }
        const group = groups.get(key);
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
 */
function guesses(machine, views, description, state, seat) {
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

/** All values of a variable; of very many numbers so many that are equally far apart, and both ends. */
function valuesOf({ seats }, { types }, { type: [, of], low, high }) {
    const ofSeats = of === "seat";
    const members = ofSeats ? null : types[of]?.members;
    const last = (ofSeats ? seats - 1 : high) - low;
    const length = Math.min(last + 1, MOST_VALUES);
    return members ?? Array.from({ length }, (_, i) => low + (length > last ? i : Math.round((i * last) / (length - 1))));
}

const wordsOf = ({ kind, classes, capacity }) => [1, classes, capacity + 1, 1][kind];

/** Words that refer to pieces that are not seen refer to the same ones in each deal. */
function name(machine, from, state, deals) {
    const tokens = new Map();
    for (const words of references(machine, from)) {
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
            if (!tokens.has(key)) tokens.set(key, { at, number: named });
            group.named.push([word, index, tokens.get(key).number, used]);
        }
    }
}

/** Every word that refers to a piece: lists of [word, classes], those of one collection together. */
function* references({ tables, ...machine }, s) {
    const { held = {}, queues = [], head } = tables;
    const frames = [];
    const follow = (node, fp) => {
        for (; node >= 0; [node, fp] = [s[fp + RETURN], s[fp + CALLER]]) frames.push([node, fp]);
    };
    if (s[FORKED]) {
        follow(s[head.fork], s[head.main_frame]);
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
