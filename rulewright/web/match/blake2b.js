// BLAKE2b (RFC 7693) without a key, on halves of 64-bit words.

const IV = Uint32Array.of(
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
    0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
);
const SIGMA = [
    "0123456789abcdef",
    "ea489fd61c02b753",
    "b8c052fdae367194",
    "7931dcbe265a40f8",
    "905724afe1bc683d",
    "2c6a0b834d75fe19",
    "c51fed4a0763928b",
    "db7ec13950f4862a",
    "6fe9b308c2d714a5",
    "a2847615fb9e3cd0",
].map((order) => Array.from(order, (digit) => parseInt(digit, 16)));
const LANES = [
    [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
    [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];
const BLOCK = 128;
const v = new Uint32Array(32);
const m = new Uint32Array(32);

/** v[a] += v[b] + x, as 64-bit words. */
function add(a, b, low, high) {
    const sum = v[2 * a] + v[2 * b] + low;
    v[2 * a + 1] += v[2 * b + 1] + high + Math.floor(sum / 0x100000000);
    v[2 * a] = sum;
}

/** v[a] = (v[a] ^ v[b]) turned right by 32, 24, 16 or 63 bits. */
function turn(a, b, bits) {
    const low = v[2 * a] ^ v[2 * b];
    const high = v[2 * a + 1] ^ v[2 * b + 1];
    if (bits === 32) {
        v[2 * a] = high;
        v[2 * a + 1] = low;
    } else if (bits === 63) {
        v[2 * a] = (low << 1) | (high >>> 31);
        v[2 * a + 1] = (high << 1) | (low >>> 31);
    } else {
        v[2 * a] = (low >>> bits) | (high << (32 - bits));
        v[2 * a + 1] = (high >>> bits) | (low << (32 - bits));
    }
}

function compress(h, count, last) {
    v.set(h);
    v.set(IV, 16);
    v[24] ^= count;
    v[25] ^= Math.floor(count / 0x100000000);
    if (last) {
        v[28] = ~v[28];
        v[29] = ~v[29];
    }
    for (let round = 0; round < 12; round++) {
        const order = SIGMA[round % 10];
        for (let i = 0; i < 8; i++) {
            const [a, b, c, d] = LANES[i];
            const x = 2 * order[2 * i];
            const y = 2 * order[2 * i + 1];
            add(a, b, m[x], m[x + 1]);
            turn(d, a, 32);
            add(c, d, 0, 0);
            turn(b, c, 24);
            add(a, b, m[y], m[y + 1]);
            turn(d, a, 16);
            add(c, d, 0, 0);
            turn(b, c, 63);
        }
    }
    for (let i = 0; i < 16; i++) h[i] ^= v[i] ^ v[i + 16];
}

/**
 * The hash of some bytes, `size` bytes long (at most 64).
 * @param {Uint8Array} data
 * @returns {Uint8Array}
 */
export function blake2b(data, size = 8) {
    const h = Uint32Array.from(IV);
    h[0] ^= 0x01010000 ^ size;
    const block = new Uint8Array(BLOCK);
    const words = new DataView(block.buffer);
    let at = 0;
    do {
        const part = data.subarray(at, at + BLOCK);
        block.fill(0);
        block.set(part);
        for (let i = 0; i < 32; i++) m[i] = words.getUint32(4 * i, true);
        at += part.length;
        compress(h, at, at >= data.length);
    } while (at < data.length);
    const found = new DataView(new ArrayBuffer(64));
    h.forEach((word, i) => found.setUint32(4 * i, word, true));
    return new Uint8Array(found.buffer, 0, size);
}

const utf8 = new TextEncoder();

/** The hash of a text in UTF-8, eight bytes. */
export const blakeOfText = (text) => blake2b(utf8.encode(text));

/** Bytes as hexadecimal digits. */
export const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The hash of a whole state: 64 bits as 16 hexadecimal digits. */
export function stateHash(state) {
    const bytes = new DataView(new ArrayBuffer(4 * state.length));
    for (let i = 0; i < state.length; i++) bytes.setInt32(4 * i, state[i], true);
    return hexadecimal(blake2b(new Uint8Array(bytes.buffer)));
}
