// Choices among hidden pieces: they are numbered, so that the list reveals nothing.

import { streamKey } from "./chance.js";
import { openWords } from "./formatting.js";
import { count, NONE } from "./state.js";
import { NO_PLACE } from "./views.js";

/**
 * @import { OfferedChoice, OfferedDecision } from "../types.d.ts"
 * @import { Match } from "./match.js"
 */

/**
 * A decision as the seat that makes it may read it. Hidden pieces become numbers, in an order that is independent of what
 * they are: as many for each place as the module says.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @returns {OfferedDecision}
 */
export function asOffered(match, decision) {
    const { views } = match.game;
    /** @type {OfferedChoice[][]} */
    const [unseen, passing, rest] = [[], [], []];
    for (const choice of decision.choices) {
        if (views.hidesOption(match.state, decision.waiting, choice.option)) {
            unseen.push(choice);
        } else {
            (choice.option[0] < 0 ? passing : rest).push(choice);
        }
    }
    if (!unseen.length) return decision;
    return { ...decision, choices: [...rest, ...numbered(match, decision, unseen), ...passing] };
}

/**
 * The hidden pieces that can be chosen, numbered from 1 for each action.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {OfferedChoice[]} choices
 */
function numbered(match, decision, choices) {
    const { state, seed, steps, game } = match;
    /** @type {Map<string, {words: string[], place: number, found: OfferedChoice[], classes: number[]}>} */
    const groups = new Map();
    for (const choice of choices) {
        const words = openWords(choice.words, decision.node);
        const [place, class_] = pieceOf(match, decision, choice);
        const key = JSON.stringify([words, place]);
        const group = groups.get(key) ?? { words, place, found: [], classes: [] };
        groups.set(key, group);
        group.found.push(choice);
        group.classes.push(class_);
    }
    const numbers = new Map();
    const offered = [];
    const [order] = streamKey(seed, String(steps.length));
    for (const { words, place, found, classes } of groups.values()) {
        const most = found.length + (place === NO_PLACE ? 0 : count(state, game.machine.places[place]));
        for (const i of game.views.numbers(state, decision.seat, place, order, classes, most)) {
            const number = (numbers.get(words.join(" ")) ?? 0) + 1;
            numbers.set(words.join(" "), number);
            offered.push({ ...found[i], words: [...words, String(number)], hidden: true });
        }
    }
    return offered;
}

/**
 * The place and the class of the piece that is chosen, if it is a piece.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {OfferedChoice} choice
 */
function pieceOf({ game: { names, machine } }, decision, { option }) {
    const kind = names.valueType(decision.node, option, decision.what);
    if (kind?.[0] !== "piece" || option[1] === NONE) return [NO_PLACE, 0];
    const { used } = machine.components[kind[1]];
    return [Math.floor(option[1] / used), option[1] % used];
}
