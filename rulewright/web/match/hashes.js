// Hashes of texts and of states, the same as `hashlib` of Python computes.

import { blake2b } from "../vendor/noble/blake2.js";
import { sha256 } from "../vendor/noble/sha2.js";
import { bytesToHex, utf8ToBytes } from "../vendor/noble/utils.js";

export const hexadecimal = bytesToHex;

/** BLAKE2b of a text in UTF-8, eight bytes. @param {string} text */
export const blakeOfText = (text) => blake2b(utf8ToBytes(text), { dkLen: 8 });

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. @param {string} text */
export const shaOfText = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** BLAKE2b of the words of a whole state: eight bytes as 16 hexadecimal digits. @param {Int32Array} state */
export function stateHash(state) {
    const bytes = new DataView(new ArrayBuffer(4 * state.length));
    for (let i = 0; i < state.length; i++) bytes.setInt32(4 * i, state[i], true);
    return bytesToHex(blake2b(new Uint8Array(bytes.buffer), { dkLen: 8 }));
}
