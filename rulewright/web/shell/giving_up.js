// How a player at a server ends a match early; a match in one file is simply left.

/** @import { IconName } from "./icons.js" */
/**
 * `name` is a method of the backend and the text of the choice, `sure` what is asked first, `yes` the answer.
 * @typedef {{ name: "abandon" | "resign", sure: string, yes: string, icon?: IconName, danger?: boolean }} WayOut
 */

/** @type {WayOut[]} */
export const WAYS_OUT = [
    { name: "abandon", sure: "abandon-sure", yes: "propose" },
    { name: "resign", sure: "resign-sure", yes: "resign", icon: "flag", danger: true },
];
