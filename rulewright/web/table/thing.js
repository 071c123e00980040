// A thing that can be chosen or asked about: a button in HTML, or a group with the role of one in SVG.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { spokenWords } from "./names.js";
import { keyOf, pieceKey, plausible, valueKey } from "./offers.js";
import { faceWords } from "./pieces.js";

/**
 * @typedef {{keys: string[], name: string, value: any[] | null, values?: any[][], about?: object}} ThingFacts
 * `keys` are those of all values that this thing stands for, `value` is the one that it is asked about.
 */

/** The choices that a thing stands for now, without doubles. */
export function choicesOf(table, thing) {
    const found = new Map();
    for (const key of thing.keys) {
        for (const choice of table.offers.byKey.get(key) ?? []) {
            found.set(choice.words, choice);
        }
    }
    const values = thing.onPiece && !isOthers(table, thing.about.place) ? table.offers.pieces.get(thing.onPiece) : null;
    for (const choice of values ?? []) {
        found.set(choice.words, choice);
    }
    return [...found.values()];
}

/** Does a place belong to another seat than the viewer's? */
function isOthers({ model, viewer }, place) {
    const { zone, of } = model.description.places[place];
    return model.description.zones[zone].of === "seat" && of !== viewer;
}

/** The facts of a piece as a thing. */
export function pieceThing(table, component, klass, place, name) {
    return {
        keys: [pieceKey(place, klass)],
        onPiece: klass < 0 ? null : `${component} ${klass}`,
        value: ["piece", place, klass],
        name,
        about: { component, klass, place },
    };
}

/** The facts of a value of a type as a thing. */
export function valueThing(type, value, name, about = {}) {
    return { keys: [valueKey(type, value)], value: ["enum", type, value], name, about: { type, value, ...about } };
}

/** The properties of whatever draws a thing: state, name, and what a click does. */
export function thingProps(table, thing) {
    const choices = choicesOf(table, thing);
    thing.keys.forEach((key) => table.drawn.add(key));
    choices.forEach((choice) => table.drawn.add(keyOf(choice.value)));
    const asked = thing.value && table.offers.decision ? plausible(table.model, table.offers, thing.value) : [];
    const state = choices.length ? "offered" : asked.length && table.mine(thing) ? "refused" : "plain";
    const now = { ...thing, choices, asked };
    return {
        "data-thing": thing.keys[0] ?? thing.name,
        "data-state": state,
        "data-picked": table.picked.some((key) => thing.keys.includes(key)) || undefined,
        "data-choices": choices.length ? choices.map((choice) => choice.words).join("\n") : undefined,
        "aria-label": spokenName(table, thing.name, choices),
        "aria-description": describedBy(table, thing),
        "aria-haspopup": choices.length === 1 && !table.looking ? undefined : "dialog",
        tabindex: "-1",
        onClick: (event) => table.press(now, event),
        onContextMenu: (event) => {
            event.preventDefault();
            table.open(now, event.currentTarget);
        },
    };
}

/** What is written on a card that everybody else sees. */
function describedBy({ model }, { about }) {
    return (about?.klass ?? -1) < 0 ? undefined : faceWords(model, about.component, about.klass) || undefined;
}

function spokenName(table, name, choices) {
    if (choices.length === 1) {
        return t("table-thing-choice", { thing: name, choice: spokenWords(table.model, choices[0].words, choices[0].decision) });
    }
    return choices.length ? t("table-thing-choices", { thing: name, number: choices.length }) : name;
}

/** A thing as a button. */
export function Thing({ table, thing, class: classes = "", children, ...more }) {
    return html`<button type="button" class="thing ${classes}" ...${thingProps(table, thing)} ...${more}>${children}</button>`;
}

/** A thing in SVG; Enter and space press it. */
export function SvgThing({ table, thing, class: classes = "", children, ...more }) {
    const props = thingProps(table, thing);
    const onKeyDown = (event) => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            event.stopPropagation();
            table.press({ ...thing, choices: choicesOf(table, thing), asked: asked(table, thing) }, event);
        }
    };
    return html`<g role="button" class="thing ${classes}" ...${props} onKeyDown=${onKeyDown} ...${more}>${children}</g>`;
}

function asked(table, thing) {
    return thing.value && table.offers.decision ? plausible(table.model, table.offers, thing.value) : [];
}
