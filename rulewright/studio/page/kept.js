// What the browser keeps for the case that either side crashes: unsaved texts and the match. By ruleset.

/** @typedef {{ text: string, seal: string | null, base?: string | null }} Draft @typedef {Record<string, Draft>} Drafts the drafts of files by path */
/** @typedef {{ log: string, players: (string | null)[], wait: boolean }} KeptMatch */
/** @typedef {{ panel?: string, root?: string, asked?: Partial<Asked> }} Layout @import { Asked } from "./types.d.ts" */

const PREFIX = "rulewright/studio/";

/** What is kept under a key. @template T @param {string} key @param {T} otherwise @returns {T} */
function read(key, otherwise) {
    try {
        return JSON.parse(localStorage.getItem(PREFIX + key) ?? "null") ?? otherwise;
    } catch {
        return otherwise;
    }
}

/** Returns whether it could be kept. @param {string} key @param {unknown} value */
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
let tab = "";

/** Takes the name of this tab, which it has after a reload too, but not the name of the tab that it is a copy of. */
export async function takeTabName() {
    const before = sessionStorage.getItem(`${PREFIX}tab`);
    tab = before && (await taken(before)) ? before : "";
    while (!tab) {
        const name = crypto.randomUUID();
        tab = (await taken(name)) ? name : "";
    }
    sessionStorage.setItem(`${PREFIX}tab`, tab);
}

/** Holds the lock of a name for as long as this tab lives; returns whether nobody else holds it. @param {string} name @returns {Promise<boolean>} */
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
    const { held = [] } = await navigator.locks.query();
    return new Set(held.filter(({ name = "" }) => name.startsWith(PREFIX)).map(({ name = "" }) => name.slice(PREFIX.length)));
}

/** @param {string} root @returns {Record<string, Drafts>} */
const byTab = (root) => read(`texts${root}`, {});

/**
 * The drafts of a ruleset that no other open tab has, by tab, this tab's own first: the unsaved text, the text that it
 * was written over, and the seal of that.
 * @param {string} root
 */
export async function drafts(root) {
    const open = await openTabs();
    const all = Object.entries(byTab(root)).filter(([name]) => name === tab || !open.has(name));
    return all.sort(([a], [b]) => Number(b === tab) - Number(a === tab));
}

/** Keeps the draft of a file, or with `null` none. Returns whether it could be kept. @param {string} root @param {string} path @param {Draft | null} draft */
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

/** The draft of a tab, which may be closed, is settled. @param {string} root @param {string} name @param {string} path */
export function forgetDraft(root, name, path) {
    const all = byTab(root);
    delete all[name]?.[path];
    keepAll(root, all);
}

/** @param {string} root @param {Record<string, Drafts>} all */
function keepAll(root, all) {
    const some = Object.fromEntries(Object.entries(all).filter(([, own]) => Object.keys(own).length));
    return write(`texts${root}`, Object.keys(some).length ? some : null);
}

const MOST_MATCHES = 16;
/** @param {string} root @returns {Record<string, KeptMatch & { at: number }>} */
const matches = (root) => read(`matches${root}`, {});

/**
 * The match that this tab has played; in a new tab, of closed tabs the one that was played last; or null.
 * @param {string} root
 * @returns {Promise<KeptMatch | null>}
 */
export async function keptMatch(root) {
    const all = matches(root);
    if (all[tab]) {
        return all[tab];
    }
    const open = await openTabs();
    const closed = Object.entries(all).filter(([name]) => !open.has(name)).map(([, own]) => own);
    return newest(closed)[0] ?? null;
}

/**
 * Keeps the match of this tab, with its players, beside those of other tabs, of which the oldest are forgotten.
 * @param {string} root
 * @param {KeptMatch} match
 */
export function keepMatch(root, match) {
    const all = { ...matches(root), [tab]: { ...match, at: Date.now() } };
    const kept = new Set(newest(Object.values(all)).slice(0, MOST_MATCHES));
    return write(`matches${root}`, Object.fromEntries(Object.entries(all).filter(([, own]) => kept.has(own))));
}

/** @template {{ at: number }} T @param {T[]} found */
const newest = (found) => found.toSorted((a, b) => b.at - a.at);

/** How the page was arranged: panel and ruleset. @returns {Layout} */
export const layout = () => read("layout", {});
/** @param {Layout} found */
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
