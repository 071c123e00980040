// Where the browser keeps a match of this file: nowhere, if it has no storage.

const PREFIX = "rulewright/match/";

/** The key of a game at these settings. */
export const keyOf = ({ digest, seats, options }) =>
    PREFIX + JSON.stringify([digest, seats, Object.entries(options).sort()]);

export function load(key) {
    try {
        return JSON.parse(localStorage.getItem(key));
    } catch {
        return null;
    }
}

/** Returns whether it was kept. */
export function keep(key, value) {
    try {
        localStorage.setItem(key, JSON.stringify(value));
        return true;
    } catch {
        return false;
    }
}

export function forget(key) {
    try {
        localStorage.removeItem(key);
    } catch {
        // nothing is kept there
    }
}
