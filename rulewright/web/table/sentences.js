// The story of a match in sentences: entries to turns, choices and what they brought about.

import { list, number, t } from "../i18n.js";
import { className, hidden, NOTHING, wordMeaning } from "./model.js";
import { askedLabel, label, ofSeat, pieceLabel, placeLabel, seatName, spokenWords, valueLabel } from "./names.js";

const MANY_MOVES = 4;
const MANY_KINDS = 12;

/** @import { Entry, GameEvent, ShownPieces } from "../types.d.ts" @import { Model, ModelVariable } from "./types.d.ts" */
/**
 * A part of the story: a choice with what followed from it, or what happened without one.
 * @typedef {{ key: number | string, seat: number | null, head: string, facts: string[], odds: Chance[], turn: number | null }} Passage
 */
/**
 * What chance could bring: texts with their weights, and which came. If not `exact`, they are pieces that were not in sight.
 * @typedef {{ stream: string | null, component: string | undefined, rows: [text: string, weight: number, came: boolean][], exact: boolean }} Chance
 */
/** @typedef {{ route: string, zones: string[], component: string, klass: number, count: number, args: Record<string, string>, end: string }} Move */
/**
 * A sentence; of throws and of moves those of one `sort` are told together, and have a `lead` or a `move`.
 * @typedef {{ text: string, sort?: string, lead?: string, move?: Move }} Fact
 */

/**
 * The passages of some entries; `first` is the number of the first entry.
 * @param {Model} model
 * @param {Entry[]} entries
 * @param {number} [first]
 * @returns {Passage[]}
 */
export function passages(model, entries, first = 0) {
    /** @typedef {Omit<Passage, "facts"> & { facts: Fact[] }} Begun */
    /** @type {Begun[]} */
    const found = [];
    const add = (/** @type {Partial<Begun> & Pick<Begun, "key">} */ passage) => {
        const begun = { seat: null, head: "", facts: [], odds: [], turn: null, ...passage };
        found.push(begun);
        return begun;
    };
    entries.forEach((entry, i) => {
        const { seat, words, node } = entry;
        const head = words === null || seat === null ? "" : headOf(model, seat, words, node);
        let last = head || !found.length ? add({ key: first + i, seat: head ? seat : null, head }) : found[found.length - 1];
        const chance = chanceOf(model, entry);
        if (chance.rows.length > 1) {
            last.odds.push(chance);
        }
        for (const events of byTurn(entry.events)) {
            if (events[0]?.[0] === "turned") {
                last = add({ key: `${first + i} turn`, seat: events[0][1], turn: events[0][1] });
            }
            last.facts.push(...ownOnly(model, merged(events)).flatMap((event) => factOf(model, event) ?? []));
        }
    });
    return found
        .filter(({ head, facts }) => head || facts.length)
        .map((passage) => ({ ...passage, facts: joined(model, passage.facts) }));
}

/**
 * What chance could bring: texts with their weights, and which came. If not `exact`, they are pieces that were not in sight.
 * @param {Model} model
 * @param {Entry} entry
 * @returns {Chance}
 */
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

/** @param {Model} model @param {number} by @param {string} chosen @param {number | null} node */
function headOf(model, by, chosen, node) {
    const seat = seatName(model, by);
    if (/^\?( \d+)?$/.test(chosen)) {
        return t("table-story-chose-hidden", { seat });
    }
    const words = spokenWords(model, chosen, null, node);
    const what = questionOf(model, chosen, node);
    return what ? t("table-story-chose-for", { seat, what, words }) : t("table-story-chose", { seat, words });
}

/**
 * What a choice answers, where its words alone do not say it: not for actions and pieces.
 * @param {Model} model
 * @param {string} words
 * @param {number | null} node
 */
function questionOf(model, words, node) {
    const decision = model.description.decisions[String(node)];
    const silent = !decision || decision.offers || decision.type?.[0] === "piece" || words === "pass";
    return silent || hidden(model.description, decision.name.split(".").at(-1) ?? "") ? "" : askedLabel(model, decision);
}

/** Events, split where a turn begins. @param {GameEvent[]} events */
function byTurn(events) {
    /** @type {GameEvent[][]} */
    const found = [[]];
    for (const event of events) {
        if (event[0] === "turned") {
            found.push([]);
        }
        found[found.length - 1].push(event);
    }
    return found;
}

/** Moves of equal pieces between the same places are one, and so are changes of one word. @param {GameEvent[]} events */
function merged(events) {
    /** @type {GameEvent[]} */
    const found = [];
    for (const event of events) {
        const move = event[0] === "moved" && found.filter((other) => other[0] === "moved").find((other) => [1, 2, 4, 5].every((i) => other[i] === event[i]));
        const change = event[0] === "changed" && found.filter((other) => other[0] === "changed").find((other) => other[1] === event[1]);
        if (move) {
            move[3] += Number(event[3]);
        } else if (change) {
            change[3] = Number(event[3]);
        } else {
            found.push(/** @type {GameEvent} */ ([...event]));
        }
    }
    return found;
}

/**
 * What comes from a supply or goes there is told of whom it comes to, and not of the supply again.
 * @param {Model} model
 * @param {GameEvent[]} events
 */
function ownOnly(model, events) {
    const changes = events.filter((event) => event[0] === "changed").map(([, word, old, now]) => ({ variable: wordMeaning(model, word)?.variable, gained: now - old }));
    return events.filter((event) => {
        if (event[0] !== "changed") {
            return true;
        }
        const [, word, old, now] = event;
        return !changes.some(({ variable, gained }) => variable?.bank && gained === old - now && variable.bank === wordMeaning(model, word)?.variable.name);
    });
}

/** @param {Model} model @param {GameEvent} event @returns {Fact | null} */
function factOf(model, event) {
    switch (event[0]) {
        case "moved":
            return moved(model, event[1], event[2], event[3], event[4], event[5]);
        case "changed":
            return changed(model, event[1], event[2], event[3]);
        case "thrown":
            return { sort: `thrown ${event[1]}`, text: thrown(model, event[1], event[2]), lead: label(model, event[1]) };
        case "shown":
            return shown(model, event[1], event[2]);
        case "told":
            return told(model, event[1], event[2], event[3]);
        case "shuffled":
            return isHidden(model, event[1]) ? null : { text: t("table-story-shuffled", { zone: placeLabel(model, event[1]) }) };
        case "ended":
            return { text: t("table-story-ended") };
        default:
            return null;
    }
}

/** @param {Model} model @param {number} place */
function isHidden(model, place) {
    return hidden(model.description, model.description.places[place].zone);
}

/**
 * @param {Model} model
 * @param {string} component
 * @param {number} klass
 * @param {number} count
 * @param {number} from
 * @param {number} to
 * @returns {Fact | null}
 */
function moved(model, component, klass, count, from, to) {
    if (isHidden(model, from) && isHidden(model, to)) {
        return null;
    }
    const args = { from: placeLabel(model, from), to: placeLabel(model, to) };
    const end = isHidden(model, from) ? "to" : isHidden(model, to) ? "from" : "both";
    const zones = [from, to].map((place) => model.description.places[place].zone);
    return { text: "", sort: `moved ${from} ${to}`, move: { route: [component, end, ...zones].join(" "), zones, component, klass, count, args, end } };
}

/** @param {Model} model @param {number} word @param {number | null} old @param {number} now @returns {Fact | null} */
function changed(model, word, old, now) {
    const meaning = word >= 0 ? wordMeaning(model, word) : null;
    if (!meaning || hidden(model.description, meaning.variable.name) || old === now) {
        return null;
    }
    const { variable } = meaning;
    if (variable.kind === "mark") {
        return { text: thingOf(model, meaning, now ? "table-story-marked" : "table-story-unmarked") };
    }
    const thing = thingOf(model, meaning);
    if (variable.kind === "pointer") {
        return { text: now === NOTHING ? t("table-story-unmarked", { thing }) : t("table-pointing", { thing, value: pointed(model, variable, now) }) };
    }
    if (old === null) {
        return { text: t("table-counted", { thing, number: now }) };
    }
    return { text: t("table-story-changed", { thing, old: number(old), now: number(now) }) };
}

/**
 * What a word is called: `coins of B`, `height b2`. A message may say more of it than its name.
 * @param {Model} model
 * @param {NonNullable<ReturnType<typeof wordMeaning>>} meaning
 * @param {string} [message]
 */
function thingOf(model, { variable, of, at }, message = "table-story-marked") {
    const parts = [label(model, variable.name), of !== null && variable.of !== "seat" ? valueLabel(model, variable.of, of) : "", at !== null ? valueLabel(model, variable.at, at) : ""];
    const thing = t(message, { thing: parts.filter(Boolean).join(" ") });
    return variable.of === "seat" && of !== null ? ofSeat(model, variable, thing, of) : thing;
}

/** @param {Model} model @param {ModelVariable} variable @param {number} value */
function pointed(model, variable, value) {
    const [kind, type] = variable.type;
    if (kind === "piece") {
        const size = model.description.components[type].classes.length;
        return pieceLabel(model, type, ((value % size) + size) % size);
    }
    return kind === "enum" ? valueLabel(model, type, value) : number(value);
}

/** @param {Model} model @param {string} component @param {number} face */
function thrown(model, component, face) {
    return face < 0 ? "?" : label(model, model.description.components[component].classes[face]);
}

/** @param {Model} model @param {number} seat @param {ShownPieces[] | null} pieces @returns {Fact | null} */
function shown(model, seat, pieces) {
    if (!pieces) {
        return { text: t("table-story-shown-hidden", { seat: seatName(model, seat) }) };
    }
    if (!pieces.length) {
        return null;
    }
    const names = pieces.map(([place, klass]) => pieceLabel(model, model.description.zones[model.description.places[place].zone].component, klass));
    if (seat < 0) {
        const [[place]] = pieces;
        return isHidden(model, place) ? null : { text: t("table-story-on-top", { zone: placeLabel(model, place), piece: list(names) }) };
    }
    return { text: t("table-story-shown", { seat: seatName(model, seat), pieces: list(names) }) };
}

/**
 * What somebody, or everybody, was shown of a hidden value.
 * @param {Model} model
 * @param {number} seat
 * @param {number} word
 * @param {number | null} value
 * @returns {Fact | null}
 */
function told(model, seat, word, value) {
    const meaning = wordMeaning(model, word);
    if (!meaning || hidden(model.description, meaning.variable.name)) {
        return null;
    }
    const fact = value === null ? { text: thingOf(model, meaning) } : changed(model, word, null, value);
    return seat < 0 ? fact : { text: t("table-story-shown", { seat: seatName(model, seat), pieces: fact?.text ?? "" }) };
}

/** Throws of the same dice are one sentence, and so are moves between the same places. @param {Model} model @param {Fact[]} told */
function joined(model, told) {
    const facts = gathered(model, told);
    const texts = [];
    for (let i = 0; i < facts.length; i += 1) {
        const { sort, lead, move, text } = facts[i];
        let end = i + 1;
        while (sort && facts[end]?.sort === sort) {
            end += 1;
        }
        const run = facts.slice(i, end);
        if (lead !== undefined) {
            texts.push(t("table-story-thrown", { dice: lead, faces: list(run.map((fact) => fact.text), "unit") }));
        } else if (move) {
            texts.push(t(`table-story-moved-${move.end}`, { ...move.args, piece: list(piecesIn(model, run)) }));
        } else {
            texts.push(text);
        }
        i = end - 1;
    }
    return texts;
}

/**
 * Many moves of the same pieces from places of one zone to places of another are one, without the single places.
 * @param {Model} model
 * @param {Fact[]} facts
 */
function gathered(model, facts) {
    /** @type {Fact[]} */
    const found = [];
    for (let i = 0; i < facts.length; i += 1) {
        const { move } = facts[i];
        let end = i + 1;
        while (move && facts[end]?.move?.route === move.route) {
            end += 1;
        }
        const run = facts.slice(i, end);
        if (!move || new Set(run.map((fact) => fact.sort)).size < MANY_MOVES) {
            found.push(...run);
        } else {
            const [from, to] = move.zones.map((zone) => label(model, zone));
            found.push({ text: t(`table-story-moved-${move.end}`, { piece: list(piecesIn(model, run)), from, to }) });
        }
        i = end - 1;
    }
    return found;
}

/** The pieces of several moves: equal ones counted. @param {Model} model @param {Fact[]} facts */
function piecesIn(model, facts) {
    /** @type {Map<string, { component: string, klass: number, number: number }>} */
    const found = new Map();
    for (const { component, klass, count } of facts.flatMap(({ move }) => move ?? [])) {
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
