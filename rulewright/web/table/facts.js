// What is known of a thing in words: what its words mean, what each column of its row says, its clauses.

import { className, hidden, valueName } from "./model.js";
import { columnLabel, columnText, help, rowText } from "./names.js";

/** @import { Rows } from "../types.d.ts" @import { About, Model } from "./types.d.ts" */
/** @typedef {{ component: string, klass: number }} PieceFacts */
/** @typedef {{ said: string[], cells: [name: string, text: string][], clauses: string[], piece: PieceFacts | null }} Facts */

/** What is known of a thing: of the value that it is, and of each piece in it that is seen. @param {Model} model @param {About | undefined} about @returns {Facts[]} */
export function factsOf(model, about) {
    if (!about) {
        return [];
    }
    const { type, value = 0, items } = about;
    const decl = type ? model.description.types[type] : null;
    const pieces = items?.filter((item) => item.kind === "piece") ?? [about];
    return [
        ...(decl ? [rowFacts(model, decl, value - decl.lo, valueName(model, type, value))] : []),
        ...pieces.flatMap(({ component, klass = -1 }) => (component !== undefined && klass >= 0 ? pieceFacts(model, component, klass) : [])),
    ];
}

/** @param {Model} model @param {string} component @param {number} klass @returns {Facts} */
function pieceFacts(model, component, klass) {
    const decl = model.description.components[component];
    return { ...rowFacts(model, decl, klass, className(model, component, klass)), clauses: decl.clauses, piece: { component, klass } };
}

/** @param {Model} model @param {Rows} decl @param {number} row @param {string} word @returns {Facts} */
function rowFacts(model, decl, row, word) {
    return {
        said: [help(model, word), ...Object.keys(decl.texts ?? {}).map((column) => rowText(model, decl, word, column)), ...effectHelps(model, decl, row, word)].filter(Boolean),
        cells: decl.columns.flatMap((column, i) => {
            const cell = decl.rows[row]?.[i];
            const text = columnText(model, column, cell);
            return text && cell !== 0 && !hidden(model.description, column.name) ? [/** @type {[string, string]} */ ([columnLabel(model, column.name), text])] : [];
        }),
        clauses: [],
        piece: null,
    };
}

/** @param {Model} model @param {Rows} decl @param {number} row @param {string} word */
function effectHelps(model, decl, row, word) {
    return decl.columns
        .map((column, i) => (column.type[0] === "effect" ? decl.rows[row]?.[i] : null))
        .filter((cell) => typeof cell === "string")
        .map((cell) => cell.split(" ")[0])
        .filter((name) => name !== word)
        .map((name) => help(model, name));
}

/** The same as a text, for whoever does not see it. @param {Model} model @param {About | undefined} about */
export function factsText(model, about) {
    return factsOf(model, about).flatMap(({ said, cells }) => [...said, cells.map(([name, text]) => `${name}: ${text}`).join(", ")]).filter(Boolean).join(" ");
}
