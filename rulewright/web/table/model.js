// What the static description of a game says, arranged for drawing and for choosing.

import { noNames, ownNames } from "../match/own_names.js";

/** @import { DescribedType, DescribedVariable, Description, Position } from "../types.d.ts" */
/** @import { Model, ModelZone, Pieces } from "./types.d.ts" */

export const NOTHING = -2147483648;

/** @type {WeakMap<Description, Model>} */
const known = new WeakMap();

/** The arranged description; made once for each. @param {Description} description @returns {Model} */
export function modelOf(description) {
    let found = known.get(description);
    if (!found) {
        found = arrange(description);
        known.set(description, found);
    }
    return found;
}

/** @param {Description} description @returns {Model} */
function arrange(description) {
    const scene = ownNames({ ...description.scene }, 1);
    /** @type {Model["zones"]} */
    const zones = noNames();
    const spotted = new Set(Object.values(scene.boards).flatMap((board) => (board.spots ?? []).map(([zone]) => zone)));
    description.places.forEach((place, number) => {
        const drawn = { order: 0, ...scene.zones[place.zone] };
        zones[place.zone] ??= { name: place.zone, ...description.zones[place.zone], places: [], drawn: spotted.has(place.zone) ? { ...drawn, area: "board" } : drawn };
        zones[place.zone].places.push({ number, ...place });
    });
    const variables = description.variables.map((variable) => ({
        ...variable,
        drawn: { order: 0, ...scene.variables[variable.name] },
    }));
    const groups = scene.groups.length ? scene.groups : Object.keys(scene.boards).map((name) => [name]);
    return { description, scene, zones, variables, groups, seatType: seatType(description) };
}

/** @param {Description} description */
function seatType(description) {
    return "seat" in description.types ? "seat" : null;
}

/** Does a label hide this name? An empty one marks bookkeeping. @param {Description} description @param {string} name */
export function hidden(description, name) {
    return Object.values(description.labels ?? {}).some((labels) => labels[name] === "");
}

/**
 * The type of a thing on the board as rules see it, e.g. the values on which a zone lies.
 * @param {Model} model
 * @param {string | null | undefined} name
 * @returns {DescribedType | undefined}
 */
export function typeOf(model, name) {
    return model.description.types[name ?? ""];
}

/** The name of a value of a type, as the rules write it. @param {Model} model @param {string | null | undefined} type @param {number} value */
export function valueName(model, type, value) {
    const decl = typeOf(model, type);
    return decl?.names[value - decl.lo] ?? String(value);
}

/** The values of a type that this number of seats uses. @param {Model} model @param {string} type */
export function membersOf(model, type) {
    const decl = typeOf(model, type);
    return decl?.members ?? decl?.names.map((_, i) => decl.lo + i) ?? [];
}

/** The name of a class of pieces. @param {Model} model @param {string} component @param {number} number */
export function className(model, component, number) {
    return model.description.components[component]?.classes[number] ?? "";
}

/** The place of a zone for an owner and a position, or undefined. @param {ModelZone} zone @param {number | null} of @param {number | null} at */
export function placeAt(zone, of, at) {
    return zone.places.find((place) => place.of === of && place.at === at);
}

/** The index of the word of a variable. @param {DescribedVariable} variable @param {number | null} of @param {number | null} at */
export function wordIndex(variable, of, at) {
    const row = of === null || variable.of === null ? 0 : of - variable.of_lo;
    const column = at === null || variable.at === null ? 0 : at - variable.at_lo;
    return variable.first + row * variable.at_size + column;
}

/** The variable that a word belongs to, with the owner and the position of the word; or null. @param {Model} model @param {number} index */
export function wordMeaning(model, index) {
    for (const variable of model.variables) {
        const offset = index - variable.first;
        if (offset >= 0 && offset < variable.of_size * variable.at_size) {
            const of = variable.of === null ? null : variable.of_lo + Math.floor(offset / variable.at_size);
            const at = variable.at === null ? null : variable.at_lo + (offset % variable.at_size);
            return { variable, of, at };
        }
    }
    return null;
}

/**
 * What lies in a place: classes with their number (class -1: unseen), in order; null if unknown.
 * @param {Position} position
 * @param {number} place
 * @param {boolean} [ordered]
 * @returns {Pieces[] | null}
 */
export function contents(position, place, ordered = false) {
    const found = position.places[place];
    if (found === null || found === undefined) {
        return null;
    }
    if (typeof found === "number") {
        return found ? [{ class: -1, number: found }] : [];
    }
    if (ordered) {
        return found.map((klass) => ({ class: klass, number: 1 }));
    }
    /** @type {Map<number, number>} */
    const groups = new Map();
    for (const klass of found) {
        groups.set(klass, (groups.get(klass) ?? 0) + 1);
    }
    return [...groups].map(([klass, number]) => ({ class: klass, number }));
}

/**
 * How many pieces of each class of a component the viewer does not see; null if nobody can hide any.
 * @param {Model} model
 * @param {Position} position
 * @param {string} component
 */
export function unseenOf(model, position, component) {
    const found = [...(model.description.components[component]?.copies ?? [])];
    const zones = Object.values(model.zones).filter((zone) => zone.component === component);
    if (found.length < 2 || zones.every((zone) => zone.seen_by === "all")) {
        return null;
    }
    for (const { number } of zones.flatMap((zone) => zone.places)) {
        const there = position.places[number];
        for (const klass of Array.isArray(there) ? there : []) {
            if (klass >= 0) found[klass] -= 1;
        }
    }
    return found.map((unseen) => Math.max(0, unseen));
}

/** The number of pieces in a place, or null if it is unknown. @param {Position} position @param {number} place */
export function amount(position, place) {
    const found = position.places[place];
    return Array.isArray(found) ? found.length : (found ?? null);
}

/** The components whose classes are the values of a type: a value of the type is found on their pieces. @param {Model} model @param {string} type */
export function piecesOfType(model, type) {
    const byType = (model.byType ??= new Map());
    let found = byType.get(type);
    if (!found) {
        const names = typeOf(model, type)?.names.join() ?? "";
        const all = Object.entries(model.description.components);
        found = new Set(all.filter(([, c]) => !c.die && c.classes.join() === names).map(([n]) => n));
        byType.set(type, found);
    }
    return found;
}
