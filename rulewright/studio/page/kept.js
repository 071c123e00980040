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

/** What this tab is called: two tabs may have different unsaved texts of one file, and each keeps its own. */
let tab = null;

/** Takes the name of this tab, which it has after a reload too, but not the name of the tab that it is a copy of. */
export async function takeTabName() {
    const before = sessionStorage.getItem(`${PREFIX}tab`);
    tab = before !== null && (await taken(before)) ? before : null;
    while (tab === null) {
        const name = crypto.randomUUID();
        tab = (await taken(name)) ? name : null;
    }
    sessionStorage.setItem(`${PREFIX}tab`, tab);
}

/** Holds the lock of a name for as long as this tab lives; returns whether nobody else holds it. */
function taken(name) {
    return new Promise((resolve) => {
        navigator.locks.request(PREFIX + name, { ifAvailable: true }, (lock) => {
            resolve(lock !== null);
            return lock && new Promise(() => undefined);
        });
    });
}

/** The names of the tabs that are open. */
async function openTabs() {
    const { held } = await navigator.locks.query();
    return new Set(held.filter(({ name }) => name.startsWith(PREFIX)).map(({ name }) => name.slice(PREFIX.length)));
}

const byTab = (root) => read(`texts${root}`, {});

/**
 * The drafts of a ruleset that no other open tab has, by tab, this tab's own first: `[tab, {path: {text, seal, base}}]`,
 * the unsaved text, the text that it was written over, and the seal of that.
 */
export async function drafts(root) {
    const open = await openTabs();
    const all = Object.entries(byTab(root)).filter(([name]) => name === tab || !open.has(name));
    return all.sort(([a], [b]) => (b === tab) - (a === tab));
}

/** Keeps the draft of a file, or with `null` none. Returns whether it could be kept. */
export const keepDraft = (root, path, draft) => {
    const all = byTab(root);
    const own = all[tab] ?? {};
    if (draft === null) {
        delete own[path];
    } else {
        own[path] = draft;
    }
    return keepAll(root, { ...all, [tab]: own });
};

/** The draft of a tab, which may be closed, is settled. */
export function forgetDraft(root, name, path) {
    const all = byTab(root);
    delete all[name]?.[path];
    keepAll(root, all);
}

function keepAll(root, all) {
    const some = Object.fromEntries(Object.entries(all).filter(([, own]) => Object.keys(own).length));
    return write(`texts${root}`, Object.keys(some).length ? some : null);
}

const MOST_MATCHES = 16;
const matches = (root) => read(`matches${root}`, {});

/** The match that this tab has played, `{log, players, wait}`; in a new tab, of closed tabs the one that was played last; or null. */
export async function keptMatch(root) {
    const all = matches(root);
    if (all[tab]) {
        return all[tab];
    }
    const open = await openTabs();
    const closed = Object.entries(all).filter(([name]) => !open.has(name)).map(([, own]) => own);
    return newest(closed)[0] ?? null;
}

/** Keeps the match of this tab, with its players, beside those of other tabs, of which the oldest are forgotten. */
export function keepMatch(root, match) {
    const all = { ...matches(root), [tab]: { ...match, at: Date.now() } };
    const kept = new Set(newest(Object.values(all)).slice(0, MOST_MATCHES));
    return write(`matches${root}`, Object.fromEntries(Object.entries(all).filter(([, own]) => kept.has(own))));
}

const newest = (found) => found.toSorted((a, b) => b.at - a.at);

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
