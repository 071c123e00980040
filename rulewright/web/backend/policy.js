// A trained policy as a player: it sees what its seat sees, and draws among what is offered to it. The same as
// `rulewright/learn/policy_bot.py`.

import { NumberParts } from "../match/number_parts.js";
import { NONE } from "../match/state.js";
import { constantsOf, logitsOf } from "./network.js";

/**
 * @import { Game } from "../match/game.js"
 * @import { Node } from "../match/machine.js"
 * @import { Match } from "../match/match.js"
 * @import { OfferedDecision, Option, PolicyTables } from "../types.d.ts"
 * @import { Table } from "./network.js"
 * @typedef {Map<number, Table>} Constants
 * @typedef {[action: number, weight: number][]} Chances
 */

/**
 * What is chosen by an action: words; or, of a `part` of a decision, those in front of a number, and the `place` of its part.
 * @typedef {{words: string} | {words: string, part: number, place: number, front: string[]}} PolicyChoice
 */

/** What stands in front of the words of an observation: the decision, and whether the match is over. */
const HEAD = 2;

/** The tables of the policy that a game carries. @param {Game} game @returns {PolicyTables} */
function tablesOf({ machine }) {
    const { policy } = machine.tables;
    if (!policy) throw new Error("the game carries no policy");
    return policy;
}

/**
 * What a seat sees when it chooses, as `Space.row` in `rulewright/learn/space.py` has it.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {number} [asked] the number of the decision: one about a part of a number has its own
 */
export function observationOf({ game, state }, decision, asked = tablesOf(game).decisions[decision.node.number].number) {
    const { lows, places } = tablesOf(game);
    const { exports, map } = game.executor;
    game.executor.put(state);
    const row = map.row ?? 0;
    exports.observe(map.state, decision.seat, row);
    const number = places ? places.length : lows.length;
    const words = game.executor.words(row, number - HEAD);
    const found = new Int32Array(lows.length);
    /** @param {number} word @param {number} value */
    const put = (word, value) => (found[places ? places[word] : word] = value);
    put(0, asked);
    words.forEach((value, i) => put(i + HEAD, value));
    return found.map((value, i) => Math.max(value, lows[i]));
}

/**
 * The actions that are offered by their numbers, each with the words of its choice. One of a part of the numbers of
 * ranges has the `part` of the decision and the `place` among its parts, and words in front of the number.
 * @param {Match} match
 * @param {OfferedDecision} decision
 */
export function actionsOf({ game }, decision) {
    const { decisions, unseen } = tablesOf(game);
    const table = decisions[decision.node.number];
    /** @type {Map<number, PolicyChoice>} */
    const found = new Map();
    /** @param {number} action @param {PolicyChoice} choice */
    const put = (action, choice) => found.has(action) || found.set(action, choice);
    for (const { option, words, hidden } of decision.choices) {
        if (decision.ranges.some(({ numbers }) => numbers.part === option[0])) continue;
        put(hidden ? unseen[`${decision.node.name}: ${words.join(" ")}`] : actionOf(table, decision.node, option), { words: words.join(" ") });
    }
    for (const { words, numbers: { part } } of decision.ranges) {
        const numbers = numbersOf(decision, part);
        for (const place of numbers.offered([])) {
            put(table.actions[table.starts[part] + place], { words: [...words, numbers.number([place])].join(" "), part, place, front: words });
        }
    }
    return found;
}

/** @param {PolicyTables["decisions"][string]} table @param {Node} node @param {Option} option */
function actionOf({ starts, values, passing, actions }, { parts }, [part, value]) {
    if (part < 0) return actions[passing];
    return actions[starts[part] + (value === NONE ? values[part] : value - parts[part][0])];
}

/** The numbers of a thing to do. @param {OfferedDecision} decision @param {number} part */
const numbersOf = ({ ranges }, part) => new NumberParts(ranges.map(({ numbers }) => numbers).filter((range) => range.part === part));

/**
 * Chances in the order of actions; where it knows nothing of them, all are alike.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {Constants} constants
 * @param {number[]} actions
 * @param {number} [asked]
 * @returns {Chances}
 */
export function chancesOf(match, decision, constants, actions = [...actionsOf(match, decision).keys()], asked = undefined) {
    const { actions: known, columns, network } = tablesOf(match.game);
    const offered = actions.toSorted((a, b) => a - b);
    const met = offered.filter((action) => action < known);
    if (!met.length) return offered.map((action) => [action, 1]);
    const logits = logitsOf(network, constants, observationOf(match, decision, asked).subarray(0, columns));
    const best = Math.max(...met.map((action) => logits[action]));
    return met.map((action) => [action, Math.exp(logits[action] - best)]);
}

/** The likeliest action, the first of several. @param {Chances} chances */
const likeliest = (chances) => chances.reduce((best, one) => (one[1] > best[1] ? one : best))[0];

/** An action by a number in 0..1. @param {Chances} chances @param {number} drawn */
function actionBy(chances, drawn) {
    let left = drawn * chances.reduce((total, [, weight]) => total + weight, 0);
    return (chances.find(([, weight]) => (left -= weight) < 0) ?? chances[chances.length - 1])[0];
}

/** @type {WeakMap<Game, Constants>} */
const kept = new WeakMap();

/**
 * The words of what a policy chooses for a seat; `draw` gives numbers in 0..1. Null if the seat is not asked.
 * @param {Match} match
 * @param {number} seat
 * @param {() => number} draw
 */
export function chosenByPolicy(match, seat, draw) {
    const decision = match.offeredTo(seat).at(0);
    if (!decision) return null;
    const { game } = match;
    const constants = kept.get(game) ?? constantsOf(tablesOf(game).network);
    kept.set(game, constants);
    /** @param {Chances} chances */
    const taken = (chances) => (tablesOf(game).greedy ? likeliest(chances) : actionBy(chances, draw()));
    const chosen = actionsOf(match, decision).get(taken(chancesOf(match, decision, constants)));
    if (!chosen || !("part" in chosen)) return chosen?.words ?? null;
    const { decisions, within } = tablesOf(game);
    const numbers = numbersOf(decision, chosen.part);
    const places = [chosen.place];
    const { name } = (decision.node.offer ? game.names.parameter(decision.what[chosen.part]) : null) ?? decision.node;
    for (const node of within[name]) {
        if (numbers.width(places.length) === 1) break;
        const { number, actions } = decisions[node];
        const offered = new Map(numbers.offered(places).map((place) => [actions[place], place]));
        places.push(offered.get(taken(chancesOf(match, decision, constants, [...offered.keys()], number))) ?? 0);
    }
    return [...chosen.front, numbers.number(places)].join(" ");
}
