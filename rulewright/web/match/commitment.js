// Commitments: a hash of the seed of a match, so that nobody can replace the seed later.

import { hexadecimal, shaOfText } from "./hashes.js";
import { write } from "./json.js";

/**
 * What a match is set up with; its rules are a digest.
 * @typedef {{game: string, rules: string, seats: number | bigint, options: Record<string, string>}} SetUp
 */

/**
 * The hash of a match's set-up, seed and nonce: SHA-256 as 64 hexadecimal digits.
 * @param {SetUp} setUp
 * @param {bigint} seed
 * @param {string} nonce
 */
export function commitment({ game, rules, seats, options }, seed, nonce) {
    const purpose = "rulewright seed commitment 1";
    const committed = { purpose, game, rules, seats, options, seed, nonce };
    return shaOfText(write(committed, { comma: ",", colon: ":", canonical: true }));
}

/** A secret that prevents guessing the seed: 32 hexadecimal digits. */
export const freshNonce = () => hexadecimal(crypto.getRandomValues(new Uint8Array(16)));
