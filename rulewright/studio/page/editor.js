// The editor: one view, and a state for each file. What it knows of the rules, the server has said.

import {
    autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, Decoration, defaultKeymap, EditorState, EditorView, foldGutter, gutter, GutterMarker, RangeSet, foldKeymap, highlightActiveLine,
    highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap, HighlightStyle, hoverTooltip, indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, nextDiagnostic,
    previousDiagnostic, searchKeymap, setDiagnostics, StateEffect, StateField, syntaxHighlighting, tags, WidgetType, bracketMatching, drawSelection, Annotation,
} from "./vendor/codemirror.js";
import { languageOf } from "./rules_mode.js";
import { markdown } from "./markdown.js";

/** @import { BlockInfo, CompletionContext, KeyBinding, StateEffectType, Transaction, ViewUpdate } from "./vendor/codemirror.js" */
/** @import { DecorationSet, EditorState as State, RangeSet as Ranges, RangeValue, Tooltip } from "./vendor/codemirror.js" */
/** @import { Finding, MeantChange, Place, Span } from "./types.d.ts" */

const style = HighlightStyle.define([
    { tag: tags.keyword, class: "c-keyword" },
    { tag: tags.comment, class: "c-comment" },
    { tag: tags.number, class: "c-number" },
    { tag: tags.string, class: "c-string" },
    { tag: tags.meta, class: "c-mark" },
    { tag: tags.propertyName, class: "c-property" },
]);

/** A change that comes from outside: what it changes, others know already. */
const fromOutside = Annotation.define();
/** @type {StateEffectType<DecorationSet>} */
const setTokens = StateEffect.define();
/** @type {StateEffectType<DecorationSet>} */
const setLit = StateEffect.define();

/** @type {StateEffectType<Ranges<Changed>>} */
const setChanged = StateEffect.define();

/** What changes mean, in words; nothing where that is not known. @param {string[] | null} means */
export function meant(means) {
    return means === null ? "" : means.length ? `: ${means.join("; ")}` : ", with no change in meaning";
}

/** A line that is not as it was committed. */
class Changed extends GutterMarker {
    /** @param {MeantChange} change */
    constructor(change) {
        super();
        this.change = change;
    }
    /** @param {Changed} other */
    eq(other) {
        return other.change === this.change;
    }
    toDOM() {
        const { kind, means } = this.change;
        const title = `${kind} since the last commit${meant(means)}`;
        return Object.assign(document.createElement("div"), { className: `changed-line ${kind}`, title });
    }
}

/**
 * What the last effect of a kind says, else the same at its new place.
 * @template {Ranges<RangeValue>} T
 * @param {StateEffectType<T>} effect
 * @param {T} now
 * @param {Transaction} transaction
 * @returns {T}
 */
const followed = (effect, now, transaction) => transaction.effects.reduce((found, one) => (one.is(effect) ? one.value : found), /** @type {T} */ (now.map(transaction.changes)));

/** @type {StateField<Ranges<Changed>>} */
const changed = StateField.define({
    create: () => RangeSet.empty,
    update: (now, transaction) => followed(setChanged, now, transaction),
});

class Hint extends WidgetType {
    /** @param {string} text */
    constructor(text) {
        super();
        this.text = text;
    }
    /** @param {Hint} other */
    eq(other) {
        return other.text === this.text;
    }
    toDOM() {
        return Object.assign(document.createElement("span"), { className: "c-hint", textContent: this.text });
    }
}

/** @param {StateEffectType<DecorationSet>} effect @returns {StateField<DecorationSet>} */
function decorations(effect) {
    return StateField.define({
        create: () => Decoration.none,
        update: (now, transaction) => followed(effect, now, transaction),
        provide: (field) => EditorView.decorations.from(field),
    });
}
const tokens = decorations(setTokens);
const lit = decorations(setLit);

export class Editor {
    /** @type {Map<string, State>} */
    #states = new Map();
    /** The path of the file that is open; empty if there is none. */
    #path = "";
    /** @type {Finding[]} */
    #findings = [];
    #colouring = 0;
    #height = 0;

    /**
     * @param {object} options
     * @param {import("./workspace.js").Files} options.files
     * @param {import("./connection.js").Connection} options.connection
     * @param {(path: string, at: number) => void} options.onCursor
     * @param {(path: string, start: number) => void} options.onPlace a place was asked for
     * @param {(change: MeantChange) => void} options.onChange a mark of changed lines was pressed
     * @param {KeyBinding[]} options.keys bindings of the page
     */
    constructor({ files, connection, onCursor, onPlace, onChange, keys }) {
        this.files = files;
        this.connection = connection;
        this.onCursor = onCursor;
        this.onPlace = onPlace;
        this.onChange = onChange;
        this.keys = keys;
        this.view = new EditorView({ state: this.#fresh("", "") });
        files.onReplaced((paths) => paths.forEach((path) => this.#replaced(path)));
        new ResizeObserver(() => this.#resized()).observe(this.view.scrollDOM);
    }

    /** Keeps the cursor in sight when what is below, such as the findings, takes room from the text. */
    #resized() {
        const { scrollDOM } = this.view;
        const before = this.#height;
        this.#height = scrollDOM.clientHeight;
        const at = this.#height < before && this.view.hasFocus && this.view.coordsAtPos(this.cursor);
        const top = scrollDOM.getBoundingClientRect().top;
        if (at && at.top >= top - 1 && at.bottom <= top + before + 1) {
            this.view.dispatch({ effects: EditorView.scrollIntoView(this.cursor) });
        }
    }

    get path() {
        return this.#path;
    }

    get cursor() {
        return this.view.state.selection.main.head;
    }

    /** Shows a file, and a place in it. @param {string | null} path @param {Span | null} [place] */
    open(path, place = null) {
        const file = path !== null && this.files.file(path);
        if (!file) {
            return;
        }
        if (path !== this.#path) {
            if (this.#path) {
                this.#states.set(this.#path, this.view.state);
            }
            this.#path = path;
            const known = this.#states.get(path);
            this.view.setState(known && known.doc.toString() === file.text ? known : this.#fresh(path, file.text, file.readOnly));
            this.show(this.#findings);
            this.colour();
        }
        if (place) {
            this.onPlace(path, place.start);
            const end = this.view.state.doc.length;
            const at = Math.min(place.start, end);
            this.view.dispatch({ selection: { anchor: at, head: Math.min(place.end, end) }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
            this.view.focus();
        }
        this.onCursor(path, this.cursor);
    }

    /** The place of a line, from 1. @param {number} number */
    line(number) {
        const { doc } = this.view.state;
        const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
        return { start: line.from, end: line.from };
    }

    /** Underlines the findings of this file. @param {Finding[]} findings */
    show(findings) {
        this.#findings = findings;
        const length = this.view.state.doc.length;
        const own = findings.filter(({ path }) => path === this.#path).map((found) => ({
            from: Math.min(found.start, length),
            to: Math.min(Math.max(found.end, found.start), length),
            severity: found.severity,
            source: found.code,
            message: found.help ? `${found.message}\nhelp: ${found.help}` : found.message,
            actions: found.corrections.slice(0, 4).map(({ title, edits }) => ({ name: title, apply: () => this.files.apply(edits) })),
        }));
        this.view.dispatch(setDiagnostics(this.view.state, own));
    }

    /** Asks what the names of this file are, and colours them. */
    async colour() {
        const path = this.#path;
        const text = this.view.state.doc.toString();
        try {
            const found = await this.connection.ask("tokens", { path });
            if (path !== this.#path || text !== this.view.state.doc.toString()) {
                return;
            }
            const marks = found.tokens.filter(([start, end]) => end > start && end <= text.length).map(([start, end, kind]) => Decoration.mark({ class: `c-${kind}` }).range(start, end));
            const hints = found.hints.filter(([at]) => at <= text.length).map(([at, shown]) => Decoration.widget({ widget: new Hint(shown), side: 1 }).range(at));
            this.view.dispatch({ effects: setTokens.of(Decoration.set([...marks, ...hints], true)) });
        } catch {
            // A file that the rules do not read has no names.
        }
    }

    /** Lights the lines that ask now, or have refused something. @param {{ path: string, line: number, kind: string }[]} places */
    light(places) {
        const { doc } = this.view.state;
        const own = places.filter(({ path, line }) => path === this.#path && line >= 1 && line <= doc.lines);
        const marks = own.map(({ line, kind }) => Decoration.line({ class: `line-${kind}` }).range(doc.line(line).from));
        this.view.dispatch({ effects: setLit.of(Decoration.set(marks, true)) });
    }

    /** Marks the lines that are not as they were committed. @param {MeantChange[]} changes */
    mark(changes) {
        const { doc } = this.view.state;
        const marks = changes.flatMap((change) => {
            const marker = new Changed(change);
            const last = Math.max(change.first, change.last);
            return Array.from({ length: last - change.first + 1 }, (_, i) => change.first + i).filter((line) => line <= doc.lines).map((line) => marker.range(doc.line(line).from));
        });
        this.view.dispatch({ effects: setChanged.of(RangeSet.of(marks, true)) });
    }

    focus() {
        this.view.focus();
    }

    // ---- what the person asks for

    async toDefinition() {
        const [found] = await this.#ask("definition");
        if (found) {
            await this.goTo(found);
        }
        return Boolean(found);
    }

    /** Shows a place, also in a file that is only read. @param {Place} place */
    async goTo(place) {
        if (!this.files.file(place.path)) {
            this.files.show(place.path, (await this.connection.ask("read", { path: place.path })).text);
        }
        this.files.current.value = place.path;
        this.open(place.path, place);
    }

    references() {
        return this.#ask("references");
    }

    /** The name at the cursor, if it can be renamed. */
    renamable() {
        return this.#ask("renamable");
    }

    /** @param {string} name */
    async rename(name) {
        this.files.apply(await this.connection.ask("rename", { path: this.#path, at: this.cursor, name }));
    }

    async format() {
        const path = this.#path;
        const text = await this.connection.ask("format", { path });
        if (text !== this.files.file(path)?.text) {
            this.files.edit(path, text, true);
        }
    }

    /** @template {"definition" | "references" | "renamable" | "hover"} M @param {M} method */
    #ask(method) {
        return this.connection.ask(method, { path: this.#path, at: this.cursor });
    }

    // ---- states

    /** @param {string} path */
    #replaced(path) {
        this.#states.delete(path);
        if (path !== this.#path) {
            return;
        }
        const file = this.files.file(path);
        if (!file) {
            this.#path = "";
            this.view.setState(this.#fresh("", ""));
            this.open(this.files.current.peek()); // what is typed next goes into the file whose tab is marked
            return;
        }
        const now = this.view.state.doc.toString();
        if (now !== file.text) {
            this.view.dispatch({ changes: difference(now, file.text), annotations: fromOutside.of(true) });
            this.colour();
        }
    }

    /** @param {string} path @param {string} text @param {boolean} [readOnly] */
    #fresh(path, text, readOnly = !path) {
        return EditorState.create({
            doc: text,
            extensions: [
                keymap.of([...this.keys ?? [], ...closeBracketsKeymap, ...completionKeymap, { key: "F8", run: nextDiagnostic, shift: previousDiagnostic }, ...foldKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
                EditorView.cspNonce.of(document.querySelector("meta[name=style-nonce]")?.getAttribute("content") ?? ""),
                EditorView.contentAttributes.of({ "aria-label": path || "editor" }),
                EditorState.readOnly.of(readOnly),
                EditorState.tabSize.of(4),
                indentUnit.of(path.endsWith(".rules") ? "    " : "  "),
                changed, gutter({ class: "changed-lines", markers: (view) => view.state.field(changed), domEventHandlers: { click: (view, line) => this.#toldOf(view, line) } }), lineNumbers(), lintGutter(), foldGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
                syntaxHighlighting(style), languageOf(path), tokens, lit,
                autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
                hoverTooltip((_, at) => this.#hover(at)),
                EditorView.updateListener.of((update) => this.#updated(update)),
            ],
        });
    }

    /** @param {EditorView} view @param {BlockInfo} line */
    #toldOf(view, line) {
        /** @type {MeantChange[]} */
        const found = [];
        view.state.field(changed).between(line.from, line.from, (_, __, { change }) => void found.push(change));
        found.slice(-1).forEach(this.onChange);
        return found.length > 0;
    }

    /** @param {ViewUpdate} update */
    #updated(update) {
        if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))) {
            this.files.edit(this.#path, update.state.doc.toString());
            clearTimeout(this.#colouring);
            this.#colouring = setTimeout(() => this.colour(), 250);
        }
        if (update.docChanged || update.selectionSet) {
            this.onCursor(this.#path, this.cursor);
        }
    }

    /** @param {CompletionContext} context */
    async #complete(context) {
        const word = context.matchBefore(/[\w§.-]*$/);
        if (!context.explicit && !word?.text && !/[ .]$/.test(context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos))) {
            return null;
        }
        try {
            const found = await this.connection.ask("complete", { path: this.#path, at: context.pos });
            const start = context.matchBefore(/§[\w.-]*$|\w+$/)?.from ?? context.pos;
            if (!found.length || (!context.explicit && start === context.pos && !/\.$/.test(context.state.sliceDoc(0, context.pos)))) {
                return null;
            }
            const typed = context.state.sliceDoc(start, context.pos);
            if (!context.explicit && found.some(({ text }) => text === typed)) {
                return null;
            }
            const options = found.map(({ text, kind, detail, rank, inserted, meaning, from }) => ({
                label: text,
                detail: detail.slice(0, 60),
                type: kind,
                boost: -rank * 10,
                ...(meaning && { info: () => markdown(meaning) }),
                ...(inserted && { apply: (/** @type {EditorView} */ view, /** @type {unknown} */ _, /** @type {number} */ start, /** @type {number} */ end) => written(view, inserted, from ?? start, end) }),
            }));
            return { from: start, options, validFor: /^[\w§.-]*$/ };
        } catch {
            return null;
        }
    }

    /** @param {number} at @returns {Promise<Tooltip | null>} */
    async #hover(at) {
        try {
            const found = await this.connection.ask("hover", { path: this.#path, at });
            if (!found) {
                return null;
            }
            return { pos: found.start, end: found.end, above: true, create: () => ({ dom: markdown(found.text) }) };
        } catch {
            return null;
        }
    }

    /** What is known of the name at the cursor, in Markdown; or null. */
    async about() {
        return (await this.#ask("hover"))?.text ?? null;
    }
}

/** Write what was completed in place of a part of the text. @param {EditorView} view @param {string} text @param {number} from @param {number} to */
function written(view, text, from, to) {
    view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent: "input.complete" });
}

/** The change that turns one text into another: what is between their common beginning and end. @param {string} old @param {string} text */
function difference(old, text) {
    const shorter = Math.min(old.length, text.length);
    let from = 0;
    while (from < shorter && old[from] === text[from]) {
        from++;
    }
    let same = 0;
    while (same < shorter - from && old[old.length - 1 - same] === text[text.length - 1 - same]) {
        same++;
    }
    return { from, to: old.length - same, insert: text.slice(from, text.length - same) };
}
