// A part of the page that may fail without taking the rest with it.

import { html, useEffect, useErrorBoundary } from "../html.js";
import { t } from "../i18n.js";

/** Shows its children; if they fail, that they have, and tries again when `news` change. @param {{ news: unknown, children?: unknown }} props */
export function Guarded({ news, children }) {
    const [error, again] = useErrorBoundary((failed) => console.error(failed));
    useEffect(() => {
        if (error) {
            again();
        }
    }, [news]);
    return error
        ? html`<div class="banner bad" role="alert"><p>${t("error-unknown", { text: error.message })}</p>
              <button type="button" onClick=${() => location.reload()}>${t("load-again")}</button></div>`
        : children;
}
