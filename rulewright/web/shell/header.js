// The bar at the top of every view.

import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { HelpDialog } from "./help_dialog.js";
import { Icon } from "./icons.js";
import { useKeys } from "./keys.js";
import { SettingsDialog } from "./settings_dialog.js";

/** @import { IconName } from "./icons.js" */

/** A button that is an icon with a name. @param {{ name: string, icon: IconName, onClick: () => void }} props and what else its element has */
export function IconButton({ name, icon, onClick, ...rest }) {
    return html`<button type="button" class="icon plain" aria-label=${name} title=${name} onClick=${onClick} ...${rest}>
        <${Icon} name=${icon} />
    </button>`;
}

/** The name of the program. */
export function Mark() {
    return html`<span class="mark" aria-hidden="true"></span><span class="wordmark">Rulewright</span>`;
}

/**
 * The bar. `home` stands at its start, `children` in its middle, `tools` before the settings, `notices` inside
 * their dialog.
 * @param {{ children?: unknown, tools?: unknown, notices?: unknown, home?: unknown }} props
 */
export function Bar({ children, tools, notices, home }) {
    const [open, setOpen] = useState(/** @type {"help" | "settings" | null} */ (null));
    const close = () => setOpen(null);
    useKeys({ "?": () => setOpen("help") });
    return html`<header class="bar">
        <a class="skip" href="#main">${t("skip")}</a>
        ${home ?? html`<span class="home"><${Mark} /></span>`}
        <div class="middle">${children}</div>
        <div class="tools" role="group" aria-label=${t("tools")}>
            ${tools}
            <${IconButton} name=${t("help")} icon="help" onClick=${() => setOpen("help")} />
            <${IconButton} name=${t("settings")} icon="settings" onClick=${() => setOpen("settings")} />
        </div>
        ${open === "settings" && html`<${SettingsDialog} onClose=${close}>${notices}<//>`}
        ${open === "help" && html`<${HelpDialog} onClose=${close} />`}
    </header>`;
}
