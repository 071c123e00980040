// Where the browser keeps the match of a page: nowhere, if it has no storage.

const PREFIX = "rulewright/match/";

/** The key of a game at these settings. */
const keyOf = ({ digest, seats, options }) => PREFIX + JSON.stringify([digest, seats, Object.entries(options).sort()]);

/** Keeps the log of a match and its settings. Returns whether it could. */
export function keep(description, found) {
    try {
        localStorage.setItem(keyOf(description), JSON.stringify(found));
        return true;
    } catch {
        return false;
    }
}

/** The log and the settings that were kept; null if there are none. */
export function kept(description) {
    try {
        return JSON.parse(localStorage.getItem(keyOf(description)));
    } catch {
        return null;
    }
}

/** What was kept cannot be used. */
export function forget(description) {
    localStorage.removeItem(keyOf(description));
}
