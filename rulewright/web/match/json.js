// JSON as logs have it: whole numbers of any length, no duplicate keys, and one way to write each value.

/** @typedef {string | number | bigint | boolean | null | Json[] | {[name: string]: Json}} Json */

/** A text, and whether it is a key; or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g;
const LONGEST_NUMBER = 80;
/** A whole number that need not be exact as a number. */
const LONG = /^-?[1-9]\d{15,}$/u;

/**
 * Reads a text. Whole numbers are numbers, or bigints if they are too long. Throws `SyntaxError`, and `RangeError` for what
 * is nested too deeply.
 * @param {string} text
 * @returns {Json}
 */
export function parse(text) {
    if (/(?<!\\)(?:\\\\)*\\u0000/u.test(text)) throw new SyntaxError("a control character");
    let [written, read] = [0, -1]; // the whole is read once, too
    const marked = text.replace(TOKEN, (token, key) => {
        if (token.startsWith('"')) {
            written += key ? 1 : 0;
            return token;
        }
        if (/[.eE]/u.test(token)) throw new SyntaxError("expected a whole number");
        if (token.length > LONGEST_NUMBER) throw new SyntaxError("number too long");
        return LONG.test(token) ? `"\\u0000${token}"` : token;
    });
    const found = JSON.parse(marked, /** @this {unknown} @param {string} _ @param {Json} value */ function (_, value) {
        read += Array.isArray(this) ? 0 : 1;
        if (typeof value === "string" && value.startsWith("\0")) return whole(value.slice(1));
        return value === null || typeof value !== "object" || Array.isArray(value) ? value : Object.assign(Object.create(null), value);
    });
    if (read !== written) throw new SyntaxError("duplicate key");
    return found;
}

/** @param {string} digits */
function whole(digits) {
    const big = BigInt(digits);
    return Number.isSafeInteger(Number(big)) ? Number(big) : big;
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
