// What a host knows of a compiled game: the description that pages read, with the numbers of the module.

import { noNames } from "./own_names.js";

/**
 * @import { DecisionTable, DescribedPlace, DescribedVariable, Description, HostTables, ValueType } from "../types.d.ts"
 * @typedef {{classes: string[], used: number, several: boolean}} Component
 * @typedef {Omit<DescribedPlace, "kind"> & {component: string, kind: number, base: number, classes: number, seen: number}} Place
 * @typedef {DescribedVariable & {base: number, size: number}} Variable
 * @typedef {{name: string, parameters: number[], clauses: string[]}} Routine
 * @typedef {Omit<DecisionTable, "name" | "type" | "passing"> & {number: number, name: string, type: ValueType | null, passing: number}} Node
 */

export class Machine {
    /** @param {Description} description @param {HostTables} tables of its module */
    constructor(description, tables) {
        this.description = description;
        this.tables = tables;
        this.seats = description.seats;
        this.seatNames = description.types.seat.names;
        this.phases = description.phases;
        this.types = description.types;
        this.zones = description.zones;
        this.start = tables.start;
        this.best = tables.best;
        this.counted = tables.counted ?? [];
        this.ended = tables.ended ?? 0;
        this.endings = tables.endings ?? [];
        this.scores = tables.scores;
        this.size = tables.map.size;
        this.streams = tables.streams.names;
        this.streamBase = tables.streams.first;
        this.branches = tables.branches?.first ?? 0;
        const { behind, routines } = tables.private ?? { behind: [], routines: [] };
        /** After what a seat may be shown something that the others do not learn of. */
        this.private = { behind: new Set(behind), routines: new Set(routines) };
        this.labels = description.labels[description.languages[0]] ?? {};
        this.components = components(description, tables);
        /** @type {Place[]} */
        this.places = description.places.map((place, i) => {
            const [component, kind, base, classes, capacity, seen] = tables.places[i];
            return { ...place, component: tables.components[component], kind, base, classes, capacity, seen };
        });
        /** @type {Variable[]} */
        this.variables = description.variables.map((variable, i) => {
            const [, base, size] = tables.variables[i];
            return { ...variable, base, size };
        });
        /** @type {Routine[]} */
        this.routines = tables.routines.map(([name, parameters, clauses = []]) => ({ name, parameters, clauses }));
        /** The routine of each cell with an effect. */
        this.cells = tables.cells.map(([routine]) => routine);
        /** @type {Record<number, Node>} */
        this.decisions = {};
        for (const [node, found] of Object.entries(tables.decisions)) {
            this.decisions[Number(node)] = { ...description.decisions[node], passing: 0, ...found, number: Number(node) };
        }
        /** The kinds of events by their numbers in the module. */
        this.kinds = new Map(Object.entries(tables.events).map(([name, kind]) => [kind.code, { name, ...kind }]));
        this.rotating = new Set(description.rotating);
        this.effectComponent = tables.effects;
    }

    /** The number of a word of the state among those of a position. @param {number} address */
    wordNumber(address) {
        const { first, base } = this.#variable((one) => one.base <= address && address < one.base + one.size);
        return first + address - base;
    }

    /** The counter, mark or pointer of a word by its number among those of a position. @param {number} word */
    variableOf(word) {
        return this.#variable(({ first, size }) => first <= word && word < first + size);
    }

    /** @param {(variable: Variable) => boolean} holds */
    #variable(holds) {
        const found = this.variables.find(holds);
        if (!found) throw new Error("no such variable");
        return found;
    }

    /** The number of a seat by its name; -1 if there is none. @param {string} name */
    seatNumber(name) {
        return this.seatNames.indexOf(name);
    }
}

/**
 * The classes of each component: their names, how many are used, and whether they name a piece.
 * @param {Description} description
 * @param {HostTables} tables
 */
function components(description, tables) {
    /** @type {Record<string, Component>} */
    const found = noNames();
    for (const [name, { classes }] of Object.entries(description.components)) {
        found[name] = { classes, used: classes.length, several: (tables.classes?.[name] ?? classes.length) > 1 };
    }
    return found;
}
