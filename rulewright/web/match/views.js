// Who sees and counts what, as the declaration of each zone says. A viewer is the number of a seat,
// `SPECTATOR` or `REFEREE`.

import { classesOn, FORKED, REFEREE, SPECTATOR } from "./state.js";

export class Views {
    /** @param {import("./machine.js").Machine} machine @param {import("./formatting.js").Formatter} names */
    constructor(machine, names) {
        this.machine = machine;
        this.names = names;
        this.zones = machine.places.map((place) => machine.zones[place.zone] ?? null);
    }

    /** The seat that a place belongs to; null if it belongs to none. */
    owner(place) {
        return this.zones.at(place)?.of === "seat" ? this.machine.places.at(place).of : null;
    }

    /** Whether a seat sees the pieces of a place by its declaration. */
    maySee(place, seat) {
        const zone = this.zones.at(place);
        if (seat === REFEREE || !zone || zone.seen_by === "all") return true;
        return zone.seen_by === "owner" && this.owner(place) === seat;
    }

    /** Whether a seat sees the pieces of a place now: by declaration, or because it was shown them. */
    sees(state, place, seat) {
        if (this.maySee(place, seat)) return true;
        const shown = this.machine.shown.get(place);
        return shown !== undefined && seat >= 0 && ((state[shown] >> seat) & 1) === 1;
    }

    /** Whether a seat knows how many pieces lie on a place by its declaration. */
    mayCount(place, seat) {
        const zone = this.zones.at(place);
        if (!zone || this.maySee(place, seat) || zone.counted_by === "all") return true;
        return zone.seen_by === "count" || (zone.counted_by === "owner" && this.owner(place) === seat);
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
        const named = this.names.named(decision, option, what);
        return named.some(([kind, value]) => this.isSecret(state, kind, value, seat));
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
            if (this.sees(now, i, seat)) for (const class_ of classesOn(now, place)) found[class_]--;
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
                return viewer === event[1] || viewer === REFEREE ? event : event.with(2, null);
            case "branched":
                return null;
            default:
                return event;
        }
    }
}

/** Whether two events are moves that differ in the number of pieces only. */
const alike = (a, b) => a[0] === "moved" && a.every((part, i) => i === 3 || part === b[i]);
