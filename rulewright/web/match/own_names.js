// Maps by names of rules. A game may call something `constructor`: what such a map does not have, it must not
// have from elsewhere.

const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** A map without names, to which some may be added. */
export const noNames = () => Object.create(null);

/** A copy of a map of lists. */
export function copied(lists) {
    const found = noNames();
    Object.entries(lists).forEach(([name, list]) => (found[name] = [...list]));
    return found;
}

/** Lets maps, and the maps in them `depth` levels deep, have no names but their own. Returns the value. */
export function ownNames(value, depth = 2) {
    if (isMap(value)) {
        Object.setPrototypeOf(value, null);
        if (depth) {
            Object.values(value).forEach((inner) => ownNames(inner, depth - 1));
        }
    }
    return value;
}
