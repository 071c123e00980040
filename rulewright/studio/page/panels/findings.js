// The list of findings: press one to go there.

import { html } from "/web/html.js";
import { attempt } from "../notices.js";
import { failing } from "./scenarios.js";

/** @import { Props, Studio } from "../studio.js" @import { Finding } from "../types.d.ts" */

/** @param {Props} props */
export function Findings({ studio }) {
    const found = studio.findings.value;
    const errors = found.filter(({ severity }) => severity === "error").length;
    return html`<section class="findings" aria-label="Findings">
        <p class="findings-head" role="status">${summary(errors, found.length - errors, failing(studio))}</p>
        ${found.length > 0 && html`<ul>${found.map((one, number) => html`<li key=${number}>
            <button type="button" class="finding" data-severity=${one.severity} onClick=${() => attempt(studio.editor.goTo(one))}>
                <b>${one.code}</b> <span>${one.message}</span> <small>${one.path}${lineOf(studio, one)}</small>
                ${one.help && html`<small class="help">help: ${one.help}</small>`}
            </button>
            ${one.corrections.slice(0, 3).map(({ title, edits }) => html`<button type="button" class="slim" onClick=${() => studio.files.apply(edits)}>${title}</button>`)}
            ${missing(studio, one).map((path) => html`<button type="button" class="slim" onClick=${() => studio.newFile(path)}>Make ${path}</button>`)}
        </li>`)}</ul>`}
    </section>`;
}

/** The file that a finding misses, if it can be made here. @param {Studio} studio @param {Finding} finding */
function missing(studio, { code, message }) {
    const [, path] = (code === "D001" && /^`[^`/]+\/([^`]+)` cannot be read: no such file/.exec(message)) || [];
    return path && !studio.files.file(path) ? [path] : [];
}

/** @param {number} errors @param {number} warnings @param {number} failed scenarios that do not hold */
function summary(errors, warnings, failed) {
    const said = [errors && `${errors} ${errors === 1 ? "mistake" : "mistakes"}`, warnings && `${warnings} ${warnings === 1 ? "warning" : "warnings"}`].filter(Boolean);
    const found = said.length ? said.join(", ") : "No findings";
    return failed ? `${found}; ${failed} ${failed === 1 ? "scenario does" : "scenarios do"} not hold` : found;
}

/** @param {Studio} studio @param {Finding} finding */
function lineOf(studio, { path, start }) {
    const text = studio.files.file(path)?.text;
    return text === undefined ? "" : `:${text.slice(0, start).split("\n").length}`;
}
