// Named streams of random numbers, each a keyed counter: Philox 4x32-10 (Salmon et al., SC 2011).
// The counter of a stream is a word of the state.

import { blakeOfText } from "./hashes.js";

/**
 * @typedef {[low: number, high: number]} Key 64 bits as two words
 * @typedef {[number, number, number, number]} Block 128 bits as four words
 */

/** @type {Key} */
const ROOT = [0x52756c65, 0x77726974];

/** The product of two unsigned 32-bit numbers: its high and its low half. @param {number} a @param {number} b */
function product(a, b) {
    const [ah, al, bh, bl] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff];
    const low = al * bl;
    const middle = ah * bl + (low >>> 16);
    const other = al * bh + (middle % 0x10000);
    const high = ah * bh + Math.floor(middle / 0x10000) + Math.floor(other / 0x10000);
    return [high >>> 0, Math.imul(a, b) >>> 0];
}

/**
 * Four 32-bit numbers for a counter and a key; ten rounds.
 * @param {Block} counter
 * @param {Key} key
 * @returns {Block}
 */
export function philox([c0, c1, c2, c3], [k0, k1]) {
    for (let round = 0; round < 10; round++) {
        const [h0, l0] = product(0xd2511f53, c0);
        const [h1, l1] = product(0xcd9e8d57, c2);
        [c0, c1, c2, c3] = [(h1 ^ c1 ^ k0) >>> 0, l1, (h0 ^ c3 ^ k1) >>> 0, l0];
        [k0, k1] = [(k0 + 0x9e3779b9) >>> 0, (k1 + 0xbb67ae85) >>> 0];
    }
    return [c0, c1, c2, c3];
}

/** A hash of a stream's name. @param {string} name @returns {Key} */
function nameWords(name) {
    const view = new DataView(blakeOfText(name).buffer);
    return [view.getUint32(0, true), view.getUint32(4, true)];
}

/** One of some names, the same one for the same key. @param {string} key @param {string[]} names */
export const picked = (key, names) => names[Math.floor((nameWords(key)[0] * names.length) / 0x100000000)];

/** A seed as two words; a negative or longer one is hashed. @param {bigint} seed @returns {Key} */
function seedWords(seed) {
    if (seed < 0n || seed >= 1n << 64n) return nameWords(String(seed));
    return [Number(seed & 0xffffffffn), Number(seed >> 32n)];
}

/** The key of a named stream of a match. @param {bigint} seed @param {string} stream @returns {Key} */
export function streamKey(seed, stream) {
    const [low, high] = philox([...seedWords(seed), ...nameWords(stream)], ROOT);
    return [low, high];
}

/**
 * A uniform random number in 0..total-1, and the counter after it: [number, counter].
 * Each block of four numbers serves four counters (Lemire's method, with rejection). `high` stands above the
 * counter's block number, for counters of more than 32 bits.
 * @param {number} total
 * @param {number} counter
 * @param {Key} key
 */
export function below(total, counter, key, high = 0) {
    const threshold = 0x100000000 % total;
    for (;;) {
        const number = philox([counter >>> 2, high, 0, 0], key)[counter & 3];
        counter++;
        const [top, low] = product(number, total);
        if (low >= threshold) return [top, counter];
    }
}

/** 128 random bits from the browser. */
export function freshSeed() {
    const words = crypto.getRandomValues(new Uint32Array(4));
    return words.reduce((seed, word) => (seed << 32n) | BigInt(word), 0n);
}
