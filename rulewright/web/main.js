// The page of the server: the lobby, the page of a game, a match.

import { html, render } from "./html.js";
import { Announcer, Banners } from "./shell/announce.js";
import { GamePage } from "./shell/game_page.js";
import { Guarded } from "./shell/guarded.js";
import { Header } from "./shell/server_header.js";
import { Lobby } from "./shell/lobby.js";
import { connect, MatchPage } from "./shell/match_page.js";
import { Link, listenToHistory, route } from "./shell/navigation.js";
import { applySettings } from "./shell/settings.js";
import { ViewTitle } from "./shell/view_title.js";
import { readMessagesFrom, t } from "./i18n.js";

function App() {
    return html`<${Guarded} news=${route.value}><${View} route=${route.value} /><//><${Banners} /><${Announcer} />`;
}

function View({ route: here }) {
    switch (here.view) {
        case "lobby":
            return html`<${Lobby} lost=${here.lost} />`;
        case "game":
            return html`<${GamePage} key=${here.game} name=${here.game} />`;
        case "match":
            return html`<${MatchPage} key=${here.match} match=${here.match} seat=${here.seat} />`;
        default:
            return html`<${Lost} />`;
    }
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
    if (route.peek().view === "match") {
        connect(route.peek());
    }
    await words;
    listenToHistory();
    render(html`<${App} />`, document.getElementById("page"));
}

start();
