// Hashes of texts and of states, the same as `hashlib` of Python computes. The classes of the library, not the functions
// around them, which also read settings: they are a large part of what a page carries.

import { _BLAKE2b } from "../vendor/noble/blake2.js";
import { _SHA256 } from "../vendor/noble/sha2.js";

/** @param {Uint8Array} bytes */
export const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text */
const inUtf8 = (text) => new TextEncoder().encode(text);

/** BLAKE2b, eight bytes. @param {Uint8Array} bytes */
const blake = (bytes) => new _BLAKE2b({ dkLen: 8 }).update(bytes).digest();

/** BLAKE2b of a text in UTF-8, eight bytes. @param {string} text */
export const blakeOfText = (text) => blake(inUtf8(text));

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. @param {string} text */
export const shaOfText = (text) => hexadecimal(new _SHA256().update(inUtf8(text)).digest());

/** BLAKE2b of the words of a whole state: eight bytes as 16 hexadecimal digits. @param {Int32Array} state */
export function stateHash(state) {
    const bytes = new DataView(new ArrayBuffer(4 * state.length));
    for (let i = 0; i < state.length; i++) bytes.setInt32(4 * i, state[i], true);
    return hexadecimal(blake(new Uint8Array(bytes.buffer)));
}
