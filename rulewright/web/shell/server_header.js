// The bar of a server's page: it leads to the lobby.

import { html } from "../html.js";
import { t } from "../i18n.js";
import { Bar, Mark } from "./header.js";
import { Link } from "./navigation.js";
import { TurnNotices } from "./turn_notices.js";

/** What leads to the lobby. */
export function Home() {
    return html`<${Link} to="/" class="home" aria-label=${t("home")}><${Mark} /><//>`;
}

/** The bar of a view that is no table. */
export function Header() {
    return html`<${Bar} home=${html`<${Home} />`} notices=${html`<${TurnNotices} />`} />`;
}
