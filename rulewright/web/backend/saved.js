// Where the browser keeps the match of a page: nowhere, if it has no storage. One that is `told`, at a physical table, is
// kept beside others: a file without a companion could not go on with it.

const PREFIX = "rulewright/match/";

/** The key of a game at these settings. */
const keyOf = ({ digest, seats, options }, told) => PREFIX + (told ? "told" : "") + JSON.stringify([digest, seats, Object.entries(options).sort()]);

/** Keeps the log of a match and its settings. Returns whether it could. */
export function keep(description, found, told = false) {
    try {
        localStorage.setItem(keyOf(description, told), JSON.stringify(found));
        return true;
    } catch {
        return false;
    }
}

/** The log and the settings that were kept; null if there are none. */
export function kept(description, told = false) {
    try {
        return JSON.parse(localStorage.getItem(keyOf(description, told)));
    } catch {
        return null;
    }
}

/** What was kept cannot be used. */
export function forget(description, told = false) {
    localStorage.removeItem(keyOf(description, told));
}
