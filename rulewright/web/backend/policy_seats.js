// What the page of a file with a trained policy does besides: the policy may have each seat, and has all but the
// first one at the beginning. Nothing of it stands in other modules, so that other files are no longer for it.

import { Bots } from "./bots.js";
import { LocalBackend } from "./local.js";
import { BOTS, HUMAN } from "./local_settings.js";
import { chosenByPolicy } from "./policy.js";

const POLICY = "policy";

/** A number in 0..1, from the browser. */
const drawn = () => crypto.getRandomValues(new Uint32Array(1))[0] / 0x100000000;

/** Lets the policy play. Call it before anything is shown. */
export function addPolicy() {
    const { ask } = Bots.prototype;
    const { begin } = LocalBackend.prototype;
    BOTS.unshift(POLICY);
    /** It is asked like a bot that chooses at random; then it says something else. */
    Bots.prototype.ask = function (match, seat, settings, answer) {
        const own = settings.kind === POLICY ? () => answer(chosenByPolicy(match, seat, drawn())) : answer;
        return ask.call(this, match, seat, settings, own);
    };
    LocalBackend.prototype.begin = function (settings = {}) {
        const players = Array.from({ length: this.description.seats }, (_, seat) => (seat ? POLICY : HUMAN));
        return begin.call(this, { players, ...settings });
    };
}
