// The story of a match in sentences: entries to turns, choices and what they brought about.

import { list, number, t } from "../i18n.js";
import { className, hidden, NOTHING, wordMeaning } from "./model.js";
import { askedLabel, label, ofSeat, pieceLabel, placeLabel, seatName, spokenWords, valueLabel } from "./names.js";

const MANY_MOVES = 4;
const MANY_KINDS = 12;

/**
 * A part of the story: a choice with what followed from it, or what happened without one.
 * @typedef {{key: number, seat: number | null, head: string, facts: string[], odds: any[], turn: number | null}} Passage
 */

/** The passages of some entries; `first` is the number of the first entry. */
export function passages(model, entries, first = 0) {
    const found = [];
    const add = (passage) => found.push({ seat: null, head: "", facts: [], odds: [], turn: null, ...passage });
    entries.forEach((entry, i) => {
        if (entry.words !== null) {
            add({ key: first + i, seat: entry.seat, head: headOf(model, entry) });
        } else if (!found.length) {
            add({ key: first + i });
        }
        const chance = chanceOf(model, entry);
        if (chance.rows.length > 1) {
            found.at(-1).odds.push(chance);
        }
        for (const events of byTurn(entry.events)) {
            if (events[0]?.[0] === "turned") {
                add({ key: `${first + i} turn`, seat: events[0][1], turn: events[0][1] });
            }
            found.at(-1).facts.push(...ownOnly(model, merged(events)).map((event) => factOf(model, event)).filter(Boolean));
        }
    });
    return found
        .filter(({ head, facts }) => head || facts.length)
        .map((passage) => ({ ...passage, facts: joined(model, passage.facts) }));
}

/** What chance could bring: texts with their weights, and which came. If not `exact`, they are pieces that were not in sight. */
function chanceOf(model, { stream, odds, pool, events }) {
    const [kind, component, klass] = events[0] ?? [];
    const rows = pool
        ? pool[1].map((weight, i) => [pieceLabel(model, component, i), weight, i === klass])
        : (odds ?? []).map(([text, weight]) => [spokenWords(model, text), weight, kind === "thrown" && text === className(model, component, klass)]);
    return { stream, component, rows: rows.filter(([, weight]) => weight), exact: pool?.[2] ?? true };
}

function headOf(model, entry) {
    const seat = seatName(model, entry.seat);
    if (/^\?( \d+)?$/.test(entry.words)) {
        return t("table-story-chose-hidden", { seat });
    }
    const words = spokenWords(model, entry.words);
    const what = questionOf(model, entry);
    return what ? t("table-story-chose-for", { seat, what, words }) : t("table-story-chose", { seat, words });
}

/** What a choice answers, where its words alone do not say it: not for actions and pieces. */
function questionOf(model, { node, words }) {
    const decision = model.description.decisions[String(node)];
    const silent = !decision || decision.offers || decision.type?.[0] === "piece" || words === "pass";
    return silent || hidden(model.description, decision.name.split(".").at(-1)) ? "" : askedLabel(model, decision);
}

/** Events, split where a turn begins. */
function byTurn(events) {
    const found = [[]];
    for (const event of events) {
        if (event[0] === "turned") {
            found.push([]);
        }
        found.at(-1).push(event);
    }
    return found;
}

/** Moves of equal pieces between the same places are one, and so are changes of one word. */
function merged(events) {
    const found = [];
    for (const event of events) {
        const same = found.find((other) => event[0] === "moved" && other[0] === "moved" && [1, 2, 4, 5].every((i) => other[i] === event[i]));
        const last = event[0] === "changed" ? found.find((other) => other[0] === "changed" && other[1] === event[1]) : null;
        if (same) {
            same[3] += event[3];
        } else if (last) {
            last[3] = event[3];
        } else {
            found.push([...event]);
        }
    }
    return found;
}

/** What comes from a supply or goes there is told of whom it comes to, and not of the supply again. */
function ownOnly(model, events) {
    const changes = events.filter(([kind]) => kind === "changed").map(([, word, old, now]) => [wordMeaning(model, word)?.variable, now - old]);
    return events.filter(([kind, word, old, now]) => kind !== "changed"
        || !changes.some(([variable, gained]) => variable?.bank && gained === old - now && variable.bank === wordMeaning(model, word)?.variable.name));
}

function factOf(model, event) {
    const [kind, ...rest] = event;
    switch (kind) {
        case "moved":
            return moved(model, ...rest);
        case "changed":
            return changed(model, ...rest);
        case "thrown":
            return { sort: `thrown ${rest[0]}`, text: thrown(model, ...rest), lead: label(model, rest[0]) };
        case "shown":
            return shown(model, ...rest);
        case "told":
            return told(model, ...rest);
        case "shuffled":
            return isHidden(model, rest[0]) ? null : { text: t("table-story-shuffled", { zone: placeLabel(model, rest[0]) }) };
        case "ended":
            return { text: t("table-story-ended") };
        default:
            return null;
    }
}

function isHidden(model, place) {
    return hidden(model.description, model.description.places[place].zone);
}

function moved(model, component, klass, count, from, to) {
    if (isHidden(model, from) && isHidden(model, to)) {
        return null;
    }
    const args = { from: placeLabel(model, from), to: placeLabel(model, to) };
    const end = isHidden(model, from) ? "to" : isHidden(model, to) ? "from" : "both";
    const zones = [from, to].map((place) => model.description.places[place].zone);
    return { sort: `moved ${from} ${to}`, route: [component, end, ...zones].join(" "), zones, component, klass, count, args, end };
}

function changed(model, word, old, now) {
    const meaning = word >= 0 ? wordMeaning(model, word) : null;
    if (!meaning || hidden(model.description, meaning.variable.name) || old === now) {
        return null;
    }
    const { variable, of, at } = meaning;
    const what = [label(model, variable.name), of !== null && variable.of !== "seat" ? valueLabel(model, variable.of, of) : "", at !== null ? valueLabel(model, variable.at, at) : ""];
    const thing = what.filter(Boolean).join(" ");
    const owned = (text) => (variable.of === "seat" ? ofSeat(model, variable, text, of) : text);
    if (variable.kind === "mark") {
        return { text: owned(t(now ? "table-story-marked" : "table-story-unmarked", { thing })) };
    }
    const named = owned(thing);
    if (variable.kind === "pointer") {
        const value = now === NOTHING ? "" : pointed(model, variable, now);
        return { text: now === NOTHING ? t("table-story-unmarked", { thing: named }) : t("table-pointing", { thing: named, value }) };
    }
    if (old === null) {
        return { text: t("table-counted", { thing: named, number: now }) };
    }
    return { text: t("table-story-changed", { thing: named, old: number(old), now: number(now) }) };
}

function pointed(model, variable, value) {
    const [kind, type] = variable.type;
    if (kind === "piece") {
        const size = model.description.components[type].classes.length;
        return pieceLabel(model, type, ((value % size) + size) % size);
    }
    return kind === "enum" ? valueLabel(model, type, value) : number(value);
}

function thrown(model, component, face) {
    return face < 0 ? "?" : label(model, model.description.components[component].classes[face]);
}

function shown(model, seat, pieces) {
    if (!pieces) {
        return null;
    }
    const names = pieces.map(([place, klass]) => pieceLabel(model, model.description.zones[model.description.places[place].zone].component, klass));
    if (seat < 0) {
        const [[place]] = pieces;
        return isHidden(model, place) ? null : { text: t("table-story-on-top", { zone: placeLabel(model, place), piece: list(names) }) };
    }
    return { text: t("table-story-shown", { seat: seatName(model, seat), pieces: list(names) }) };
}

/** What somebody, or everybody, was shown of a hidden value. */
function told(model, seat, word, value) {
    const meaning = wordMeaning(model, word);
    if (!meaning || value === null || hidden(model.description, meaning.variable.name)) {
        return null;
    }
    const fact = changed(model, word, null, value);
    return seat < 0 ? fact : { text: t("table-story-shown", { seat: seatName(model, seat), pieces: fact.text }) };
}

/** Throws of the same dice are one sentence, and so are moves between the same places. */
function joined(model, told) {
    const facts = gathered(model, told);
    const texts = [];
    for (let i = 0; i < facts.length; i += 1) {
        let end = i + 1;
        while (facts[i].sort && facts[end]?.sort === facts[i].sort) {
            end += 1;
        }
        const run = facts.slice(i, end);
        if (facts[i].sort?.startsWith("thrown")) {
            texts.push(t("table-story-thrown", { dice: facts[i].lead, faces: list(run.map((fact) => fact.text), "unit") }));
        } else if (facts[i].sort) {
            texts.push(t(`table-story-moved-${facts[i].end}`, { ...facts[i].args, piece: list(piecesIn(model, run)) }));
        } else {
            texts.push(facts[i].text);
        }
        i = end - 1;
    }
    return texts;
}

/** Many moves of the same pieces from places of one zone to places of another are one, without the single places. */
function gathered(model, facts) {
    const found = [];
    for (let i = 0; i < facts.length; i += 1) {
        let end = i + 1;
        while (facts[i].route && facts[end]?.route === facts[i].route) {
            end += 1;
        }
        const run = facts.slice(i, end);
        if (new Set(run.map((fact) => fact.sort)).size < MANY_MOVES) {
            found.push(...run);
        } else {
            const [from, to] = facts[i].zones.map((zone) => label(model, zone));
            found.push({ text: t(`table-story-moved-${facts[i].end}`, { piece: list(piecesIn(model, run)), from, to }) });
        }
        i = end - 1;
    }
    return found;
}

/** The pieces of several moves: equal ones counted. */
function piecesIn(model, moves) {
    const found = new Map();
    for (const { component, klass, count } of moves) {
        const key = `${component} ${klass}`;
        found.set(key, { component, klass, number: count + (found.get(key)?.number ?? 0) });
    }
    const kinds = [...found.values()];
    const sum = kinds.reduce((total, each) => total + each.number, 0);
    if (kinds.length > MANY_KINDS) {
        return [t("table-several", { number: sum, thing: label(model, kinds[0].component) })];
    }
    return kinds.map(({ component, klass, number: count }) => {
        const thing = klass < 0 ? label(model, component) : pieceLabel(model, component, klass);
        return klass < 0 ? t("table-story-unseen", { number: count, piece: thing }) : count > 1 ? t("table-several", { number: count, thing }) : thing;
    });
}
