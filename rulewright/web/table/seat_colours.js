// The colours of seats, in which the shell and the table agree.

import { inkOn } from "./pieces.js";

/** The colours of a seat as custom properties: `--seat`, `--seat-ink`. `scene` is that of the game. */
export function seatColours(scene, seat) {
    const seats = scene?.seats;
    const light = seats?.colours?.[seat];
    if (!light) {
        return { "--seat": `var(--seat-${seat % 8})` };
    }
    const dark = seats.dark?.[seat] ?? light;
    return { "--seat": `light-dark(${light}, ${dark})`, "--seat-ink": `light-dark(${seats.ink?.[seat] ?? inkOn(light)}, ${inkOn(dark)})` };
}
