// What a host knows of a compiled game: the description that pages read, with the numbers of the module.

import { noNames } from "./own_names.js";

/** @typedef {{number: number, name: string, offer: number, passing: number, clauses: string[],
 *   parts: number[][], type?: string[], parameter?: number, axes?: boolean[], wants?: any[][]}} Node */

export class Machine {
    /**
     * @param {any} description the static description of the game
     * @param {any} tables the tables of its module
     */
    constructor(description, tables) {
        this.description = description;
        this.tables = tables;
        this.seats = description.seats;
        this.seatNames = description.types.seat.names;
        this.phases = description.phases;
        this.types = description.types;
        this.zones = description.zones;
        this.start = tables.start;
        this.digest = description.digest;
        this.best = tables.best;
        this.counted = tables.counted ?? [];
        this.ended = tables.ended ?? 0;
        this.endings = tables.endings ?? [];
        this.scores = tables.scores;
        this.size = tables.map.size;
        this.streams = tables.streams.names;
        this.streamBase = tables.streams.first;
        this.branches = tables.branches?.first ?? 0;
        this.saved = tables.saved?.at ?? 0;
        this.savedFrom = tables.saved?.from ?? 0;
        this.savedTo = tables.saved?.to ?? 0;
        this.shown = new Map(Object.entries(tables.shown).map(([place, word]) => [Number(place), word]));
        const { behind, routines, places } = tables.private ?? { behind: [], routines: [], places: [] };
        /** Where a seat may be shown something that the others do not learn of. */
        this.private = { behind: new Set(behind), routines: new Set(routines), places: new Set(places) };
        this.labels = description.labels[description.languages[0]] ?? {};
        this.components = components(description, tables);
        this.places = description.places.map((place, i) => {
            const [component, kind, base, classes, capacity] = tables.places[i];
            return { ...place, component: tables.components[component], kind, base, classes, capacity };
        });
        this.variables = description.variables.map((variable, i) => {
            const [, base, size] = tables.variables[i];
            return { ...variable, base, size };
        });
        this.routines = tables.routines.map(([name, parameters]) => ({ name, parameters }));
        this.cells = tables.cells.map(([routine]) => routine);
        /** @type {Record<number, Node>} */
        this.decisions = {};
        for (const [node, found] of Object.entries(tables.decisions)) {
            this.decisions[node] = { ...description.decisions[node], ...found, number: Number(node) };
        }
        this.rotating = new Set(description.rotating);
        this.effectComponent = effectComponent(description);
    }

    /** The counter, mark or pointer that a word of the state belongs to. */
    variableAt(address) {
        return this.variables.find(({ base, size }) => base <= address && address < base + size);
    }

    /** The number of a seat by its name; -1 if there is none. */
    seatNumber(name) {
        return this.seatNames.indexOf(name);
    }
}

/** The classes of each component: their names, how many are used, and whether they name a piece. */
function components(description, tables) {
    const found = noNames();
    for (const [name, { classes }] of Object.entries(description.components)) {
        found[name] = { classes, used: classes.length, several: (tables.classes?.[name] ?? classes.length) > 1 };
    }
    return found;
}

/** The component whose rows have effects, if there is exactly one. */
function effectComponent(description) {
    const found = Object.entries(description.components).filter(([, component]) =>
        component.columns.some((column) => column.type[0] === "effect"),
    );
    return found.length === 1 ? found[0][0] : null;
}
