// Where the browser keeps the match of a page: nowhere, if it has no storage.

import { BrokenLog } from "../match/log_reading.js";

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

function load(key) {
    try {
        return JSON.parse(localStorage.getItem(key));
    } catch {
        return null;
    }
}

/** Goes on with the match that was kept, if there is one. What cannot be replayed is kept no longer. */
export function restore(backend) {
    const key = keyOf(backend.description);
    const kept = load(key);
    if (!kept) {
        return false;
    }
    try {
        backend.read(kept.log, kept.settings);
        return true;
    } catch (error) {
        if (error instanceof BrokenLog) {
            localStorage.removeItem(key);
        }
        return false;
    }
}
