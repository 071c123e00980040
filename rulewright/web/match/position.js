// What one viewer may know of a match now, and what it has been told, as JSON for a page.

import { goesOn } from "./carrying.js";
import { NOT_ASKED } from "./refusal.js";
import { ACTIVE, FORKED, FP, NONE, PHASE, REFEREE } from "./state.js";
import { wayBack } from "./undo.js";
import { joined, SAID, stepRow } from "./views.js";

/**
 * @import { Choice, ChoiceRange, Entry, GameEvent, OfferedChoice, OfferedDecision, Position, PositionDecision, Refusal, SeatScore,
 *   Value, ValueType, WaitingDecision } from "../types.d.ts"
 * @import { Game } from "./game.js"
 * @import { Machine } from "./machine.js"
 * @import { Match, Step } from "./match.js"
 * @import { NodeRefusal } from "./refusal.js"
 * @import { ToldPart } from "./views.js"
 */

const SELF = 3;

/**
 * What a viewer may know of a match now: pieces, values, who is asked, own choices, scores, undo. `people` are the seats
 * that persons play; without it, all.
 * @param {Match} match
 * @param {number} viewer
 * @param {number[] | null} people
 * @returns {Position}
 */
export function position(match, viewer, people = null) {
    const { state, game } = match;
    const waiting = match.over ? [] : game.executor.waiting(state);
    const forked = state[FORKED] !== 0;
    return {
        seq: toldParts(match, viewer).length,
        seat: viewer,
        over: match.over,
        winners: match.over ? match.winners() : null,
        outcome: match.over ? match.outcome() : null,
        ended_by: match.over ? match.endedBy() : [],
        ranking: match.over ? match.ranking() : [],
        phase: state[PHASE],
        active: state[ACTIVE],
        turns: !forked && game.machine.rotating.has(game.machine.phases[state[PHASE]]),
        together: forked,
        ...game.views.seen(state, viewer),
        computed: computed(match, viewer),
        waiting: game.views.awaited(state, viewer, waiting.map(({ seat }) => seat)),
        decisions: viewer < 0 || match.over ? [] : match.offeredTo(viewer).map((found) => decision(match, found)),
        scores: scores(match, viewer),
        undo: wayBack(match, viewer, people),
        ...(match.over && goesOn(game, state) ? { next: true } : {}),
    };
}

export { decision as decisionJson, places, words };

// ---- pieces and words

/** @param {Match} match @param {number} viewer */
const places = (match, viewer) => match.game.views.seen(match.state, viewer).places;

/** @param {Match} match @param {number} viewer */
const words = (match, viewer) => match.game.views.seen(match.state, viewer).words;

// ---- decisions

/** @param {Match} match @param {OfferedDecision} found @returns {PositionDecision} */
function decision(match, found) {
    return {
        name: found.node.name,
        node: found.node.number,
        self: actingPiece(match, found.seat),
        clauses: found.node.clauses,
        passing: found.choices.some(({ option }) => option[0] < 0),
        choices: found.choices.map((one) => choice(match, found, one)),
        ...(found.ranges.length ? { ranges: found.ranges.map((one) => range(found, one)) } : {}),
    };
}

/**
 * Choices that differ in a number alone: the words in front of it, the action, and the numbers.
 * @param {OfferedDecision} decision
 * @param {OfferedDecision["ranges"][number]} range
 * @returns {ChoiceRange}
 */
function range({ node }, { words: said, numbers: { first, last, step } }) {
    return { words: said.join(" "), action: node.offer ? said[0] : null, numbers: [first, last, step] };
}

/** @param {Match} match @param {OfferedDecision} decision @param {OfferedChoice} choice @returns {Choice} */
function choice({ state, game }, { node, what, seat }, { option, words: said }) {
    const text = said.join(" ");
    if (option[0] < 0) return { words: text, action: null, arguments: [], value: null, pass: true };
    const doing = node.offer ? what[option[0]] : null;
    /** @param {ValueType | null} kind @param {number} value */
    const json = (kind, value) => valueJson(game.machine, kind, value, !game.views.hides(state, seat, [[kind, value]]));
    return {
        words: text,
        action: doing ? game.machine.routines[doing[0]].name : null,
        arguments: doing ? game.names.arguments(doing).map(([kind, value]) => json(kind, value)) : [],
        value: json(game.names.valueType(node, option, what), option[1]),
    };
}

/**
 * @param {Machine} machine
 * @param {ValueType | null} kind
 * @param {number} value
 * @param {boolean} seen
 * @returns {Value | null}
 */
function valueJson(machine, kind, value, seen) {
    if (!kind) return null;
    if (value === NONE) return ["none"];
    switch (kind[0]) {
        case "enum":
            return ["enum", kind[1], value];
        case "piece": {
            const { used } = machine.components[kind[1]];
            return ["piece", Math.floor(value / used), seen ? value % used : -1];
        }
        case "effect":
            return ["effect", machine.routines[machine.cells[value]].name];
        case "none":
            return ["none"];
        case "flag":
            return ["flag", value];
        default:
            return ["int", value];
    }
}

/**
 * The piece whose effect asks, if the seat sees it.
 * @param {Match} match
 * @param {number} seat
 * @returns {Value | null}
 */
function actingPiece({ state, game }, seat) {
    const { effectComponent: component, components } = game.machine;
    if (state[FORKED]) return null;
    const piece = state[state[FP] + SELF];
    if (piece < 0 || component === null) return null;
    const place = Math.floor(piece / components[component].used);
    return game.views.sees(state, place, seat) ? ["piece", place, piece % components[component].used] : null;
}

/**
 * What each value is that the table shows; in `together` as it was before.
 * @param {Match} match
 * @param {number} viewer
 * @returns {Position["computed"]}
 */
function computed({ state, game }, viewer) {
    const { executor, machine, views } = game;
    const now = views.before(state, viewer) ?? state;
    return (machine.description.computed ?? []).map(({ of }, number) =>
        of === null ? executor.computed(now, 0, number) : Array.from({ length: machine.seats }, (_, seat) => executor.computed(now, seat, number)),
    );
}

// ---- scores and undo

/**
 * For each seat its score; null for what the viewer may not know. In `together` as it was before. With hypotheses of what
 * lies hidden it is what is the same in all of them.
 * @param {Match} match
 * @param {number} viewer
 * @param {Match[]} hypotheses
 * @returns {SeatScore[]}
 */
export function scores(match, viewer, hypotheses = [match]) {
    const { views, machine } = match.game;
    const readers = new Map(machine.description.scores.map((line) => [line.name, line.known_to]));
    const accounts = hypotheses.map((one) => one.accounts(views.before(one.state, viewer) ?? one.state));
    const sheets = accounts.map((account) => account.map(({ lines, ties }) => [...lines, ...ties]));
    const allowed = sheets[0].flatMap((sheet, seat) => sheet.map(([name]) => readers.get(name)?.[seat] ?? 0));
    const values = sheets.map((sheet) => sheet.flat().map(([, value]) => value));
    const known = views.agreed(match.state, viewer, allowed, values).values();
    const told = sheets[0].map((sheet) => sheet.map(([name, value]) => /** @type {[string, number | null]} */ ([name, known.next().value ? value : null])));
    return accounts[0].map(({ lines: { length } }, seat) => {
        const lines = told[seat].slice(0, length);
        const total = lines.some(([, value]) => value === null) ? null : lines.reduce((sum, [, value]) => sum + (value ?? 0), 0);
        return { lines, total, ties: told[seat].slice(length) };
    });
}

// ---- entries

/**
 * What a viewer has been told, from entry number `since` on.
 * @param {Match} match
 * @param {number} viewer
 * @param {number} [since]
 */
export const entries = (match, viewer, since = 0) => toldParts(match, viewer).slice(since).map((part) => entryOf(match, part, viewer));

/**
 * All that a viewer has been told, in order, each with the number of its step; by some of the steps, if asked for.
 * @param {Match} match
 * @param {number} viewer
 * @param {number} [since]
 * @param {number} [until]
 */
export const told = (match, viewer, since = 0, until = undefined) =>
    toldParts(match, viewer, since, until).map((part) => ({ step: part.step, entry: entryOf(match, part, viewer) }));

/**
 * @param {Match} match
 * @param {number} viewer
 * @param {number} [since]
 * @param {number} [until]
 */
function toldParts({ game, steps }, viewer, since = 0, until = undefined) {
    const rows = steps.slice(since, until).flatMap((step, i) => {
        const said = step.seat !== null && choiceText(step, viewer) ? SAID : 0;
        return [stepRow(since + i, step.branch, -1, said), step.rows];
    });
    return game.views.tell(joined(rows), viewer);
}

/** @param {Match} match @param {ToldPart} part @param {number} viewer @returns {Entry} */
function entryOf({ game, steps }, { step: number, first, rows }, viewer) {
    const step = steps[number];
    const events = game.views.told(rows);
    if (!first) return { seat: step.seat, words: null, node: null, stream: null, odds: null, pool: null, events };
    const words = (step.seat !== null && choiceText(step, viewer)) || null;
    const { seat, stream, odds } = step;
    return { seat, words, node: words ? step.node : null, stream, odds: odds?.length ? odds : null, pool: poolOf(game, step, events, viewer), events };
}

/**
 * The pool of a draw, if a viewer sees what was drawn; `seen` are the events as it may know them.
 * @param {Game} game
 * @param {Step} step
 * @param {GameEvent[]} seen
 * @param {number} viewer
 */
function poolOf({ views }, { before, events: [drawn] }, [first], viewer) {
    const sees = before && first?.[0] === "moved" && first.every((part, i) => part === drawn[i]);
    return sees ? views.pool(before, first[4], viewer) : null;
}

/** @param {Step} step @param {number} viewer */
function choiceText({ text, own, open, seat }, viewer) {
    if (viewer === REFEREE) return text;
    return viewer === seat ? own : open;
}

// ---- refusals

/**
 * Why the words of a choice are not offered to a seat, as far as it may know.
 * @param {Match} match
 * @param {number} seat
 * @param {string} written
 */
export function whyNot(match, seat, written) {
    const waiting = waitingOf(match, seat);
    if (!waiting) return refusalJson(match, NOT_ASKED);
    return refusalJson(match, match.game.refusals.explain(match.state.slice(), waiting, written, seat));
}

/**
 * Why a value, as JSON, cannot be chosen by a seat; with `action`, for an action that is offered.
 * @param {Match} match
 * @param {number} seat
 * @param {string | null} action
 * @param {Value | null} value
 */
export function whyNotValue(match, seat, action, value) {
    const waiting = waitingOf(match, seat);
    if (!waiting) return refusalJson(match, NOT_ASKED);
    const number = value === null ? null : numberOf(match, waiting, action, value);
    return refusalJson(match, match.game.refusals.explainValue(match.state.slice(), waiting, action, number, seat));
}

/** @param {Match} match @param {number} seat */
const waitingOf = (match, seat) =>
    match.over ? undefined : match.game.executor.waiting(match.state).find((waiting) => waiting.seat === seat);

/**
 * The number of a value from JSON; `NONE` for one of another type than the decision asks for.
 * @param {Match} match
 * @param {WaitingDecision} waiting
 * @param {string | null} action
 * @param {Value} value
 */
function numberOf({ game }, waiting, action, value) {
    const { machine, names } = game;
    const node = machine.decisions[waiting.node];
    const doing = waiting.what.find((one) => one && machine.routines[one[0]].name === action);
    const kind = node.offer ? names.parameter(doing ?? null)?.type : node.type;
    if (!kind || kind[0] !== value[0]) return NONE;
    switch (value[0]) {
        case "int":
        case "flag":
            return value[1];
        case "enum":
            return value[1] === kind[1] ? value[2] : NONE;
        case "piece": {
            const [, place, class_] = value;
            const { used } = machine.components[kind[1] ?? ""];
            return place >= 0 && place < machine.places.length && class_ >= 0 && class_ < used ? place * used + class_ : NONE;
        }
        default:
            return NONE;
    }
}

/** A refusal as JSON. @param {Match} match @param {NodeRefusal} refusal @returns {Refusal} */
export function refusalJson(match, { kind, name, numbers, index, condition, facts, clauses, node, parts: inner }) {
    const { reasons, decisions } = match.game.machine.tables;
    return {
        kind,
        name,
        numbers,
        index,
        condition,
        facts,
        clauses,
        at: node === null ? null : (reasons[node]?.[2] ?? decisions[node]?.at ?? null),
        parts: inner.map((part) => refusalJson(match, part)),
    };
}
