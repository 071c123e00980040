// Networks of trained policies, computed for one observation. The same as `rulewright/learn/network.py`.

/**
 * @import { Network } from "../types.d.ts"
 * @typedef {{rows: number, columns: number, data: Float32Array}} Table
 * @typedef {Record<string, number>} Settings of an operator
 * @typedef {(tables: Table[], settings: Settings) => Table} Operator
 */

/** @param {number} rows @param {number} columns @param {Float32Array} data @returns {Table} */
const table = (rows, columns, data = new Float32Array(rows * columns)) => ({ rows, columns, data });

/**
 * A function of each number of some tables; one row or one column stands for all.
 * @param {(numbers: number[], settings: Settings) => number} compute
 * @returns {Operator}
 */
const each = (compute) => (tables, settings) => {
    const found = table(Math.max(...tables.map(({ rows }) => rows)), Math.max(...tables.map(({ columns }) => columns)));
    const given = tables.map(() => 0);
    for (let i = 0, at = 0; i < found.rows; i++) {
        for (let k = 0; k < found.columns; k++, at++) {
            tables.forEach(({ rows, columns, data }, n) => (given[n] = data[(rows > 1 ? i : 0) * columns + (columns > 1 ? k : 0)]));
            found.data[at] = compute(given, settings);
        }
    }
    return found;
};

/**
 * The product of two tables; `turned`: of the first one and the second one on its side.
 * @param {Table} a
 * @param {Table} b
 */
function product(a, b, turned = false) {
    const inner = a.columns;
    const found = table(a.rows, turned ? b.rows : b.columns);
    const [down, right] = turned ? [1, b.columns] : [b.columns, 1];
    for (let i = 0; i < found.rows; i++) {
        const sums = new Float64Array(found.columns);
        for (let k = 0; k < inner; k++) {
            const factor = a.data[i * inner + k];
            for (let j = 0; factor && j < sums.length; j++) sums[j] += factor * b.data[k * down + j * right];
        }
        found.data.set(sums, i * sums.length);
    }
    return found;
}

const add = each(([a, b]) => a + b);
const multiply = each(([a, b]) => a * b);
/** @param {number} value */
const number = (value) => table(1, 1, Float32Array.of(value));
/** @param {Float32Array} numbers */
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/**
 * A function of each row of the first table.
 * @param {(row: Float32Array, settings: Settings) => Float32Array} compute
 * @returns {Operator}
 */
const byRows = (compute) => (tables, settings) => {
    const { rows, columns, data } = tables[0];
    const found = table(rows, columns);
    for (let i = 0; i < rows; i++) {
        found.data.set(compute(data.subarray(i * columns, (i + 1) * columns), settings), i * columns);
    }
    return found;
};

const exponential = each(([x]) => Math.exp(x));

const logSoftmax = byRows((row) => {
    const best = Math.max(...row);
    const total = best + Math.log(sum(row.map((one) => Math.exp(one - best))));
    return row.map((one) => one - total);
});

const centred = byRows((row, { epsilon }) => {
    const mean = sum(row) / row.length;
    const spread = Math.sqrt(sum(row.map((one) => (one - mean) ** 2)) / row.length + epsilon);
    return row.map((one) => (one - mean) / spread);
});

/** @type {Operator} */
function gather([from, { data: columns }]) {
    const found = table(from.rows, columns.length);
    for (let i = 0, at = 0; i < from.rows; i++) columns.forEach((k) => (found.data[at++] = from.data[i * from.columns + k]));
    return found;
}

/** @param {Table[]} tables */
function joined(tables) {
    const { rows } = tables[0];
    const found = table(rows, tables.reduce((total, { columns }) => total + columns, 0));
    let at = 0;
    for (let i = 0; i < rows; i++) {
        for (const { columns, data } of tables) {
            found.data.set(data.subarray(i * columns, (i + 1) * columns), at);
            at += columns;
        }
    }
    return found;
}

/** @type {Operator} */
function layer([x, weights, bias], { alpha, beta, transB }) {
    let found = product(x, weights, transB === 1);
    if (alpha !== 1) found = multiply([found, number(alpha)], {});
    return bias ? add([found, beta === 1 ? bias : multiply([bias, number(beta)], {})], {}) : found;
}

/** @type {Operator} */
function normalized([x, scale, bias], settings) {
    const found = multiply([centred([x], settings), scale], settings);
    return bias ? add([found, bias], settings) : found;
}

/** @type {Operator} */
const same = ([x]) => x;

/** What each operator of a network means. @type {Record<string, Operator>} */
export const OPERATORS = {
    Add: add,
    Sub: each(([a, b]) => a - b),
    Mul: multiply,
    Div: each(([a, b]) => a / b),
    Equal: each(([a, b]) => (a === b ? 1 : 0)),
    Where: each(([which, a, b]) => (which ? a : b)),
    MatMul: ([a, b]) => product(a, b),
    Gemm: layer,
    Gather: gather,
    Concat: joined,
    Clip: each(([x, low, high]) => Math.min(Math.max(x, low), high)),
    Relu: each(([x]) => Math.max(x, 0)),
    LeakyRelu: each(([x], { alpha }) => (x < 0 ? x * alpha : x)),
    Elu: each(([x], { alpha }) => (x < 0 ? alpha * (Math.exp(x) - 1) : x)),
    Tanh: each(([x]) => Math.tanh(x)),
    Sigmoid: each(([x]) => 1 / (1 + Math.exp(-x))),
    Exp: exponential,
    Sqrt: each(([x]) => Math.sqrt(x)),
    Neg: each(([x]) => -x),
    Softmax: (tables) => exponential([logSoftmax(tables, {})], {}),
    LogSoftmax: logSoftmax,
    LayerNormalization: normalized,
    Identity: same,
    Flatten: same,
    Cast: same,
    Truth: each(([x]) => (x ? 1 : 0)),
    Whole: each(([x]) => Math.trunc(x)),
};

/** The constants of a network, from base 64, by their numbers. @param {Network} network */
export const constantsOf = ({ constants }) =>
    new Map(constants.map(([value, rows, columns, text]) => {
        const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
        return [value, table(rows, columns, new Float32Array(bytes.buffer))];
    }));

/**
 * The logits of a network for an observation.
 * @param {Network} network
 * @param {Map<number, Table>} constants
 * @param {ArrayLike<number>} observation
 */
export function logitsOf({ steps, result }, constants, observation) {
    const values = new Map(constants);
    /** @param {number} value */
    const valueOf = (value) => {
        const found = values.get(value);
        if (!found) throw new Error(`the network has no value ${value}`);
        return found;
    };
    values.set(0, table(1, observation.length, Float32Array.from(observation)));
    for (const [operator, inputs, output, settings] of steps) {
        values.set(output, OPERATORS[operator](inputs.map(valueOf), settings));
    }
    return valueOf(result).data;
}
