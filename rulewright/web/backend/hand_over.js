// Several people at one device: whose turn at the screen it is.

/**
 * The seat that the device is to be handed to: the first that is asked, unless who has it is; null if nobody is.
 * @param {number} viewer
 * @param {number[]} asked
 */
export const nextAtScreen = (viewer, asked) => (asked.includes(viewer) || !asked.length ? null : asked[0]);
