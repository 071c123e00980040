// The lobby: one's matches, those that can be joined or watched, and the games.

import * as api from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { language, t } from "../i18n.js";
import { complain } from "./announce.js";
import { Waiting, useLoaded } from "./loading.js";
import { MatchList, UnreadableMatches } from "./match_list.js";
import { go, Link } from "./navigation.js";
import { Header } from "./server_header.js";
import { ViewTitle } from "./view_title.js";

/** @import { FieldEvent, GameSummary, Trouble } from "../types.d.ts" */

const AGAIN = 10_000;

/** @param {{ lost: string | null }} props */
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
                      <${MatchList} title=${t("watch-matches")} matches=${matches.watch} kind="watch" />
                      <${UnreadableMatches} matches=${matches.unreadable} />`
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

/** @param {{ games: GameSummary[] }} props */
function Games({ games }) {
    const [sought, setSought] = useState("");
    const sorted = games.toSorted((one, other) => one.title.localeCompare(other.title, language.value));
    const fitting = sorted.filter((game) => game.title.toLowerCase().includes(sought.trim().toLowerCase()));
    const search = html`<label class="search"><span class="unseen">${t("search-games")}</span>
        <input type="search" placeholder=${t("search-games")} value=${sought} onInput=${(/** @type {FieldEvent} */ event) => setSought(event.currentTarget.value)} /></label>`;
    return html`${games.length > 12 && search}
        <ul class="games">
            ${fitting.map((game) => html`<li key=${game.game}><${GameCard} game=${game} /></li>`)}
        </ul>
        ${!fitting.length && html`<p class="quiet">${t("no-games")}</p>`}`;
}

/** @param {{ game: GameSummary }} props */
function GameCard({ game }) {
    return html`<${Link} to=${`/game/${encodeURIComponent(game.game)}`} class="card game">
        <span class="thumb"><img src=${game.picture} alt="" loading="lazy" /></span>
        <span class="about"><strong>${game.title}</strong><span class="quiet small">${seatsText(game.seats)}</span>
            ${Boolean(game.provenance?.length) && html`<span class="chip small" title=${t("provenance")}>${t("provenance-short")}</span>`}</span>
    <//>`;
}

/** How many people can play: "2 players", "2 to 4 players". @param {[fewest: number, most: number]} seats */
export function seatsText([fewest, most]) {
    return fewest === most ? t("seats-exactly", { number: most }) : t("seats-range", { fewest, most });
}

/** @param {{ most: number, onDone: () => void }} props */
function Upload({ most, onDone }) {
    const change = async (/** @type {FieldEvent} */ event) => {
        const file = event.currentTarget.files?.[0];
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
            complain(/** @type {Trouble} */ (error));
        }
    };
    return html`<label class="button upload"><input type="file" class="unseen" accept=".zip,application/zip" onChange=${change} />${t("upload")}</label>`;
}
