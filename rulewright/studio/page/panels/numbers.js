// Another value of a number: what it would do to random matches, with intervals, and which scenarios would break.

import { html, useEffect, useRef, useState } from "/web/html.js";
import { label } from "/web/i18n.js";
import { attempt, say } from "../notices.js";

/** @import { FieldEvent } from "/web/types.d.ts" @import { Props, Studio } from "../studio.js" */
/** @import { CellPlace, Measure, NamedNumber } from "../types.d.ts" */
/** @typedef {NamedNumber & { place: CellPlace }} Cell */

const PATIENCE = 350;

/** @param {Props} props */
export function NumbersPanel({ studio }) {
    const { connection } = studio;
    const known = studio.numbers.value;
    const digest = studio.match.state.value?.digest;
    const waits = studio.isBroken && !known.numbers;
    useEffect(() => {
        if (!waits) {
            connection.tell("numbers", {});
        }
    }, [digest, waits]);
    if (known.failed) {
        return html`<p class="note bad">${known.failed}</p>`;
    }
    if (!known.numbers) {
        return html`<p class="quiet padded" role="status">${studio.isBroken ? "The numbers are shown when the rules have no mistakes." : "Looking for numbers…"}</p>`;
    }
    const cells = known.numbers.filter(isCell);
    const named = known.numbers.filter((number) => !isCell(number));
    const tables = Map.groupBy(cells, ({ place }) => place.table);
    if (!known.numbers.length) {
        return html`<p class="note">The rules have no constant, no option with a range and no table with numbers. Give a number a name under <code>constants:</code> in game.yaml to try other values of it here.</p>`;
    }
    return html`<p class="quiet">Move a number: matches of random choices are played in pairs, with the number as it is and as it would be, with the same chance.</p>
        ${named.map((number) => html`<${Slider} key=${number.name} studio=${studio} number=${number} />`)}
        ${[...tables].map(([table, own]) => html`<details key=${table} class="cells" open=${isAround(own, studio.cursor.value)}><summary>${table} <span class="quiet">${own.length} ${own.length === 1 ? "number" : "numbers"}</span></summary>
            <${Cells} studio=${studio} cells=${own} /></details>`)}
        <${Simulated} studio=${studio} />`;
}

/** Whether a number is a cell of a table. @param {NamedNumber} number @returns {number is Cell} */
const isCell = (number) => number.place !== null;

/** Whether the cursor is in the table of some cells. @param {Cell[]} cells @param {{ path: string, line: number }} cursor */
function isAround(cells, { path, line }) {
    const { table, path: file } = cells[0].place;
    const lines = cells.map(({ place }) => place.line);
    return file === path && (table === file || (Math.min(...lines) <= line && line <= Math.max(...lines)));
}

const MOST_CELLS = 30;

/** The cells of a table: those of the row at the cursor first, then those that fit what is typed. @param {Props & { cells: Cell[] }} props */
function Cells({ studio, cells }) {
    const [sought, setSought] = useState("");
    const { path, line } = studio.cursor.value;
    const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
    const fitting = cells.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    const inRow = (/** @type {Cell} */ { place }) => place.path === path && place.line === line;
    const ordered = [...fitting.filter(inRow), ...fitting.filter((one) => !inRow(one))];
    return html`${cells.length > 8 && html`<label class="seek">find <input type="search" value=${sought} placeholder="row, column or key" onInput=${(/** @type {FieldEvent} */ event) => setSought(event.currentTarget.value)} /></label>`}
        ${ordered.slice(0, MOST_CELLS).map((number) => html`<${Slider} key=${number.name} studio=${studio} number=${number} />`)}
        ${ordered.length > MOST_CELLS && html`<p class="quiet">${ordered.length - MOST_CELLS} more: find them by name, or put the cursor on their row.</p>`}
        ${!ordered.length && html`<p class="quiet">No number of this table is called so.</p>`}`;
}

/** A cell by its row and column, or by its keys in a table. @param {Cell} cell */
const called = ({ name, place }) => name.replace(`${place.table}.`, "").replace(/\.(?!\.)(?<!\.\.)/g, " · ");

/** What a number is, and its name where it is called otherwise. @param {NamedNumber} number */
function described({ kind, name }) {
    if (kind === "cell") {
        return "";
    }
    return label(name) === name ? kind : `${kind} ${name}`;
}

/** @param {Props & { number: NamedNumber }} props */
function Slider({ studio, number }) {
    const [value, setValue] = useState(number.value);
    const moved = useRef(false); // since it was written: then it stays where it is
    useEffect(() => {
        moved.current || setValue(number.value);
    }, [number.value]);
    const timer = useRef(0);
    const latest = useRef(number);
    latest.current = number;
    const move = (/** @type {FieldEvent} */ event) => {
        const next = Math.round(Number(event.currentTarget.value));
        if (!Number.isFinite(next)) {
            return;
        }
        setValue(next);
        moved.current = true;
        clearTimeout(timer.current);
        studio.simulated.value = {};
        timer.current = setTimeout(async () => {
            await studio.writing;
            moved.current = next !== latest.current.value;
            moved.current ? studio.simulate(number, next) : stop(studio);
        }, PATIENCE);
    };
    return html`<div class="slider"><label for=${`number-${number.name}`}><b>${isCell(number) ? called(number) : label(number.name)}</b> <small class="quiet">${described(number)}</small></label>
        <input id=${`number-${number.name}`} type="range" min=${number.low} max=${number.high} value=${value} onInput=${move} />
        <input type="number" aria-label=${`${number.name}, as a number`} value=${value} onChange=${move} />
        <small class="quiet">now ${number.value}</small>
        ${value !== number.value && number.kind !== "option" && html`<button type="button" class="slim" onClick=${() => {
            moved.current = false;
            studio.writing = write(studio, number, value);
        }}>Write it into the rules</button>`}</div>`;
}

/** @param {Studio} studio */
const stop = (studio) => studio.connection.tell("stop", { what: "simulated" });

/** Writes the value where the number stands. @param {Studio} studio @param {NamedNumber} number @param {number} value */
async function write(studio, { name }, value) {
    const edits = await attempt(studio.connection.ask("number_edit", { name, value }));
    if (edits) {
        studio.files.apply(edits);
        const known = studio.numbers.peek();
        studio.numbers.value = { ...known, numbers: known.numbers?.map((one) => (one.name === name ? { ...one, value } : one)) };
        say(`${name} is ${value} in ${edits[0].path} now: save it with Ctrl+S`, "good");
    }
}

/** Decimal places by unit. @type {Record<string, number>} */
const PLACES = { "%": 1, points: 2, decisions: 2 };

/** @param {Props} props */
function Simulated({ studio }) {
    const found = studio.simulated.value;
    if (found.failed) {
        return html`<p class="note bad">${found.failed}</p>`;
    }
    if (!found.name) {
        return null;
    }
    const { broken, measures, pairs = 0, done, ended, faults = [] } = found;
    const { results = [] } = studio.followed.value.scenarios ?? {};
    const failing = results.filter(({ holds }) => !holds).length;
    return html`<section class="note simulated" aria-label="Simulation" aria-live="polite">
        <p><b>${found.name} = ${found.value}</b>: ${pairs ? `${pairs} pairs` : "the first matches are being played"}${done ? "" : ", more to come…"} ${!done && html`<button type="button" class="slim" onClick=${() => {
            stop(studio);
            studio.simulated.value = { ...studio.simulated.peek(), done: true, ended: "It was stopped." };
        }}>Stop</button>`}</p>
        ${ended && html`<p class="bad-text">${ended}</p>`}
        ${measures && measures.length > 0 && html`<${Figures} measures=${measures} />`}
        ${faults.map((fault) => html`<p class="bad-text">some matches fail: ${fault}</p>`)}
        ${broken === undefined && pairs > 0 && !done && html`<p class="quiet">The scenarios are being run…</p>`}
        ${broken === null && html`<p class="quiet">Scenarios choose options themselves, so none is concerned.</p>`}
        ${broken?.length === 0 && html`<p class="quiet">${unbroken(failing, results.length)}</p>`}
        ${broken && broken.length > 0 && html`<h3 class="list-title">${broken.length} ${broken.length === 1 ? "scenario breaks" : "scenarios break"}</h3><ul class="list">${broken.map((one) => html`<li><button type="button" class="finding" data-severity="error" onClick=${() => studio.goToLine(one.path, one.line)}>${one.name} ${one.failed.slice(0, 2).map(({ text }) => html`<small class="help">${text}</small>`)}</button></li>`)}</ul>`}
    </section>`;
}

/** What was measured on both sides, with the intervals of the differences. @param {{ measures: Measure[], then?: string, now?: string }} props */
export function Figures({ measures, now = "now", then = "then" }) {
    return html`<table class="figures"><thead><tr><th scope="col">measure</th><th scope="col">${now}</th><th scope="col">${then}</th><th scope="col">difference</th><th scope="col">interval (95 %)</th></tr></thead>
            <tbody>${measures.map((one) => html`<tr key=${one.name} data-certain=${one.low !== null && one.high !== null && (one.low > 0 || one.high < 0)}><th scope="row">${one.name}</th><td>${figure(one.old, one)}</td><td>${figure(one.new, one)}</td><td>${signed(one.difference, one)}</td><td>${one.low === null || one.high === null ? "not known yet" : `${signed(one.low, one)} to ${signed(one.high, one)}`}</td></tr>`)}</tbody></table>`;
}

/** What is said where no scenario breaks that holds now. @param {number} failing @param {number} number */
function unbroken(failing, number) {
    if (!number) {
        return "There are no scenarios yet that could break.";
    }
    if (!failing) {
        return "No scenario breaks.";
    }
    return failing === number
        ? `${number === 1 ? "The only scenario fails" : `All ${number} scenarios fail`} already, so none can break.`
        : `No scenario breaks; ${failing} of ${number} ${failing === 1 ? "fails" : "fail"} already.`;
}

/** A value as it is written; what rounds to 0 has no sign. @param {number} value @param {Measure} measure */
const rounded = (value, { unit }) => value.toFixed(PLACES[unit] ?? 2).replace(/^-(?=[0.]+$)/, "");
/** @param {number} value @param {Measure} one */
const figure = (value, one) => `${rounded(value, one)}${one.unit === "%" ? " %" : ""}`;
/** @param {number} value @param {Measure} one */
const signed = (value, one) => `${Number(rounded(value, one)) > 0 ? "+" : ""}${figure(value, one)}`;
