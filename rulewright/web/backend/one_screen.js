// People at one screen: what they propose to each other, and what they can take back.

import { FORKED } from "../match/state.js";

/**
 * @import { Match } from "../match/match.js"
 * @import { Proposal, Undo } from "../types.d.ts"
 * @typedef {Proposal & {number: number}} LocalProposal
 */

/** Proposals, each with the seats that are asked and those that have agreed. */
export class Proposals {
    /** @type {Map<number, LocalProposal>} */
    #all = new Map();
    #last = 0;

    /** @param {Omit<LocalProposal, "proposal" | "agreed">} found */
    add(found) {
        this.#all.set(++this.#last, { proposal: this.#last, agreed: [], ...found });
        return this.#last;
    }

    list() {
        return [...this.#all.values()];
    }

    clear() {
        this.#all.clear();
    }

    /**
     * The proposal with an answer to it; null if there is none. One that is declined is gone.
     * @param {number} proposal
     * @param {boolean} agree
     * @param {number | null} seat
     */
    answer(proposal, agree, seat) {
        const found = this.#all.get(proposal);
        if (!found) {
            return null;
        }
        if (!agree) {
            this.#all.delete(proposal);
            return found;
        }
        const now = seat === null ? found.asked : [seat].filter((one) => found.asked.includes(one));
        const changed = { ...found, agreed: [...new Set([...found.agreed, ...now])] };
        this.#all.set(proposal, changed);
        return changed;
    }
}

/** Whether all who are asked have agreed. @param {Proposal} proposal */
export const agreed = (proposal) => proposal.asked.every((seat) => proposal.agreed.includes(seat));

/**
 * The people whose last choices would be taken back, or who have learned something since.
 * @param {Match} match
 * @param {number} number
 * @param {number[]} people
 * @param {ReturnType<Match["whyNoUndo"]>} blocker
 */
function concerned(match, number, people, blocker) {
    const choosers = match.history.slice(-number).map(({ first }) => match.steps[first].seat);
    return people.filter((seat) => choosers.includes(seat) || blocker?.consent.includes(seat));
}

/**
 * The people who have to agree that a viewer takes back so many choices; null if it cannot be. What somebody has
 * learned is taken back by the consent of others alone.
 * @param {Match} match
 * @param {number} number
 * @param {number[]} people
 * @param {number} viewer
 */
export function mustAgree(match, number, people, viewer) {
    const blocker = match.whyNoUndo(number, people);
    const others = concerned(match, number, people, blocker).filter((seat) => seat !== viewer);
    return blocker && !others.length ? null : others;
}

/**
 * What a person may take back at a screen that several share: the last choice of any of them, and what bots
 * have chosen since. `own` is what the seat may take back by itself.
 * @param {Match} match
 * @param {number} viewer
 * @param {number[]} people
 * @param {Undo} own
 * @returns {Undo}
 */
export function undoFor(match, viewer, people, own) {
    const choosers = match.history.map(({ first }) => match.steps[first].seat).reverse();
    const number = choosers.findIndex((seat) => people.includes(seat ?? -1)) + 1;
    if (own.free || !number || match.over || match.state[FORKED]) {
        return own;
    }
    const consent = mustAgree(match, number, people, viewer);
    return consent ? { free: 0, ask: number, why: match.whyNoUndo(number, people)?.why ?? "", consent } : own;
}
