// The bar at the top of every view.

import { html, useState } from "../html.js";
import { t } from "../i18n.js";
import { HelpDialog } from "./help_dialog.js";
import { Icon } from "./icons.js";
import { useKeys } from "./keys.js";
import { Link } from "./navigation.js";
import { SettingsDialog } from "./settings_dialog.js";

/** A button that is an icon with a name. */
export function IconButton({ name, icon, onClick, ...rest }) {
    return html`<button type="button" class="icon plain" aria-label=${name} title=${name} onClick=${onClick} ...${rest}>
        <${Icon} name=${icon} />
    </button>`;
}

/** The bar. `children` stand in its middle, `tools` before the settings, `settings` inside their dialog. */
export function Header({ children, tools, settings, home = true }) {
    const [open, setOpen] = useState(null);
    const close = () => setOpen(null);
    useKeys({ "?": () => setOpen("help") });
    const mark = html`<span class="mark" aria-hidden="true"></span><span class="wordmark">Rulewright</span>`;
    return html`<header class="bar">
        <a class="skip" href="#main">${t("skip")}</a>
        ${home
            ? html`<${Link} to="/" class="home" aria-label=${t("home")}>${mark}<//>`
            : html`<span class="home">${mark}</span>`}
        <div class="middle">${children}</div>
        <div class="tools" role="group" aria-label=${t("tools")}>
            ${tools}
            <${IconButton} name=${t("help")} icon="help" onClick=${() => setOpen("help")} />
            <${IconButton} name=${t("settings")} icon="settings" onClick=${() => setOpen("settings")} />
        </div>
        ${open === "settings" && html`<${SettingsDialog} onClose=${close}>${settings}<//>`}
        ${open === "help" && html`<${HelpDialog} onClose=${close} />`}
    </header>`;
}
