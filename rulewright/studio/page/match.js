// The match as the page knows it, and what the table needs of it: a backend for each viewer.

import { batch, computed, signal } from "/web/vendor/signals.js";
import { described } from "/web/i18n.js";
import { Refused } from "./connection.js";
import { keepMatch } from "./kept.js";

/** @import { Backend as TableBackend, Description, Entry, Position, Refusal, WhyAbout } from "/web/types.d.ts" */
/** @import { Signal } from "/web/vendor/signals.js" */
/** @import { Connection } from "./connection.js" @import { Calls, MatchState, NoMatch, Told } from "./types.d.ts" */
/** @typedef {{ position: Signal<Position | null>, entries: Signal<Entry[]>, backend: Backend }} SeenMatch the match as a viewer sees it */

export const SPECTATOR = -1;
export const REFEREE = -2;
/** The viewer of the table is whoever is asked. */
export const ASKED = "asked";

export class Match {
    /** What the server tells of the match, less the views; or null. @type {Signal<MatchState | NoMatch | null>} */
    state = signal(null);
    /** @type {Signal<Description | null>} */
    description = signal(null);
    /** Who looks at the table: a seat, `SPECTATOR`, `REFEREE` or `ASKED`. @type {Signal<number | typeof ASKED>} */
    looking = signal(ASKED);
    /** Where the last refusal at the table comes from, `file:line`; or null. @type {Signal<string | null>} */
    refusedAt = signal(null);
    /** @type {Map<number, SeenMatch>} */
    #views = new Map();

    /** @param {Connection} connection @param {import("./workspace.js").Files} files */
    constructor(connection, files) {
        this.connection = connection;
        this.files = files;
        connection.on("description", ({ description }) => this.#described(description)).on("match", (found) => this.#changed(found));
        this.table = new Backend(this, () => this.viewer.value);
    }

    /** The viewer of the table: the first of those who are asked that is played by hand, else who was shown before. */
    viewer = computed(() => {
        const chosen = this.looking.value;
        const { seats = 1, waiting = [] } = this.state.value ?? {};
        if (chosen !== ASKED) {
            return Math.min(chosen, seats - 1);
        }
        return waiting.find((seat) => !this.isBot(seat)) ?? this.#watching();
    });

    /**
     * Whether whoever looks may read what the referee knows: one who sees everything, and one who plays all seats and looks
     * with the eyes of each.
     */
    seesAll = computed(() => {
        const { players = [] } = this.state.value ?? {};
        return this.looking.value === REFEREE || (this.looking.value === ASKED && !players.some(Boolean));
    });

    /** Whether a bot plays a seat now. @param {number} seat */
    isBot(seat) {
        const { players = [], bots_wait } = this.state.value ?? {};
        return !bots_wait && !!players[seat];
    }

    /** The seats whose bots are asked. */
    get thinking() {
        const { waiting = [], parting, stays } = this.state.value ?? {};
        return parting && !stays ? [] : waiting.filter((seat) => this.isBot(seat));
    }

    /** Who looks on while bots are asked: whoever was shown before, or another that is played by hand; bots alone are watched from the seat that is asked. */
    #watching() {
        const { seats = 1, waiting = [] } = this.state.value ?? {};
        const people = [...Array(seats).keys()].filter((seat) => !this.isBot(seat));
        return people.includes(this.#last) ? this.#last : people[0] ?? waiting[0] ?? Math.min(this.#last, seats - 1);
    }
    #last = 0;

    /** The backend of a viewer, who sees what that one may see. @param {number} viewer */
    of(viewer) {
        return this.#view(viewer).backend;
    }

    /** The position and entries of a viewer, as signals. @param {number} viewer @returns {SeenMatch} */
    seen(viewer) {
        return this.#view(viewer);
    }

    /** @param {number} viewer */
    #view(viewer) {
        let view = this.#views.get(viewer);
        if (!view) {
            view = { position: signal(null), entries: signal([]), backend: new Backend(this, () => viewer) };
            this.#views.set(viewer, view);
        }
        return view;
    }

    /** @param {Description} description */
    #described(description) {
        batch(() => {
            for (const view of this.#views.values()) {
                view.position.value = null;
                view.entries.value = [];
            }
            described.value = description;
            this.description.value = description;
        });
    }

    /** @param {Told["match"]} told */
    #changed({ views = {}, ...state }) {
        batch(() => {
            this.#last = this.viewer.peek();
            this.state.value = state;
            this.refusedAt.value = null;
            for (const [viewer, { position, since, entries }] of Object.entries(views)) {
                const view = this.#view(Number(viewer));
                view.entries.value = [...view.entries.peek().slice(0, since), ...entries];
                view.position.value = position;
            }
        });
        state.log && keepMatch(this.files.root, { log: state.log, players: state.players, wait: state.bots_wait });
    }
}

/** A match as one viewer sees it: what the table asks for. @implements {TableBackend} */
class Backend {
    kind = /** @type {const} */ ("studio");
    table = signal(null);
    status = signal(/** @type {const} */ ("online"));
    error = signal(null);
    chance = signal(null);
    skew = signal(0);
    #match;
    #viewer;

    /** @param {Match} match @param {() => number} viewer */
    constructor(match, viewer) {
        this.#match = match;
        this.#viewer = viewer;
        this.position = computed(() => {
            const found = match.description.value && match.seen(viewer()).position.value;
            return found ? { ...found, undo: { free: 0, ask: 0, why: "", consent: [] } } : null;
        });
        this.entries = computed(() => match.seen(viewer()).entries.value);
    }

    get description() {
        return this.#match.description.value;
    }

    close() {}

    /** @template {keyof Calls} M @param {M} method @param {Calls[M]["given"]} params */
    #ask(method, params) {
        return this.#match.connection.ask(method, params);
    }

    /** @param {string} words */
    async choose(words) {
        try {
            return await this.#ask("choose", { seat: this.#viewer(), words });
        } catch (error) {
            error instanceof Refused && this.#refused(error.refusal);
            throw error;
        }
    }

    /** @param {WhyAbout} about */
    async why(about) {
        const viewer = this.#viewer();
        return viewer < 0 ? null : this.#refused(await this.#ask("why", { seat: viewer, ...about }));
    }

    /** @param {Refusal | null} refusal */
    #refused(refusal) {
        this.#match.refusedAt.value = refusal?.at ?? refusal?.parts?.find(({ at }) => at)?.at ?? null;
        return refusal;
    }

    undo(number = 1) {
        return this.#ask("undo", { number });
    }

    /** @param {number} seq */
    repair(seq) {
        return this.#ask("back", { viewer: this.#viewer(), seq });
    }

    answer() {
        return Promise.resolve();
    }

    account() {
        return this.#ask("account", { viewer: this.#viewer() });
    }

    /** @param {number} seq @param {number | null} [seat] */
    at(seq, seat = null) {
        return this.#ask("at", { viewer: seat ?? this.#viewer(), seq });
    }
}
