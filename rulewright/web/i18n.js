// The page's words, and the labels of a game, in the viewer's language.

import { computed, signal } from "./vendor/signals.js";

/** @import { Description } from "./types.d.ts" */

/**
 * A message: a text, or a list of texts and of variables. A variable is `[name]`, or `[name, forms]` with what is said
 * in each plural form.
 * @typedef {string | (string | Variable)[]} Pattern
 * @typedef {[name: string, forms?: Record<string, Pattern>]} Variable
 * @typedef {Record<string, string | number>} Arguments of a message, by the names of its variables
 * @typedef {Partial<Pick<Description, "labels" | "helps" | "conditions" | "languages" | "clauses">>} Labelled a game, as far as it has words
 */

/** The languages of the page, each by its own name. */
export const LANGUAGES = { en: "English", hu: "magyar", ro: "română" };

/** The viewer's language. Read it, but change it by `setLanguage`. */
export const language = signal("en");

/** The description of the game on the page, whose labels `label` and `help` read; or null. */
export const described = signal(/** @type {Description | null} */ (null));

/** @type {string | null} */
let folder = null;

/** The messages of each language by id. */
const messages = signal(/** @type {Record<string, Record<string, Pattern>>} */ ({}));

/** The language that the viewer has chosen for the names of things in games; empty: that of the page. */
export const namesLanguage = signal("");

/** The language that the viewer has chosen for the page; empty: as the browser asks. */
export const chosenLanguage = signal("");

/** Languages of names, the most wanted first. It changes whenever names do. */
export const wanted = computed(() =>
    [namesLanguage.value, chosenLanguage.value, ...(globalThis.navigator?.languages ?? []), language.value, "en"].filter(Boolean));

/** The language in which the page speaks: the viewer's, or English where the page has no words of it. */
export const pageLanguage = computed(() => (messages.value[language.value] ? language.value : "en"));

const numbers = computed(() => new Intl.NumberFormat(pageLanguage.value));
const plurals = computed(() => new Intl.PluralRules(pageLanguage.value));

/**
 * The language that the viewer asks for: the saved one, else the browser's, else English.
 * @param {unknown} saved
 * @param {readonly string[]} asked
 */
export function preferredLanguage(saved, asked = globalThis.navigator?.languages ?? []) {
    const known = [saved, ...asked].map((tag) => String(tag ?? "").slice(0, 2).toLowerCase());
    return known.find((tag) => tag in LANGUAGES) ?? "en";
}

/** Adds the messages of a language. @param {string} tag @param {Record<string, Pattern>} found */
export function addMessages(tag, found) {
    messages.value = { ...messages.peek(), [tag]: found };
}

/** Says where the files of messages are: the address of the folder of languages. @param {string} address */
export function readMessagesFrom(address) {
    folder = address;
}

/**
 * Loads the messages of a language, unless they are there, or all that there are have been added.
 * @param {string} tag
 */
export async function loadLanguage(tag) {
    if (!messages.peek()[tag] && folder) {
        const answer = await fetch(`${folder}/${tag}.json`);
        addMessages(tag, answer.ok ? await answer.json() : {});
    }
}

/** Changes the viewer's language, once its messages are there; all languages have the same ones. @param {string} tag */
export async function setLanguage(tag) {
    await loadLanguage(tag);
    language.value = tag;
    if (globalThis.document) {
        document.documentElement.lang = tag;
    }
}

/**
 * The message of an id, with its arguments: texts and numbers. An id without a message is shown itself.
 * @param {string} id
 * @param {Arguments} [args]
 */
export function t(id, args = {}) {
    return said(found(id) ?? id, args);
}

/** Is there a message of this id? @param {string} id */
export function known(id) {
    return found(id) !== undefined;
}

/** @param {string} id */
function found(id) {
    return messages.value[pageLanguage.value]?.[id];
}

/** @param {Pattern} pattern @param {Arguments} args @returns {string} */
function said(pattern, args) {
    return typeof pattern === "string" ? pattern : pattern.map((part) => (typeof part === "string" ? part : spelled(part, args))).join("");
}

/** @param {Variable} variable @param {Arguments} args */
function spelled([name, forms], args) {
    const value = args[name] ?? "";
    if (forms) {
        return said(forms[plurals.value.select(Number(value))] ?? forms.other, args);
    }
    return typeof value === "number" ? number(value) : value;
}

/**
 * A number as the viewer writes it, with a minus sign. Small ones are the same in all languages; a formatter takes time to make.
 * @param {number} value
 */
export function number(value) {
    return Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : numbers.value.format(value).replace("-", "−");
}

/**
 * Several things as the viewer lists them: "A, B and C".
 * @param {string[]} things
 * @param {"conjunction" | "disjunction" | "unit"} type
 */
export function list(things, type = "conjunction") {
    return new Intl.ListFormat(pageLanguage.value, { type }).format(things);
}

/**
 * What people read for a word of the rules. Empty: bookkeeping that is not shown.
 * @param {string} word
 * @param {Labelled | null} [description] another game than the one on the page
 */
export function label(word, description = described.value) {
    return labelIfAny(word, description) ?? String(word).replaceAll("_", " ");
}

/** The label of a word or key; undefined if it has none. @param {string} word @param {Labelled | null} description */
export function labelIfAny(word, description = described.value) {
    return spoken(description, "labels", word);
}

/**
 * What people read for a line of the account: its own label, `score.NAME`, or that of its name.
 * @param {string} line
 */
export function scoreLabel(line, description = described.value) {
    return labelIfAny(`score.${line}`, description) ?? label(line, description);
}

/** What a word of the rules means, in a sentence; or empty. @param {string} word @param {Labelled | null} [description] */
export function help(word, description = described.value) {
    return spoken(description, "helps", word) ?? "";
}

/**
 * What the rulebook calls a clause, in the language of the labels or else that of the game; empty if it says nothing of it.
 * @param {string | undefined} mark
 * @param {Labelled | null} [description]
 */
export function heading(mark, description = described.value) {
    return ownHeading(mark, description) || (Object.values(description?.clauses ?? {})[0]?.[mark ?? ""] ?? "");
}

/** The same; empty if it is not in the language of the labels. @param {string | undefined} mark @param {Labelled | null} [description] */
function ownHeading(mark, description) {
    return description?.clauses?.[labelLanguage(description)]?.[mark ?? ""] ?? "";
}

/**
 * Why a match has ended: the name of this end, or what the rulebook calls the clause; else empty.
 * @param {string | null | undefined} outcome
 * @param {string[] | undefined} clauses
 * @param {Labelled | null} [description]
 */
export function endText(outcome, clauses, description = described.value) {
    return outcome ? label(outcome, description) : ownHeading(clauses?.[0], description);
}

/** A condition that refuses, or a side of one, in the language of the labels. @param {string} text @param {Labelled | null} [description] */
export function conditionText(text, description = described.value) {
    return spoken(description, "conditions", text) ?? text;
}

/**
 * @param {Labelled | null} description
 * @param {"labels" | "helps" | "conditions"} part
 * @param {string} word
 * @returns {string | undefined}
 */
function spoken(description, part, word) {
    const texts = description?.[part]?.[labelLanguage(description)] ?? {};
    return Object.hasOwn(texts, word) ? texts[word] : undefined;
}

/**
 * The language in which the names of a game are shown: the one that the viewer has chosen for names or for the page,
 * one that the browser asks for, that of the page, English, or the game's own. Each has what it lacks from the game's own.
 * @param {Labelled} description
 */
export function labelLanguage(description) {
    const known = labelled.get(description);
    if (known?.tags === wanted.value) {
        return known.language;
    }
    const language = languageFor(description.languages ?? [], wanted.value);
    labelled.set(description, { tags: wanted.value, language });
    return language;
}

/** The language of each game that was asked for, and for which wishes: every label asks. @type {WeakMap<Labelled, { tags: string[], language: string }>} */
const labelled = new WeakMap();

/** @param {string[]} languages @param {string[]} tags */
function languageFor(languages, tags) {
    for (const tag of tags) {
        const found = languages.find((it) => it === tag) ?? languages.find((it) => primary(it) === primary(tag));
        if (found) {
            return found;
        }
    }
    return languages[0];
}

/** @param {string} tag */
const primary = (tag) => tag.split("-")[0].toLowerCase();
