// The colours of seats, as the look of a game has them.

import { inkOn } from "./pieces.js";

/** The colour of a seat, and of what is written on it, as custom properties: `--seat`, `--seat-ink`. */
export function seatColours(scene, seat) {
    const light = scene?.seats?.colours?.[seat];
    if (!light) {
        return { "--seat": `var(--seat-${seat % 8})` };
    }
    const dark = scene.seats.dark?.[seat] ?? light;
    return { "--seat": `light-dark(${light}, ${dark})`, "--seat-ink": `light-dark(${scene.seats.ink?.[seat] ?? inkOn(light)}, ${inkOn(dark)})` };
}
