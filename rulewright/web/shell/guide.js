// A first match: what lights up and why, once for each kind of decision on this device.

import { html, useState } from "../html.js";
import { heading, help, label, t } from "../i18n.js";
import { guided } from "./settings.js";
import { asked } from "./turn_watch.js";

/** @import { Backend, Description, PositionDecision } from "../types.d.ts" */

const KEY = "rulewright-met";
const MOST = 400;

/** The decisions that this device has met, as `game node`. @returns {string[]} */
function met() {
    try {
        const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(found) ? found.filter((it) => typeof it === "string") : [];
    } catch {
        return [];
    }
}

/** @param {string} decision */
function note(decision) {
    try {
        localStorage.setItem(KEY, JSON.stringify([...met(), decision].slice(-MOST)));
    } catch {
        // A browser that keeps nothing: it is said again.
    }
}

/** One line for a decision that is met for the first time. @param {{ backend: Backend, openRule: (mark: string) => void }} props */
export function Guide({ backend, openRule }) {
    const [known] = useState(met);
    const [seen, setSeen] = useState(/** @type {string[]} */ ([]));
    const { description } = backend;
    const position = backend.position.value;
    const decision = position?.decisions[0];
    const name = `${description?.game} ${decision?.node}`;
    if (!guided.value || !description || !position || !decision || !asked(position) || known.includes(name) || seen.includes(name)) {
        return null;
    }
    const close = () => {
        note(name);
        setSeen([...seen, name]);
    };
    const [mark] = decision.clauses;
    return html`<div class="banner guide" role="status">
        <p>${t("guide-lit")} ${saidOf(decision, description)} ${mark && html`<button type="button" class="clause" title=${heading(mark, description)} aria-label=${t("open-clause", { clause: mark })} onClick=${() => openRule(mark)}>${mark}</button>`}</p>
        <div class="row"><button type="button" class="slim" onClick=${close}>${t("guide-understood")}</button>
            <button type="button" class="slim plain" onClick=${() => (guided.value = false)}>${t("guide-never")}</button></div>
    </div>`;
}

/** What is asked and why: what the actions are, or else what the rulebook calls it. @param {PositionDecision} decision @param {Description} description */
function saidOf(decision, description) {
    const actions = [...new Set(decision.choices.flatMap(({ action }) => (action ? [action] : [])))];
    const helped = actions.filter((it) => help(it, description)).slice(0, 2).map((it) => `${label(it, description).replace(/:$/, "")}: ${help(it, description)}`);
    const { within } = description.decisions[String(decision.node)] ?? {};
    return helped.join(" ") || (within && help(within, description)) || heading(decision.clauses[0], description);
}
