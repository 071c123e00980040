// Copying a text, where the browser allows it and where it does not.

import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { announce, complain } from "./announce.js";
import { Icon } from "./icons.js";

/** @import { Trouble } from "../types.d.ts" @import { IconName } from "./icons.js" */

/** Copies a text. A page that is not served by https may copy only what is selected. @param {string} text */
export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = Object.assign(document.createElement("textarea"), { value: text });
        (document.querySelector("dialog[open]") ?? document.body).append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    announce(t("copied"));
}

/**
 * A button that copies a text, which is made when it is pressed.
 * @param {{ name: string, icon: IconName, text: () => string | Promise<string>, class?: string }} props
 */
export function CopyButton({ name, icon, text, class: classes = "slim" }) {
    const [copied, setCopied] = useState(false);
    const copy = async () => {
        try {
            await copyText(await text());
            setCopied(true);
        } catch (error) {
            complain(/** @type {Trouble} */ (error));
        }
    };
    return html`<button type="button" class=${classes} onClick=${copy}><${Icon} name=${icon} />${name}${copied && html` <span class="quiet">✓</span>`}</button>`;
}
