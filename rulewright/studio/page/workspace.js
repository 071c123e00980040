// The files of the ruleset as the page knows them: what is on the disk, what is unsaved, what is in conflict.

import { batch, signal } from "/web/vendor/signals.js";
import { drafts, forgetDraft, keepDraft } from "./kept.js";
import { Refused } from "./connection.js";
import { say } from "./notices.js";

/** @import { Signal } from "/web/vendor/signals.js" @import { Connection } from "./connection.js" */
/** @import { Drafts } from "./kept.js" @import { DiskText, Edit, Merged, Opened } from "./types.d.ts" */

/**
 * A file: `saved` is the text on the disk as the page knew it last, `seal` says which content that was, `text` the
 * text in the editor. `theirs` is another text of it that waits for an answer: that of somebody else who has changed it
 * on the disk while it was unsaved, or the draft of a tab that was closed, which `tab` names then. `base` is what both
 * were made of, if that is not `saved`; null if it is not known.
 * @typedef {{text: string | null, seal: string | null, base?: string | null, tab?: string}} Theirs
 * @typedef {{path: string, saved: string, seal: string | null, text: string, theirs: Theirs | null, readOnly?: boolean}} File
 */
export class Files {
    /** All files, in the order of the server. @type {Signal<File[]>} */
    all = signal([]);
    /** The path of the file that is edited. @type {Signal<string | null>} */
    current = signal(null);
    /** Unsaved texts of tabs before that wait for an answer, by tab. @type {Signal<[tab: string, own: Drafts][]>} */
    offered = signal([]);
    version = 0;
    root = "";
    /** @type {Set<(paths: string[]) => void>} */
    #listeners = new Set();
    /** What puts two texts of a file together, by path. @type {Map<string, Promise<Merged | undefined>>} */
    #merging = new Map();

    /** @param {Connection} connection */
    constructor(connection) {
        this.connection = connection;
    }

    /** Hears of texts that were changed by something else than the editor, or are gone. @param {(paths: string[]) => void} act */
    onReplaced(act) {
        this.#listeners.add(act);
    }

    /** @param {string} path */
    file(path) {
        return this.all.peek().find((one) => one.path === path);
    }

    /** @param {File} file */
    isUnsaved(file) {
        return file.text !== file.saved;
    }

    get unsaved() {
        return this.all.peek().filter((file) => this.isUnsaved(file));
    }

    /** A session has opened. The first time there are no texts here; later those of the page are the newest. @param {Opened} found */
    opened({ root, files }) {
        const first = this.root !== root;
        this.root = root;
        const mine = first ? new Map() : new Map(this.all.peek().map((file) => [file.path, file]));
        const all = files.map(({ path, text, seal }) => opened(mine.get(path), path, text, seal));
        all.push(...[...mine.values()].filter((file) => this.isUnsaved(file) && !files.some(({ path }) => path === file.path)));
        batch(() => {
            this.all.value = all;
            if (!all.some(({ path }) => path === this.current.peek())) {
                this.current.value = (all.find(({ path }) => path.endsWith(".rules")) ?? all[0])?.path ?? null;
            }
        });
        first && this.#offer(root);
        this.#replaced(all.map(({ path }) => path));
    }

    /** Offers the unsaved texts that were kept before. @param {string} root */
    async #offer(root) {
        const kept = await drafts(root);
        const news = (/** @type {Drafts} */ own) => Object.fromEntries(Object.entries(own).filter(([path, draft]) => this.file(path)?.saved !== draft.text));
        this.offered.value = kept.map(([tab, own]) => /** @type {[string, Drafts]} */ ([tab, news(own)])).filter(([, own]) => Object.keys(own).length);
    }

    /** What a tab has left is taken up, or forgotten. @param {string} tab @param {boolean} taken */
    takeUp(tab, taken) {
        const own = new Map(this.offered.peek()).get(tab) ?? {};
        this.offered.value = this.offered.peek().filter(([name]) => name !== tab);
        for (const [path, draft] of Object.entries(own)) {
            const there = this.file(path);
            if (taken && there && this.isUnsaved(there) && there.text !== draft.text) {
                this.#set(path, { theirs: { text: draft.text, seal: draft.seal, base: draft.seal === there.seal ? there.saved : null, tab } });
                continue; // it is kept until it is settled
            }
            forgetDraft(this.root, tab, path);
            if (taken) {
                if (there && draft.seal !== there.seal) {
                    this.#set(path, { theirs: { text: there.saved, seal: there.seal, base: draft.base ?? null }, seal: draft.seal });
                }
                this.edit(path, draft.text, true);
            }
        }
    }

    /** A text was edited. `replace`: not by the editor. @param {string} path @param {string} text */
    edit(path, text, replace = false) {
        const file = this.file(path) ?? this.#added(path);
        if (file.text === text) {
            return;
        }
        this.#set(path, { text });
        this.#keep(path);
        this.version += 1;
        this.connection.tell("edit", { path, text, version: this.version });
        if (replace) {
            this.#replaced([path]);
        }
    }

    /** Keeps the unsaved text of a file, with what it was made of. @param {string} path */
    #keep(path) {
        const file = this.file(path);
        if (!file) {
            return;
        }
        const base = file.theirs && !file.theirs.tab ? file.theirs.base ?? file.saved : file.saved;
        keepDraft(this.root, path, this.isUnsaved(file) ? { text: file.text, seal: file.seal, base } : null);
    }

    /** Edits of several files, none of which overlap. @param {Edit[]} edits */
    apply(edits) {
        for (const path of new Set(edits.map((edit) => edit.path))) {
            const own = edits.filter((edit) => edit.path === path).sort((a, b) => b.start - a.start);
            const text = own.reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), this.file(path)?.text ?? "");
            this.edit(path, text, true);
        }
    }

    /**
     * Saves a file, once its texts are put together if somebody has asked for that. Resolves to whether it was saved; a
     * conflict is shown instead. `over`: also over what others wrote.
     * @param {string} path
     */
    async save(path, over = false) {
        await this.#merging.get(path)?.catch(() => null); // whoever asked for it is told what is wrong
        const file = this.file(path);
        if (!file || file.readOnly || (!this.isUnsaved(file) && !over)) {
            return true;
        }
        const { text } = file;
        const seal = over ? file.theirs?.seal ?? file.seal : file.seal;
        try {
            const found = await this.connection.ask("save", { path, text, seal });
            const now = this.file(path);
            this.#set(path, { saved: text, seal: found.seal, theirs: now?.theirs?.tab ? now.theirs : null });
            this.#keep(path);
            if (now && now.text !== text) {
                this.connection.tell("edit", { path, text: now.text, version: ++this.version });
            }
            return true;
        } catch (error) {
            if (!(error instanceof Refused && error.code === "conflict")) {
                throw error;
            }
            const { text: there = null, seal: now = null } = error.data ?? {};
            this.#set(path, { theirs: { text: there, seal: now } });
            return false;
        }
    }

    /** What others have changed on the disk: an unsaved text stays, and is in conflict then. @param {Record<string, DiskText | null>} changed */
    changedOnDisk(changed) {
        const [replaced, told, gone] = [[], [], []].map(() => /** @type {string[]} */ ([]));
        for (const [path, there] of Object.entries(changed)) {
            const file = this.file(path);
            if (file && there && there.seal === file.seal) {
                file.theirs && !file.theirs.tab && this.#set(path, { saved: there.text, theirs: null }); // it is as it was
                continue;
            }
            if (file && this.isUnsaved(file)) {
                this.#set(path, there?.text === file.text ? { saved: there.text, seal: there.seal, theirs: null } : { theirs: { ...(there ?? { text: null, seal: null }), base: this.#baseOf(file) } });
            } else if (there) {
                file && told.push(path);
                this.#added(path);
                this.#set(path, { saved: there.text, text: there.text, seal: there.seal, theirs: null });
                replaced.push(path);
            } else if (file) {
                gone.push(path);
                this.#remove(path);
            }
        }
        this.#replaced([...replaced, ...gone]);
        told.length && say(`${told.join(", ")} ${told.length === 1 ? "was" : "were"} changed by another page or editor: shown as on the disk now`);
        gone.length && say(`${gone.join(", ")} ${gone.length === 1 ? "was" : "were"} deleted on the disk`, "warm");
    }

    /** The text that one's own and that of others were made of; null if it is not known. @param {File} file */
    #baseOf({ theirs, saved }) {
        return theirs && !theirs.tab && theirs.base !== undefined ? theirs.base : saved;
    }

    /**
     * Does in one text what was done in both. Without a text nothing is done, and `clash` are the lines that both have
     * changed, if there are; resolves to undefined if there are no two texts any more.
     * @param {string} path
     */
    merge(path) {
        const merging = this.#merge(path).finally(() => this.#merging.get(path) === merging && this.#merging.delete(path));
        this.#merging.set(path, merging);
        return merging;
    }

    /** @param {string} path @returns {Promise<Merged | undefined>} */
    async #merge(path) {
        const { theirs = null, text = "", saved = "" } = this.file(path) ?? {};
        const base = theirs?.base === undefined ? saved : theirs.base;
        if (!theirs || base === null || theirs.text === null) {
            return undefined;
        }
        const found = await this.connection.ask("merge", { base, mine: text, theirs: theirs.text });
        const now = this.file(path);
        if (now?.text !== text || now.theirs !== theirs) {
            return this.#merge(path); // somebody has written meanwhile
        }
        if (found.text !== null) {
            this.settle(path, true);
            this.edit(path, found.text, true);
        }
        return found;
    }

    /** Ends a conflict: with the other text, or with one's own, which the next save writes. @param {string} path @param {boolean} mine */
    settle(path, mine) {
        const theirs = this.file(path)?.theirs;
        if (!theirs) {
            return;
        }
        if (theirs.tab) {
            this.#set(path, { theirs: null });
            forgetDraft(this.root, theirs.tab, path);
            mine || this.edit(path, theirs.text ?? "", true);
            return;
        }
        if (mine) {
            this.#set(path, { seal: theirs.seal, saved: theirs.text ?? "", theirs: null });
            this.#keep(path);
            return;
        }
        if (theirs.text === null) {
            this.#remove(path);
        } else {
            this.#set(path, { saved: theirs.text, seal: theirs.seal, text: theirs.text, theirs: null });
        }
        keepDraft(this.root, path, null);
        this.connection.tell("edit", { path, text: null, version: ++this.version });
        this.#replaced([path]);
    }

    /** Shows a file that is only read, below an overlay. @param {string} path @param {string} text */
    show(path, text) {
        if (!this.file(path)) {
            this.all.value = [...this.all.peek(), { path, saved: text, text, seal: null, theirs: null, readOnly: true }];
        }
    }

    /** A new file, which is on the disk when it is saved. @param {string} path @param {string} text */
    create(path, text) {
        this.edit(path, text, true);
        this.current.value = path;
    }

    /** The unsaved texts by path. */
    unsavedTexts() {
        return Object.fromEntries(this.unsaved.map(({ path, text }) => [path, text]));
    }

    /** @param {string} path */
    #added(path) {
        const there = this.file(path);
        if (there) {
            return there;
        }
        /** @type {File} */
        const file = { path, saved: "", seal: null, text: "", theirs: null };
        this.all.value = [...this.all.peek(), file];
        return file;
    }

    /** @param {string} path */
    #remove(path) {
        this.all.value = this.all.peek().filter((one) => one.path !== path);
        if (this.current.peek() === path) {
            this.current.value = this.all.peek()[0]?.path ?? null;
        }
    }

    /** @param {string} path @param {Partial<File>} changes */
    #set(path, changes) {
        this.all.value = this.all.peek().map((file) => (file.path === path ? { ...file, ...changes } : file));
    }

    /** @param {string[]} paths */
    #replaced(paths) {
        this.#listeners.forEach((act) => act(paths));
    }
}

/** @param {File | undefined} mine @param {string} path @param {string} text @param {string} seal @returns {File} */
function opened(mine, path, text, seal) {
    if (!mine || mine.text === mine.saved) {
        return { path, saved: text, seal, text, theirs: null };
    }
    const theirs = mine.seal === seal || mine.text === text ? null : { text, seal };
    return theirs ? { ...mine, theirs } : { ...mine, saved: text, seal };
}
