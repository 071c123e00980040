// The lobby: one's matches, those that can be joined or watched, and the games.

import * as api from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { language, t } from "../i18n.js";
import { complain } from "./announce.js";
import { Waiting, useLoaded } from "./loading.js";
import { MatchList } from "./match_list.js";
import { go, Link } from "./navigation.js";
import { Header } from "./server_header.js";
import { ViewTitle } from "./view_title.js";

const AGAIN = 10_000;

export function Lobby({ lost }) {
    const [games, gamesError, gamesAgain] = useLoaded(api.games, []);
    const [server] = useLoaded(api.server, []);
    const [matches, matchesError, again] = useLoaded(api.matches, []);
    useEffect(() => {
        const timer = setInterval(() => !document.hidden && again(), AGAIN);
        return () => clearInterval(timer);
    }, []);
    return html`<${Header} />
        <main id="main" class="lobby" tabindex="-1">
            <${ViewTitle} class="unseen">${t("lobby")}<//>
            ${lost && html`<div class="banner bad" role="alert"><p>${t("lost-seat")}</p></div>`}
            ${matches
                ? html`<${MatchList} title=${t("my-matches")} matches=${matches.mine} kind="mine" />
                      <${MatchList} title=${t("open-matches")} matches=${matches.open} kind="open" />
                      <${MatchList} title=${t("watch-matches")} matches=${matches.watch} kind="watch" />`
                : matchesError && html`<${Waiting} error=${matchesError} again=${again} />`}
            <section aria-labelledby="games">
                <div class="row apart section-head">
                    <h2 id="games">${t("games")}</h2>
                    ${server?.uploads && html`<${Upload} most=${server.most_upload} onDone=${gamesAgain} />`}
                </div>
                ${games ? html`<${Games} games=${games.games} />` : html`<${Waiting} error=${gamesError} again=${gamesAgain} />`}
            </section>
        </main>`;
}

function Games({ games }) {
    const [sought, setSought] = useState("");
    const named = games.map((game) => ({ ...game, name: titleOf(game) }));
    named.sort((one, other) => one.name.localeCompare(other.name, language.value));
    const fitting = named.filter((game) => game.name.toLowerCase().includes(sought.trim().toLowerCase()));
    const search = html`<label class="search"><span class="unseen">${t("search-games")}</span>
        <input type="search" placeholder=${t("search-games")} value=${sought} onInput=${(event) => setSought(event.currentTarget.value)} /></label>`;
    return html`${games.length > 12 && search}
        <ul class="games">
            ${fitting.map((game) => html`<li key=${game.game}><${GameCard} game=${game} /></li>`)}
        </ul>
        ${!fitting.length && html`<p class="quiet">${t("no-games")}</p>`}`;
}

function GameCard({ game }) {
    return html`<${Link} to=${`/game/${encodeURIComponent(game.game)}`} class="card game">
        <span class="thumb"><img src=${game.picture} alt="" loading="lazy" /></span>
        <span class="about"><strong>${game.name}</strong><span class="quiet small">${seatsText(game.seats)}</span>
            ${Boolean(game.provenance?.length) && html`<span class="chip small" title=${t("provenance")}>${t("provenance-short")}</span>`}</span>
    <//>`;
}

/** The title of a game in the viewer's language. */
export function titleOf(game) {
    return game.titles?.[language.value] ?? game.titles?.en ?? game.title;
}

/** How many people can play: "2 players", "2 to 4 players". */
export function seatsText([fewest, most]) {
    return fewest === most ? t("seats-exactly", { number: most }) : t("seats-range", { fewest, most });
}

function Upload({ most, onDone }) {
    const change = async (event) => {
        const file = event.currentTarget.files[0];
        event.currentTarget.value = "";
        if (!file) {
            return;
        }
        if (file.size > most) {
            complain(t("error-too-large"));
            return;
        }
        try {
            const { game } = await api.upload(file);
            onDone();
            go(`/game/${encodeURIComponent(game)}`);
        } catch (error) {
            complain(error);
        }
    };
    return html`<label class="button upload"><input type="file" class="unseen" accept=".zip,application/zip" onChange=${change} />${t("upload")}</label>`;
}
