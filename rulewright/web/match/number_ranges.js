// Numbers that a seat may choose from: ranges, which are never listed, and a few numbers that stand for them.

const FEW = 16;

/** @import { Option } from "../types.d.ts" */
/** @typedef {{part: number, first: number, last: number, step: number}} NumberRange `last` is one of them */

/** How many numbers there are. @param {NumberRange} range */
const sizeOf = ({ first, last, step }) => (last - first) / step + 1;

/** Whether a number is in a range. @param {NumberRange} range @param {number} number */
export const isIn = ({ first, last, step }, number) => first <= number && number <= last && (number - first) % step === 0;

/**
 * A few of the numbers, ascending: the ends, the quarters, and those at 1, 2, 4, 8 … steps.
 * @param {NumberRange} range
 */
export function few(range) {
    const last = sizeOf(range) - 1;
    const places = new Set([0, Math.floor(last / 4), Math.floor(last / 2), last - Math.floor(last / 4), last]);
    if (last < FEW) for (let i = 0; i <= last; i++) places.add(i);
    for (let i = 1; i <= last; i *= 2) places.add(i);
    return [...places].sort((a, b) => a - b).map((i) => range.first + i * range.step);
}

/**
 * Ranges in order, without empty ones, those within others, and breaks between those that go on.
 * @param {number[][]} ranges of each the part, the first number, the last, which need not be reached, and the step
 * @returns {NumberRange[]}
 */
export function joined(ranges) {
    /** @type {NumberRange[]} */
    const found = [];
    for (const [part, first, end, by] of [...ranges].sort((a, b) => a[0] - b[0] || a[1] - b[1] || b[2] - a[2])) {
        if (end < first) continue;
        const last = end - ((end - first) % by);
        const one = { part, first, last, step: last > first ? by : 1 };
        if (found.some((other) => other.part === part && isWithin(one, other))) continue;
        const before = found.at(-1);
        const step = before && sizeOf(before) > 1 ? before.step : one.step;
        const goesOn = before?.part === part && (step === one.step || sizeOf(one) === 1)
            && (first - before.first) % step === 0 && first <= before.last + step;
        if (goesOn) Object.assign(before, { last: Math.max(before.last, last), step });
        else found.push(one);
    }
    return found;
}

/** @param {NumberRange} one @param {NumberRange} other */
function isWithin(one, other) {
    return isIn(other, one.first) && isIn(other, one.last) && (sizeOf(one) === 1 || one.step % other.step === 0);
}

/**
 * The options of a decision, in order, with a few for its ranges.
 * @param {Option[]} options
 * @param {NumberRange[]} ranges
 */
export function listed(options, ranges) {
    const some = ranges.flatMap((range) => few(range).map((number) => /** @type {Option} */ ([range.part, number])));
    const found = new Map([...options, ...some].map((option) => [option.join(), option]));
    return [...found.values()].sort(([a, x], [b, y]) => a - b || x - y);
}
