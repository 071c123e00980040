// Choices among hidden pieces: they are numbered, so that the list reveals nothing.

import { blakeOfText, hexadecimal } from "./hashes.js";
import { openWords } from "./formatting.js";
import { NONE, count, numberOf } from "./state.js";

/**
 * @import { OfferedChoice, OfferedDecision } from "../types.d.ts"
 * @import { Match } from "./match.js"
 */

/**
 * A decision as the seat that makes it may read it. Hidden pieces become numbers: one for each piece on a
 * place, in an order that is independent of what they are. If the seat cannot count them, one stands for all.
 * There are as many if not each piece can be chosen: how many can be says something about them.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @returns {OfferedDecision}
 */
export function asOffered(match, decision) {
    const { views } = match.game;
    /** @type {OfferedChoice[][]} */
    const [unseen, passing, rest] = [[], [], []];
    for (const choice of decision.choices) {
        if (views.hidesWords(match.state, decision.node, choice.option, decision.what, decision.seat)) {
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
    /** @type {Map<string, {words: string[], place: number | null, found: OfferedChoice[]}>} */
    const groups = new Map();
    for (const choice of choices) {
        const words = openWords(choice.words, decision.node);
        const place = placeOf(match, decision, choice);
        const where = place === null ? "" : match.game.names.place(place);
        const key = JSON.stringify([words, where]);
        const group = groups.get(key) ?? { words, place, found: [] };
        groups.set(key, group);
        for (let n = copies(match, place, choice); n > 0; n--) group.found.push(choice);
    }
    const numbers = new Map();
    const offered = [];
    for (const { words, place, found } of groups.values()) {
        const inOrder = shuffled(match, found);
        for (let i = 0; i < seenNumber(match, decision, place, found); i++) {
            const choice = inOrder[i % inOrder.length];
            const number = (numbers.get(words.join(" ")) ?? 0) + 1;
            numbers.set(words.join(" "), number);
            offered.push({ ...choice, words: [...words, String(number)], hidden: true });
        }
    }
    return offered;
}

/**
 * The place of the piece that is chosen; null if it is none.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {OfferedChoice} choice
 */
function placeOf(match, decision, { option }) {
    const { names, machine } = match.game;
    const kind = names.valueType(decision.node, option, decision.what);
    if (kind?.[0] !== "piece" || option[1] === NONE) return null;
    return Math.floor(option[1] / machine.components[kind[1]].used);
}

/**
 * How many equal pieces on one place a choice stands for.
 * @param {Match} match
 * @param {number | null} place
 * @param {OfferedChoice} choice
 */
function copies(match, place, { option }) {
    if (place === null) return 1;
    const where = match.game.machine.places[place];
    return Math.max(1, numberOf(match.state, where, option[1] % where.classes));
}

/**
 * How many numbers are listed: one for each piece, or one if the seat cannot count them.
 * @param {Match} match
 * @param {OfferedDecision} decision
 * @param {number | null} place
 * @param {OfferedChoice[]} found
 */
function seenNumber(match, decision, place, found) {
    if (place === null) return found.length;
    const { machine, views } = match.game;
    if (!views.counts(match.state, place, decision.seat)) return 1;
    return Math.max(found.length, count(match.state, machine.places[place]));
}

/**
 * The choices in an order that depends on seed and step, not on what the pieces are.
 * @param {Match} match
 * @param {OfferedChoice[]} found
 */
function shuffled(match, found) {
    const moment = `${match.seed} ${match.steps.length}`;
    const keyed = found.map((choice, i) => {
        const text = `${moment} ${i} ${choice.words.join(" ")}`;
        return { key: hexadecimal(blakeOfText(text)), choice };
    });
    return keyed.sort(({ key: a }, { key: b }) => (a < b ? -1 : a > b ? 1 : 0)).map(({ choice }) => choice);
}
