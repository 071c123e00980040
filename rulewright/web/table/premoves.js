// Moves that are chosen while another seat is asked: they are shown as planned, and made when it is the viewer's turn,
// as far as they are offered then.

/** @import { Position, Value, ValueType } from "../types.d.ts" @import { Model, Thing } from "./types.d.ts" */

/** May the viewer plan: nothing hidden or random can come between, and another seat is asked? @param {Model} model @param {Position} position */
export function isPlanning({ description }, position) {
    return description.foreseen === true && position.seat >= 0 && !position.over && !position.decisions.length && position.waiting.length > 0;
}

/** Is a value of the type that some move asks for as its part of this number? @param {Model} model @param {Value} value @param {number} part */
function isAsked({ description }, value, part) {
    const place = value[0] === "piece" ? description.places[value[1]] : null;
    const type = place ? ["piece", description.zones[place.zone].component] : value.slice(0, 2);
    /** @type {Map<string | null, ValueType[]>} */
    const moves = new Map();
    for (const { within, type: asked } of Object.values(description.decisions)) {
        asked && moves.set(within, [...(moves.get(within) ?? []), asked]);
    }
    return [...moves.values()].some((types) => types[part]?.[0] === type[0] && types[part][1] === type[1]);
}

/** The values that a thing stands for: the place, and what lies there. @param {Thing} thing @returns {Value[]} */
const valuesOf = ({ keys, value }) => [...(value ? [value] : []), ...keys.flatMap((key) => {
    const [kind, ...rest] = key.split(" ");
    return kind === "piece" ? [/** @type {Value} */ (["piece", Number(rest[0]), Number(rest[1])])] : [];
})];

/** The seats to which what lies on a thing belongs, as far as the page can tell. @param {Model} model @param {Thing} thing */
function ownersOf({ description }, { about }) {
    const items = about?.items ?? [];
    const pieces = about?.component ? [about] : items.filter((item) => item.kind === "piece");
    const inClass = pieces.flatMap(({ component = "", klass = -1 }) => {
        const decl = description.components[component];
        const seats = decl?.columns.findIndex(({ type }) => type[0] === "enum" && type[1] === "seat") ?? -1;
        const cell = decl?.rows[klass]?.[seats];
        return typeof cell === "number" ? [cell] : [];
    });
    return [...items.flatMap(({ owner }) => owner ?? []), ...inClass];
}

/**
 * May a thing be the next part of a plan? It begins with what belongs to nobody else.
 * @param {Model} model
 * @param {Position} position
 * @param {Thing} thing
 * @param {number} parts how many there are already
 */
export function isPlannable(model, { seat }, thing, parts) {
    const owners = ownersOf(model, thing);
    return (parts > 0 || !owners.length || owners.includes(seat)) && valuesOf(thing).some((value) => isAsked(model, value, parts));
}
