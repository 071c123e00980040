// Tables as text: their rows and cells with places, and texts with other cells, as `dsl/sheets/delimited.py` reads them.

/**
 * A cell: its text, and where it stands with its quotes.
 * @typedef {{ text: string, start: number, end: number }} TextCell
 * @typedef {{ start: number, end: number, cells: TextCell[], comment: boolean }} TextRow
 * @typedef {{ separator: string, rows: TextRow[] }} TextTable
 * @typedef {{ row: number, column: number, text: string }} CellChange
 */

const SEPARATORS = [",", ";", "\t", "|"];
const DECLARED = /^sep=(.)[ \t]*(?:\n|$)/;
const COMMENT = /[ \t]*#(?![,;\t|])[^\n]*/y;
const QUOTED = /"((?:[^"]|"")*)"/y;
const SAMPLED = 20;

/** The rows and cells of a text, up to `most` of them. @param {string} text @param {string} separator @param {number} start */
function rowsOf(text, separator, start, most = Infinity) {
    /** @type {TextRow[]} */
    const rows = [];
    let at = start;
    while (at < text.length && rows.length < most) {
        COMMENT.lastIndex = at;
        const comment = COMMENT.exec(text)?.[0];
        if (comment !== undefined) {
            rows.push({ start: at, end: at + comment.length, cells: [{ text: comment, start: at, end: at + comment.length }], comment: true });
            at += comment.length + 1;
            continue;
        }
        /** @type {TextCell[]} */
        const cells = [];
        const begun = at;
        for (;;) {
            const cell = cellAt(text, separator, at);
            cells.push(cell);
            at = cell.end;
            if (text[at] !== separator) {
                break;
            }
            at += 1;
        }
        rows.push({ start: begun, end: at, cells, comment: false });
        at += 1;
    }
    return rows;
}

/** The cell that begins at an offset; a quote that is not closed is a sign like any other. @param {string} text @param {string} separator @param {number} at @returns {TextCell} */
function cellAt(text, separator, at) {
    QUOTED.lastIndex = at;
    const quoted = text[at] === '"' ? QUOTED.exec(text) : null;
    const after = quoted ? at + quoted[0].length : at;
    if (quoted && (after >= text.length || text[after] === "\n" || text[after] === separator)) {
        return { text: quoted[1].replaceAll('""', '"').trim(), start: at, end: after };
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== "\n") {
        end += 1;
    }
    return { text: text.slice(at, end).trim(), start: at, end };
}

/** How many rows have as many cells as most of those with several; a half more if the first row has several. @param {string} text @param {string} separator */
function regularity(text, separator) {
    const counts = rowsOf(text, separator, 0, 2 * SAMPLED).filter(({ comment, cells }) => !comment && cells.some((cell) => cell.text)).slice(0, SAMPLED).map(({ cells }) => cells.length - 1);
    /** @type {Map<number, number>} */
    const often = new Map();
    counts.filter(Boolean).forEach((count) => often.set(count, (often.get(count) ?? 0) + 1));
    const most = Math.max(0, ...often.values());
    return most && most + (counts[0] > 0 ? 0.5 : 0);
}

/** A text as a table. @param {string} text @returns {TextTable} */
export function tableOf(text) {
    const declared = DECLARED.exec(text);
    if (declared) {
        return { separator: declared[1], rows: rowsOf(text, declared[1], declared[0].length) };
    }
    const scores = SEPARATORS.map((each) => regularity(text, each));
    const separator = SEPARATORS[scores.indexOf(Math.max(...scores))];
    return { separator, rows: rowsOf(text, separator, 0) };
}

/** What was copied in a spreadsheet: rows of texts. @param {string} text */
export function copied(text) {
    const rows = rowsOf(text.replace(/\r\n?/g, "\n").replace(/\n$/, ""), "\t", 0);
    return rows.map(({ cells }) => cells.map((cell) => cell.text));
}

/** Rows of texts, as a spreadsheet takes them. @param {string[][]} rows */
export const forSpreadsheet = (rows) => rows.map((row) => row.map((text) => written(text, "\t")).join("\t")).join("\n");

/** A text as it is written in a cell. @param {string} text @param {string} separator */
function written(text, separator) {
    const needed = text.includes(separator) || /["\n]/.test(text) || text !== text.trim();
    return needed ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The text with other cells; what stands around them stays as it is written. Rows and columns that lack are added.
 * @param {string} text
 * @param {CellChange[]} changes
 */
export function withCells(text, changes) {
    const { separator, rows } = tableOf(text);
    /** @type {Map<number, CellChange[]>} */
    const byRow = new Map();
    changes.forEach((change) => byRow.set(change.row, [...(byRow.get(change.row) ?? []), change]));
    const width = Math.max(1, ...rows.filter(({ comment }) => !comment).map(({ cells }) => cells.length));
    let now = text;
    for (const [number, own] of [...byRow].sort(([a], [b]) => b - a)) {
        const row = rows[number];
        if (row) {
            now = now.slice(0, row.start) + rowWith(text, row, own, separator) + now.slice(row.end);
        }
    }
    const added = [...byRow.keys()].filter((number) => number >= rows.length);
    const last = Math.max(-1, ...added);
    for (let number = rows.length; number <= last; number += 1) {
        const cells = Array.from({ length: Math.max(width, ...(byRow.get(number) ?? []).map(({ column }) => column + 1)) }, () => "");
        (byRow.get(number) ?? []).forEach((change) => (cells[change.column] = written(change.text, separator)));
        now += `${now && !now.endsWith("\n") ? "\n" : ""}${cells.join(separator)}\n`;
    }
    return now;
}

/** @param {string} text @param {TextRow} row @param {CellChange[]} changes @param {string} separator */
function rowWith(text, row, changes, separator) {
    const cells = row.cells.map(({ start, end }) => text.slice(start, end));
    for (const { column, text: put } of changes) {
        while (cells.length <= column) {
            cells.push("");
        }
        cells[column] = row.comment && column === 0 && put.trimStart().startsWith("#") ? put.replaceAll("\n", " ") : written(put, separator);
    }
    return cells.join(separator);
}

/** The text with one more column at the end, called so. @param {string} text @param {string} title */
export function withColumn(text, title) {
    const { rows } = tableOf(text);
    const wide = rows.map((row, number) => ({ row, number })).filter(({ row }) => !row.comment && row.cells.some((cell) => cell.text));
    const width = Math.max(0, ...wide.map(({ row }) => row.cells.length));
    const head = wide.find(({ row }) => row.cells.length === width)?.number ?? 0;
    return withCells(text, [...wide.map(({ number }) => ({ row: number, column: width, text: "" })), { row: head, column: width, text: title }]);
}

/** The text without some rows. @param {string} text @param {number} first @param {number} last */
export function withoutRows(text, first, last) {
    const { rows } = tableOf(text);
    const from = rows[first]?.start;
    const to = rows[last + 1]?.start ?? text.length;
    return from === undefined ? text : text.slice(0, from) + text.slice(to);
}

/** The name of a column: A, B, ..., Z, AA. @param {number} column @returns {string} */
export const columnName = (column) => (column >= 26 ? columnName(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26));
