// The colours of seats, in which the shell and the table agree.

import { inkOn } from "./pieces.js";
import { areTold } from "./stones.js";

/** @import { SeatColours } from "../types.d.ts" @import { Style } from "./types.d.ts" */

/**
 * The colours of a seat as custom properties: `--seat`, `--seat-ink`; `--stone` on dark pages too, if stones are told apart by it. `seats` are those of its game.
 * @param {SeatColours | undefined} seats
 * @param {number} seat
 * @returns {Style}
 */
export function seatColours(seats, seat) {
    const light = seats?.colours[seat];
    if (!light) {
        return {};
    }
    const dark = seats.dark?.[seat] ?? light;
    /** @type {Style} */
    const stone = areTold(seats) ? { "--stone": light, "--stone-ink": inkOn(light) } : {};
    return { ...stone, "--seat": `light-dark(${light}, ${dark})`, "--seat-ink": `light-dark(${seats.ink?.[seat] ?? inkOn(light)}, ${inkOn(dark)})` };
}
