// The story of a match in sentences: what people would say happened. `rulewright/story/passages.py` tells the same.
//
// What hangs on the game, as what people do not hear of, stands in its description, as `story`.

import { endText, list, number, t } from "../i18n.js";
import { className, NOTHING, wordMeaning } from "./model.js";
import { askedLabel, label, pieceLabel, placeLabel, seatName, spokenWords, thingLabel, typedLabel, valueLabel, wordLabels } from "./names.js";

/** @import { Entry, GameEvent } from "../types.d.ts" @import { Model } from "./types.d.ts" */
/**
 * What somebody did, or that a turn began, and what followed; `odds` are what chance could have brought instead.
 * @typedef {{ key: number | string, seat: number | null, head: string, facts: string[], odds: Chance[], turn: boolean }} Passage
 */
/**
 * What chance could bring: texts with their weights, and which came. If not `exact`, they are pieces that were not in sight.
 * @typedef {{ stream: string | null, component: string | undefined, rows: [text: string, weight: number, came: boolean][], exact: boolean }} Chance
 */
/** @typedef {{ text: string, words: string[], kind: "action" | "answer" | "pass" | "secret" }} Said the words of a choice */
/** @typedef {{ key: number | string, seat: number | null, said: Said[], opening: string, odds: Chance[], events: GameEvent[], facts?: Fact[] }} Draft */
/**
 * A sentence, or a part of one: what is listed of a thing or has moved, with those that have its ends. `values` are the names
 * that it tells, `wide` the component and the ends without positions, `routes` what a word has lost or got, with where.
 * @typedef {{ text: string, values: string[], kind: "said" | "counted" | "listed" | "moved", ends: string[], wide: string[] | null, count: number, unseen: boolean, routes: () => [string, string][] }} Fact
 */

/** @param {string} text @param {string[]} [values] @param {Partial<Fact>} [rest] @returns {Fact} */
const factOf = (text, values = [], rest = {}) => ({ text, values, kind: "said", ends: ["", ""], wide: null, count: 1, unseen: false, routes: () => [], ...rest });
/** @param {Model} model @param {string} name */
const isUntold = (model, name) => model.description.story.untold.includes(name);
/** @param {Model} model @param {number} place */
const zoneOf = (model, place) => model.description.places[place].zone;

/** The passages of some entries; `first` is the number of the first one. @param {Model} model @param {Entry[]} entries @returns {Passage[]} */
export function passages(model, entries, first = 0) {
    /** @type {Draft[]} */
    const begun = [];
    const begin = (/** @type {Partial<Draft> & Pick<Draft, "key">} */ passage) => begun.push({ seat: null, said: [], opening: "", odds: [], events: [], ...passage });
    begin({ key: first });
    entries.forEach((entry, i) => {
        const { seat, words, node, events } = entry;
        if (words !== null && seat !== null) {
            const last = begun[begun.length - 1];
            const said = saidOf(model, words, node);
            const open = last.seat === seat && last.said.length && last.said[0].kind !== "pass" && (said.kind === "answer" || said.kind === "secret");
            last.facts = open ? factsOf(model, last) : undefined;
            if (open && !last.facts?.length) {
                last.said.push(said);
            } else {
                begin({ key: first + i, seat, said: [said] });
            }
        }
        const chance = chanceOf(model, entry);
        begun[begun.length - 1].odds.push(...(chance.rows.length > 1 ? [chance] : []));
        for (const event of events) {
            if (event[0] === "turned") {
                begin({ key: `${first + i} turn`, seat: event[1], opening: t("table-story-turn", { seat: seatName(model, event[1]) }) });
            } else if (event[0] === "ended") {
                const end = endText(model.description.story.endings[event[1] - 1], model.description.ends?.[event[2]], model.description);
                begin({ key: `${first + i} end`, opening: end ? t("table-story-ended-by", { end }) : t("table-story-ended") });
            } else {
                begun[begun.length - 1].events.push(event);
            }
        }
    });
    return begun.map((passage) => passageOf(model, passage)).filter(({ head, facts, turn }) => facts.length || (head && !turn));
}

/** @param {Model} model @param {string} words @param {number | null} node @returns {Said} */
function saidOf(model, words, node) {
    if (/^\?( \d+)?$/.test(words)) {
        return { text: "", words: [], kind: "secret" };
    }
    const labels = wordLabels(model, words, node).map((text) => (text === "?" ? t("table-story-hidden") : text));
    const text = labels.filter(Boolean).join(" ");
    const decision = model.description.decisions[String(node)];
    if (!decision || decision.offers || words === "pass") {
        return { text, words: labels, kind: words === "pass" ? "pass" : "action" };
    }
    const what = decision.type?.[0] === "piece" ? "" : askedLabel(model, decision);
    return { text: what ? t("table-story-answer", { what, words: text }) : text, words: labels, kind: "answer" };
}

/** A passage in words. What facts and words both say is said once. @param {Model} model @param {Draft} begun @returns {Passage} */
function passageOf(model, begun) {
    const { key, seat, said, opening, odds } = begun;
    let facts = begun.facts?.length ? begun.facts : factsOf(model, begun);
    let head = opening;
    if (said.length && seat !== null) {
        const words = said.flatMap((choice) => choice.words);
        const values = said[0].kind === "action" ? words.slice(1) : words;
        const moves = said.length > 1 && facts.some(({ kind }) => kind === "moved");
        const asked = moves || said[0].kind === "answer" || said[0].kind === "secret";
        const told = new Set(facts.flatMap(({ values }) => values));
        if (asked && facts.length && values.every((value) => told.has(value))) {
            head = seatName(model, seat);
        } else if (said.some(({ kind }) => kind === "secret")) {
            head = t("table-story-chose-hidden", { seat: seatName(model, seat) });
        } else {
            head = t("table-story-chose", { seat: seatName(model, seat), words: said.map(({ text }) => text).join(", ") });
            const saying = new Set();
            facts = facts.filter(({ kind, values }) => {
                const known = values.length > 0 && values.every((value) => words.includes(value) && !saying.has(`${kind} ${value}`));
                values.forEach((value) => known && saying.add(`${kind} ${value}`));
                return !known;
            });
        }
    }
    return { key, seat, head, facts: sentences(model, facts), odds, turn: !said.length && seat !== null };
}

/** @param {Model} model @param {Entry} entry @returns {Chance} */
function chanceOf(model, { stream, odds, pool, events }) {
    const [first] = events;
    const klass = first?.[0] === "moved" ? first[2] : null;
    const face = first?.[0] === "thrown" ? className(model, first[1], first[2]) : null;
    /** @type {Chance["rows"]} */
    const rows = pool
        ? pool[1].map((weight, i) => [pieceLabel(model, pool[0], i), weight, i === klass])
        : (odds ?? []).map(([text, weight]) => [spokenWords(model, text), weight, text === face]);
    return { stream, component: pool?.[0], rows: rows.filter(([, weight]) => weight), exact: pool?.[2] ?? true };
}

/**
 * What is told of the events of a passage: moves of equal pieces between the same places are one, also by way of places that
 * people do not hear of, and so are changes of one word, and what one word loses and another gets. What comes from a bank or
 * goes there is told of whom it comes to. @param {Model} model @param {Draft} begun
 */
function factsOf(model, { seat, events }) {
    if (!events.length) {
        return [];
    }
    const told = { ...model, me: seat };
    const { banks } = model.description.story;
    const joined = combined(events, (one, other) => continued(model, one, other));
    const nameOf = (/** @type {number} */ word) => wordMeaning(model, word)?.variable.name ?? "";
    const given = new Set(joined.map((event) => (event[0] === "changed" ? `${banks[nameOf(event[1])]} ${event[3] - event[2]}` : "")));
    const silent = (/** @type {GameEvent} */ event) => event[0] === "changed" && (event[2] === event[3] || isUntold(model, nameOf(event[1])) || given.has(`${nameOf(event[1])} ${event[2] - event[3]}`));
    return combined(joined.flatMap((event) => (silent(event) ? null : eventFact(told, event)) ?? []), passedOn);
}

/** Events, each put together with the first one before it with which it can be. @template T @param {T[]} events @param {(one: T, other: T) => T | null} combine */
function combined(events, combine) {
    /** @type {T[]} */
    const found = [];
    for (const event of events) {
        let [at, both] = [0, /** @type {T | null} */ (null)];
        while (at < found.length && !(both = combine(found[at], event))) {
            at += 1;
        }
        found[at] = both ?? event;
    }
    return found;
}

/** @param {Model} model @param {GameEvent} one @param {GameEvent} other @returns {GameEvent | null} */
function continued(model, one, other) {
    if (one[0] === "changed" && other[0] === "changed" && one[1] === other[1]) {
        return ["changed", one[1], one[2], other[3]];
    }
    if (one[0] !== "moved" || other[0] !== "moved" || one[1] !== other[1] || one[2] !== other[2]) {
        return null;
    }
    const [, component, klass, count, from, to] = one;
    if (from === other[4] && to === other[5]) {
        return ["moved", component, klass, count + other[3], from, to];
    }
    return to === other[4] && count === other[3] && isUntold(model, zoneOf(model, to)) ? ["moved", component, klass, count, from, other[5]] : null;
}

/** What one of two words has lost and the other has got, where one of their indices differs. @param {Fact} one @param {Fact} other */
function passedOn(one, other) {
    const [lost, got] = one.count < 0 ? [one, other] : [other, one];
    const both = one.count + other.count ? [] : lost.routes().flatMap(([thing, start]) => got.routes().flatMap(([same, stop]) => (thing === same ? [{ thing, ends: [start, stop] }] : [])));
    return both.length ? factOf(both[0].thing, both[0].ends, { kind: "moved", ends: both[0].ends, count: got.count }) : null;
}

/** @param {Model} model @param {GameEvent} event @returns {Fact | null} */
function eventFact(model, event) {
    switch (event[0]) {
        case "moved":
            return movedFact(model, event);
        case "changed":
            return changedFact(model, event[1], event[2], event[3]);
        case "thrown":
            return factOf(event[2] < 0 ? "?" : label(model, className(model, event[1], event[2])), [], { kind: "listed", ends: [label(model, event[1]), ""] });
        case "shown":
            return shownFact(model, event);
        case "told": {
            const [, seat, word, value] = event;
            const meaning = wordMeaning(model, word);
            if (!meaning || isUntold(model, meaning.variable.name)) {
                return null;
            }
            const fact = value === null ? factOf(thingLabel(model, meaning.variable, meaning.of, meaning.at)) : changedFact(model, word, null, value);
            return seat < 0 ? fact : factOf(t("table-story-shown", { seat: seatName(model, seat), pieces: fact?.text ?? "" }));
        }
        default:
            return messageFact(model, event);
    }
}

/** What the message of its kind says of an event, if it has one; nothing of a place that people do not hear of. @param {Model} model @param {GameEvent} event */
function messageFact(model, [kind, ...parts]) {
    const fields = Object.entries(model.description.story.said[kind] ?? {});
    if (!fields.length || fields.some(([, role], i) => role === "place" && isUntold(model, zoneOf(model, Number(parts[i]))))) {
        return null;
    }
    const argument = (/** @type {string} */ role, /** @type {number} */ value) => (role === "place" ? placeLabel(model, value, true) : role === "seat" ? seatName(model, value) : value);
    return factOf(t(`table-story-${kind}`, Object.fromEntries(fields.map(([field, role], i) => [field, argument(role, Number(parts[i]))]))));
}

/** @param {Model} model @param {Extract<GameEvent, ["moved", ...unknown[]]>} event */
function movedFact(model, [, component, klass, count, ...route]) {
    const { components, places, zones } = model.description;
    const text = klass < 0 ? label(model, component) : pieceLabel(model, component, klass);
    const face = components[component].die ? label(model, className(model, component, klass)) : text;
    const told = route.slice(0, 2).map((place) => (isUntold(model, zoneOf(model, Number(place))) ? null : Number(place)));
    const ends = told.map((place) => (place === null ? "" : placeLabel(model, place, true)));
    const wide = [label(model, component), ...told.map((place) => (place === null ? "" : label(model, zoneOf(model, place))))];
    const positions = told.flatMap((place) => (place === null || places[place].at === null ? [] : valueLabel(model, zones[zoneOf(model, place)].at, places[place].at)));
    return ends[0] === ends[1] ? null : factOf(text, [...(klass < 0 ? [] : [face]), ...positions], { kind: "moved", ends, wide, count, unseen: klass < 0 });
}

/** What has become of a word; without `old` for those who hear of it first. @param {Model} model @param {number} word @param {number | null} old @param {number} now */
function changedFact(model, word, old, now) {
    const meaning = wordMeaning(model, word);
    if (!meaning) {
        return null;
    }
    const { variable, of, at } = meaning;
    const { kind, type } = variable;
    const none = kind === "pointer" ? NOTHING : 0;
    const gone = now === none;
    const held = kind === "pointer" ? (gone ? old : now) : null;
    /** @type {["at" | "of", string | null, number | null][]} */
    const indices = [["at", variable.at, at], ["of", variable.of, of]];
    const passing = old !== null && (gone || kind === "counter" || old === none);
    /** @type {Fact["routes"]} */
    const routes = () => indices.flatMap(([by, board, index]) => (passing && board ? [[thingLabel(model, { ...variable, [by]: null }, of, at, { held }), valueLabel(model, board, index)]] : []));
    const values = indices.flatMap(([, board, index]) => (board && board !== "seat" ? valueLabel(model, board, index) : []));
    if (kind === "counter") {
        const thing = thingLabel(model, variable, of, at);
        const count = now - (old ?? 0);
        const text = old === null ? t("table-counted", { thing, number: now }) : t("table-story-changed", { thing, old, now });
        return factOf(text, [...values, label(model, variable.name), number(Math.abs(count))], { kind: "counted", count, routes });
    }
    const value = held === null ? "" : typedLabel(model, type, held);
    values.push(...(value && !(type[1] === "seat" && held === model.me) ? [value] : []));
    const count = gone ? -1 : 1;
    if (at !== null) {
        return factOf(valueLabel(model, variable.at, at), values, { kind: "listed", ends: [thingLabel(model, { ...variable, at: null }, of, null, { held, gone }), ""], count, routes });
    }
    const thing = thingLabel(model, variable, of, at, { gone });
    return factOf(kind === "pointer" && !gone ? t("table-pointing", { thing, value }) : thing, values, { count, routes });
}

/** @param {Model} model @param {Extract<GameEvent, ["shown", ...unknown[]]>} event */
function shownFact(model, [, seat, pieces]) {
    if (!pieces) {
        return factOf(t("table-story-shown-hidden", { seat: seatName(model, seat) }));
    }
    if (!pieces.length || (seat < 0 && isUntold(model, zoneOf(model, pieces[0][0])))) {
        return null;
    }
    const shown = list(pieces.map(([place, klass]) => pieceLabel(model, model.description.zones[zoneOf(model, place)].component, klass)));
    return factOf(seat < 0 ? t("table-story-on-top", { zone: placeLabel(model, pieces[0][0], true), piece: shown }) : t("table-story-shown", { seat: seatName(model, seat), pieces: shown }));
}

/** What stands side by side and has the same key. @template T @param {T[]} things @param {(thing: T) => unknown} keyOf */
function runs(things, keyOf) {
    /** @type {T[][]} */
    const found = [];
    things.forEach((thing, i) => (i && String(keyOf(things[i - 1])) === String(keyOf(thing)) ? found[found.length - 1].push(thing) : found.push([thing])));
    return found;
}

/**
 * What is listed of the same thing is one sentence, and so are moves between the same places. Many moves between places of the
 * same two zones are one, without the places in which they differ. @param {Model} model @param {Fact[]} facts
 */
function sentences(model, facts) {
    const { many_moves: many } = model.description.story;
    const gathered = runs(facts, ({ kind, wide }) => [kind, wide]).flatMap((group) => {
        const { wide } = group[0];
        const apart = [0, 1].map((end) => new Set(group.map(({ ends }) => ends[end])).size > 1);
        const ends = apart.map((differ, i) => (wide && differ ? wide[i + 1] : group[0].ends[i]));
        return wide && new Set(group.map((fact) => String(fact.ends))).size >= many ? group.map((fact) => ({ ...fact, ends })) : group;
    });
    return runs(gathered, ({ kind, ends, wide }) => [kind, ends, wide]).flatMap((group) => {
        const { kind, ends: [from, to] } = group[0];
        const texts = group.map(({ text }) => text);
        switch (kind) {
            case "said":
            case "counted":
                return texts;
            case "listed":
                return t("table-story-listed", { thing: from, things: list(texts, "unit") });
            default:
                return t(`table-story-moved-${from && to ? "both" : from ? "from" : "to"}`, { from, to, piece: list(piecesIn(model, group)) });
        }
    });
}

/** The pieces of several moves: equal ones counted. @param {Model} model @param {Fact[]} moves */
function piecesIn(model, moves) {
    const kinds = combined(moves, (one, other) => (one.text === other.text && one.unseen === other.unseen ? { ...one, count: one.count + other.count } : null));
    const { wide } = moves[0];
    if (wide && kinds.length > model.description.story.many_kinds) {
        return [t("table-several", { number: moves.reduce((sum, { count }) => sum + count, 0), thing: wide[0] })];
    }
    return kinds.map(({ text, unseen, count }) => t(unseen ? "table-story-unseen" : "table-several", { number: count, thing: text }));
}
