// What a choice does, in words: what it is made for, and what it takes.

import { t } from "../i18n.js";
import { headingOf } from "./clauses.js";
import { label, spokenWords } from "./names.js";

/** @import { PositionDecision } from "../types.d.ts" @import { Model, Offered } from "./types.d.ts" */

/** A label that leads to what follows it, such as `buy:`, without its colon. @param {string} text */
export const alone = (text) => text.replace(/:$/, "");

/**
 * What a choice is made for: the step or action that asks for it, or else what the rulebook calls that.
 * @param {Model} model
 * @param {PositionDecision} decision
 */
export function purpose(model, decision) {
    const { within, offers } = model.description.decisions[String(decision.node)] ?? {};
    if (offers || !within) {
        return "";
    }
    const text = label(model, within);
    return text && text !== within.replaceAll("_", " ") ? alone(text) : headingOf(model, decision.clauses?.[0]);
}

/** What a choice does; one that names no action is told with what it is made for. @param {Model} model @param {Offered} choice */
export function doneBy(model, { words, action, decision }) {
    const value = spokenWords(model, words, decision);
    const thing = action === null && words !== "pass" ? purpose(model, decision) : "";
    return thing ? t("table-pointing", { thing, value }) : value;
}
