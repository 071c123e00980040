// Reading logs: any text gives a log, or `BrokenLog` at the first line that was changed.

import { parse } from "./json.js";
import { sealOf, VERSION } from "./log.js";

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
    constructor(why, line = 1) {
        super(why);
        this.line = line;
    }
}

/**
 * The log in a text: {game, digest, seats, options, seed, players, entries, complete, result, small, nonce,
 * commitment, torn}. A damaged end, with no whole line after it, is left out; `torn` is its last whole line.
 */
export function readLog(text) {
    const [lines, torn] = wholeLines(text);
    const [first, ...rest] = lines;
    check(first.value.rulewright === VERSION, "the first line is not the header of a log of this version", first);
    check(first.value.companion !== true, "the log has what was told to the referee of a physical table", first);
    const kinds = rest.map(kindOf);
    const again = kinds.slice(0, -1).includes("over") || kinds.slice(1).includes("start");
    check(!again, "the log starts again, or continues after the end of its match", first);
    const last = rest[kinds.indexOf("over")];
    const text_ = (name) => textOf(first, name, "header");
    const { value } = first;
    for (const name of ["seats", "seed"]) check(isWhole(value[name]), `the header of the log has no \`${name}\``, first);
    return {
        game: text_("game"),
        digest: text_("rules"),
        seats: value.seats,
        options: optionsOf(first),
        seed: BigInt(value.seed),
        players: textsOf(first, "players"),
        entries: rest.filter((_, i) => STEPS.includes(kinds[i])).map((line) => entryOf(line, kindOf(line))),
        complete: last !== undefined,
        result: last === undefined ? null : resultOf(last),
        small: "small" in value ? text_("small") : null,
        ...opening(first),
        torn,
    };
}

/** The undamaged lines of a log, `{number, value}` each, and the last one before a damaged end. */
export function wholeLines(text) {
    const texts = text.replace(/^\ufeff/u, "").replaceAll("\r\n", "\n").split("\n");
    const found = [];
    let seal = "";
    for (const [i, text] of texts.entries()) {
        if (!text.trim()) continue;
        const line = { number: i + 1, value: null };
        try {
            line.value = parsed(text, line);
            seal = checkSeal(text, line, seal);
        } catch (error) {
            if (!(error instanceof BrokenLog) || !found.length || texts.slice(i).some((one) => SEALED.test(one))) throw error;
            return [found, found.at(-1).number];
        }
        found.push(line);
    }
    if (!found.length) throw new BrokenLog("the log is empty");
    return [found, null];
}

function parsed(text, line) {
    check(text.length <= LONGEST_LINE, "this line is too long for a log", line);
    let value;
    try {
        value = parse(text);
    } catch (error) {
        throw new BrokenLog(`not a line of a log: ${error.message}`, line.number);
    }
    check(isObject(value), "not a line of a log: expected an object", line);
    for (const one of textsIn(value)) {
        check(!FORBIDDEN.test(one.replace(FLAG, "")), "a control character is not allowed in a log", line);
    }
    return value;
}

function* textsIn(value) {
    if (typeof value === "string") yield value;
    else if (Array.isArray(value)) for (const one of value) yield* textsIn(one);
    else if (isObject(value)) for (const [key, one] of Object.entries(value)) yield* [key, ...textsIn(one)];
}

function checkSeal(text, line, before) {
    const end = text.lastIndexOf(', "seal": "');
    const wanted = sealOf(before, end < 0 ? text : `${text.slice(0, end)}}`);
    const why = "this line, or one before it, was changed after it was written";
    check(line.value.seal === wanted, why, line);
    return wanted;
}

// ---- the fields of the lines

function kindOf(line) {
    const { value } = line;
    const kinds = KINDS.filter((kind) => (value[kind] ?? null) !== null);
    check(kinds.length === 1, "this line is neither a choice nor a random outcome", line);
    check(STEPS.includes(kinds[0]) || value[kinds[0]] === true, `\`${kinds[0]}\` is malformed`, line);
    check(typeof (value.supplied ?? false) === "boolean", "`supplied` is malformed", line);
    const { events = [] } = value;
    check(Array.isArray(events) && events.every((one) => typeof one === "string"), "`events` is malformed", line);
    return kinds[0];
}

function entryOf(line, kind) {
    const text = textOf(line, kind === "seat" ? "choose" : "outcome");
    const name = textOf(line, kind);
    const hash = textOf(line, "hash");
    check(HASH.test(hash), "`hash` is malformed", line);
    const [seat, stream] = kind === "seat" ? [name, null] : [null, name];
    return { seat, stream, text, hash, supplied: line.value.supplied ?? false, line: line.number };
}

export function optionsOf(line) {
    const { options } = line.value;
    const good = isObject(options) && Object.values(options).every((value) => isName(value) || isWhole(value));
    check(good, "`options` is malformed", line);
    return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]));
}

function opening(line) {
    if (!("nonce" in line.value) && !("commitment" in line.value)) return { nonce: null, commitment: null };
    const [nonce, commitment] = [textOf(line, "nonce"), textOf(line, "commitment")];
    check(/^[0-9a-f]{32}$/u.test(nonce) && /^[0-9a-f]{64}$/u.test(commitment), "`nonce` or `commitment` is malformed", line);
    return { nonce, commitment };
}

function resultOf(line) {
    const { scores } = line.value;
    check(isObject(scores) && Object.values(scores).every(isWhole), "`scores` is malformed", line);
    const outcome = "outcome" in line.value ? textOf(line, "outcome") : null;
    return { winners: textsOf(line, "winners"), scores: { ...scores }, outcome };
}

function textsOf(line, name) {
    const found = line.value[name];
    check(Array.isArray(found) && found.every(isName), `\`${name}\` is missing or malformed`, line);
    return found;
}

export function textOf(line, name, where = "line") {
    const found = line.value[name];
    check(isName(found), `the ${where} has no \`${name}\`, or a malformed one`, line);
    return found;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
export const isWhole = (value) => typeof value === "bigint" || Number.isInteger(value);
const isName = (value) => typeof value === "string" && value.length <= LONGEST_TEXT && value.isWellFormed();

export function check(holds, why, { number }) {
    if (!holds) throw new BrokenLog(why, number);
}
