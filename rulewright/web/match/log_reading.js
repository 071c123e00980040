// Reading logs: any text gives a log, or `BrokenLog` at the first line that was changed.

import { parse } from "./json.js";
import { sealOf, VERSION } from "./log.js";

/**
 * @import { Carried } from "./carrying.js"
 * @import { Json } from "./json.js"
 * @typedef {{[name: string]: Json}} Fields
 * @typedef {{number: number, value: Fields}} Line
 * @typedef {{seat: string | null, stream: string | null, text: string, hash: string, supplied: boolean, line: number}} LogEntry
 * @typedef {{winners: string[], scores: Record<string, number | bigint>, outcome: string | null}} LogResult
 */

/**
 * A log that was read; of `seats` it may claim any number. `torn` is the last whole line before a damaged end.
 * @typedef {{game: string, digest: string, seats: number | bigint, options: Record<string, string>, seed: bigint,
 *   players: string[], entries: LogEntry[], complete: boolean, result: LogResult | null, small: string | null,
 *   nonce: string | null, commitment: string | null, carried: Carried | null, torn: number | null}} Log
 */

const LONGEST_LINE = 4_000_000;
const LONGEST_TEXT = 10_000;
const SEALED = /, "seal": "[0-9a-f]{16}"\}\s*$/u;
const HASH = /^(?:[0-9a-f]{16})?$/u;
const STEPS = ["seat", "chance"];
const KINDS = [...STEPS, "start", "over"];
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;
const FORBIDDEN = new RegExp(
    "[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u206f\\ufff9-\\ufffb\\ufeff" +
        "\\ud800-\\udfff\\ufdd0-\\ufdef\\ufffe\\uffff\\u{e0000}-\\u{e00ff}" +
        Array.from({ length: 16 }, (_, i) => `\\u{${(i + 1).toString(16)}fffe}\\u{${(i + 1).toString(16)}ffff}`).join("") +
        "]",
    "u",
);

/** A log that cannot be read, or was changed after it was written; `line` counts from 1. */
export class BrokenLog extends Error {
    /** @param {string} why @param {number} [line] */
    constructor(why, line = 1) {
        super(why);
        this.line = line;
    }
}

/** The log in a text. A damaged end, with no whole line after it, is left out. @param {string} text @returns {Log} */
export function readLog(text) {
    const [lines, torn] = wholeLines(text);
    const [first, ...rest] = lines;
    check(first.value.rulewright === VERSION, "the first line is not the header of a log of this version", first);
    check(first.value.companion !== true, "the log has what was told to the referee of a physical table", first);
    const kinds = rest.map(kindOf);
    const again = kinds.slice(0, -1).includes("over") || kinds.slice(1).includes("start");
    check(!again, "the log starts again, or continues after the end of its match", first);
    const last = rest[kinds.indexOf("over")];
    /** @param {string} name */
    const text_ = (name) => textOf(first, name, "header");
    const whole = (/** @type {string} */ name) => wholeOf(first, name, `the header of the log has no \`${name}\``);
    const [seats, seed] = [whole("seats"), whole("seed")];
    return {
        game: text_("game"),
        digest: text_("rules"),
        seats,
        options: optionsOf(first),
        seed: BigInt(seed),
        players: textsOf(first, "players"),
        entries: rest.filter((_, i) => STEPS.includes(kinds[i])).map((line) => entryOf(line, kindOf(line))),
        complete: last !== undefined,
        result: last === undefined ? null : resultOf(last),
        small: "small" in first.value ? text_("small") : null,
        ...opening(first),
        carried: carriedOf(first),
        torn,
    };
}

/**
 * The undamaged lines of a log, and the number of the last one before a damaged end.
 * @param {string} text
 * @returns {[Line[], number | null]}
 */
export function wholeLines(text) {
    const texts = text.replace(/^\ufeff/u, "").replaceAll("\r\n", "\n").split("\n");
    /** @type {Line[]} */
    const found = [];
    let seal = "";
    for (const [i, text] of texts.entries()) {
        if (!text.trim()) continue;
        try {
            const line = { number: i + 1, value: parsed(text, i + 1) };
            seal = checkSeal(text, line, seal);
            found.push(line);
        } catch (error) {
            if (!(error instanceof BrokenLog) || !found.length || texts.slice(i).some((one) => SEALED.test(one))) throw error;
            return [found, found[found.length - 1].number];
        }
    }
    if (!found.length) throw new BrokenLog("the log is empty");
    return [found, null];
}

/** @param {string} text @param {number} number */
function parsed(text, number) {
    check(text.length <= LONGEST_LINE, "this line is too long for a log", { number });
    let value;
    try {
        value = parse(text);
    } catch (error) {
        throw new BrokenLog(`not a line of a log: ${messageOf(error)}`, number);
    }
    if (!isObject(value)) throw new BrokenLog("not a line of a log: expected an object", number);
    for (const one of textsIn(value)) {
        check(!FORBIDDEN.test(one.replace(FLAG, "")), "a control character is not allowed in a log", { number });
    }
    return value;
}

/** @param {Json} value @returns {Generator<string>} */
function* textsIn(value) {
    if (typeof value === "string") yield value;
    else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) yield* [key, ...textsIn(one)];
}

/** @param {string} text @param {Line} line @param {string} before */
function checkSeal(text, line, before) {
    const end = text.lastIndexOf(', "seal": "');
    const wanted = sealOf(before, end < 0 ? text : `${text.slice(0, end)}}`);
    const why = "this line, or one before it, was changed after it was written";
    check(line.value.seal === wanted, why, line);
    return wanted;
}

// ---- the fields of the lines

/** @param {Line} line */
function kindOf(line) {
    const { value } = line;
    const kinds = KINDS.filter((kind) => (value[kind] ?? null) !== null);
    check(kinds.length === 1, "this line is neither a choice nor a random outcome", line);
    check(STEPS.includes(kinds[0]) || value[kinds[0]] === true, `\`${kinds[0]}\` is malformed`, line);
    check(typeof (value.supplied ?? false) === "boolean", "`supplied` is malformed", line);
    check(Array.isArray(value.events ?? []), "`events` is malformed", line);
    return kinds[0];
}

/** @param {Line} line @param {string} kind @returns {LogEntry} */
function entryOf(line, kind) {
    const text = textOf(line, kind === "seat" ? "choose" : "outcome");
    const name = textOf(line, kind);
    const hash = textOf(line, "hash");
    check(HASH.test(hash), "`hash` is malformed", line);
    const [seat, stream] = kind === "seat" ? [name, null] : [null, name];
    return { seat, stream, text, hash, supplied: line.value.supplied === true, line: line.number };
}

/** @param {Line} line */
export function optionsOf(line) {
    const { options } = line.value;
    if (!isObject(options)) throw new BrokenLog("`options` is malformed", line.number);
    check(Object.values(options).every((value) => isName(value) || isWhole(value)), "`options` is malformed", line);
    return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
}

/** @param {Line} line */
function opening(line) {
    if (!("nonce" in line.value) && !("commitment" in line.value)) return { nonce: null, commitment: null };
    const [nonce, commitment] = [textOf(line, "nonce"), textOf(line, "commitment")];
    check(/^[0-9a-f]{32}$/u.test(nonce) && /^[0-9a-f]{64}$/u.test(commitment), "`nonce` or `commitment` is malformed", line);
    return { nonce, commitment };
}

/** What the match has carried over; a position that was set up is not played here. @param {Line} line @returns {Carried | null} */
function carriedOf(line) {
    if (!("position" in line.value)) return null;
    const { position } = line.value;
    if (!isObject(position) || !isObject(position.set)) throw new BrokenLog("`position` is malformed", line.number);
    check(position.carried === true, "the match began from a position that was set up", line);
    return Object.entries(position.set).map(([address, value]) => {
        if (!Array.isArray(value) || value.length !== 1 || !isName(value[0])) throw new BrokenLog("`position` is malformed", line.number);
        return [address, value[0]];
    });
}

/** @param {Line} line @returns {LogResult} */
function resultOf(line) {
    const { scores } = line.value;
    if (!isObject(scores)) throw new BrokenLog("`scores` is malformed", line.number);
    const totals = Object.keys(scores).map((seat) => [seat, wholeOf({ ...line, value: scores }, seat, "`scores` is malformed")]);
    const outcome = "outcome" in line.value ? textOf(line, "outcome") : null;
    return { winners: textsOf(line, "winners"), scores: Object.fromEntries(totals), outcome };
}

/** @param {Line} line @param {string} name */
function textsOf(line, name) {
    const found = line.value[name];
    if (!Array.isArray(found) || !found.every(isName)) throw new BrokenLog(`\`${name}\` is missing or malformed`, line.number);
    return found;
}

/** A field that is a text. @param {Line} line @param {string} name */
export function textOf(line, name, where = "line") {
    const found = line.value[name];
    if (!isName(found)) throw new BrokenLog(`the ${where} has no \`${name}\`, or a malformed one`, line.number);
    return found;
}

/** A field that is a whole number. @param {Line} line @param {string} name @param {string} why */
export function wholeOf(line, name, why) {
    const found = line.value[name];
    if (!isWhole(found)) throw new BrokenLog(why, line.number);
    return found;
}

/** What an error says. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {Json | undefined} value @returns {value is Fields} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {Json | undefined} value @returns {value is number | bigint} */
const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);
/** @param {Json | undefined} value @returns {value is string} */
const isName = (value) => typeof value === "string" && value.length <= LONGEST_TEXT && value.isWellFormed();

/**
 * Throws `BrokenLog` unless something holds.
 * @param {boolean} holds
 * @param {string} why
 * @param {{number: number}} line
 */
export function check(holds, why, { number }) {
    if (!holds) throw new BrokenLog(why, number);
}
