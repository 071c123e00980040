// Who sees and counts what, as the declaration of each zone says. A viewer is the number of a seat,
// `SPECTATOR` or `REFEREE`.

import { classesOn, EVERYBODY, FORKED, REFEREE, REMEMBERED, SPECTATOR, topOf } from "./state.js";

export class Views {
    /** @param {import("./machine.js").Machine} machine @param {import("./formatting.js").Formatter} names */
    constructor(machine, names) {
        this.machine = machine;
        this.names = names;
        this.teams = machine.description.teams ?? [];
        this.zones = machine.places.map((place) => machine.zones[place.zone] ?? null);
        /** The places of which everybody sees the topmost piece. */
        this.tops = [...machine.places.keys()].filter((place) => this.zones[place]?.seen_by === "top");
    }

    /** The seat that a place belongs to; null if it belongs to none. */
    owner(place) {
        return this.zones.at(place)?.of === "seat" ? this.machine.places.at(place).of : null;
    }

    /** Whether a seat sees the pieces of a place by its declaration. */
    maySee(place, seat) {
        const zone = this.zones.at(place);
        return !zone || reaches(zone.seen_by, this.owner(place), seat, this.teams);
    }

    /** Whether a seat sees a word of a counter, mark or pointer by its declaration. */
    mayRead(variable, offset, seat) {
        const { of, of_lo: low, at_size: width, seen_by: sight = "all" } = variable;
        return reaches(sight, of === "seat" ? low + Math.floor(offset / width) : null, seat, this.teams);
    }

    #mayReadWord(number, seat) {
        const variable = this.machine.variables.findLast(({ first }) => first <= number);
        return this.mayRead(variable, number - variable.first, seat);
    }

    /** Whether a seat sees such a word now: by declaration, or because it was shown it. */
    reads(state, variable, offset, seat) {
        if (this.mayRead(variable, offset, seat)) return true;
        const first = this.machine.tables.told?.[variable.name];
        if (first === undefined) return false;
        const mask = state[first + offset];
        return mask < 0 || (seat >= 0 && ((mask >> seat) & 1) === 1);
    }

    /** Whether a seat sees the pieces of a place now: by declaration, or because it was shown them. */
    sees(state, place, seat) {
        if (this.maySee(place, seat)) return true;
        const shown = this.machine.shown.get(place);
        if (shown === undefined || seat < 0) return false;
        return (((state[shown] | (state[shown] >> REMEMBERED)) >> seat) & 1) === 1;
    }

    /** Whether everybody knows that a seat sees the pieces of a place now. */
    seesOpenly(state, place, seat) {
        return this.machine.private.places.has(place) ? this.maySee(place, seat) : this.sees(state, place, seat);
    }

    /** Whether everybody knows that a seat knows now how many pieces lie on a place. */
    countsOpenly(state, place, seat) {
        return this.mayCount(place, seat) || this.seesOpenly(state, place, seat);
    }

    /** Whether a seat sees a piece on a place now: one on top, where all see the topmost. */
    seesPiece(state, place, class_, seat) {
        return this.sees(state, place, seat) || (this.tops.includes(place) && this.top(state, place) === class_);
    }

    /** The class of the topmost piece on a place; null if it is empty. */
    top(state, place) {
        return topOf(state, this.machine.places[place]);
    }

    /** The last events between two stops, with what everybody newly sees on top of places. */
    withTops(events, before, after) {
        const now = this.before(after) ?? after;
        const found = [...events];
        for (const place of this.tops) {
            const class_ = this.top(now, place);
            if (class_ === null || class_ === this.top(before, place)) continue;
            const last = found.findLastIndex((event) => touches(event, place));
            found.splice(last < 0 ? found.length : last + 1, 0, ["shown", EVERYBODY, [[place, class_, 1]], true]);
        }
        return found;
    }

    /** Whether a seat knows how many pieces lie on a place by its declaration. */
    mayCount(place, seat) {
        const zone = this.zones.at(place);
        if (!zone || this.maySee(place, seat) || zone.seen_by === "count") return true;
        return reaches(zone.counted_by, this.owner(place), seat, this.teams);
    }

    /** Whether a seat knows now how many pieces lie on a place. */
    counts(state, place, seat) {
        return this.mayCount(place, seat) || this.sees(state, place, seat);
    }

    /** Whether a value of a type is a piece that a seat, or by default the spectator, does not see. */
    isSecret(state, kind, value, seat = SPECTATOR) {
        if (kind?.[0] !== "piece") return false;
        return !this.sees(state, Math.floor(value / this.machine.components[kind[1]].used), seat);
    }

    /** Whether an option names a piece that a seat, or by default the spectator, does not see. */
    hidesWords(state, decision, option, what, seat = SPECTATOR) {
        if (seat === REFEREE) return false;
        if (seat === SPECTATOR && decision.secret) return true;
        const named = this.names.named(decision, option, what);
        return named.some(([kind, value]) => this.isSecret(state, kind, value, seat));
    }

    /** Whether a seat may not read an option that has been chosen: also no piece that all see at once. */
    hidesChoice(state, decision, option, what, seat) {
        const chooses = decision.offer ? this.names.parameter(what[option[0]]) : decision;
        const alone = this.names.named(decision, option, what).length < 2;
        return !(chooses?.opened && alone) && this.hidesWords(state, decision, option, what, seat);
    }

    /** The state as it was before the running `together`; null if there is none. */
    before(state) {
        if (!state[FORKED]) return null;
        const { saved, savedFrom, savedTo } = this.machine;
        const before = state.slice();
        before.set(state.subarray(saved, saved + savedTo - savedFrom), savedFrom);
        return before;
    }

    /** Of each class of a component how many pieces a seat does not see: all that there are but those. */
    unseen(state, component, seat) {
        const before = this.before(state);
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

    /**
     * Some events, with what a viewer may know of them. Moves of unseen pieces between the same places become
     * one event: separate ones would reveal which of the pieces are equal.
     */
    redacted(events, viewer) {
        const found = [];
        for (const event of events) {
            const known = this.redact(event, viewer);
            if (!known) continue;
            const last = found.at(-1);
            if (known[0] === "moved" && known[2] < 0 && last && alike(last, known)) {
                found[found.length - 1] = known.with(3, last[3] + known[3]);
            } else {
                found.push(known);
            }
        }
        return found;
    }

    /** An event with what a viewer may know of it, by declarations only; null if it may know nothing. */
    redact(event, viewer) {
        switch (event[0]) {
            case "moved": {
                const places = event.slice(4);
                if (places.some((place) => this.maySee(place, viewer))) return event;
                return places.some((place) => this.mayCount(place, viewer)) ? event.with(2, -1) : null;
            }
            case "thrown":
                if (this.maySee(event[3], viewer)) return event;
                return this.mayCount(event[3], viewer) ? event.with(2, -1) : null;
            case "shown":
                if ([viewer, EVERYBODY].includes(event[1]) || viewer === REFEREE) return event.slice(0, 3);
                return event[3] ? ["shown", event[1], null] : null;
            case "changed":
                return this.#mayReadWord(event[1], viewer) ? event : null;
            case "told": {
                if (event[1] < 0 || event[1] === viewer || viewer === REFEREE) return event.slice(0, 4);
                if (!event[4]) return null;
                return ["told", event[1], event[2], this.#mayReadWord(event[2], viewer) ? event[3] : null];
            }
            case "branched":
                return null;
            default:
                return event;
        }
    }
}

/** Whether a seat is among those who see, or count, what an owner has; the spectator is nobody. */
function reaches(sight, owner, seat, teams) {
    if (sight === "team" && seat >= 0) return owner !== null && teams[owner] === teams[seat];
    if (seat === REFEREE || sight === "all") return true;
    if (sight === "owner") return owner === seat;
    return sight === "others" && seat >= 0 && owner !== seat;
}

/** Whether an event puts pieces on a place, takes them away, or shuffles them. */
function touches([kind, ...rest], place) {
    return kind === "moved" ? rest.slice(3).includes(place) : kind === "shuffled" && rest[0] === place;
}

/** Whether two events are moves that differ in the number of pieces only. */
const alike = (a, b) => a[0] === "moved" && a.every((part, i) => i === 3 || part === b[i]);
