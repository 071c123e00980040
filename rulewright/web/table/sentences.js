// The story of a match in sentences: entries to turns, choices and what they brought about.

import { list, number, t } from "../i18n.js";
import { hidden, NOTHING, wordMeaning } from "./model.js";
import { label, pieceLabel, placeLabel, seatName, spokenWords, valueLabel } from "./names.js";

/**
 * A part of the story: a choice with what followed from it, or what happened without one.
 * @typedef {{key: number, seat: number | null, head: string, facts: string[], odds: any[], turn: number | null}} Passage
 */

/** The passages of some entries; `first` is the number of the first entry. */
export function passages(model, entries, first = 0) {
    const found = [];
    let turn = null;
    entries.forEach((entry, i) => {
        const said = { ...saidOf(model, entry), key: first + i };
        const last = found.at(-1);
        if (entry.words === null && last && turn === null) {
            last.facts.push(...said.facts);
            last.odds.push(...said.odds);
        } else if (said.head || said.facts.length) {
            found.push({ ...said, turn });
            turn = null;
        }
        turn = said.turns.at(-1) ?? turn;
    });
    for (const passage of found) {
        passage.facts = joined(passage.facts);
    }
    return found;
}

function saidOf(model, entry) {
    const head = entry.words === null ? "" : t("table-story-chose", { seat: seatName(model, entry.seat), words: spokenWords(model, entry.words) });
    const facts = merged(entry.events).map((event) => factOf(model, event)).filter(Boolean);
    const turns = entry.events.filter((event) => event[0] === "turned").map((event) => event[1]);
    const odds = entry.odds?.length > 1 ? [{ stream: entry.stream, outcome: entry.outcome ?? null, odds: entry.odds }] : [];
    return { seat: entry.seat, head, facts, odds, turns };
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
        case "shuffled":
            return isHidden(model, rest[0]) ? null : { text: t("table-story-shuffled", { zone: placeLabel(model, rest[0]) }) };
        case "ended":
            return { text: t("table-story-ended") };
        default:
            return null;
    }
}

function isHidden(model, place) {
    return place >= 0 && hidden(model.description, model.description.places[place].zone);
}

function moved(model, component, klass, count, from, to) {
    if ((from < 0 || isHidden(model, from)) && (to < 0 || isHidden(model, to))) {
        return null;
    }
    const piece = klass < 0 ? t("table-story-unseen", { number: count, piece: label(model, component) })
        : count > 1 ? t("table-several", { number: count, thing: pieceLabel(model, component, klass) }) : pieceLabel(model, component, klass);
    const args = { piece, from: from >= 0 ? placeLabel(model, from) : "", to: to >= 0 ? placeLabel(model, to) : "" };
    const end = from < 0 || isHidden(model, from) ? "to" : to < 0 || isHidden(model, to) ? "from" : "both";
    return { sort: `moved ${from} ${to}`, text: t(`table-story-moved-${end}`, args), lead: piece, args, end };
}

function changed(model, word, old, now) {
    const meaning = word >= 0 ? wordMeaning(model, word) : null;
    if (!meaning || hidden(model.description, meaning.variable.name) || old === now) {
        return null;
    }
    const { variable, of, at } = meaning;
    const what = [label(model, variable.name), of !== null && variable.of !== "seat" ? valueLabel(model, variable.of, of) : "", at !== null ? valueLabel(model, variable.at, at) : ""];
    const thing = what.filter(Boolean).join(" ");
    const named = variable.of === "seat" ? t("table-of", { thing, seat: seatName(model, of) }) : thing;
    if (variable.kind === "mark") {
        return { text: t(now ? "table-story-marked" : "table-story-unmarked", { thing: named }) };
    }
    if (variable.kind === "pointer") {
        const value = now === NOTHING ? "" : pointed(model, variable, now);
        return { text: now === NOTHING ? t("table-story-unmarked", { thing: named }) : t("table-pointing", { thing: named, value }) };
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
    return { text: t("table-story-shown", { seat: seatName(model, seat), pieces: list(names) }) };
}

/** Throws of the same dice are one sentence, and so are moves between the same places. */
function joined(facts) {
    const texts = [];
    for (let i = 0; i < facts.length; i += 1) {
        let end = i + 1;
        while (facts[i].sort && facts[end]?.sort === facts[i].sort) {
            end += 1;
        }
        const run = facts.slice(i, end);
        if (facts[i].sort?.startsWith("thrown")) {
            texts.push(t("table-story-thrown", { dice: facts[i].lead, faces: list(run.map((fact) => fact.text), "unit") }));
        } else if (run.length > 1) {
            texts.push(t(`table-story-moved-${facts[i].end}`, { ...facts[i].args, piece: list(run.map((fact) => fact.lead)) }));
        } else {
            texts.push(facts[i].text);
        }
        i = end - 1;
    }
    return texts;
}
