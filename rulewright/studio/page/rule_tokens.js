// The tokens of a line of rules, by the patterns that all highlighters are made from.

import { CONTEXTS } from "./tokens.js";

/** @typedef {{ regex: string, classes: (string | null)[], opens: string }} TokenPattern */
/** @typedef {{ start: number, end: number, kind: string }} Token */

const compiled = new Map(Object.entries(CONTEXTS).map(([context, patterns]) => [context, joined(patterns)]));

/** One expression for all patterns of a context, and the pattern of each of its outer groups. @param {TokenPattern[]} patterns */
function joined(patterns) {
    /** @type {Map<number, TokenPattern>} */
    const outer = new Map();
    let number = 1;
    for (const pattern of patterns) {
        outer.set(number, pattern);
        number += 1 + pattern.classes.length;
    }
    return { outer, regex: new RegExp(patterns.map(({ regex }) => `(${regex})`).join("|"), "g") };
}

/** The tokens of a line. @param {string} line */
export function tokensOf(line) {
    /** @type {Token[]} */
    const found = [];
    let context = "";
    let at = 0;
    while (at <= line.length) {
        const { outer, regex } = /** @type {ReturnType<typeof joined>} */ (compiled.get(context));
        regex.lastIndex = at;
        const match = regex.exec(line);
        if (!match) {
            break;
        }
        const [number, pattern] = [...outer].filter(([group]) => match[group] !== undefined)[0];
        let start = match.index;
        pattern.classes.forEach((kind, group) => {
            const text = match[number + 1 + group] ?? "";
            kind && text && found.push({ start, end: start + text.length, kind });
            start += text.length;
        });
        context ||= pattern.opens;
        at = Math.max(match.index + match[0].length, at + 1);
    }
    return found;
}
