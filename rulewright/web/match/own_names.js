// Maps by names of rules. A game may call something `constructor`: what such a map does not have, it must not
// have from elsewhere.

/** @param {unknown} value @returns {value is object} */
const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A map without names, to which some may be added. @template T @returns {Record<string, T>} */
export const noNames = () => Object.create(null);

/** A copy of a map of lists. @template T @param {Record<string, T[]>} lists @returns {Record<string, T[]>} */
export function copied(lists) {
    /** @type {Record<string, T[]>} */
    const found = noNames();
    Object.entries(lists).forEach(([name, list]) => (found[name] = [...list]));
    return found;
}

/**
 * Lets maps, and the maps in them `depth` levels deep, have no names but their own. Returns the value.
 * @template T
 * @param {T} value
 * @param {number} [depth]
 * @returns {T}
 */
export function ownNames(value, depth = 2) {
    if (isMap(value)) {
        Object.setPrototypeOf(value, null);
        if (depth) {
            Object.values(value).forEach((inner) => ownNames(inner, depth - 1));
        }
    }
    return value;
}
