// The page of the server: the lobby, the page of a game, a match.

import { html, render } from "./html.js";
import { Announcer, Banners, complain } from "./shell/announce.js";
import { Credits } from "./shell/credits.js";
import { headerOf, useDroppedLogs } from "./shell/dropped_logs.js";
import { GamePage } from "./shell/game_page.js";
import { Guarded } from "./shell/guarded.js";
import { Header } from "./shell/server_header.js";
import { Lobby } from "./shell/lobby.js";
import { connect, MatchPage } from "./shell/match_page.js";
import { Link, listenToHistory, route } from "./shell/navigation.js";
import { applySettings } from "./shell/settings.js";
import { ViewTitle } from "./shell/view_title.js";
import { readMessagesFrom, t } from "./i18n.js";

/** @import { Route } from "./shell/navigation.js" */

function App() {
    useDroppedLogs(tellOfLog);
    return html`<${Guarded} news=${route.value}><${View} route=${route.value} /><//><${Banners} /><${Announcer} />`;
}

/**
 * A server keeps the seeds of its matches, and goes on with no log: where it can be opened is said.
 * @param {string} text
 */
function tellOfLog(text) {
    const header = headerOf(text);
    complain(header && isName(header.game) ? t("log-elsewhere", { game: header.game }) : { code: "not-a-log" });
}

/** A name that may stand in a command which people copy. @param {unknown} game @returns {game is string} */
const isName = (game) => typeof game === "string" && /^\w[\w-]{0,99}$/.test(game);

/** @param {{route: Route}} props */
function View({ route: here }) {
    switch (here.view) {
        case "lobby":
            return html`<${Lobby} lost=${here.lost} />`;
        case "game":
            return html`<${GamePage} key=${here.game} name=${here.game} />`;
        case "match":
            return html`<${MatchPage} key=${here.match} match=${here.match} seat=${here.seat} />`;
        case "about":
            return html`<${About} />`;
        default:
            return html`<${Lost} />`;
    }
}

function About() {
    return html`<${Header} /><main id="main" class="narrow" tabindex="-1">
        <${ViewTitle} title=${t("credits")}>${t("credits")}<//>
        <${Credits} />
        <p><${Link} to="/" class="button">${t("to-lobby")}<//></p>
    </main>`;
}

function Lost() {
    return html`<${Header} /><main id="main" class="narrow" tabindex="-1">
        <${ViewTitle} title=${t("not-here")}>${t("not-here")}<//>
        <p><${Link} to="/" class="button">${t("to-lobby")}<//></p>
    </main>`;
}

async function start() {
    readMessagesFrom("/web/locales");
    const words = applySettings();
    const here = route.peek();
    if (here.view === "match") {
        connect(here);
    }
    await words;
    listenToHistory();
    render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
}

start();
