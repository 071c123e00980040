// A trained policy as a player: it sees what its seat sees, and draws among what is offered to it. The same as
// `rulewright/learn/policy_bot.py`.

import { NONE } from "../match/state.js";
import { constantsOf, logitsOf } from "./network.js";

/** What stands in front of the words of an observation: the decision, and whether the match is over. */
const HEAD = 2;

/** The tables of the policy that a game carries. */
const tablesOf = ({ machine }) => machine.tables.policy;

/** What a seat sees when it chooses, as `Space.row` in `rulewright/learn/play.py` has it. */
export function observationOf({ game, state }, decision) {
    const { lows, places, decisions } = tablesOf(game);
    const { exports, map } = game.executor;
    game.executor.put(state);
    exports.observe(map.state, decision.seat, map.row);
    const number = places ? places.length : lows.length;
    const words = game.executor.words(map.row, number - HEAD);
    const found = new Int32Array(lows.length);
    const put = (word, value) => (found[places ? places[word] : word] = value);
    put(0, decisions[decision.node.number].number);
    words.forEach((value, i) => put(i + HEAD, value));
    return found.map((value, i) => Math.max(value, lows[i]));
}

/** The actions that are offered by their numbers, each with the words of its choice. */
export function actionsOf({ game }, decision) {
    const { decisions, unseen } = tablesOf(game);
    const found = new Map();
    for (const { option, words, hidden } of decision.choices) {
        const action = hidden ? unseen[`${decision.node.name}: ${words.join(" ")}`] : actionOf(decisions[decision.node.number], decision.node, option);
        if (!found.has(action)) found.set(action, words.join(" "));
    }
    return found;
}

function actionOf({ starts, values, passing, actions }, { parts }, [part, value]) {
    if (part < 0) return actions[passing];
    return actions[starts[part] + (value === NONE ? values[part] : value - parts[part][0])];
}

/** Chances in the order of actions: [action, weight] each; where it knows nothing of them, all are alike. */
export function chancesOf(match, decision, constants) {
    const { actions: known, columns, network } = tablesOf(match.game);
    const offered = [...actionsOf(match, decision).keys()].sort((a, b) => a - b);
    const met = offered.filter((action) => action < known);
    if (!met.length) return offered.map((action) => [action, 1]);
    const logits = logitsOf(network, constants, observationOf(match, decision).subarray(0, columns));
    const best = Math.max(...met.map((action) => logits[action]));
    return met.map((action) => [action, Math.exp(logits[action] - best)]);
}

const kept = new WeakMap();

/** The words of what a policy chooses for a seat, drawn by a number in 0..1. Null if the seat is not asked. */
export function chosenByPolicy(match, seat, drawn) {
    const decision = match.offeredTo(seat).at(0);
    if (!decision) return null;
    const { game } = match;
    if (!kept.has(game)) kept.set(game, constantsOf(tablesOf(game).network));
    const chances = chancesOf(match, decision, kept.get(game));
    let left = drawn * chances.reduce((total, [, weight]) => total + weight, 0);
    const found = chances.find(([, weight]) => (left -= weight) < 0) ?? chances.at(-1);
    return actionsOf(match, decision).get(found[0]);
}
