// A thing that can be chosen or asked about: a button in HTML, or a group with the role of one in SVG.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { doneBy } from "./choice_texts.js";
import { factsText } from "./facts.js";
import { keyOf, pieceKey, plausible, valueKey } from "./offers.js";

/** @import { KeyPress, Press } from "../types.d.ts" @import { About, Offered, Props, Table, Thing as Facts } from "./types.d.ts" */
/** @typedef {Props & { thing: Facts, class?: string, children?: unknown }} ThingProps and what else its element has */

/** The choices that a thing stands for now, without doubles. @param {Table} table @param {Facts} thing */
export function choicesOf(table, thing) {
    /** @type {Map<string, Offered>} */
    const found = new Map();
    for (const key of thing.keys) {
        for (const choice of table.offers.byKey.get(key) ?? []) {
            found.set(choice.words, choice);
        }
    }
    const values = thing.onPiece && !isOthers(table, thing.about?.place) ? table.offers.pieces.get(thing.onPiece) : null;
    for (const choice of values ?? []) {
        found.set(choice.words, choice);
    }
    return [...found.values()];
}

/** Does a place belong to another seat than the viewer's? @param {Table} table @param {number | undefined} place */
function isOthers({ model, viewer }, place) {
    const found = model.description.places[place ?? -1];
    return model.description.zones[found?.zone]?.of === "seat" && found.of !== viewer;
}

/** The facts of a piece as a thing. @param {string} component @param {number} klass @param {number} place @param {string} name @returns {Facts} */
export function pieceThing(component, klass, place, name) {
    return {
        keys: [pieceKey(place, klass)],
        onPiece: klass < 0 ? null : `${component} ${klass}`,
        value: ["piece", place, klass],
        name,
        about: { component, klass, place },
    };
}

/**
 * The facts of a value of a type as a thing.
 * @param {string} type
 * @param {number} value
 * @param {string} name
 * @param {About} [about]
 * @returns {Facts}
 */
export function valueThing(type, value, name, about = {}) {
    return { keys: [valueKey(type, value)], value: ["enum", type, value], name, about: { type, value, ...about } };
}

/** The properties of whatever draws a thing: state, name, and what a click does. @param {Table} table @param {Facts} thing */
export function thingProps(table, thing) {
    const choices = choicesOf(table, thing);
    thing.keys.forEach((key) => table.drawn.add(key));
    choices.forEach((choice) => table.drawn.add(keyOf(choice.value)));
    const actions = asked(table, thing);
    const now = { ...thing, choices, asked: actions };
    const picked = table.picked.some((key) => thing.keys.includes(key));
    const other = choices.length ? null : table.instead(thing);
    const state = choices.length ? "offered" : other ? "instead" : actions.length && table.mine(thing) ? "refused" : "plain";
    const planned = table.planned.findIndex(({ keys }) => keys[0] === thing.keys[0]) + 1;
    table.things.set(thing.keys[0] ?? thing.name, now);
    return {
        "data-thing": thing.keys[0] ?? thing.name,
        "data-state": state,
        "data-picked": picked || undefined,
        "data-planned": planned || undefined,
        "data-drag": table.mayDrag(now) || undefined,
        "aria-pressed": (picked && !choices.length) || planned > 0 || undefined,
        "data-choices": choices.length ? choices.map((choice) => choice.words).join("\n") : undefined,
        "aria-label": spokenName(table, thing.name, other && !picked ? [other.choice] : choices),
        "aria-description": factsText(table.model, thing.about) || undefined,
        "aria-haspopup": (choices.length === 1 || other) && !table.looking ? undefined : "dialog",
        tabindex: "-1",
        onClick: (/** @type {Press} */ event) => table.press(now, event),
        onContextMenu: (/** @type {Press} */ event) => {
            event.preventDefault();
            table.open(now, event.currentTarget, true);
        },
    };
}

/** @param {Table} table @param {string} name @param {Offered[]} choices */
function spokenName(table, name, choices) {
    if (choices.length === 1) {
        return t("table-thing-choice", { thing: name, choice: doneBy(table.model, choices[0]) });
    }
    return choices.length ? t("table-thing-choices", { thing: name, number: choices.length }) : name;
}

/** A thing as a button. @param {ThingProps} props */
export function Thing({ table, thing, class: classes = "", children, ...more }) {
    return html`<button type="button" class="thing ${classes}" ...${thingProps(table, thing)} ...${more}>${children}</button>`;
}

/** A thing in SVG; Enter and space press it. @param {ThingProps} props */
export function SvgThing({ table, thing, class: classes = "", children, ...more }) {
    const props = thingProps(table, thing);
    const onKeyDown = (/** @type {KeyPress} */ event) => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            event.stopPropagation();
            table.press({ ...thing, choices: choicesOf(table, thing), asked: asked(table, thing) }, event);
        }
    };
    return html`<g role="button" class="thing ${classes}" ...${props} onKeyDown=${onKeyDown} ...${more}>${children}</g>`;
}

/** The actions, or null, that could be asked about. @param {Table} table @param {Facts} thing */
function asked(table, thing) {
    return thing.value && table.offers.decision ? plausible(table.model, table.offers, thing.value) : [];
}
