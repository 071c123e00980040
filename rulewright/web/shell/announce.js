// What a screen reader says without the focus going there, and errors that everybody sees.

import { html, signal } from "../html.js";
import { known, t } from "../i18n.js";
import { Icon } from "./icons.js";

/** @import { Diagnostic, Signal, Trouble } from "../types.d.ts" */

const polite = signal("");
/** @type {Signal<{ text: string, key: number }[]>} */
const banners = signal([]);
let count = 0;
const MOST_DIAGNOSTICS = 5;
/** Milliseconds after which a short error goes by itself. */
const SHOWN = 15_000;

/** Says something politely. The same text twice is said twice. @param {string} text */
export function announce(text) {
    count += 1;
    polite.value = text + (count % 2 ? "\u00a0" : "");
}

/** Shows an error until it is dismissed, or for a while if it is short; an `ApiError` or `Refused` by its code. @param {string | Trouble} error */
export function complain(error) {
    const text = typeof error === "string" ? error : errorText(error);
    count += 1;
    const key = count;
    banners.value = [...banners.value.filter((banner) => banner.text !== text), { text, key }].slice(-3);
    (typeof error !== "string" && error.diagnostics?.length) || setTimeout(dismiss, SHOWN, key);
}

/** @param {number} key */
function dismiss(key) {
    banners.value = banners.value.filter((banner) => banner.key !== key);
}

/** What is said of an error. @param {Trouble} error */
export function errorText(error) {
    const id = `error-${error.code}`;
    const said = error.code && known(id) ? t(id) : t("error-unknown", { text: error.message || error.code || "" });
    const details = (error.diagnostics ?? []).slice(0, MOST_DIAGNOSTICS).map(diagnosticText);
    return [said, ...details].join(details.length > 1 ? "\n" : " ");
}

/** A mistake in a ruleset or in its options, with its place. @param {Diagnostic} diagnostic */
function diagnosticText({ file, line, column, message, help, code }) {
    const place = file && line ? `${file.split("/").slice(-2).join("/")}:${line}:${column}: ` : "";
    return `${place}${message}${help ? ` (${help})` : ""}${place ? ` [${code}]` : ""}`;
}

/** The errors of the page have no place any more. */
export function clearBanners() {
    banners.value = [];
}

/** The live region, once on the page. */
export function Announcer() {
    return html`<div class="unseen" role="status" aria-live="polite">${polite.value}</div>`;
}

/** The errors, once on the page. */
export function Banners() {
    return html`<div class="banners" role="alert">
        ${banners.value.map(
            ({ text, key }) => html`<div class="banner bad" key=${key}>
                <p>${text}</p>
                <button type="button" class="icon plain" aria-label=${t("dismiss")} onClick=${() => dismiss(key)}><${Icon} name="close" /></button>
            </div>`,
        )}
    </div>`;
}
