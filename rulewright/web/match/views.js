// Who sees and counts what, as the declaration of each zone says. A viewer is the number of a seat,
// `SPECTATOR` or `REFEREE`.

/**
 * @import { Doing, GameEvent, Option, State, ValueType } from "../types.d.ts"
 * @import { Formatter } from "./formatting.js"
 * @import { Machine, Node, Variable } from "./machine.js"
 */

import { classesOn, EVERYBODY, FORKED, REFEREE, REMEMBERED, SPECTATOR, topOf } from "./state.js";

export class Views {
    /** @param {Machine} machine @param {Formatter} names */
    constructor(machine, names) {
        this.machine = machine;
        this.names = names;
        /** The places of which everybody sees the topmost piece. */
        this.tops = machine.tables.tops;
    }

    /** The seat that a place belongs to; null if it belongs to none. @param {number} place */
    owner(place) {
        return this.machine.places[place].owner;
    }

    /** Whether a seat sees the pieces of a place by its declaration. @param {number} place @param {number} seat */
    maySee(place, seat) {
        return isAmong(this.machine.places[place].seen, seat);
    }

    /**
     * Whether a seat sees a word of a counter, mark or pointer by its declaration.
     * @param {Variable} variable
     * @param {number} offset
     * @param {number} seat
     */
    mayRead({ readers, at_size: width }, offset, seat) {
        return isAmong(readers[readers.length > 1 ? Math.floor(offset / width) : 0], seat);
    }

    /** @param {number} number @param {number} seat */
    #mayReadWord(number, seat) {
        const variable = this.machine.variableOf(number);
        return this.mayRead(variable, number - variable.first, seat);
    }

    /**
     * Whether a seat sees such a word now: by declaration, or because it was shown it.
     * @param {State} state
     * @param {Variable} variable
     * @param {number} offset
     * @param {number} seat
     */
    reads(state, variable, offset, seat) {
        if (this.mayRead(variable, offset, seat)) return true;
        const first = this.machine.tables.told?.[variable.name];
        if (first === undefined) return false;
        const mask = state[first + offset];
        return mask < 0 || (seat >= 0 && ((mask >> seat) & 1) === 1);
    }

    /**
     * Whether a seat sees the pieces of a place now: by declaration, or because it was shown them.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    sees(state, place, seat) {
        if (this.maySee(place, seat)) return true;
        const shown = this.machine.shown.get(place);
        if (shown === undefined || seat < 0) return false;
        return (((state[shown] | (state[shown] >> REMEMBERED)) >> seat) & 1) === 1;
    }

    /**
     * Whether everybody knows that a seat sees the pieces of a place now.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    seesOpenly(state, place, seat) {
        return this.machine.private.places.has(place) ? this.maySee(place, seat) : this.sees(state, place, seat);
    }

    /**
     * Whether everybody knows that a seat knows now how many pieces lie on a place.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    countsOpenly(state, place, seat) {
        return this.mayCount(place, seat) || this.seesOpenly(state, place, seat);
    }

    /**
     * Whether a seat sees a piece on a place now: one on top, where all see the topmost.
     * @param {State} state
     * @param {number} place
     * @param {number} class_
     * @param {number} seat
     */
    seesPiece(state, place, class_, seat) {
        return this.sees(state, place, seat) || (this.tops.includes(place) && this.top(state, place) === class_);
    }

    /** The class of the topmost piece on a place; null if it is empty. @param {State} state @param {number} place */
    top(state, place) {
        return topOf(state, this.machine.places[place]);
    }

    /**
     * The last events between two stops, with what everybody newly sees on top of places.
     * @param {GameEvent[]} events
     * @param {State} before
     * @param {State} after
     */
    withTops(events, before, after) {
        const now = this.before(after) ?? after;
        const found = [...events];
        for (const place of this.tops) {
            const class_ = this.top(now, place);
            if (class_ === null || class_ === this.top(before, place)) continue;
            const last = found.findLastIndex((event) => this.#fields(event).some((role, i) => role === "place" && event[i + 1] === place));
            found.splice(last < 0 ? found.length : last + 1, 0, ["shown", EVERYBODY, [[place, class_, 1]], true]);
        }
        return found;
    }

    /**
     * Whether a seat knows how many pieces lie on a place by its declaration.
     * @param {number} place
     * @param {number} seat
     */
    mayCount(place, seat) {
        return isAmong(this.machine.places[place].counted, seat);
    }

    /**
     * Whether a seat knows now how many pieces lie on a place.
     * @param {State} state
     * @param {number} place
     * @param {number} seat
     */
    counts(state, place, seat) {
        return this.mayCount(place, seat) || this.sees(state, place, seat);
    }

    /**
     * Whether a value of a type is a piece that a seat, or by default the spectator, does not see.
     * @param {State} state
     * @param {ValueType | null} kind
     * @param {number} value
     * @param {number} [seat]
     */
    isSecret(state, kind, value, seat = SPECTATOR) {
        if (kind?.[0] !== "piece") return false;
        return !this.sees(state, Math.floor(value / this.machine.components[kind[1]].used), seat);
    }

    /**
     * Whether an option names a piece that a seat, or by default the spectator, does not see.
     * @param {State} state
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     * @param {number} [seat]
     */
    hidesWords(state, decision, option, what, seat = SPECTATOR) {
        if (seat === REFEREE) return false;
        if (seat === SPECTATOR && decision.secret) return true;
        const named = this.names.named(decision, option, what);
        return named.some(([kind, value]) => this.isSecret(state, kind, value, seat));
    }

    /**
     * Whether a seat may not read an option that has been chosen: also no piece that all see at once.
     * @param {State} state
     * @param {Node} decision
     * @param {Option} option
     * @param {Doing[]} what
     * @param {number} seat
     */
    hidesChoice(state, decision, option, what, seat) {
        const chooses = decision.offer ? this.names.parameter(what[option[0]]) : decision;
        const alone = this.names.named(decision, option, what).length < 2;
        return !(chooses?.opened && alone) && this.hidesWords(state, decision, option, what, seat);
    }

    /** The state as it was before the running `together`; null if there is none. @param {State} state */
    before(state) {
        if (!state[FORKED]) return null;
        const { saved, savedFrom, savedTo } = this.machine;
        const before = state.slice();
        before.set(state.subarray(saved, saved + savedTo - savedFrom), savedFrom);
        return before;
    }

    /**
     * Of each class of a component how many pieces a seat does not see: all that there are but those.
     * @param {State} state
     * @param {string} component
     * @param {number} seat
     */
    unseen(state, component, seat) {
        const before = this.before(state);
        /** @type {number[]} */
        const found = Array(this.machine.components[component].used).fill(0);
        this.machine.places.forEach((place, i) => {
            if (place.component !== component) return;
            const now = before && this.owner(i) !== seat ? before : state;
            for (const class_ of classesOn(state, place)) found[class_]++;
            const top = this.tops.includes(i) ? this.top(now, i) : null;
            if (this.sees(now, i, seat)) for (const class_ of classesOn(now, place)) found[class_]--;
            else if (top !== null) found[top]--;
        });
        return found.map((n) => Math.max(0, n));
    }

    // ---- events

    /** The roles of the fields of an event. @param {GameEvent} event */
    #fields(event) {
        return this.machine.tables.events[event[0]].fields;
    }

    /**
     * Some events, with what a viewer may know of them. Moves of unseen pieces between the same places become
     * one event: separate ones would reveal which of the pieces are equal.
     * @param {GameEvent[]} events
     * @param {number} viewer
     */
    redacted(events, viewer) {
        /** @type {GameEvent[]} */
        const found = [];
        for (const event of events) {
            const known = this.redact(event, viewer);
            if (!known) continue;
            const last = found.at(-1);
            const { covers = 0, covered, added } = this.machine.tables.events[known[0]];
            const isAlike = (/** @type {unknown} */ part, /** @type {number} */ i) => i === added || part === last?.[i];
            if (added && last && known[covers] === covered && known.every(isAlike)) {
                found[found.length - 1] = changed(known, added, Number(last[added]) + Number(known[added]));
            } else {
                found.push(known);
            }
        }
        return found;
    }

    /**
     * An event with what a viewer may know of it, by declarations only; null if it may know nothing.
     * @param {GameEvent} event
     * @param {number} viewer
     * @returns {GameEvent | null}
     */
    redact(event, viewer) {
        const { places = [], word, to, openly, covers = 0, covered = null, structures } = this.machine.tables.events[event[0]];
        if (structures) return null;
        if (!places.length && !word && !to) return event;
        const known = openly ? /** @type {GameEvent} */ (event.slice(0, openly)) : event;
        if (viewer === REFEREE || (to && [viewer, EVERYBODY].includes(Number(event[to])))) return known;
        if (openly && !event[openly]) return null;
        if (word && this.#mayReadWord(Number(event[word]), viewer)) return known;
        const where = places.map((field) => Number(event[field]));
        if (where.some((place) => this.maySee(place, viewer))) return known;
        return openly || where.some((place) => this.mayCount(place, viewer)) ? changed(known, covers, covered) : null;
    }
}

/** An event with another field. @param {GameEvent} event @param {number} field @param {number | null} value */
const changed = (event, field, value) => /** @type {GameEvent} */ (/** @type {unknown[]} */ (event).with(field, value));

/**
 * Whether a viewer is one of some, which are bits: 0 the referee, 1 spectators, then the seats.
 * @param {number} viewers
 * @param {number} viewer
 */
const isAmong = (viewers, viewer) => ((viewers >> (viewer + 2)) & 1) === 1;
