// What the static description of a game says, arranged for drawing and for choosing.

import { noNames, ownNames } from "../match/own_names.js";

export const NOTHING = -2147483648;
const KINDS = { hand: "hand", shuffled: "pile", pile: "pile", bag: "pile", stack: "stack", row: "row" };

/** @type {WeakMap<object, ReturnType<typeof arrange>>} */
const known = new WeakMap();

/** The arranged description; made once for each. */
export function modelOf(description) {
    if (!known.has(description)) {
        known.set(description, arrange(description));
    }
    return known.get(description);
}

function arrange(description) {
    const scene = ownNames({ boards: {}, groups: [], zones: {}, variables: {}, faces: {}, areas: ["board", "shared", "seat"], ...description.scene }, 1);
    const zones = noNames();
    description.places.forEach((place, number) => {
        zones[place.zone] ??= { name: place.zone, ...description.zones[place.zone], places: [] };
        zones[place.zone].places.push({ number, ...place });
    });
    for (const zone of Object.values(zones)) {
        zone.drawn = { order: 0, ...zoneDefault(zone), ...scene.zones[zone.name] };
    }
    const variables = description.variables.map((variable) => ({
        ...variable,
        drawn: { order: 0, ...variableDefault(variable), ...scene.variables[variable.name] },
    }));
    const groups = scene.groups.length ? scene.groups : Object.keys(scene.boards).map((name) => [name]);
    return { description, scene, zones, variables, groups, seatType: seatType(description) };
}

function seatType(description) {
    return "seat" in description.types ? "seat" : null;
}

function zoneDefault(zone) {
    return { as: KINDS[zone.order] ?? "row", area: zone.of === "seat" ? "seat" : "shared" };
}

function variableDefault(variable) {
    const as = { counter: "number", mark: "mark", pointer: "pointer" }[variable.kind];
    return { as, area: variable.of === "seat" ? "seat" : "shared" };
}

/** Does a label hide this name? An empty one marks bookkeeping. */
export function hidden(description, name) {
    return Object.values(description.labels ?? {}).some((labels) => labels[name] === "");
}

/** The type of a thing on the board as rules see it, e.g. the values on which a zone lies. */
export function typeOf(model, name) {
    return model.description.types[name];
}

/** The name of a value of a type, as the rules write it. */
export function valueName(model, type, value) {
    const decl = typeOf(model, type);
    return decl?.names[value - decl.lo] ?? String(value);
}

/** The values of a type that this number of seats uses. */
export function membersOf(model, type) {
    const decl = typeOf(model, type);
    return decl.members ?? decl.names.map((_, i) => decl.lo + i);
}

/** The name of a class of pieces. */
export function className(model, component, number) {
    return model.description.components[component]?.classes[number] ?? "";
}

/** The place of a zone for an owner and a position, or undefined. */
export function placeAt(zone, of, at) {
    return zone.places.find((place) => place.of === of && place.at === at);
}

/** The index of the word of a variable. */
export function wordIndex(variable, of, at) {
    const row = variable.of === null ? 0 : of - variable.of_lo;
    const column = variable.at === null ? 0 : at - variable.at_lo;
    return variable.first + row * variable.at_size + column;
}

/** The variable that a word belongs to, with the owner and the position of the word; or null. */
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

/** What lies in a place: classes with their number (class -1: unseen), in order; null if unknown. */
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
    const groups = new Map();
    for (const klass of found) {
        groups.set(klass, (groups.get(klass) ?? 0) + 1);
    }
    return [...groups].map(([klass, number]) => ({ class: klass, number }));
}

/** How many pieces of each class of a component the viewer does not see; null if nobody can hide any. */
export function unseenOf(model, position, component) {
    const found = [...(model.description.components[component]?.copies ?? [])];
    const zones = Object.values(model.zones).filter((zone) => zone.component === component);
    if (found.length < 2 || zones.every((zone) => zone.seen_by === "all")) {
        return null;
    }
    for (const { number } of zones.flatMap((zone) => zone.places)) {
        for (const klass of Array.isArray(position.places[number]) ? position.places[number] : []) {
            if (klass >= 0) found[klass] -= 1;
        }
    }
    return found.map((unseen) => Math.max(0, unseen));
}

/** The number of pieces in a place, or null if it is unknown. */
export function amount(position, place) {
    const found = position.places[place];
    return Array.isArray(found) ? found.length : (found ?? null);
}

/** The components whose classes are the values of a type: a value of the type is found on their pieces. */
export function piecesOfType(model, type) {
    model.byType ??= new Map();
    if (!model.byType.has(type)) {
        const names = typeOf(model, type)?.names.join() ?? "";
        const found = Object.entries(model.description.components);
        model.byType.set(type, new Set(found.filter(([, c]) => !c.die && c.classes.join() === names).map(([n]) => n)));
    }
    return model.byType.get(type);
}
