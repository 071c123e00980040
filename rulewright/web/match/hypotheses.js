// What a referee may say of a match whose hidden pieces it does not know. In a hypothesis all hidden pieces have the
// same class: it follows from what everybody has seen alone.

import { Match } from "./match.js";

/**
 * @import { OfferedDecision } from "../types.d.ts"
 */

/**
 * A match for each class that the pieces hidden from everybody can have; one if nothing is hidden.
 * @param {Match} match
 */
export function hypotheses(match) {
    const { executor } = match.game;
    /** @type {Match[]} */
    const matches = [];
    let classes = 1;
    for (let class_ = 0; class_ < classes; class_++) {
        classes = executor.ask("suppose", match.state, [class_]);
        matches.push(Object.assign(new Match(match.game, match.seed), { state: executor.state(), steps: match.steps, history: match.history }));
    }
    return matches;
}

/**
 * The decisions of a seat in each hypothesis, as the seat may read them: [hypothesis, decision] each.
 * @param {Match} match
 * @param {number} seat
 * @returns {[Match, OfferedDecision][]}
 */
export function possibleDecisions(match, seat) {
    return hypotheses(match).flatMap((hypothesis) => {
        try {
            return hypothesis.offeredTo(seat).map((decision) => [hypothesis, decision]);
        } catch {
            return [];
        }
    });
}
