// The tokens of a line of rules, by the patterns that all highlighters are made from.

import { CONTEXTS } from "./tokens.js";

const compiled = new Map(Object.entries(CONTEXTS).map(([context, patterns]) => [context, joined(patterns)]));

/** One expression for all patterns of a context, and the pattern of each of its outer groups. */
function joined(patterns) {
    const outer = new Map();
    let number = 1;
    for (const pattern of patterns) {
        outer.set(number, pattern);
        number += 1 + pattern.classes.length;
    }
    return { outer, regex: new RegExp(patterns.map(({ regex }) => `(${regex})`).join("|"), "g") };
}

/** The tokens of a line: `{start, end, kind}`. */
export function tokensOf(line) {
    const found = [];
    let context = "";
    let at = 0;
    while (at <= line.length) {
        const { outer, regex } = compiled.get(context);
        regex.lastIndex = at;
        const match = regex.exec(line);
        if (!match) {
            break;
        }
        const [number, pattern] = [...outer].find(([group]) => match[group] !== undefined);
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
