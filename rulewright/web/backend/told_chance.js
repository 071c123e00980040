// Chance that happens at a table, with dice and cards of wood and paper, and is told to the page.

import { signal } from "../signals.js";
import { BadOutcome, NeedsOutcome } from "../match/match.js";
import { Refused } from "./messages.js";

export class ToldChance {
    /** The outcome that somebody must tell: `{stream, odds}`, or null. */
    waiting = signal(null);

    #held = null;

    /** Carries something out; as often as chance waits for an outcome, asks for it and tries again. */
    async carryOut(match, act) {
        if (!match.told) {
            return act();
        }
        const given = [];
        for (;;) {
            match.outcomes = queues(given);
            try {
                return act();
            } catch (error) {
                if (error instanceof BadOutcome && given.length) {
                    given.pop();
                } else if (error instanceof NeedsOutcome) {
                    given.push(await this.#asked(error));
                } else {
                    throw error;
                }
            }
        }
    }

    #asked({ stream, odds }) {
        this.waiting.value = { stream, odds };
        return new Promise((resolve, reject) => {
            this.#held = { resolve, reject };
        });
    }

    /** Says what came out. Throws `Refused` if it is not possible, or not asked for. */
    tell(stream, text) {
        const waits = this.waiting.peek();
        if (!waits || (stream !== null && stream !== waits.stream)) {
            throw new Refused({ code: "not-asked" });
        }
        if (!waits.odds.some(([name]) => name === text)) {
            throw new Refused({ code: "not-offered", text: waits.odds.map(([name]) => name).join(", ") });
        }
        this.waiting.value = null;
        this.#held.resolve([waits.stream, text]);
    }

    /** What waits for an outcome is not carried out. */
    cancel() {
        this.waiting.value = null;
        this.#held?.reject(new Refused({ code: "cancelled" }));
        this.#held = null;
    }
}

/** Told outcomes by stream, in order. */
function queues(given) {
    const found = {};
    for (const [stream, text] of given) {
        (found[stream] ??= []).push(text);
    }
    return found;
}
