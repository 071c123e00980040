// Boards as the viewer sees them: with the own side below, where the start says whose side is where, or turned by hand.

import { boardOf } from "./cells.js";
import { NOTHING } from "./model.js";

/** @import { BoardScene, Description, Entry, Point, Position } from "../types.d.ts" @import { Model } from "./types.d.ts" */

/** So much of the height of a board a side must be above or below the others. */
const APART = 0.3;
/** By description, and by board: the seats whose men begin above those of the others. @type {WeakMap<Description, Map<string, Set<number>>>} */
const known = new WeakMap();

/** Can a board be turned: has it rows and columns, and no picture of its own? @param {BoardScene | undefined} scene */
export function canTurn(scene) {
    return Boolean(scene && scene.shape === "grid" && !scene.own && !scene.backdrop && !scene.placed && !scene.seat_points && scene.rims?.length);
}

/**
 * A model whose boards are turned: those whose picture is in `turned`, or else is so for the viewer by the start; not both.
 * @param {Model} model
 * @param {Position} position
 * @param {Entry[]} entries
 * @param {string[]} turned the names of boards that the viewer has turned
 * @param {number | null} side the seat whose side is below
 * @returns {Model}
 */
export function facing(model, position, entries, turned, side) {
    const upper = known.get(model.description) ?? upperSeats(model, position, entries);
    const boards = { ...model.scene.boards };
    for (const [name, scene] of Object.entries(boards)) {
        if (canTurn(scene) && turned.includes(name) !== Boolean(upper.get(name)?.has(side ?? -1))) {
            boards[name] = around(scene);
        }
    }
    return { ...model, turned: Object.entries(boards).some(([name, scene]) => scene !== model.scene.boards[name]), scene: { ...model.scene, boards } };
}

/** @param {Model} model @param {Position} position @param {Entry[]} entries */
function upperSeats(model, position, entries) {
    /** @type {Map<string, Set<number>>} */
    const found = new Map();
    for (const [name, scene] of Object.entries(model.scene.boards)) {
        const heights = canTurn(scene) ? heightsOf(model, position, entries, name) : [];
        const all = heights.map((of) => of.reduce((sum, y) => sum + y, 0) / of.length);
        const upper = all.map((_, seat) => seat).filter((seat) => all.every((y, other) => other === seat || y > all[seat] + APART * scene.height));
        if (upper.length) {
            found.set(name, new Set(upper));
        }
    }
    if (entries.length) {
        known.set(model.description, found);
    }
    return found;
}

/**
 * How far down what each seat has on a board lies when the first choice is made; none unless all have something.
 * @param {Model} model @param {Position} position @param {Entry[]} entries @param {string} board
 * @returns {number[][]}
 */
function heightsOf(model, position, entries, board) {
    const { description, scene } = model;
    const first = entries.findIndex((entry) => entry.words !== null);
    const [before, after] = [entries.slice(0, first < 0 ? entries.length : first), first < 0 ? [] : entries.slice(first)];
    /** @type {number[][]} */
    const found = Array.from({ length: description.seats }, () => []);
    const put = (/** @type {number | null} */ seat, /** @type {number | null} */ value) => {
        const point = value === null ? null : scene.boards[board].points[value - description.types[board].lo];
        point && seat !== null && found[seat]?.push(point[1]);
    };
    for (const event of before.flatMap((entry) => entry.events)) {
        const place = event[0] === "moved" ? description.places[event[5]] : undefined;
        const zone = place && description.zones[place.zone];
        if (event[0] === "moved" && place && zone && (zone.at === board || zone.of === board)) {
            put(zone.of === "seat" ? place.of : seatOf(model, event[1], event[2]), zone.at === board ? place.at : place.of);
        }
    }
    const later = new Map(after.flatMap((entry) => entry.events).filter((event) => event[0] === "changed").reverse().map((event) => [event[1], event[2]]));
    for (const variable of model.variables.filter((each) => each.kind !== "counter" && each.drawn.as !== "hidden" && boardOf(each) === board)) {
        for (let i = 0; i < variable.of_size * variable.at_size; i++) {
            const content = later.get(variable.first + i) ?? position.words[variable.first + i];
            const [of, at] = [variable.of_lo + Math.floor(i / variable.at_size), variable.at_lo + (i % variable.at_size)];
            const isPointer = variable.kind === "pointer";
            if (content === null || content === NOTHING || (!isPointer && !content)) {
                continue;
            }
            if (variable.of === "seat") {
                put(of, variable.at === board ? at : isPointer && variable.at === null ? content : null);
            } else if (isPointer && variable.type[1] === "seat") {
                put(content, variable.at === board ? at : variable.of === board ? of : null);
            }
        }
    }
    return found.every((of) => of.length) ? found : [];
}

/** The seat of a kind of pieces: that of its name, or of a column. @param {Model} model @param {string} component @param {number} klass */
function seatOf({ description }, component, klass) {
    const decl = description.components[component];
    if (decl.classes.join() === description.seat_names.join()) {
        return klass;
    }
    const column = decl.columns.findIndex(({ type }) => type[0] === "enum" && type[1] === "seat");
    const cell = decl.rows[klass]?.[column];
    return typeof cell === "number" ? cell : typeof cell === "string" && description.seat_names.includes(cell) ? description.seat_names.indexOf(cell) : null;
}

/** A board turned by half; letters and numbers stay at the same edges. @param {BoardScene} scene @returns {BoardScene} */
function around(scene) {
    const all = scene.points.filter((point) => point !== null);
    const [x2, y2] = [0, 1].map((axis) => Math.min(...all.map((point) => point[axis])) + Math.max(...all.map((point) => point[axis])));
    const lowest = Math.max(...all.map(([, y]) => y));
    const turn = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([x2 - x, y2 - y]);
    return {
        ...scene,
        points: scene.points.map((point) => point && turn(point)),
        shapes: scene.shapes && Object.fromEntries(Object.entries(scene.shapes).map(([i, shape]) => [i, shape.map(turn)])),
        rims: scene.rims?.map(([x, y, text]) => (y > lowest ? [x2 - x, y, text] : [x, y2 - y, text])),
        borders: scene.borders?.map(([seat, line, sign]) => [seat, line.map(turn), turn(sign)]),
    };
}
