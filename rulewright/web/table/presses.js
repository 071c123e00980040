// Which presses are taken, which wait, and which are shown not to be taken: none is dropped without a word.
//
// Between one's own choices every press counts: one that comes before a choice is acknowledged waits for it. A press is
// not taken where somebody else's doing has just brought another question to its spot, where it waited for a question
// that others have answered meanwhile, and where it is the second click of a double click.

import { signal } from "../html.js";

/** @import { Model, PressEvent, Table } from "./types.d.ts" */
/** @typedef {ReturnType<typeof pressing>} Presses */

const SETTLING = 350;
const SHOWN = 4000;
const UNTAKEN = "table-untaken";

/** What is remembered of presses at a table. */
export function pressing() {
    return {
        /** A choice is on its way. */
        busy: signal(false),
        /** The number of presses that were not taken, while that is shown, and the message that says so. */
        untaken: signal(0),
        untakenText: UNTAKEN,
        /** What presses anew, and says whether it could. @type {((table: Table) => boolean)[]} */
        waiting: [],
        pressed: "",
        /** Whether the viewer has chosen since the last question. */
        acted: false,
        /** Questions that others have taken away: until when their spots are remembered. @type {{ until: number, spots: Set<string> }[]} */
        past: [],
        /** @type {string | null} */
        asked: null,
        /** Where it is asked. @type {Set<string>} */
        spots: new Set(),
        /** The timer of what is shown. */
        hiding: 0,
    };
}

/** The spot of a thing: pieces of one place move about in it. @param {string} key */
export const spotOf = (key) => (key.startsWith("piece ") ? key.slice(0, key.lastIndexOf(" ")) : key);

/** The spot of all buttons of the bar and of windows. */
export const BUTTONS = "buttons";

/**
 * Whether a press on what has some keys is spent: a held key, a second click, or a click on what has only just come there.
 * @param {Presses} own
 * @param {PressEvent} event
 * @param {string[]} keys
 * @param {Table} table
 */
export function isSpent(own, event, keys, table) {
    if (event.repeat) {
        return true;
    }
    const now = performance.now();
    const key = keys.join();
    const clicks = event.detail ?? 0;
    const again = clicks > 1 && (key === own.pressed || key === BUTTONS || !isWithin(table));
    own.past = own.past.filter(({ until }) => now - until < SETTLING);
    const other = clicks > 0 && own.past.some(({ spots }) => keys.some((one) => spots.has(spotOf(one))));
    if (again || other) {
        showUntaken(own);
        return true;
    }
    own.pressed = key;
    return false;
}

/** Is a part of a move asked for, not a move? @param {Pick<Table, "model" | "offers">} table */
export function isWithin({ model, offers }) {
    return offers.decision !== null && isPart(model, offers.decision.node);
}

/** Does a decision ask for a part of a move? @param {Model} model @param {number | null} node */
export function isPart(model, node) {
    const decl = model.description.decisions[String(node)];
    return Boolean(decl?.within && !decl.offers);
}

/** Shows for a while that a press was not taken. @param {Presses} own @param {string} [text] the message that says so */
export function showUntaken(own, text = UNTAKEN) {
    own.untakenText = text;
    own.untaken.value += 1;
    clearTimeout(own.hiding);
    own.hiding = setTimeout(() => (own.untaken.value = 0), SHOWN);
}

/**
 * A press that waits until the choice that is on its way is settled; `again` presses anew, and says whether it could.
 * @param {Presses} own
 * @param {Presses["waiting"][number]} again
 */
export function wait(own, again) {
    own.waiting.push(again);
}

/** Nothing waits any more; what did was not taken. @param {Presses} own */
export function forget(own) {
    if (own.waiting.length) {
        own.waiting = [];
        showUntaken(own);
    }
}

/**
 * Another position is there. `asked` is what is asked now, as a text, on which `spots`; `others`: somebody has chosen
 * who is not at this screen.
 * @param {Presses} own
 * @param {string} asked
 * @param {Set<string>} spots
 * @param {boolean} others
 */
export function changed(own, asked, spots, others) {
    if (asked === own.asked) {
        return; // what others do unseen changes no question
    }
    if (!own.acted) {
        own.past.push({ until: performance.now(), spots: own.spots }); // this question was taken from under the viewer's hands
    }
    if (others || !own.acted) {
        forget(own);
    }
    own.asked = asked;
    own.spots = spots;
    own.acted = false;
    own.busy.value = false; // what was pending is settled, also where its acknowledgement comes later
}

/** Presses that have waited are made now, one after the other, as long as no choice is on its way. @param {Presses} own @param {Table} table */
export function resume(own, table) {
    while (own.waiting.length && !own.busy.peek()) {
        if (!own.waiting.shift()?.(table)) {
            showUntaken(own);
            own.waiting = [];
        }
    }
}
