// A table of the ruleset as a grid: cells are edited as in a spreadsheet, and each finding stands in its cell.

import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "/web/html.js";
import { columnName, copied, forSpreadsheet, tableOf, withCells, withColumn, withoutRows } from "./table_text.js";

/** @import { RefObject } from "/web/vendor/preact.js" @import { Props } from "./studio.js" */
/** @import { CellChange, TextTable } from "./table_text.js" @import { Finding } from "./types.d.ts" */
/** @typedef {{ row: number, column: number }} Position */

const HEIGHT = 30;
/** Rows that are drawn above and below those in view. */
const AROUND = 20;
const MOST_UNDONE = 200;

/** What was there before each edit of a file in the grid, and what was undone. @type {Map<string, { past: string[], future: string[] }>} */
const histories = new Map();

/** @param {string} path */
export const isGrid = (path) => /\.(?:csv|tsv)$/.test(path);

/**
 * The findings of a file by the cell that they stand in: `2:1` is the third row, the second column.
 * @param {TextTable} table
 * @param {Finding[]} findings
 */
export function findingsByCell(table, findings) {
    /** @type {Map<string, Finding[]>} */
    const found = new Map();
    for (const finding of findings) {
        const { row, column } = positionOf(table, finding.start);
        found.set(`${row}:${column}`, [...(found.get(`${row}:${column}`) ?? []), finding]);
    }
    return found;
}

/** The cell in which an offset lies. @param {TextTable} table @param {number} at @returns {Position} */
function positionOf({ rows }, at) {
    const found = rows.findIndex(({ end }) => at <= end);
    const row = Math.max(0, found < 0 ? rows.length - 1 : found);
    return { row, column: Math.max(0, (rows[row]?.cells ?? []).findLastIndex(({ start }) => start <= at)) };
}

/** Focuses the cell that is chosen. @param {HTMLElement | null} box */
function focusCell(box) {
    const cell = box?.querySelector('[tabindex="0"]');
    if (cell instanceof HTMLElement) {
        cell.focus({ preventScroll: true });
        cell.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
}

/** @param {Props & { path: string }} props */
export function Grid({ studio, path }) {
    const file = studio.files.all.value.find((one) => one.path === path);
    const text = file?.text ?? "";
    const table = useMemo(() => tableOf(text), [text]);
    const own = studio.findings.value.filter((finding) => finding.path === path);
    const marked = useMemo(() => findingsByCell(table, own), [table, studio.findings.value]);
    const [at, setAt] = useState(/** @type {Position} */ ({ row: 0, column: 0 }));
    const [from, setFrom] = useState(/** @type {Position} */ (at));
    const [edited, setShown] = useState(/** @type {string | null} */ (null));
    /** What is being typed into the cell, also before it is shown. @type {RefObject<string | null>} */
    const typed = useRef(/** @type {string | null} */ (null));
    const setEdited = (/** @type {string | null} */ value) => {
        typed.current = value;
        setShown(value);
    };
    const [top, setTop] = useState(0);
    /** @type {RefObject<HTMLDivElement | null>} */
    const box = useRef(null);
    const width = Math.max(1, ...table.rows.map(({ cells }) => cells.length));
    const readOnly = !!file?.readOnly;
    const textOf = (/** @type {Position} */ { row, column }) => table.rows[row]?.cells[column]?.text ?? "";
    const area = { top: Math.min(at.row, from.row), bottom: Math.max(at.row, from.row), left: Math.min(at.column, from.column), right: Math.max(at.column, from.column) };

    /** @param {string} next */
    const write = (next) => {
        if (readOnly || next === text) {
            return;
        }
        const { past } = histories.get(path) ?? { past: [] };
        histories.set(path, { past: [...past, text].slice(-MOST_UNDONE), future: [] });
        studio.files.edit(path, next, true);
    };
    const change = (/** @type {CellChange[]} */ changes) => changes.length && write(withCells(text, changes));
    const undo = (/** @type {boolean} */ again) => {
        const { past, future } = histories.get(path) ?? { past: [], future: [] };
        const stack = again ? future : past;
        const next = stack.at(-1);
        if (next === undefined || readOnly) {
            return;
        }
        const rest = stack.slice(0, -1);
        histories.set(path, again ? { past: [...past, text], future: rest } : { past: rest, future: [...future, text] });
        studio.files.edit(path, next, true);
    };
    /** @param {number} down @param {number} right */
    const move = (down, right, extend = false) => {
        const next = { row: Math.max(0, Math.min(table.rows.length, at.row + down)), column: Math.max(0, Math.min(width - 1, at.column + right)) };
        setAt(next);
        extend || setFrom(next);
    };
    /** Ends the edit of a cell. @param {number} down @param {number} right */
    const settle = (down, right) => {
        const value = typed.current;
        setEdited(null);
        value !== null && value !== textOf(at) && change([{ ...at, text: value }]);
        move(down, right);
    };
    const clear = () => change(cellsIn(area).filter((cell) => textOf(cell)).map((cell) => ({ ...cell, text: "" })));

    const place = studio.place.value;
    useEffect(() => {
        if (place?.path === path) {
            const next = positionOf(table, place.start);
            setAt(next);
            setFrom(next);
            box.current?.scrollTo({ top: Math.max(0, next.row * HEIGHT - 120) });
            requestAnimationFrame(() => focusCell(box.current));
        }
    }, [place]);
    // Before the next key: that of a cell whose editor has just gone must not be lost.
    useLayoutEffect(() => {
        if (edited === null && (box.current?.contains(document.activeElement) || document.activeElement === document.body)) {
            focusCell(box.current);
        }
    }, [at, edited, text]);

    const onKey = (/** @type {KeyboardEvent} */ event) => {
        if (edited !== null) {
            const ends = { Enter: [event.shiftKey ? -1 : 1, 0], Tab: [0, event.shiftKey ? -1 : 1] }[event.key];
            if (event.key === "Escape") {
                setEdited(null);
            } else if (ends && !(event.key === "Enter" && event.altKey)) {
                settle(ends[0], ends[1]);
            } else {
                return;
            }
            event.preventDefault();
            return;
        }
        const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-15, 0], PageDown: [15, 0] })[event.key];
        const control = event.ctrlKey || event.metaKey;
        const key = event.key.toLowerCase();
        if (event.altKey || (control && !["z", "y", "home", "end"].includes(key))) {
            return;
        }
        if (steps && !control) {
            move(steps[0], steps[1], event.shiftKey);
        } else if (event.key === "Home" || event.key === "End") {
            const last = event.key === "End";
            move(control ? (last ? table.rows.length : -at.row) : 0, last ? width : -width, event.shiftKey);
        } else if (event.key === "Enter" || event.key === "F2") {
            readOnly || setEdited(textOf(at));
        } else if (event.key === "Delete" || event.key === "Backspace") {
            clear();
        } else if (control && (key === "z" || key === "y")) {
            undo(key === "y" || event.shiftKey);
        } else if (event.key.length === 1 && !control) {
            readOnly || setEdited(event.key);
        } else {
            return;
        }
        event.preventDefault();
    };
    const onCopy = (/** @type {ClipboardEvent} */ event) => {
        if (edited === null) {
            const rows = Array.from({ length: area.bottom - area.top + 1 }, (_, i) => Array.from({ length: area.right - area.left + 1 }, (_, j) => textOf({ row: area.top + i, column: area.left + j })));
            event.clipboardData?.setData("text/plain", forSpreadsheet(rows));
            event.preventDefault();
            event.type === "cut" && clear();
        }
    };
    const onPaste = (/** @type {ClipboardEvent} */ event) => {
        const pasted = event.clipboardData?.getData("text/plain") ?? "";
        if (edited === null && pasted) {
            event.preventDefault();
            change(copied(pasted).flatMap((row, i) => row.map((put, j) => ({ row: area.top + i, column: area.left + j, text: put }))));
        }
    };

    const first = Math.max(0, Math.floor(top / HEIGHT) - AROUND);
    const shown = Math.ceil((box.current?.clientHeight ?? 600) / HEIGHT) + 2 * AROUND;
    const last = Math.min(table.rows.length, first + shown);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter((number) => number <= table.rows.length);
    if (at.row < first || at.row > last) {
        numbers.push(at.row);
    }
    const here = marked.get(`${at.row}:${at.column}`) ?? [];
    return html`<div class="grid-side">
        <div class="grid-bar">
            <b class="cell-name">${columnName(at.column)}${at.row + 1}</b>
            <span class="grid-said" role="status">${here.length ? here.map(({ severity, message, help }) => html`<span data-severity=${severity}>${message}${help && html` <small>${help}</small>`}</span>`) : html`<span class="quiet">${textOf(at)}</span>`}</span>
            <button type="button" class="plain slim" disabled=${readOnly} onClick=${() => change([{ row: table.rows.length, column: 0, text: "" }])}>Add row</button>
            <button type="button" class="plain slim" disabled=${readOnly} onClick=${() => (studio.asking.value = { title: "New column", value: "", hint: "its title", act: (title) => write(withColumn(text, title.trim())) })}>Add column</button>
            <button type="button" class="plain slim" disabled=${readOnly || at.row >= table.rows.length} onClick=${() => write(withoutRows(text, area.top, area.bottom))}>Remove ${area.top === area.bottom ? "row" : "rows"}</button>
            <button type="button" class="plain slim" title="Ctrl+Z" disabled=${!histories.get(path)?.past.length} onClick=${() => undo(false)}>Undo</button>
            <button type="button" class="plain slim" title="Ctrl+Y" disabled=${!histories.get(path)?.future.length} onClick=${() => undo(true)}>Redo</button>
        </div>
        <div class="grid-box" ref=${box} onScroll=${(/** @type {Event & { currentTarget: HTMLElement }} */ event) => setTop(event.currentTarget.scrollTop)} onKeyDown=${onKey} onCopy=${onCopy} onCut=${onCopy} onPaste=${onPaste}>
        <table class="grid" role="grid" aria-label=${path} aria-rowcount=${table.rows.length + 1} aria-colcount=${width} aria-readonly=${readOnly}>
            <thead><tr><th></th>${Array.from({ length: width }, (_, column) => html`<th key=${column} scope="col">${columnName(column)}</th>`)}</tr></thead>
            <tbody style=${{ "--above": `${first * HEIGHT}px`, "--below": `${Math.max(0, table.rows.length - last) * HEIGHT}px` }}>
            <tr class="grid-gap above" aria-hidden="true"></tr>
            ${numbers.map((row) => html`<tr key=${row} aria-rowindex=${row + 1} class=${table.rows[row]?.comment ? "comment" : ""}><th scope="row">${row + 1}</th>
                ${Array.from({ length: width }, (_, column) => {
                    const isHere = row === at.row && column === at.column;
                    const wrong = marked.get(`${row}:${column}`);
                    const within = area.top <= row && row <= area.bottom && area.left <= column && column <= area.right;
                    return html`<td key=${column} role="gridcell" aria-colindex=${column + 1} tabindex=${isHere ? 0 : -1} aria-selected=${within} aria-invalid=${!!wrong?.some(({ severity }) => severity === "error")} data-severity=${wrong?.[0]?.severity}
                        title=${wrong ? wrong.map(({ message, help }) => [message, help].filter(Boolean).join(": ")).join("\n") : textOf({ row, column })}
                        onMouseDown=${(/** @type {MouseEvent & { currentTarget: HTMLElement }} */ event) => {
                            if (isHere && edited !== null) {
                                return;
                            }
                            edited !== null && settle(0, 0);
                            setAt({ row, column });
                            event.shiftKey || setFrom({ row, column });
                            event.currentTarget.focus({ preventScroll: true });
                        }}
                        onDblClick=${() => readOnly || setEdited(textOf({ row, column }))}>
                        ${isHere && edited !== null ? html`<${CellEditor} value=${edited} onInput=${setEdited} onLeave=${() => typed.current !== null && settle(0, 0)} />` : html`<span>${textOf({ row, column })}</span>`}</td>`;
                })}</tr>`)}
            <tr class="grid-gap below" aria-hidden="true"></tr></tbody>
        </table></div>
    </div>`;
}

/** @param {{ top: number, bottom: number, left: number, right: number }} area */
function cellsIn({ top, bottom, left, right }) {
    /** @type {Position[]} */
    const found = [];
    for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) {
            found.push({ row, column });
        }
    }
    return found;
}

/** @param {{ value: string, onInput: (text: string) => void, onLeave: () => void }} props */
function CellEditor({ value, onInput, onLeave }) {
    /** @type {RefObject<HTMLTextAreaElement | null>} */
    const ref = useRef(null);
    // Before the next key: what is typed at once belongs to the cell.
    useLayoutEffect(() => {
        ref.current?.focus();
        ref.current?.setSelectionRange(value.length, value.length);
    }, []);
    return html`<textarea ref=${ref} rows=${Math.min(8, value.split("\n").length)} value=${value} aria-label="Cell" onInput=${(/** @type {Event & { currentTarget: HTMLTextAreaElement }} */ event) => onInput(event.currentTarget.value)} onBlur=${onLeave}></textarea>`;
}
