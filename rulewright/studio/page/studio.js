// The page of the studio: an editor, and beside it panels about the game that is being made.

import { effect, html, render, signal, useEffect, useRef } from "/web/html.js";
import { readMessagesFrom, setLanguage } from "/web/i18n.js";
import { Connection } from "./connection.js";
import { Editor, meant } from "./editor.js";
import { Grid, isGrid } from "./grid.js";
import { keepLayout, keptMatch, layout, takeTabName, token } from "./kept.js";
import { markdown } from "./markdown.js";
import { Match } from "./match.js";
import { attempt, Notices, say } from "./notices.js";
import { AnalysisPanel } from "./panels/analysis.js";
import { ChangesPanel } from "./panels/changes.js";
import { ChecksPanel } from "./panels/checks.js";
import { ClausesPanel } from "./panels/clauses.js";
import { Findings } from "./panels/findings.js";
import { NumbersPanel } from "./panels/numbers.js";
import { PhasesPanel } from "./panels/phases.js";
import { PublishPanel } from "./panels/publish.js";
import { failing, ScenariosPanel } from "./panels/scenarios.js";
import { SeatsPanel } from "./panels/seats.js";
import { placeOf, TablePanel } from "./panels/table.js";
import { Files } from "./workspace.js";

/** @import { RefObject } from "/web/vendor/preact.js" @import { FormEvent, Signal } from "/web/types.d.ts" */
/** @import { Analysed, Asked, Compared, Costs, Differing, Playtested, Rooms } from "./types.d.ts" @import { Calls, Change, Checked, Explored, FileLine, Finding, Followed, LineChange, LineRefusals, MatchState, MeantChange, NamedNumber } from "./types.d.ts" */
/** @import { NamePlace, NoMatch, Numbers, Reached, Simulated, Told } from "./types.d.ts" */
/**
 * A small question: a new value, places, refusals, or what is said.
 * @typedef {{ title: string, value?: string, hint?: string, act?: (value: string) => void, places?: NamePlace[],
 *     refusals?: LineRefusals | null, text?: string }} Asking
 */
/** @typedef {{ studio: Studio }} Props what each panel is given */

/** The paths that the server takes for files. */
const FILE = /^(?:[^./\\][^/\\]*\/){0,2}[^./\\][^/\\]*\.(?:yaml|rules|csv|tsv|md)$/;
/** The panels, each with the key that shows it together with Alt. @type {[id: string, title: string, shown: ((props: Props) => unknown) | null, key: string][]} */
const PANELS = [
    ["editor", "Editor", null, "1"],
    ["table", "Table", TablePanel, "2"],
    ["seats", "Seats", SeatsPanel, "3"],
    ["phases", "Phases", PhasesPanel, "4"],
    ["scenarios", "Scenarios", ScenariosPanel, "5"],
    ["changes", "Changes", ChangesPanel, "6"],
    ["numbers", "Numbers", NumbersPanel, "7"],
    ["checks", "Checks", ChecksPanel, "8"],
    ["clauses", "Clauses", ClausesPanel, "9"],
    ["analysis", "Analysis", AnalysisPanel, "A"],
    ["publish", "Publish", PublishPanel, "0"],
];

/**
 * The changes in meaning that lines of a file belong to: those that have one of them, else the definition around.
 * @param {Change[]} changes
 * @param {string} file
 * @param {LineChange} edit
 */
function meaning(changes, file, { first, last, old }) {
    const removed = new Set(old.map((line) => line.trim()));
    const isIn = (/** @type {Partial<FileLine> | null} */ place) => place?.file === file && place.line !== undefined && first <= place.line && place.line <= last;
    const own = changes.filter(({ lines }) => lines.some((line) => (line.sign === "+" ? isIn(line) : removed.has(line.text.trim()))));
    const near = changes.filter((change) => isIn(change.new));
    return [...new Set([...own, ...near])].map(saidChange);
}

/** @param {Change} change */
function saidChange({ verb, kind, name, was, facts, clauses }) {
    const told = facts.map(({ what, old, new: now }) => `${what} ${[old && `was ${old}`, now && `is ${now}`].filter(Boolean).join(", ")}`);
    return `${kind} ${name} ${verb}${was ? ` from ${was}` : ""}${told.length ? `: ${told.join("; ")}` : ""}${clauses.length ? ` (${clauses.join(" ")})` : ""}`;
}

/** What was committed instead of some lines, as a text. @param {MeantChange} change */
export function since({ kind, old, means }) {
    const before = old.length ? `\n\n\`\`\`\n${old.map((line) => line.replace(/ {3,}(?=§)/, "   ")).join("\n")}\n\`\`\`` : "";
    return `**${kind[0].toUpperCase()}${kind.slice(1)} since the last commit**${meant(means)}${old.length ? ". Before:" : ""}${before}`;
}

/** What is asked of experiments where nobody has asked for something else. @type {Asked} */
const ASKED = { bots: "random", matches: 300, pairs: 2000, margin: 2, seconds: 60, old: "@HEAD", records: "", room: { reach: "here", url: "", questions: "" } };

export class Studio {
    name = "";
    /** @type {Signal<Finding[]>} */
    findings = signal([]);
    /** Whether the rules have mistakes. */
    broken = signal(false);
    panel = signal(PANELS.some(([id]) => id === layout().panel) ? layout().panel : "table");
    /** On a narrow page either the editor or the panel is shown. */
    narrowEditor = signal(true);
    /** @type {Signal<Asking | null>} */
    asking = signal(null);
    /** The place that was asked for last. @type {Signal<{ path: string, start: number } | null>} */
    place = signal(null);
    /** Whether tables are shown as grids. */
    grids = signal(true);
    /** Where the cursor is. */
    cursor = signal({ path: "", line: 1 });
    /** What follows an edit: the drawing of phases, the scenarios, the changes since the last commit. @type {Signal<Followed>} */
    followed = signal({});
    /** @type {Signal<Checked>} */
    checked = signal({});
    /** @type {Signal<Explored>} */
    explored = signal({});
    /** @type {Signal<Numbers>} */
    numbers = signal({});
    /** @type {Signal<Simulated>} */
    simulated = signal({});
    /** Resolves when the number that is being written into the rules stands there. @type {Promise<unknown>} */
    writing = Promise.resolve();
    /** @type {Signal<Analysed>} */
    analysed = signal({});
    /** @type {Signal<Playtested>} */
    playtested = signal({});
    /** What has changed since another version than the last commit. @type {Signal<Differing>} */
    differing = signal({});
    /** @type {Signal<Compared>} */
    compared = signal({});
    /** How long bots think about the choice that was asked for when it was timed. @type {Signal<Costs>} */
    costs = signal({});
    /** The position in which that was timed, by the rules and the steps. */
    #costly = "";
    /** The tables for testers. @type {Signal<Rooms>} */
    rooms = signal({});
    /** What was asked of experiments last. @type {Signal<Asked>} */
    asked = signal({ ...ASKED, ...layout().asked });
    /** What is being looked for by playing. @type {Signal<string | null>} */
    reaching = signal(null);

    constructor() {
        this.connection = new Connection({ token: token(), onOpen: () => this.#opened() });
        this.files = new Files(this.connection);
        this.editor = this.#newEditor();
        this.match = new Match(this.connection, this.files);
        this.connection.on("findings", (found) => this.#found(found)).on("files", ({ changed }) => this.files.changedOnDisk(changed));
        for (const method of /** @type {const} */ (["followed", "checked", "explored", "numbers", "playtested", "costs"])) {
            const about = this[method];
            this.connection.on(method, (found) => (about.value = { ...about.peek(), running: false, failed: "", ...found }));
        }
        this.connection.on("rooms", (found) => (this.rooms.value = found));
        this.connection.on("simulated", (found) => this.#simulated(found));
        for (const method of /** @type {const} */ (["analysed", "compared", "differing"])) {
            const about = this[method]; // what comes after it was stopped, or of another question, is too late
            this.connection.on(method, (found) => about.peek().running && (about.value = { ...about.peek(), failed: "", ...found, running: !found.done }));
        }
        this.connection.on("reached", (found) => this.#reached(found));
        effect(() => void (this.connection.status.value === "reconnecting" && this.#abandoned()));
        effect(() => this.#light(this.match.state.value, this.files.current.value, this.match.refusedAt.value));
        effect(() => void (this.followed.value.edits && this.#mark(this.changesIn(this.editor.path))));
    }

    /** Lights the line that asks now, and the one that has refused something. */
    /** @param {MatchState | NoMatch | null} state @param {string | null} _ @param {string | null} refusedAt */
    #light(state, _, refusedAt) {
        const places = [{ place: placeOf(state?.line, this.name), kind: "asks" }, { place: placeOf(`${refusedAt}:1`, this.name), kind: "refused" }];
        this.editor.light(places.map(({ place: [path, line], kind }) => ({ path, line, kind })).filter(({ path }) => path));
    }

    /** Marks the lines of the file in the editor that are not as they were committed. @param {MeantChange[]} changes */
    #mark(changes) {
        this.editor.mark(changes);
    }

    /**
     * The lines of a file that are not as they were committed, each with what that means; null if that is not known.
     * @param {string} path
     * @returns {MeantChange[]}
     */
    changesIn(path) {
        const { edits = {}, changes } = this.followed.value;
        const file = `${this.name}/${path}`;
        return (edits[path] ?? []).map((edit) => ({ ...edit, means: changes?.changes ? meaning(changes.changes, file, edit) : null }));
    }

    /** Why what the line at the cursor is about is not offered in the position at the table. */
    async whyNot() {
        const { path, line } = this.cursor.peek();
        const found = await attempt(this.connection.ask("refusals", { path, line }));
        if (found !== undefined) {
            this.asking.value = { title: `Line ${line} in the match at the table`, refusals: found };
        }
    }

    async #opened() {
        const { root } = this.files;
        const kept = root || layout().root;
        const match = kept ? await keptMatch(kept) : null;
        const bots = Object.fromEntries((match?.players ?? []).flatMap((bot, seat) => (bot ? [[seat, bot]] : [])));
        const found = await this.connection.ask("open", { texts: this.files.unsavedTexts(), match: match?.log ?? null, bots, bots_wait: match?.wait ?? false });
        this.name = found.name;
        document.title = `${found.name} · studio`;
        keepLayout({ root: found.root });
        this.asked.peek().records || this.ask({ records: `${found.name}-playtests` });
        this.files.opened(found);
        this.editor.open(this.files.current.peek());
        this.editor.colour();
    }

    /** @param {Told["findings"]} found */
    #found({ version, findings, broken }) {
        if (version === this.files.version || findings.length === 0) {
            this.findings.value = findings;
            this.broken.value = broken;
            this.editor.show(findings);
        }
    }

    /** Whether the rules have mistakes, so that nothing can be done with them. */
    get isBroken() {
        return this.broken.value;
    }

    /** Whether nothing but the look has mistakes: the game is played, and looks as it did before. */
    get isLookBroken() {
        return !this.broken.value && this.findings.value.some(({ severity, path }) => severity === "error" && !path.startsWith("scenarios/"));
    }

    #newEditor() {
        /** What keys do in the editor. @type {Record<string, () => unknown>} */
        const acts = {
            F12: () => this.definition(),
            "Alt-ArrowRight": () => this.definition(),
            F2: () => this.rename(),
            "Shift-F12": () => this.references(),
            "Alt-w": () => this.whyNot(),
            "Alt-p": () => this.playFromHere(),
            "Alt-i": () => this.about(),
            "Shift-Alt-f": () => this.format(),
        };
        const keys = Object.entries(acts).map(([key, act]) => ({ key, run: () => (act(), true) }));
        return new Editor({ files: this.files, connection: this.connection, keys, onCursor: (path, at) => this.cursorAt(path, at), onPlace: (path, start) => (this.place.value = { path, start }), onChange: (change) => (this.asking.value = { title: "Changed lines", text: since(change) }) });
    }

    /** Shows the editor there. @param {HTMLElement} parent */
    attach(parent) {
        parent.append(this.editor.view.dom);
        this.editor.open(this.files.current.peek());
    }

    /** @param {string} path @param {number} at */
    cursorAt(path, at) {
        const line = this.editor.view.state.doc.lineAt(at).number;
        const now = this.cursor.peek();
        if (now.path !== path || now.line !== line) {
            this.cursor.value = { path, line };
            if (path !== now.path) {
                this.#light(this.match.state.peek(), path, this.match.refusedAt.peek());
                this.#mark(this.changesIn(path));
            }
        }
    }

    /** Plays at random until the line at the cursor is run. */
    playFromHere() {
        const { path, line } = this.cursor.peek();
        return this.begin(this.reaching, `line ${line} of ${path}`, null, "reach", { path, line });
    }

    /** @param {number} seats @param {number} seed */
    openFault(seats, seed) {
        this.begin(this.reaching, "the match of the finding", null, "fault", { seats, seed });
    }

    /** @param {Reached} reached */
    async #reached({ log, why, failed, tried }) {
        const what = this.reaching.peek();
        if (failed || log === null) {
            say(failed || why || "", "warm");
            this.reaching.value = null;
        } else if (log) {
            this.reaching.value = null;
            await this.takeUp(log, `${what}${tried ? `, found in match ${tried}` : ""}`);
        }
    }

    /** Plays on from a match that was found. @param {string} log @param {string} what */
    async takeUp(log, what) {
        if ((await attempt(this.connection.ask("take_up", { log }))) !== undefined) {
            say(`The table shows ${what}`, "good");
            this.show("table");
        }
    }

    /** Figures of what was asked for last; those of another number or value come too late. @param {Simulated} found */
    #simulated(found) {
        const now = this.simulated.peek();
        if (now.name === found.name && now.value === found.value && !now.ended) {
            this.simulated.value = { ...now, failed: "", ...found };
        }
    }

    /** @param {NamedNumber} number @param {number} value */
    simulate(number, value) {
        this.begin(this.simulated, { name: number.name, value }, {}, "simulate", { name: number.name, value });
    }

    /**
     * Lets the server work on something; `about` is a signal with what is known of that, `nothing` if it cannot be begun.
     * @template T
     * @template {keyof Calls} M
     * @param {Signal<T>} about
     * @param {T} known
     * @param {T} nothing
     * @param {M} method
     * @param {Calls[M]["given"]} params
     */
    async begin(about, known, nothing, method, params) {
        about.value = known;
        if ((await attempt(this.connection.ask(method, params))) === undefined && about.peek() === known) {
            about.value = nothing;
        }
    }

    /** Keeps what is asked of experiments. @param {Partial<Asked>} some */
    ask(some) {
        this.asked.value = { ...this.asked.peek(), ...some };
        keepLayout({ asked: this.asked.peek() });
    }

    /**
     * Ends what the server works on; what it has told stays.
     * @template {{ running?: boolean, ended?: string }} T
     * @param {Signal<T>} about
     * @param {Calls["stop"]["given"]["what"]} what
     */
    stop(about, what) {
        this.connection.tell("stop", { what });
        about.value = { ...about.peek(), running: false, ended: "It was stopped: this is what was finished." };
    }

    /** Lets the server time what bots cost where the match is now. */
    askCosts() {
        const { digest = "", log = "" } = this.match.state.peek() ?? {};
        const position = `${digest}/${log}`;
        if (digest && position !== this.#costly) {
            this.#costly = position;
            this.connection.tell("costs", {});
        }
    }

    /** The server is gone, and with it all that it worked on. */
    #abandoned() {
        const ended = "The server is gone: what it worked on has ended.";
        this.reaching.value = null;
        for (const about of [this.checked, this.explored, this.analysed, this.playtested, this.differing, this.compared]) {
            about.peek().running && (about.value = { ...about.peek(), running: false, failed: ended });
        }
        if (this.simulated.peek().name && !this.simulated.peek().done) {
            this.simulated.value = { ...this.simulated.peek(), done: true, ended };
        }
    }

    /** @param {string} panel */
    show(panel) {
        if (panel === "editor") {
            this.narrowEditor.value = true;
            requestAnimationFrame(() => this.editor.focus());
            return;
        }
        this.narrowEditor.value = false;
        this.panel.value = panel;
        keepLayout({ panel });
        requestAnimationFrame(() => document.getElementById("panel")?.focus());
    }

    /** @param {string} path */
    openFile(path) {
        this.files.current.value = path;
        this.editor.open(path);
        this.editor.focus();
    }

    /** @param {string} path @param {number} line */
    goToLine(path, line) {
        if (!this.files.file(path)) {
            return;
        }
        this.narrowEditor.value = true;
        this.files.current.value = path;
        this.editor.open(path);
        this.editor.open(path, this.editor.line(line));
    }

    async save() {
        /** @type {string[]} */
        const done = [];
        for (const { path } of this.files.unsaved) {
            const saved = await attempt(this.files.save(path));
            if (saved === false) {
                say(`${path} was changed on the disk meanwhile: nothing was overwritten`, "warm");
            }
            saved && done.push(path);
        }
        done.length && say(done.length === 1 ? `${done[0]} is saved` : `${done.length} files are saved`);
    }

    takeBack() {
        return attempt(this.connection.ask("undo", { number: 1 }));
    }

    format() {
        return attempt(this.editor.format());
    }

    async definition() {
        const found = await attempt(this.editor.toDefinition());
        found === false && say("there is no definition of this");
    }

    /** What is known of the name at the cursor, for those who have no mouse to point with. */
    async about() {
        const text = await attempt(this.editor.about());
        const { path, line } = this.cursor.peek();
        const edited = this.changesIn(path).filter(({ first, last }) => first <= line && line <= Math.max(first, last));
        if (text !== undefined) {
            this.asking.value = { title: "At the cursor", text: [text ?? "Nothing is known of this.", ...edited.map(since)].join("\n\n") };
        }
    }

    async rename() {
        const place = await attempt(this.editor.renamable());
        const file = place && this.files.file(place.path);
        if (file) {
            const text = file.text.slice(place.start, place.end);
            this.asking.value = { title: `Rename ${text}`, value: text, act: (name) => attempt(this.editor.rename(name)) };
        }
    }

    /** Asks for the name of a new file, which is on the disk once something in it is saved. */
    askForFile() {
        this.asking.value = { title: "New file", value: "", hint: "such as prices.csv or scenarios/ties.yaml", act: (name) => this.newFile(name.trim()) };
    }

    /** @param {string} path */
    newFile(path) {
        if (!FILE.test(path)) {
            say(`\`${path}\` is no file of a ruleset: these end in .yaml, .rules, .csv, .tsv or .md`, "bad");
            return;
        }
        if (!this.files.file(path)) {
            this.files.create(path, "");
        }
        this.openFile(path);
    }

    async references() {
        const found = await attempt(this.editor.references());
        if (found) {
            this.asking.value = { title: `${found.length} places`, places: found };
        }
    }
}

/** @param {Props} props */
function App({ studio }) {
    const { connection } = studio;
    const narrow = studio.narrowEditor.value ? "editor" : "panel";
    const path = studio.files.current.value;
    const grid = path !== null && isGrid(path) && studio.grids.value;
    const failed = failing(studio);
    return html`<div class="studio" data-narrow=${narrow}>
        <header class="studio-bar">
            <h1>${studio.name || "studio"}</h1>
            <nav role="tablist" aria-label="Panels" class="panel-tabs">${PANELS.map(([id, title, , key]) => html`<button key=${id} type="button" role="tab" class="slim ${id === "editor" ? "only-narrow" : ""}"
                aria-selected=${id === "editor" ? narrow === "editor" : studio.panel.value === id} title=${`Alt+${key}`} onClick=${() => studio.show(id)}>${title}${id === "scenarios" && failed > 0 && html` <span class="badge" title="do not hold">${failed}</span>`}</button>`)}</nav>
            <span class="status chip" role="status" data-status=${connection.status.value}>${statusText(connection.status.value, connection.reason.value)}</span>
        </header>
        <main class="editor-side" aria-label="Editor">
            <${FileTabs} studio=${studio} /><${Offered} studio=${studio} /><${Conflict} studio=${studio} />
            ${grid && html`<${Grid} key=${path} studio=${studio} path=${path} />`}
            <${EditorBox} studio=${studio} hidden=${grid} />
            <${EditorBar} studio=${studio} />
            <${Findings} studio=${studio} />
        </main>
        <section class="panel-side" id="panel" tabindex="-1" role="tabpanel" aria-label=${panelOf(studio)[1]}>
            <${Panel} studio=${studio} />
        </section>
    </div><${Asking} studio=${studio} /><${Notices} />`;
}

/** @param {typeof Connection.prototype.status.value} status @param {string} reason */
const statusText = (status, reason) => ({ failed: `the game could not be opened: ${reason}`, connecting: "connecting", online: "connected", reconnecting: "the server is gone: unsaved texts are kept here", forbidden: "open the address that the command has printed" })[status];

/** The panel that is shown. @param {Studio} studio */
const panelOf = (studio) => PANELS.filter(([id]) => id === studio.panel.value)[0];

/** @param {Props} props */
function Panel({ studio }) {
    const [, , Shown] = panelOf(studio);
    return html`<${Shown} studio=${studio} />`;
}

/** @param {Props & { hidden: boolean }} props */
function EditorBox({ studio, hidden }) {
    /** @type {RefObject<HTMLDivElement | null>} */
    const ref = useRef(null);
    useEffect(() => void (ref.current && studio.attach(ref.current)), []);
    return html`<div class="editor-box" hidden=${hidden} ref=${ref}></div>`;
}

/** What can be done at the cursor. @param {Props} props */
function EditorBar({ studio }) {
    const { path, line } = studio.cursor.value;
    const reaching = studio.reaching.value;
    const { lines = {} } = studio.followed.value.scenarios ?? {};
    const running = lines[`${studio.name}/${path}:${line}`]?.length ?? 0;
    const stop = () => {
        studio.connection.tell("stop", { what: "reached" });
        studio.reaching.value = null;
    };
    const unsaved = studio.files.all.value.filter((file) => studio.files.isUnsaved(file)).length;
    return html`<div class="editor-bar">
        <button type="button" class="slim main" title="Ctrl+S" disabled=${!unsaved} onClick=${() => studio.save()}>Save${unsaved > 1 ? ` ${unsaved} files` : ""}</button>
        ${isGrid(path) && html`<button type="button" class="slim" onClick=${() => (studio.grids.value = !studio.grids.value)}>${studio.grids.value ? "As text" : "As a grid"}</button>`}
        <button type="button" class="slim" title="Alt+P" disabled=${!!reaching} onClick=${() => studio.playFromHere()}>Play from line ${line}</button>
        ${reaching && html`<span class="quiet small" role="status">looking for ${reaching}…</span> <button type="button" class="slim" onClick=${stop}>Stop</button>`}
        <button type="button" class="slim" title="Alt+W" onClick=${() => studio.whyNot()}>Why not?</button>
        <button type="button" class="plain slim" title="Alt+5" disabled=${!studio.followed.value.scenarios} onClick=${() => studio.show("scenarios")}>${running} ${running === 1 ? "scenario runs" : "scenarios run"} this line</button>
        <button type="button" class="plain slim" title="Alt+I" onClick=${() => studio.about()}>What is this?</button>
        <button type="button" class="plain slim" title="F2" onClick=${() => studio.rename()}>Rename</button>
        <button type="button" class="plain slim" title="F12" onClick=${() => studio.definition()}>Definition</button>
        <button type="button" class="plain slim" title="Shift+F12" onClick=${() => studio.references()}>Places</button>
        <button type="button" class="plain slim" title="Shift+Alt+F" onClick=${() => studio.format()}>Format</button>
    </div>`;
}

/** @param {Props} props */
function FileTabs({ studio }) {
    const { files } = studio;
    const errors = new Set(studio.findings.value.filter(({ severity }) => severity === "error").map(({ path }) => path));
    return html`<nav class="file-tabs"><div role="tablist" aria-label="Files">
        ${files.all.value.map((file) => html`<button key=${file.path} type="button" role="tab" class="slim plain" aria-selected=${file.path === files.current.value}
            data-unsaved=${files.isUnsaved(file)} data-errors=${errors.has(file.path)} onClick=${() => studio.openFile(file.path)}>${file.path}${files.isUnsaved(file) ? " •" : ""}${file.readOnly ? " (read only)" : ""}</button>`)}</div>
        <button type="button" class="slim plain" onClick=${() => studio.askForFile()}>New file</button>
    </nav>`;
}

/** Texts that were unsaved when the page or the server ended. @param {Props} props */
function Offered({ studio }) {
    return studio.files.offered.value.map(([tab, own]) => html`<section key=${tab} class="note warm" role="alert">
        <p>There is unsaved text of an earlier session: ${Object.keys(own).join(", ")}.</p>
        <div class="row"><button type="button" class="slim main" onClick=${() => studio.files.takeUp(tab, true)}>Take it up</button>
        <button type="button" class="slim" onClick=${() => studio.files.takeUp(tab, false)}>Forget it</button></div>
    </section>`);
}

/** There is another text of the file: another editor or page has changed it on the disk, or an earlier session has. @param {Props} props */
function Conflict({ studio }) {
    const { files } = studio;
    const file = files.all.value.find(({ path }) => path === files.current.value);
    if (!file?.theirs) {
        return null;
    }
    const { text, base, tab } = file.theirs;
    const merge = async () => {
        const found = await attempt(files.merge(file.path));
        if (found && found.text === null) {
            const [first, last] = found.clash ?? [];
            say(first ? `Both have changed line ${first === last ? first : `${first} to ${last}`} of the text before: choose one of the two` : "The texts are too long to be put together: choose one of the two", "warm");
        } else if (found) {
            say("Both changes stand in the text now: look at it, and save it", "good");
        }
    };
    return html`<section class="note warm" role="alert">
        <p><b>${file.path}</b> ${tab ? "has another unsaved text, of an earlier session" : `was ${text === null ? "deleted" : "changed"} on the disk while it was edited here`}. Nothing is overwritten until you say so.</p>
        ${text !== null && html`<details><summary>${tab ? "The other text" : "The text on the disk"}</summary><pre class="theirs">${text}</pre></details>`}
        <div class="row">${text !== null && base !== null && html`<button type="button" class="slim main" onClick=${merge}>Put both together</button>`}
        <button type="button" class="slim" onClick=${() => files.settle(file.path, true)}>Keep mine</button>
        <button type="button" class="slim" onClick=${() => files.settle(file.path, false)}>${tab ? "Take the other" : "Take theirs"}</button></div>
    </section>`;
}

/** A small question. @param {Props} props */
function Asking({ studio }) {
    const asking = studio.asking.value;
    /** @type {RefObject<HTMLDialogElement | null>} */
    const ref = useRef(null);
    useEffect(() => {
        if (asking) {
            ref.current?.showModal();
        }
    }, [asking]);
    if (!asking) {
        return null;
    }
    const close = () => {
        ref.current?.close(); // nothing behind an open one can be focused
        studio.asking.value = null;
        studio.editor.focus();
    };
    const submit = (/** @type {FormEvent} */ event) => {
        event.preventDefault();
        const value = new FormData(event.currentTarget).get("value");
        close();
        asking.act?.(String(value));
    };
    return html`<dialog ref=${ref} class="asking" onClose=${close} aria-label=${asking.title}>
        <h2>${asking.title} <button type="button" class="plain slim close" aria-label="Close" title="Escape" onClick=${close}>×</button></h2>
        ${asking.places
            ? html`<ul>${asking.places.map((place) => html`<li><button type="button" class="plain finding" onClick=${() => {
                  close();
                  studio.editor.goTo(place);
              }}><small>${place.path}:${place.line}</small> <code>${place.text}</code></button></li>`)}</ul>`
            : asking.refusals !== undefined ? html`<${Refusals} studio=${studio} found=${asking.refusals} onGo=${close} />`
            : asking.text ? html`<${Said} text=${asking.text} />` : html`<form onSubmit=${submit}><input name="value" value=${asking.value} placeholder=${asking.hint} autofocus aria-label=${asking.title} /> <button class="main">OK</button></form>`}
    </dialog>`;
}

/**
 * Why the action around a line is not offered, seat by seat; the line's own reasons first.
 * @param {Props & { found: LineRefusals | null, onGo: () => void }} props
 */
function Refusals({ studio, found, onGo }) {
    if (!found) {
        return html`<p>The match at the table is not played under the rules as they are now.</p>`;
    }
    const { action, asked, seats } = found;
    if (!action) {
        return html`<p>This line belongs to no action, so nothing is refused by it. Put the cursor on an action, or on one of its <code>needs</code>.</p>`;
    }
    const part = asked.find((one) => one.startsWith(`${action}.`));
    if (!seats.length && part) {
        return html`<p><code>${action}</code> is being chosen: now its <code>${part.slice(action.length + 1)}</code> is asked for.</p>`;
    }
    if (!seats.length) {
        return html`<p><code>${action}</code> is not asked for now${asked.length ? html`: the decision is about <code>${asked.join(", ")}</code>` : ", since nobody is asked"}. <b>Play from line</b> (Alt+P) looks for a match that comes here.</p>`;
    }
    const go = (/** @type {string | null} */ place) => {
        const [path, line] = placeOf(place, studio.name);
        onGo();
        studio.goToLine(path, line);
    };
    return html`${seats.map(({ seat, offered, refusals }) => html`<section key=${seat}><h3 class="list-title">${seat}</h3>
        <p>${offered ? `${action} is offered in ${offered} ${offered === 1 ? "way" : "ways"}${refusals.length ? "; what is not offered:" : "."}` : refusals.length ? `${action} is not offered:` : `${action} is not offered, and there is nothing that it could be done with.`}</p>
        <ul class="list">${refusals.map(({ text, place, values, first, here }) => html`<li><button type="button" class="finding" data-severity=${here ? "error" : "warning"} disabled=${!place} onClick=${() => go(place)}>
            ${here && html`<b>this line</b> `}${text} <small>${refused(first, values)} ${placeOf(place, studio.name).filter(Boolean).join(":")}</small></button></li>`)}</ul></section>`)}`;
}

/** The first values that are refused, and how many more. @param {string[]} first @param {number} values */
export const refused = (first, values) => first.join(", ") + (values > first.length ? ` and ${values - first.length} more` : "");

/** @param {{ text: string }} props */
function Said({ text }) {
    /** @type {RefObject<HTMLDivElement | null>} */
    const ref = useRef(null);
    useEffect(() => ref.current?.replaceChildren(markdown(text)), [text]);
    return html`<div ref=${ref}></div>`;
}

/** @param {Studio} studio */
function listenToKeys(studio) {
    addEventListener("keydown", (event) => {
        if (event.altKey && document.querySelector("dialog[open]")) {
            return; // what is behind a question waits
        }
        const panel = event.altKey && !event.ctrlKey && !event.metaKey && PANELS.find(([, , , key]) => event.code === `Digit${key}` || event.code === `Key${key}`);
        if (panel) {
            event.preventDefault();
            studio.show(panel[0]);
        } else if (event.altKey && event.code === "KeyZ") {
            event.preventDefault();
            studio.takeBack();
        } else if ((event.ctrlKey || event.metaKey) && event.key === "s") {
            event.preventDefault();
            studio.save();
        }
    });
    addEventListener("hashchange", () => studio.connection.renew(token()));
    addEventListener("beforeunload", (event) => studio.files.unsaved.length && event.preventDefault());
}

async function start() {
    readMessagesFrom("/web/locales");
    await setLanguage("en");
    await takeTabName();
    const studio = new Studio();
    listenToKeys(studio);
    render(html`<${App} studio=${studio} />`, document.getElementById("page") ?? document.body);
}

start();
