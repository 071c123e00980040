// The colours of seats, in which the shell and the table agree.

import { inkOn } from "./pieces.js";

/** The colours of a seat as custom properties: `--seat`, `--seat-ink`. `seats` are those of its game. */
export function seatColours(seats, seat) {
    const light = seats?.colours[seat];
    if (!light) {
        return {};
    }
    const dark = seats.dark?.[seat] ?? light;
    return { "--seat": `light-dark(${light}, ${dark})`, "--seat-ink": `light-dark(${seats.ink?.[seat] ?? inkOn(light)}, ${inkOn(dark)})` };
}
