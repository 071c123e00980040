// What a companion says of a match at a physical table: to all the same, and never a placeholder.

import { wordsOf } from "./formatting.js";
import { hypotheses, possibleDecisions } from "./hypotheses.js";
import { decisionJson, position, scores, whyNot, whyNotValue } from "./position.js";
import { SPECTATOR } from "./state.js";
import { bitsOf, isAmong } from "./views.js";

/**
 * @import { PositionDecision, Position, Question, Refusal, SeatScore, Value } from "../types.d.ts"
 * @import { Companion } from "./companion.js"
 * @import { Match } from "./match.js"
 */

/** The seat that is to choose next; null while a question waits. @param {Companion} companion */
export function askedSeat({ match, question }) {
    if (question || match.over || !match.steps.length) return null;
    return waiting(match)[0] ?? null;
}

/** @param {Match} match */
const waiting = (match) =>
    match.over || !match.steps.length ? [] : [...new Set(match.game.executor.waiting(match.state).map(({ seat }) => seat))].sort((a, b) => a - b);

/**
 * The position as spectators see it, with the possible choices of the seat that is asked (`asked`).
 * @param {Companion} companion
 * @returns {Position}
 */
export function companionPosition(companion) {
    const { match } = companion;
    const asked = askedSeat(companion);
    const free = Number(companion.canTakeBack);
    return {
        ...pastPosition(match),
        asked,
        waiting: waiting(match),
        decisions: asked === null ? [] : possibleJson(match, asked),
        undo: { free, ask: 0, why: "", consent: [], answer: companion.lastIsAnswer },
    };
}

/**
 * A position as spectators see it; scores and winners only as far as they follow from what is seen.
 * @param {Match} match
 * @returns {Position}
 */
export function pastPosition(match) {
    const found = { ...position(match, SPECTATOR), scores: publicScores(match) };
    if (found.winners && found.scores.some(({ total }) => total === null)) {
        const won = hypotheses(match).map((one) => [bitsOf(one.winners())]);
        if (!match.game.views.agreed(match.state, SPECTATOR, [0], won)[0]) found.winners = null;
    }
    return found;
}

/**
 * The scores of all seats, each line only if it is the same whatever the hidden pieces are. Before the end a line that
 * reads hidden pieces is not told at all, and others do not depend on them.
 * @param {Match} match
 * @returns {SeatScore[]}
 */
export function publicScores(match) {
    const hidden = match.game.machine.description.scores.some(({ known_to }) => !known_to.every((viewers) => isAmong(viewers, SPECTATOR)));
    return scores(match, SPECTATOR, match.over && hidden ? hypotheses(match) : [match]);
}

/**
 * The decisions of a seat, each choice once, in whichever hypothesis it is offered.
 * @param {Match} match
 * @param {number} seat
 */
function possibleJson(match, seat) {
    /** @type {Map<number, PositionDecision>} */
    const found = new Map();
    for (const [hypothesis, decision] of possibleDecisions(match, seat)) {
        const one = decisionJson(hypothesis, decision);
        const known = found.get(one.node);
        if (!known) {
            found.set(one.node, one);
            continue;
        }
        const words = new Set(known.choices.map((choice) => choice.words));
        known.choices.push(...one.choices.filter((choice) => !words.has(choice.words)));
        known.passing ||= one.passing;
    }
    return [...found.values()];
}

/**
 * What the table is asked, with the possible answers; null if nothing is. `told` are the outcomes told before.
 * @param {Companion} companion
 * @param {number} version
 * @returns {Question | null}
 */
export function questionOf(companion, version) {
    const { question, told } = companion;
    if (!question) return null;
    const { stream, place } = question;
    const before = told.outcomes.filter(({ known }) => known).map(({ text }) => text);
    return { version, seat: told.seat, stream, place, possible: companion.answers(), told: before, given: companion.given.length };
}

/**
 * Why a choice is not offered, were all hidden pieces what it names; null if it may be possible.
 * @param {Companion} companion
 * @param {string} words
 * @returns {Refusal | null}
 */
export function whyNotPossible(companion, words) {
    const { match } = companion;
    const seat = askedSeat(companion);
    const named = seat === null ? [] : possibleDecisions(match, seat).flatMap(([, { choices }]) => choices.map((one) => one.words.join(" ")));
    return named.includes(words) ? null : whyNot(named_(match, words), seat ?? SPECTATOR, words);
}

/**
 * The hypothesis in which all hidden pieces are what some words name; else the first one.
 * @param {Match} match
 * @param {string} written
 */
function named_(match, written) {
    const found = hypotheses(match);
    const words = wordsOf(written);
    const all = Object.values(match.game.machine.components).flatMap(({ classes }) => [...classes.entries()]);
    const [number] = all.find(([i, name]) => words.includes(name) && i < found.length) ?? [0];
    return found[number];
}

/**
 * Why a value cannot be chosen, were all hidden pieces of its class.
 * @param {Companion} companion
 * @param {string | null} action
 * @param {Value | null} value
 */
export function whyNotPossibleValue(companion, action, value) {
    const found = hypotheses(companion.match);
    const class_ = value?.[0] === "piece" ? value[2] : 0;
    return whyNotValue(found[class_] ?? found[0], askedSeat(companion) ?? SPECTATOR, action, value);
}
