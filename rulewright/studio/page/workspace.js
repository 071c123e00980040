// The files of the ruleset as the page knows them: what is on the disk, what is unsaved, what is in conflict.

import { batch, signal } from "/web/signals.js";
import { drafts, forgetClosedTabs, keepDraft } from "./kept.js";

/**
 * A file: `saved` is the text on the disk as the page knew it last, `seal` says which content that was, `text` the
 * text in the editor. `theirs` is `{text, seal}` if somebody else has changed it on the disk while it was unsaved.
 * @typedef {{path: string, saved: string, seal: string | null, text: string, theirs: {text: string | null, seal: string | null} | null, readOnly?: boolean}} File
 */
export class Files {
    /** All files, in the order of the server. @type {{value: File[]}} */
    all = signal([]);
    /** The path of the file that is edited. */
    current = signal(null);
    /** Unsaved texts of a session before that wait for an answer: `{path: draft}`. */
    offered = signal({});
    version = 0;
    root = "";
    #listeners = new Set();

    constructor(connection) {
        this.connection = connection;
    }

    /** Hears of texts that were changed by something else than the editor. */
    onReplaced(act) {
        this.#listeners.add(act);
    }

    file(path) {
        return this.all.peek().find((one) => one.path === path);
    }

    isUnsaved(file) {
        return file.text !== file.saved;
    }

    get unsaved() {
        return this.all.peek().filter((file) => this.isUnsaved(file));
    }

    /** A session has opened. The first time there are no texts here; later those of the page are the newest. */
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

    /** Offers the unsaved texts that were kept before. */
    async #offer(root) {
        const kept = Object.entries(await drafts(root)).filter(([path, draft]) => this.file(path)?.saved !== draft.text);
        this.offered.value = Object.fromEntries(kept);
    }

    /** What was offered again is taken up, or forgotten. */
    takeUp(taken) {
        for (const [path, draft] of Object.entries(this.offered.peek())) {
            if (!taken) {
                keepDraft(this.root, path, null);
            } else {
                const there = this.file(path);
                if (there && draft.seal !== there.seal) {
                    this.#set(path, { theirs: { text: there.saved, seal: there.seal }, seal: draft.seal });
                }
                this.edit(path, draft.text, true);
            }
        }
        this.offered.value = {};
        forgetClosedTabs(this.root);
    }

    /** A text was edited. `replace`: not by the editor. */
    edit(path, text, replace = false) {
        const file = this.file(path) ?? this.#added(path);
        if (file.text === text) {
            return;
        }
        this.#set(path, { text });
        keepDraft(this.root, path, text === file.saved ? null : { text, seal: file.seal });
        this.version += 1;
        this.connection.tell("edit", { path, text, version: this.version });
        if (replace) {
            this.#replaced([path]);
        }
    }

    /** Edits of several files: `{path, start, end, text}`, none of which overlap. */
    apply(edits) {
        for (const path of new Set(edits.map((edit) => edit.path))) {
            const own = edits.filter((edit) => edit.path === path).sort((a, b) => b.start - a.start);
            const text = own.reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), this.file(path)?.text ?? "");
            this.edit(path, text, true);
        }
    }

    /** Saves a file. Resolves to whether it was saved; a conflict is shown instead. `over`: also over what others wrote. */
    async save(path, over = false) {
        const file = this.file(path);
        if (!file || file.readOnly || (!this.isUnsaved(file) && !over)) {
            return true;
        }
        const { text } = file;
        const seal = over ? file.theirs?.seal ?? file.seal : file.seal;
        try {
            const found = await this.connection.ask("save", { path, text, seal });
            this.#set(path, { saved: text, seal: found.seal, theirs: null });
            const now = this.file(path);
            keepDraft(this.root, path, now.text === text ? null : { text: now.text, seal: found.seal });
            if (now.text !== text) {
                this.connection.tell("edit", { path, text: now.text, version: ++this.version });
            }
            return true;
        } catch (error) {
            if (error.code !== "conflict") {
                throw error;
            }
            this.#set(path, { theirs: { text: error.data.text, seal: error.data.seal } });
            return false;
        }
    }

    /** What others have changed on the disk: an unsaved text stays, and is in conflict then. */
    changedOnDisk(changed) {
        const replaced = [];
        for (const [path, there] of Object.entries(changed)) {
            const file = this.file(path);
            if (file && there && there.seal === file.seal) {
                continue;
            }
            if (file && this.isUnsaved(file)) {
                this.#set(path, there?.text === file.text ? { saved: there.text, seal: there.seal, theirs: null } : { theirs: there ?? { text: null, seal: null } });
            } else if (there) {
                this.#added(path);
                this.#set(path, { saved: there.text, text: there.text, seal: there.seal, theirs: null });
                replaced.push(path);
            } else if (file) {
                this.all.value = this.all.peek().filter((one) => one.path !== path);
                if (this.current.peek() === path) {
                    this.current.value = this.all.peek()[0]?.path ?? null;
                }
            }
        }
        this.#replaced(replaced);
    }

    /** Ends a conflict: with the text of the disk, or with one's own, which the next save writes. */
    settle(path, mine) {
        const { theirs, text } = this.file(path);
        if (mine) {
            this.#set(path, { seal: theirs.seal, saved: theirs.text ?? "", theirs: null });
            keepDraft(this.root, path, { text, seal: theirs.seal });
            return;
        }
        this.#set(path, { saved: theirs.text ?? "", seal: theirs.seal, text: theirs.text ?? "", theirs: null });
        keepDraft(this.root, path, null);
        this.connection.tell("edit", { path, text: null, version: ++this.version });
        this.#replaced([path]);
    }

    /** Shows a file that is only read, below an overlay. */
    show(path, text) {
        if (!this.file(path)) {
            this.all.value = [...this.all.peek(), { path, saved: text, text, seal: null, theirs: null, readOnly: true }];
        }
    }

    /** A new file, which is on the disk when it is saved. */
    create(path, text) {
        this.edit(path, text, true);
        this.current.value = path;
    }

    /** The unsaved texts by path. */
    unsavedTexts() {
        return Object.fromEntries(this.unsaved.map(({ path, text }) => [path, text]));
    }

    #added(path) {
        const there = this.file(path);
        if (there) {
            return there;
        }
        const file = { path, saved: "", seal: null, text: "", theirs: null };
        this.all.value = [...this.all.peek(), file];
        return file;
    }

    #set(path, changes) {
        this.all.value = this.all.peek().map((file) => (file.path === path ? { ...file, ...changes } : file));
    }

    #replaced(paths) {
        this.#listeners.forEach((act) => act(paths));
    }
}

function opened(mine, path, text, seal) {
    if (!mine || mine.text === mine.saved) {
        return { path, saved: text, seal, text, theirs: null };
    }
    const theirs = mine.seal === seal || mine.text === text ? null : { text, seal };
    return theirs ? { ...mine, theirs } : { ...mine, saved: text, seal };
}
