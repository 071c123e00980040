// SHA-256 (FIPS 180-4), synchronous: the seals of a log depend on one another.

import { hexadecimal } from "./blake2b.js";

const K = new Uint32Array(64);
const START = new Uint32Array(8);
fill();

/** The constants are the first bits of the roots of the first primes. */
function fill() {
    const root = (n, by) => (n ** (1 / by) % 1) * 0x100000000;
    for (let n = 2, found = 0; found < 64; n++) {
        let prime = true;
        for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
        if (!prime) continue;
        if (found < 8) START[found] = root(n, 2);
        K[found++] = root(n, 3);
    }
}

const right = (x, n) => (x >>> n) | (x << (32 - n));

function compress(h, words) {
    for (let i = 16; i < 64; i++) {
        const x = words[i - 15];
        const y = words[i - 2];
        words[i] =
            words[i - 16] + (right(x, 7) ^ right(x, 18) ^ (x >>> 3)) +
            words[i - 7] + (right(y, 17) ^ right(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, last] = h;
    for (let i = 0; i < 64; i++) {
        const one = last + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + words[i];
        const two = (right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [last, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, last].forEach((value, i) => (h[i] += value));
}

/** The hash of a text in UTF-8, as 64 hexadecimal digits. */
export function sha256(text) {
    const data = new TextEncoder().encode(text);
    const padded = new Uint8Array(((data.length + 8) >> 6 << 6) + 64);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(data.length / 0x20000000));
    view.setUint32(padded.length - 4, data.length << 3);
    const h = Uint32Array.from(START);
    const words = new Uint32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
        for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
        compress(h, words);
    }
    const bytes = new Uint8Array(32);
    h.forEach((word, i) => new DataView(bytes.buffer).setUint32(4 * i, word));
    return hexadecimal(bytes);
}
