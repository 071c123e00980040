// What a referee may say of a match whose hidden pieces it does not know. In a hypothesis all hidden pieces have the
// same class: it follows from what everybody has seen alone.

import { Match } from "./match.js";
import { BLANK, count, COUNTS, ORDERED, SPECTATOR } from "./state.js";

/**
 * @import { OfferedDecision, State } from "../types.d.ts"
 * @import { Place } from "./machine.js"
 */

/**
 * A match for each class that the pieces hidden from everybody can have; one if nothing is hidden.
 * @param {Match} match
 */
export function hypotheses(match) {
    const { views, machine } = match.game;
    const hidden = [...machine.places.entries()].filter(([i, place]) => place.kind !== BLANK && !views.sees(match.state, i, SPECTATOR));
    const classes = Math.max(...hidden.map(([, place]) => place.classes), 1);
    return Array.from({ length: classes }, (_, class_) => {
        const state = match.state.slice();
        for (const [i, place] of hidden) put(state, place, class_ % place.classes, views.tops.includes(i));
        return Object.assign(new Match(match.game, match.seed), { state, steps: match.steps, history: match.history });
    });
}

/**
 * All pieces of a place become pieces of a class; but for the topmost, if that is seen.
 * @param {State} state
 * @param {Place} place
 * @param {number} class_
 * @param {boolean} topmost
 */
function put(state, place, class_, topmost) {
    const { kind, base, classes } = place;
    const number = count(state, place);
    if (!number) return;
    if (kind === COUNTS) {
        state.fill(0, base, base + classes);
        state[base + class_] = number;
    } else if (kind === ORDERED) {
        state.fill(class_ + 1, base + 1, base + 1 + number - (topmost ? 1 : 0));
    } else {
        state[base] = class_ + 1;
    }
}

/**
 * The decisions of a seat in each hypothesis, as the seat may read them: [hypothesis, decision] each.
 * @param {Match} match
 * @param {number} seat
 * @returns {[Match, OfferedDecision][]}
 */
export function possibleDecisions(match, seat) {
    return hypotheses(match).flatMap((found) => {
        try {
            return found.offeredTo(seat).map((decision) => [found, decision]);
        } catch {
            return [];
        }
    });
}
