// What lies on the places of a drawn board: pieces, numbers, marks and pointers, gathered by cell.

import { contents, membersOf, NOTHING, wordIndex } from "./model.js";
import { label, ofSeat, pieceLabel, placeName, seatName, valueLabel } from "./names.js";
import { pieceKey, valueKey } from "./offers.js";
import { isTall } from "./pieces.js";
import { t } from "../i18n.js";

/** @import { BoardScene } from "../types.d.ts" */
/** @import { Cell, Item, Model, ModelVariable, ModelZone, Table, WordItem } from "./types.d.ts" */
/** @typedef {(value: number | null, owner: number | null) => Cell | undefined} Find */

/** The zones that lie on a board. @param {Model} model @param {string} board */
export function zonesOn(model, board) {
    return Object.values(model.zones).filter(
        (zone) => zone.drawn.as !== "hidden" && zone.drawn.area === "board" && boardOf(zone) === board,
    );
}

/** The counters, marks and pointers that lie on a board. @param {Model} model @param {string} board */
export function variablesOn(model, board) {
    return model.variables.filter(
        (variable) => variable.drawn.as !== "hidden" && variable.drawn.area === "board" && boardOf(variable) === board,
    );
}

/** The board that a zone or a variable lies on. @param {ModelZone | ModelVariable} state */
export function boardOf(state) {
    return state.drawn.board ?? state.at ?? (state.of === "seat" ? null : state.of);
}

/**
 * What gives the place on the board: the second index, or the first if that is no seat.
 * @param {ModelZone | ModelVariable} state
 * @param {string} board
 * @param {number | null} of
 * @param {number | null} at
 */
function indexes(state, board, of, at) {
    return state.at === board ? { owner: of, value: at } : { owner: null, value: of };
}

/**
 * The cells of a board, each with its point, its things' keys, what lies on it, and its name.
 * @param {Table} table
 * @param {string} board the type whose values are the places
 * @param {number | null} [seat] the owner, if every seat has such a board
 */
export function cellsOf(table, board, seat = null) {
    const { model } = table;
    const scene = model.scene.boards[board];
    const own = seat === null || seat === table.viewer;
    const points = scene.seat_points?.[table.viewer >= 0 ? table.viewer : 0] ?? scene.points;
    const lo = model.description.types[board].lo;
    /** @type {Map<number, Cell>} */
    const cells = new Map();
    for (const value of membersOf(model, board)) {
        const point = points[value - lo];
        if (point) {
            const meant = scene.stands?.[value - lo] ?? [];
            const keys = own ? [valueKey(board, value), ...meant.map((other) => valueKey(...other))] : [];
            cells.set(value, { board, value, seat, x: point[0], y: point[1], index: value - lo, keys, items: [], places: [], words: [], frames: new Map(), name: "" });
        }
    }
    const find = finder(scene, cells, lo);
    zonesOn(model, board).forEach((zone) => gatherPieces(table, zone, board, seat, find));
    variablesOn(model, board).forEach((variable) => gatherWords(table, variable, board, seat, find));
    for (const cell of cells.values()) {
        cell.name = cellName(model, cell);
    }
    return [...cells.values()];
}

/** The cell of a value as a seat counts it. @param {BoardScene} scene @param {Map<number, Cell>} cells @param {number} lo @returns {Find} */
function finder(scene, cells, lo) {
    return (value, owner) => {
        const points = scene.seat_points?.[owner ?? -1];
        if (!points || value === null) {
            return cells.get(value ?? NOTHING);
        }
        const [x, y] = points[value - lo] ?? [NaN, NaN];
        return [...cells.values()].find((cell) => Math.abs(cell.x - x) < 1 && Math.abs(cell.y - y) < 1);
    };
}

/** @param {Table} table @param {ModelZone} zone @param {string} board @param {number | null} seat @param {Find} find */
function gatherPieces(table, zone, board, seat, find) {
    const { model, position } = table;
    for (const place of zone.places) {
        const { owner, value } = indexes(zone, board, place.of, place.at);
        const cell = seat === null || owner === seat ? find(value, owner) : undefined;
        if (!cell) {
            continue;
        }
        cell.places.push(place.number);
        const offset = offsetOf(zone, owner);
        if (offset && isTall(model, zone.component)) {
            cell.frames.set(offset.join(), zone.of === "seat" ? owner : null);
        }
        for (const { class: klass, number } of contents(position, place.number) ?? []) {
            if (!offset) {
                cell.keys.push(pieceKey(place.number, klass));
            }
            const named = pieceLabel(model, zone.component, klass);
            const name = owner !== null && seat === null ? t("table-of", { thing: named, seat: seatName(model, owner) }) : named;
            cell.items.push({
                kind: "piece",
                component: zone.component,
                klass,
                number,
                owner: zone.of === "seat" ? owner : null,
                place: place.number,
                offset,
                name: number > 1 ? t("table-several", { number, thing: name }) : name,
                about: { component: zone.component, klass, place: place.number },
            });
        }
    }
}

/** @param {Table} table @param {ModelVariable} variable @param {string} board @param {number | null} seat @param {Find} find */
function gatherWords(table, variable, board, seat, find) {
    const { position } = table;
    const indexed = variable.at === board || variable.of === board;
    const owners = range(variable.of_lo, variable.of === null ? 1 : variable.of_size);
    const values = range(variable.at_lo, variable.at === null ? 1 : variable.at_size);
    for (const of of owners) {
        for (const at of values) {
            const word = wordIndex(variable, of, at);
            const content = position.words[word];
            const { owner, value } = indexed ? indexes(variable, board, of, at) : { owner: of, value: content };
            const mine = variable.of === "seat" && variable.at !== null ? owner : variable.of === "seat" && !indexed ? of : null;
            if (content === NOTHING || content === null || (seat !== null && mine !== null && mine !== seat)) {
                continue;
            }
            const cell = find(value, mine);
            if (cell) {
                gatherWord(table, variable, cell, { word, content, mine, indexed, seat });
            }
        }
    }
}

/**
 * @param {Table} table
 * @param {ModelVariable} variable
 * @param {Cell} cell
 * @param {{ word: number, content: number, mine: number | null, indexed: boolean, seat: number | null }} at
 */
function gatherWord(table, variable, cell, { word, content, mine, indexed, seat }) {
    const { model } = table;
    const named = label(model, variable.name);
    cell.words.push(word);
    if (variable.kind === "mark" && !content) {
        return;
    }
    if (variable.kind === "counter" && (variable.drawn.colours ? !shadeOf(variable, content) : !content && (variable.drawn.as === "heap" || mine !== null))) {
        return;
    }
    const owned = mine !== null && seat === null ? ofSeat(model, variable, named, mine) : named;
    /** @type {Extract<Item, WordItem>} */
    const item = { kind: variable.kind, variable, word, content, name: owned, owner: mine, offset: offsetOf(variable, mine), heap: variable.drawn.as === "heap" };
    if (variable.kind === "counter") {
        item.name = t("table-counted", { thing: owned, number: content });
    } else if (variable.kind === "pointer" && indexed) {
        const type = variable.type[1];
        item.points = [type, content];
        item.owner = type === model.seatType ? content : mine;
        item.name = t("table-pointing", { thing: owned, value: variable.type[0] === "enum" ? valueLabel(model, type, content) : String(content) });
    }
    cell.items.push(item);
}

/** The colour that the look gives a number: the last one that begins at it or below. @param {ModelVariable} variable @param {number} content */
export function shadeOf(variable, content) {
    return variable.drawn.colours?.findLast(([least]) => least <= content)?.[1];
}

/** @param {Model} model @param {Cell} cell */
function cellName(model, cell) {
    const place = placeName(model, cell);
    const names = cell.items.map((item) => item.name);
    return names.length ? t("table-cell", { place, things: names.join(", ") }) : t("table-cell-empty", { place });
}

/** @param {ModelZone | ModelVariable} state @param {number | null} owner */
function offsetOf(state, owner) {
    const { offsets } = state.drawn;
    return offsets?.length ? (offsets.length > 1 && owner !== null ? offsets[owner % offsets.length] : offsets[0]) : null;
}

/** @param {number} first @param {number} size */
function range(first, size) {
    return Array.from({ length: size }, (_, i) => first + i);
}
