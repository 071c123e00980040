// What the viewer may choose now, found from the things on the table.
//
// A thing is what a value lies on: a piece in a place, a value of a type, a number. Its key is a string, so that
// whoever draws a thing finds its choices.

import { hidden, piecesOfType } from "./model.js";

/** @import { Choice, Position, PositionDecision, Value, ValueType } from "../types.d.ts" */
/** @import { Model, Offered, OfferedRange, Offers } from "./types.d.ts" */

/** @param {number} place @param {number} klass */
export const pieceKey = (place, klass) => `piece ${place} ${klass}`;
/** @param {string} type @param {number} value */
export const valueKey = (type, value) => `value ${type} ${value}`;

/** The key of a value; null for values that lie on nothing: flags, effects, none. @param {Value | null} value */
export function keyOf(value) {
    switch (value?.[0]) {
        case "piece":
            return pieceKey(value[1], value[2]);
        case "enum":
            return valueKey(value[1], value[2]);
        case "int":
            return `number ${value[1]}`;
        default:
            return null;
    }
}

/** The value that a key stands for. @param {string} key @returns {Value} */
export function valueOf(key) {
    const [kind, first, ...rest] = key.split(" ");
    if (kind === "piece") {
        return ["piece", Number(first), Number(rest[0])];
    }
    if (kind === "value") {
        return ["enum", [first, ...rest.slice(0, -1)].join(" "), Number(rest.at(-1))];
    }
    return ["int", Number(first)];
}

/**
 * The choices of the viewer: by key of their thing, by action, those that lie on nothing, and numbers of ranges.
 * @param {Model} model
 * @param {Position} position
 * @param {string | null} [only] the action that the viewer has picked
 * @returns {Offers}
 */
export function offersOf(model, position, only = null) {
    /** @type {Offers["byKey"]} */
    const byKey = new Map();
    /** @type {Offers["actions"]} */
    const actions = new Map();
    /** @type {Offered[]} */
    const loose = [];
    let passing = null;
    /** @type {Map<string, OfferedRange>} */
    const numbers = new Map();
    for (const decision of position.decisions ?? []) {
        for (const { words, action, numbers: range } of decision.ranges ?? []) {
            const known = numbers.get(words) ?? { words, action, decision, ranges: [] };
            numbers.set(words, { ...known, ranges: [...known.ranges, range] });
        }
        for (const choice of decision.choices) {
            const offered = { ...choice, decision };
            if (choice.pass || (choice.value === null && choice.action === null && choice.words === "pass")) {
                passing = offered;
                continue;
            }
            const name = choice.action === null ? null : actionKey(choice);
            if (name !== null) {
                actions.set(name, [...(actions.get(name) ?? []), offered]);
            }
            if ((only !== null && name !== only) || isOfRange(choice, decision)) {
                continue;
            }
            const key = keyOf(choice.value);
            if (key === null) {
                loose.push(offered);
            } else {
                byKey.set(key, [...(byKey.get(key) ?? []), offered]);
            }
        }
    }
    const decision = position.decisions?.[0] ?? null;
    const ranges = [...numbers.values()].filter(({ action }) => only === null || action === only.split(" ")[0]);
    return { byKey, actions, loose, passing, decision, only, ranges, asked: asked(model, decision), pieces: onPieces(model, byKey) };
}

/** Whether a choice is a number of a range, of which only a few stand among the choices. @param {Choice} choice @param {PositionDecision} decision */
export function isOfRange(choice, decision) {
    const { value } = choice;
    return value?.[0] === "int" && (decision.ranges ?? []).some(({ words }) => [words, value[1]].filter((part) => part !== "").join(" ") === choice.words);
}

/** Actions are told apart by their name and by what is already settled of them. @param {Choice} choice */
export function actionKey(choice) {
    return [choice.action, ...(choice.arguments ?? []).map((value) => JSON.stringify(value))].join(" ");
}

/**
 * Values of types whose pieces lie on the table are chosen there too: component and class to choices.
 * @param {Model} model
 * @param {Offers["byKey"]} byKey
 */
function onPieces(model, byKey) {
    /** @type {Offers["pieces"]} */
    const found = new Map();
    for (const choices of byKey.values()) {
        const { value: chosen } = choices[0];
        if (chosen?.[0] === "enum") {
            const [, type, value] = chosen;
            const lo = model.description.types[type]?.lo ?? 0;
            for (const component of piecesOfType(model, type)) {
                found.set(`${component} ${value - lo}`, choices);
            }
        }
    }
    return found;
}

/**
 * The types that are asked for now: of the decision, or of the first parameters of the actions it may offer.
 * @param {Model} model
 * @param {PositionDecision | null} decision
 * @returns {Offers["asked"]}
 */
function asked(model, decision) {
    if (!decision) {
        return [];
    }
    const node = model.description.decisions[String(decision.node)] ?? {};
    if (node.type) {
        return [{ action: null, type: node.type }];
    }
    const { routines } = model.description;
    const names = node.actions ?? [...new Set(decision.choices.flatMap(({ action }) => action ?? []))];
    return names.map((action) => ({ action, type: routines?.[action]?.types?.[0] ?? null }));
}

/** The actions of the decision that are not offered at all, greyed: names of routines. @param {Model} model @param {Offers} offers */
export function greyed(model, offers) {
    const offered = new Set([...offers.actions.values()].map((choices) => choices[0].action));
    return [...new Set(offers.asked.flatMap(({ action }) => action ?? []))]
        .filter((action) => !offered.has(action) && !hidden(model.description, action));
}

/**
 * What could be asked about a thing that is not offered: actions (or null) whose parameter has its type.
 * @param {Model} model
 * @param {Offers} offers
 * @param {Value} value
 */
export function plausible(model, offers, value) {
    return offers.asked.filter(({ type }) => type !== null && fits(model, type, value)).map(({ action }) => action);
}

/** @param {Model} model @param {ValueType} type @param {Value} value */
function fits(model, type, value) {
    if (value[0] === "piece") {
        const place = model.description.places[value[1]];
        return type[0] === "piece" && model.description.zones[place?.zone]?.component === type[1];
    }
    return type[0] === value[0] && (value[0] !== "enum" || type[1] === value[1]);
}
