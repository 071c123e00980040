// Players of a match in this page. Each chooses by what its seat may know alone, and answers with words.

import { problemOf, rulesOf } from "../match/belief.js";
import { treeSearch } from "../match/search.js";
import { BUDGETS, chosenByAdded } from "./local_settings.js";

/**
 * @import { Game } from "../match/game.js"
 * @import { Match } from "../match/match.js"
 * @import { Problem, SearchedRules } from "../match/belief.js"
 * @import { Found } from "../match/search.js"
 * @import { Hint } from "../types.d.ts"
 * @import { ModuleExports } from "../match/executor.js"
 * @typedef {{seed: number, budget: number, milliseconds: number}} How
 * @typedef {{bytes: BufferSource, rules: SearchedRules}} Carried of a game
 * @typedef {{game: Carried | null, problem: Problem, how: How}} Task
 */

const random = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Milliseconds at a time that a search may take where there is no worker. */
const SLICE = 8;
/** Milliseconds after which a worker that should have answered is taken for dead. */
const PATIENCE = 3000;
/** Milliseconds that a hint may take, and the most choices that it has. */
const THINKING = 4000;
const SHOWN = 5;

export class Bots {
    #game;
    /** @type {Worker | null} */
    #worker = null;
    #allowed = true;
    #busy = false;
    /** The timer of the answer that is waited for. */
    #late = 0;
    /** What is asked now; an answer to anything else is not heard. @type {object | null} */
    #asked = null;

    /** @param {Game} game */
    constructor(game) {
        this.#game = game;
    }

    /**
     * Asks a player for its choice and answers with words: not before `pace` milliseconds, and when the page has
     * nothing else to do. A random one takes any choice, and one that was added what it says; others search, for at
     * most `thinking` milliseconds.
     * @param {Match} match
     * @param {number} seat
     * @param {{kind: string, pace: number, thinking: number}} settings
     * @param {(words: string) => unknown} answer
     */
    async ask(match, seat, { kind, pace, thinking }, answer) {
        const asked = (this.#asked = {});
        const least = new Promise((resolve) => setTimeout(resolve, pace));
        const found = problemOf(match, seat);
        if (!found) {
            throw new Error("who is not asked cannot choose");
        }
        const { words, problem } = found;
        let choice = random() % words.length;
        if (BUDGETS[kind] && problem && words.length > 1) {
            const how = { seed: random(), budget: BUDGETS[kind], milliseconds: thinking };
            choice = (await this.#best(asked, problem, how))?.choice ?? 0;
        }
        await least;
        await idle();
        if (asked === this.#asked) {
            this.#asked = null;
            await answer(chosenByAdded(kind, match, seat) ?? words[choice]);
        }
    }

    /**
     * What a search thinks of the choices of a seat, from what it knows; null if there is nothing to think about, or
     * something else was asked meanwhile.
     * @param {Match} match
     * @param {number} seat
     * @returns {Promise<Hint | null>}
     */
    async think(match, seat) {
        const asked = (this.#asked = {});
        const found = problemOf(match, seat);
        if (!found?.problem || found.words.length < 2) {
            return null;
        }
        const answer = await this.#best(asked, found.problem, { seed: random(), budget: BUDGETS.medium * 2, milliseconds: THINKING });
        if (!answer || asked !== this.#asked) {
            return null;
        }
        const choices = answer.edges.slice(0, SHOWN).map(([choice, tried, value]) => ({ words: found.words[choice], tried, value, proof: null }));
        return { choices, more: Math.max(0, answer.edges.length - SHOWN), iterations: answer.iterations, worlds: 0, solved: 0 };
    }

    /** What is asked needs no answer any more. */
    stop() {
        this.#asked = null;
        if (this.#busy) {
            this.#drop();
        }
    }

    close() {
        this.#asked = null;
        this.#drop();
    }

    #drop() {
        clearTimeout(this.#late);
        this.#worker?.terminate();
        this.#worker = null;
        this.#busy = false;
    }

    /** @param {object} asked @param {Problem} problem @param {How} how */
    async #best(asked, problem, how) {
        const found = this.#allowed ? await this.#inWorker(problem, how) : null;
        return found ?? this.#inSlices(asked, problem, how);
    }

    /**
     * What a worker finds; null if the page may have none, or it does not answer.
     * @param {Problem} problem
     * @param {How} how
     * @returns {Promise<Found | null>}
     */
    #inWorker(problem, how) {
        return new Promise((resolve) => {
            const failed = () => {
                this.#allowed = false;
                this.#drop();
                resolve(null);
            };
            this.#late = setTimeout(failed, how.milliseconds + PATIENCE);
            try {
                const first = this.#worker === null;
                this.#worker ??= start();
                this.#busy = true;
                this.#worker.onerror = failed;
                this.#worker.onmessage = ({ data }) => {
                    clearTimeout(this.#late);
                    this.#busy = false;
                    if (data === null) {
                        failed();
                    }
                    resolve(data);
                };
                /** @type {Carried | null} */
                const game = first ? { bytes: this.#game.bytes, rules: rulesOf(this.#game) } : null;
                this.#worker.postMessage(/** @type {Task} */ ({ game, problem, how }));
            } catch {
                failed();
            }
        });
    }

    /** @param {object} asked @param {Problem} problem @param {How} how */
    async #inSlices(asked, problem, how) {
        const search = treeSearch(this.#game.executor.exports, rulesOf(this.#game))(problem, how);
        while (asked === this.#asked) {
            await idle();
            for (const end = performance.now() + SLICE; performance.now() < end; ) {
                const { done, value } = search.next();
                if (done) {
                    return value;
                }
            }
        }
        return null;
    }
}

/** Resolves when the page has nothing else to do. */
const idle = () =>
    new Promise((resolve) => {
        if ("requestIdleCallback" in globalThis) {
            requestIdleCallback(resolve, { timeout: 1000 });
        } else {
            setTimeout(resolve);
        }
    });

/** A worker that runs the search from its text, so that the page carries it once. */
function start() {
    const script = URL.createObjectURL(new Blob([`(${serve})(${treeSearch})`], { type: "text/javascript" }));
    const worker = new Worker(script);
    setTimeout(() => URL.revokeObjectURL(script), 10_000);
    return worker;
}

/**
 * The program of a worker; it uses nothing outside of itself. It answers null if it cannot search.
 * @param {typeof treeSearch} make
 */
function serve(make) {
    /** @type {ReturnType<typeof treeSearch> | null} */
    let search = null;
    /** @param {Task} task */
    const best = async ({ game, problem, how }) => {
        if (game) {
            const { exports } = (await WebAssembly.instantiate(game.bytes, {})).instance;
            search = make(/** @type {ModuleExports & WebAssembly.Exports} */ (exports), game.rules);
        }
        for (const running = search?.(problem, how); running; ) {
            const { done, value } = running.next();
            if (done) {
                return value;
            }
        }
        return null;
    };
    globalThis.onmessage = ({ data }) =>
        best(data).then(
            (choice) => postMessage(choice),
            () => postMessage(null),
        );
}
