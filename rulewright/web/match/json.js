// JSON as logs have it: whole numbers of any length, no duplicate keys, and one way to write each value.

/** @typedef {string | number | bigint | boolean | null | Json[] | {[name: string]: Json}} Json */

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANK = /[ \t\n\r]*/y;
/** @type {Record<string, boolean | null>} */
const WORDS = { true: true, false: false, null: null };
const DEEPEST = 500;
const LONGEST_NUMBER = 80;

/**
 * Reads a text. Whole numbers are numbers, or bigints if they are too long. Throws `SyntaxError`.
 * @param {string} text
 */
export function parse(text) {
    let at = 0;
    /** @param {string} why @returns {never} */
    const fail = (why) => {
        throw new SyntaxError(`${why} at ${at}`);
    };
    /** @param {RegExp} pattern */
    const match = (pattern) => {
        pattern.lastIndex = at;
        const found = pattern.exec(text)?.[0];
        if (found !== undefined) at += found.length;
        return found;
    };
    /** @param {string} mark */
    const next = (mark) => {
        match(BLANK);
        if (text[at] !== mark) return false;
        at++;
        return true;
    };
    /** @returns {string} */
    const string = () => {
        match(BLANK);
        const found = match(STRING);
        return found === undefined ? fail("expected a text") : JSON.parse(found);
    };
    const number = () => {
        const found = match(NUMBER);
        if (found === undefined) return fail("expected a value");
        if (/[.eE]/u.test(found)) return fail("expected a whole number");
        if (found.length > LONGEST_NUMBER) return fail("number too long");
        const big = BigInt(found);
        return Number.isSafeInteger(Number(big)) ? Number(big) : big;
    };
    /** @param {string} end @param {() => void} one */
    const members = (end, one) => {
        if (next(end)) return;
        do one();
        while (next(","));
        if (!next(end)) fail(`expected \`${end}\``);
    };
    /** @param {number} depth @returns {Json} */
    const value = (depth) => {
        if (depth > DEEPEST) fail("nested too deeply");
        if (next("{")) {
            const found = new Map();
            members("}", () => {
                const key = string();
                if (found.has(key)) fail("duplicate key");
                if (!next(":")) fail("expected `:`");
                found.set(key, value(depth + 1));
            });
            return Object.assign(Object.create(null), Object.fromEntries(found));
        }
        if (next("[")) {
            /** @type {Json[]} */
            const found = [];
            members("]", () => found.push(value(depth + 1)));
            return found;
        }
        if (text[at] === '"') return string();
        const word = Object.keys(WORDS).find((one) => text.startsWith(one, at));
        if (word === undefined) return number();
        at += word.length;
        return WORDS[word];
    };
    const found = value(0);
    match(BLANK);
    if (at < text.length) fail("extra data");
    return found;
}

/**
 * Writes a value with these separators; in ASCII and with sorted keys if it is to be `canonical`.
 * @param {unknown} value
 */
export function write(value, { comma = ", ", colon = ": ", canonical = false } = {}) {
    /** @param {unknown} one @returns {string} */
    const text = (one) => (canonical ? escaped(JSON.stringify(one)) : JSON.stringify(one));
    /** @param {unknown} one @returns {string} */
    const any = (one) => {
        if (typeof one === "bigint") return String(one);
        if (Array.isArray(one)) return `[${one.map(any).join(comma)}]`;
        if (one === null || typeof one !== "object") return text(one);
        const record = /** @type {Record<string, unknown>} */ (one);
        const keys = canonical ? Object.keys(one).sort() : Object.keys(one);
        return `{${keys.map((key) => `${text(key)}${colon}${any(record[key])}`).join(comma)}}`;
    };
    return any(value);
}

/** @param {string} text */
const escaped = (text) =>
    text.replace(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
