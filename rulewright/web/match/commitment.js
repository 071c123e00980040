// Commitments: a hash of the seed of a match, so that nobody can replace the seed later.

import { hexadecimal } from "./blake2b.js";
import { write } from "./json.js";
import { sha256 } from "./sha256.js";

/** The hash of a match's set-up, seed and nonce: SHA-256 as 64 hexadecimal digits. */
export function commitment({ game, rules, seats, options }, seed, nonce) {
    const purpose = "rulewright seed commitment 1";
    const committed = { purpose, game, rules, seats, options, seed, nonce };
    return sha256(write(committed, { comma: ",", colon: ":", canonical: true }));
}

/** A secret that prevents guessing the seed: 32 hexadecimal digits. */
export const freshNonce = () => hexadecimal(crypto.getRandomValues(new Uint8Array(16)));
