// Parts in which numbers of ranges are chosen by players that count their choices: each is one of 32 parts of the
// numbers from the least to the greatest, then of that part. The same as `interpreter/bots/number_search.py`.

import { few, isIn } from "./number_ranges.js";

/** How many parts there are. */
export const PARTS = 32;

/**
 * How many numbers a part has at a level, from 1 on, if the greatest number is so far from the least.
 * @param {number} spread
 * @param {number} level
 */
function widthOf(spread, level) {
    let unit = 1;
    while (unit * PARTS * PARTS <= spread) unit *= PARTS;
    if (level === 1) return (Math.floor(spread / (unit * PARTS)) + 1) * unit;
    return Math.max(Math.floor(unit / PARTS ** (level - 2)), 1);
}

/** The numbers of one thing to do, from its ranges. */
export class NumberParts {
    /** @param {import("./number_ranges.js").NumberRange[]} ranges at least one */
    constructor(ranges) {
        this.ranges = ranges;
        this.least = Math.min(...ranges.map(({ first }) => first));
        this.greatest = Math.max(...ranges.map(({ last }) => last));
    }

    /** @param {number} level */
    width(level) {
        return widthOf(this.greatest - this.least, level);
    }

    /** The first and the last number of a part, by its places from the first level on. @param {number[]} places */
    part(places) {
        let [first, last] = [this.least, this.greatest];
        places.forEach((place, i) => {
            first += place * this.width(i + 1);
            last = Math.min(last, first + this.width(i + 1) - 1);
        });
        return [first, last];
    }

    /** The places of the parts within a part that have a number which can be chosen. @param {number[]} places */
    offered(places) {
        return Array.from({ length: PARTS }, (_, place) => place).filter((place) => this.number([...places, place]) !== undefined);
    }

    /**
     * The number that stands for a part: the least of those that are likely to be meant, else the least; undefined if it
     * has none.
     * @param {number[]} places
     */
    number(places) {
        const [first, last] = this.part(places);
        const likely = this.ranges.flatMap(few).filter((number) => first <= number && number <= last);
        if (likely.length) return Math.min(...likely);
        const found = this.ranges
            .map((range) => Math.max(range.first, range.first + Math.ceil((first - range.first) / range.step) * range.step))
            .filter((number, i) => number <= last && isIn(this.ranges[i], number));
        return found.length ? Math.min(...found) : undefined;
    }
}
