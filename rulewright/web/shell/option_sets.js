// Options that hold a set of values, which is written as its words with commas, or `none`.

import { label, t } from "../i18n.js";

/** @import { Ruling } from "../types.d.ts" @import { Labelled } from "../i18n.js" */

const NOTHING = "none";

/** The values in a set. @param {string} text */
export const membersOf = (text) => (text === NOTHING ? [] : text.split(",").map((it) => it.trim()));

/** How a set with these values is written: in the order of the option's values. @param {Pick<Ruling, "values">} option @param {string[]} members */
export const textOf = (option, members) => (option.values ?? []).filter((it) => members.includes(it)).join(",") || NOTHING;

/** The default of an option, or the set that is one with so many seats. @param {Ruling} option @param {number} seats */
export const defaultOf = (option, seats) => (option.sets ? option.sets[seats].default : String(option.default));

/** A set with or without one value. @param {Pick<Ruling, "values">} option @param {string} text @param {string} value */
export function toggled(option, text, value) {
    const members = membersOf(text);
    return textOf(option, members.includes(value) ? members.filter((it) => it !== value) : [...members, value]);
}

/** Whether a set may be chosen with so many seats. @param {Ruling} option @param {string} text @param {number} seats */
export function fits(option, text, seats) {
    const set = option.sets?.[seats];
    const members = membersOf(text);
    return set !== undefined && set.size[0] <= members.length && members.length <= set.size[1] && members.every((it) => set.values.includes(it));
}

/**
 * What people read for one value: its own label, `market.wool`, or that of its name.
 * @param {string} name
 * @param {string} value
 * @param {Labelled | null} description
 */
export function memberText(name, value, description) {
    const own = `${name}.${value}`;
    const said = label(own, description);
    return said === own.replaceAll("_", " ") ? label(value, description) : said;
}

/**
 * What people read for what an option has; `description` has the labels.
 * @param {string} name
 * @param {string} value
 * @param {Labelled | null} description
 */
export function valueText(name, value, description) {
    if (value === NOTHING && label(value, description) === NOTHING) {
        return t("table-none");
    }
    /** @type {Record<string, string>} */
    const said = { on: t("table-yes"), off: t("table-no") };
    return said[value] ?? membersOf(value).map((it) => memberText(name, it, description)).join(", ");
}
