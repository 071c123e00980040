// What the browser keeps for the case that either side crashes: unsaved texts and the match. By ruleset.

const PREFIX = "rulewright/studio/";

function read(key, otherwise) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + key)) ?? otherwise;
    } catch {
        return otherwise;
    }
}

/** Returns whether it could be kept. */
function write(key, value) {
    try {
        if (value === null) {
            localStorage.removeItem(PREFIX + key);
        } else {
            localStorage.setItem(PREFIX + key, JSON.stringify(value));
        }
        return true;
    } catch {
        return false;
    }
}

/** The drafts of a ruleset by path: `{text, seal}`, the unsaved text and the seal of what it was written over. */
export const drafts = (root) => read(`drafts${root}`, {});

export const keepDraft = (root, path, draft) => {
    const all = drafts(root);
    if (draft === null) {
        delete all[path];
    } else {
        all[path] = draft;
    }
    return write(`drafts${root}`, Object.keys(all).length ? all : null);
};

/** The log of the match that was played; or null. */
export const keptMatch = (root) => read(`match${root}`, null);
export const keepMatch = (root, log) => write(`match${root}`, log);

/** How the page was arranged: panel, open file, viewer. */
export const layout = () => read("layout", {});
export const keepLayout = (found) => write("layout", { ...layout(), ...found });

/** The token of the address, which a reload without it still needs. */
export function token() {
    const given = location.hash.slice(1);
    if (given) {
        sessionStorage.setItem(`${PREFIX}token`, given);
        return given;
    }
    return sessionStorage.getItem(`${PREFIX}token`) ?? "";
}
