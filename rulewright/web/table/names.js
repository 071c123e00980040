// Names and short texts of things, as people read them.

import { help as helpOf, known, label as labelOf, labelIfAny, number, t } from "../i18n.js";
import { className, valueName } from "./model.js";

/** @import { DescribedVariable, Description, Question, Rows, Value } from "../types.d.ts" @import { Cell, Model } from "./types.d.ts" */
/** @typedef {Rows["columns"][number]} Column @typedef {Rows["rows"][number]} Row */

/** What people read for a word of the rules, in the game of a model. @param {Model} model @param {string} word */
export function label(model, word) {
    return labelOf(word, model.description);
}

/** What people read for a column; those that a grid has by itself are called in the language of the page. @param {Model} model @param {string} name */
export function columnLabel(model, name) {
    const id = `table-column-${name}`;
    return labelIfAny(name, model.description) ?? (known(id) ? t(id) : label(model, name));
}

/**
 * What stands in a column of text for a row; empty if nothing does.
 * @param {Model} model
 * @param {Rows} decl
 * @param {string} row the word of the row
 * @param {string} column
 */
export function rowText(model, decl, row, column) {
    const owner = decl.texts?.[column];
    return owner ? labelIfAny(`${owner}.${row}.${column}`, model.description) ?? "" : "";
}

/** What a word of the rules means; or empty. @param {Model} model @param {string} word */
export function help(model, word) {
    return helpOf(word, model.description);
}

/** @param {Model} model @param {number} seat */
export function seatName(model, seat) {
    return model.names?.[seat] ?? model.description.seat_names[seat] ?? String(seat);
}

/**
 * What belongs to a seat, or the mark that it has: `coins of B`, `B: passed`. The seat of which is told needs no name.
 * @param {Model} model @param {{ kind?: string }} variable @param {string} thing @param {number} seat
 */
export function ofSeat(model, { kind }, thing, seat) {
    return seat === model.me ? thing : t(kind === "mark" ? "table-story-chose" : "table-of", { thing, words: thing, seat: seatName(model, seat) });
}

/** The label of a value of a type, or of a class of pieces. @param {Model} model @param {string | null | undefined} type @param {number | null | undefined} value */
export function valueLabel(model, type, value) {
    if (value === null || value === undefined) {
        return "–";
    }
    if (type && type in model.description.components) {
        return pieceLabel(model, type, value);
    }
    return type === model.seatType ? seatName(model, value) : numberLabel(model, type, value) ?? label(model, valueName(model, type, value));
}

/**
 * What a number of a type or column is called, if it has a name.
 * @param {Model} model
 * @param {string | null | undefined} of
 * @param {number | string} number
 */
function numberLabel(model, of, number) {
    return labelIfAny(`${of}.${number}`, model.description);
}

/**
 * What a place is called on its board: as the look says, or else its label.
 * @param {Model} model
 * @param {Pick<Cell, "board" | "value" | "index">} place
 */
export function placeName(model, { board, value, index }) {
    return model.scene.boards[board].captions?.[index]?.map((part) => label(model, part)).join("") ?? valueLabel(model, board, value);
}

/**
 * The label of a class of pieces; an unseen piece has the name of its component.
 * @param {Model} model
 * @param {string} component
 * @param {number} klass
 */
export function pieceLabel(model, component, klass) {
    if (klass < 0) {
        return t("table-unseen", { piece: label(model, component) });
    }
    const name = className(model, component, klass);
    const { die, classes } = model.description.components[component];
    if (die || (classes.length === 1 && name !== component)) {
        return `${label(model, component)} ${label(model, name)}`;
    }
    return label(model, name);
}

/** How many pieces of a component are not in sight, of how many. @param {Model} model @param {string} component @param {number} unseen */
export function notInSight(model, component, unseen) {
    const all = model.description.components[component].copies.reduce((sum, copies) => sum + copies, 0);
    return t("table-not-in-sight", { number: unseen, all });
}

/** A value of a choice or of an argument, in words. @param {Model} model @param {Value | null} value */
export function valueText(model, value) {
    switch (value?.[0]) {
        case "piece": {
            const zone = model.description.zones[model.description.places[value[1]]?.zone];
            return zone ? pieceLabel(model, zone.component, value[2]) : "?";
        }
        case "enum":
            return valueLabel(model, value[1], value[2]);
        case "int":
            return number(value[1]);
        case "flag":
            return t(value[1] ? "table-yes" : "table-no");
        case "effect":
            return label(model, value[1]);
        case "none":
            return t("table-none");
        default:
            return "";
    }
}

/**
 * The words of a choice, as people read them: `take money with 5`; with what it answered, if it is a bare number.
 * @param {Model} model @param {string} words @param {{name: string, node: number} | null} [decision]
 */
export function spokenWords(model, words, decision = null) {
    const spoken = wordLabels(model, words, decision?.node).filter(Boolean).join(" ");
    return /^(\?|-?\d)/.test(words) && decision ? `${askedLabel(model, decision)} ${spoken}` : spoken;
}

/** The label of each word of a choice; its decision says of what type the last one is. @param {Model} model @param {string} words @param {number | null} [node] */
export function wordLabels(model, words, node) {
    const parts = words.split(" ");
    const type = typeOfValue(model, parts[0], node);
    return parts.map((word, i) => (i === parts.length - 1 && type ? numberLabel(model, type, word) : undefined) ?? label(model, word));
}

/**
 * The declared type of the value that a choice ends in, or undefined.
 * @param {Model} model
 * @param {string} action
 * @param {number | null | undefined} node
 */
function typeOfValue({ description }, action, node) {
    const found = description.decisions[String(node)];
    const type = found?.offers ? description.routines?.[action]?.types?.[0] : found?.type;
    return type?.[0] === "enum" ? type[1] : undefined;
}

/** What a decision asks for: the label of the last part of its name. @param {Model} model @param {{ name: string }} decision */
export function askedLabel(model, decision) {
    return label(model, decision.name.split(".").at(-1) ?? "");
}

/**
 * What a question at a physical table is about: the stream, or the zone to which an unknown piece has come.
 * @param {Description | null} description
 * @param {Pick<Question, "stream" | "place">} question
 */
export function streamOf(description, { stream, place }) {
    return stream ?? description?.places[place ?? -1]?.zone ?? "";
}

/** The cell of a column as text; empty if there is none. @param {Model} model @param {Column} column @param {Row[number] | undefined} cell */
export function cellText(model, column, cell) {
    if (typeof cell === "string") {
        return cell.split(" ").map((word) => label(model, word)).filter(Boolean).join(" ");
    }
    if (typeof cell !== "number") {
        return "";
    }
    switch (column.type[0]) {
        case "enum":
            return valueLabel(model, column.type[1], cell);
        case "flag":
            return cell ? t("table-yes") : "";
        default:
            return numberLabel(model, column.name, cell) ?? number(cell);
    }
}

/**
 * A column of a row as text; a group of columns lists what is not blank: `2 wood, 1 stone`.
 * @param {Model} model
 * @param {Column} column
 * @param {Row[number] | undefined} cell
 */
export function columnText(model, column, cell) {
    if (!column.keyed_by) {
        return cellText(model, column, cell);
    }
    const key = column.keyed_by;
    const type = model.description.types[key];
    const named = (/** @type {number} */ k) => (type ? valueLabel(model, key, type.members?.[k] ?? type.lo + k) : pieceLabel(model, key, k));
    return (Array.isArray(cell) ? cell : [])
        .map((each, k) => (each ? [column.type[0] === "flag" ? "" : cellText(model, column, each), named(k)].filter(Boolean).join(" ") : ""))
        .filter(Boolean)
        .join(", ");
}

/**
 * A place, or a word of a variable, with its indices: `coins of B`, `B: no longer passed`. `held` is what a pointer points to.
 * @param {Model} model @param {Pick<DescribedVariable, "name" | "of" | "at"> & Partial<DescribedVariable>} variable
 * @param {number | null} of @param {number | null} at @param {{ held?: number | null, gone?: boolean }} [state]
 */
export function thingLabel(model, variable, of, at, { held = null, gone = false } = {}) {
    const { name, type } = variable;
    const owned = variable.of === "seat" && of !== null;
    const parts = [label(model, name), variable.of && !owned ? valueLabel(model, variable.of, of) : "", variable.at ? valueLabel(model, variable.at, at) : ""];
    const plain = parts.filter(Boolean).join(" ");
    const holding = held === null || !type ? plain : type[1] === "seat" ? ofSeat(model, {}, plain, held) : `${plain} ${typedLabel(model, type, held)}`;
    const thing = gone ? t("table-story-unmarked", { thing: holding }) : holding;
    return owned ? ofSeat(model, variable, thing, of) : thing;
}

/** What a pointer of a type points to. @param {Model} model @param {DescribedVariable["type"]} type @param {number} value */
export function typedLabel(model, [kind, type], value) {
    const size = kind === "piece" ? model.description.components[type].classes.length : 1;
    return kind === "piece" ? pieceLabel(model, type, ((value % size) + size) % size) : kind === "enum" ? valueLabel(model, type, value) : number(value);
}

/** The label of a place; if it is `short`, that of its position alone where it lies on a board. @param {Model} model @param {number} place */
export function placeLabel(model, place, short = false) {
    const { zone, of, at } = model.description.places[place];
    const decl = model.description.zones[zone];
    if (!short || at === null || !model.description.story.by_position.includes(zone)) {
        return thingLabel(model, { ...decl, name: zone }, of, at);
    }
    const name = valueLabel(model, decl.at, at);
    return decl.of === "seat" && of !== null ? ofSeat(model, {}, name, of) : name;
}
