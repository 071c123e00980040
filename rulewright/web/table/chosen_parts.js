// What has been chosen of the move that goes on, found from its words: a page that was loaded in its middle has never
// been offered it.

import { fitting, wordsOf } from "../match/formatting.js";
import { contents } from "./model.js";
import { pieceKey, valueKey } from "./offers.js";

/** @import { Position } from "../types.d.ts" @import { Model } from "./types.d.ts" */

/**
 * The key of the thing that a choice has named: its only piece that the words can mean, or its value; else null.
 * @param {Model} model
 * @param {Position} position
 * @param {number | null} node
 * @param {string} words
 */
export function keyOfWords(model, position, node, words) {
    const [first, ...rest] = wordsOf(words);
    const decision = model.description.decisions[String(node)];
    const type = decision?.offers ? model.description.routines?.[first]?.types?.[0] : decision?.type;
    const named = decision?.offers ? rest : [first, ...rest];
    if (!type || !named.length) {
        return null;
    }
    const things = type[0] === "piece" ? pieces(model, position, type[1]) : type[0] === "enum" ? values(model, type[1]) : [];
    const meant = fitting(named.join(" "), things.map((thing) => thing.words));
    return meant.length === 1 ? things[meant[0]].key : null;
}

/** @param {Model} model @param {string} type */
function values({ description }, type) {
    const { names, lo } = description.types[type];
    return names.map((name, i) => ({ key: valueKey(type, lo + i), words: plain(name) }));
}

/**
 * The pieces of a component that are in sight, with all the words that could name them.
 * @param {Model} model
 * @param {Position} position
 * @param {string} component
 */
function pieces(model, position, component) {
    const { classes } = model.description.components[component];
    return model.description.places.flatMap(({ zone, of, at }, place) => {
        const decl = model.description.zones[zone];
        if (decl?.component !== component) {
            return [];
        }
        const where = [zone, nameOf(model, decl.of, of), nameOf(model, decl.at, at)].flatMap(plain);
        return (contents(position, place) ?? []).filter((found) => found.class >= 0)
            .map((found) => ({ key: pieceKey(place, found.class), words: [...plain(classes[found.class]), ...where] }));
    });
}

/** @param {Model} model @param {string | null} declared @param {number | null} value */
function nameOf({ description }, declared, value) {
    if (declared === null || value === null) {
        return "";
    }
    const type = description.types[declared];
    return type ? type.names[value - type.lo] : (description.components[declared]?.classes[value] ?? "");
}

/** A name as words of a choice: one of several indices, `(hearts, ace)`, is several. @param {string} name */
const plain = (name) => wordsOf(name.replaceAll(/[()]/g, " "));
