// What the page of a file with a trained policy does besides: the policy may have each seat, and has all but the
// first one at the beginning.

import { addBot } from "./local_settings.js";
import { chosenByPolicy } from "./policy.js";

/** A number in 0..1, from the browser. */
const drawn = () => crypto.getRandomValues(new Uint32Array(1))[0] / 0x100000000;

/** Lets the policy play. Call it before anything is shown. */
export const addPolicy = () => addBot("policy", (match, seat) => chosenByPolicy(match, seat, drawn));
