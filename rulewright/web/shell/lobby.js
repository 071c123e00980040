// The lobby: one's matches, those that can be joined or watched, and the games.

import * as api from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { language, t } from "../i18n.js";
import { complain } from "./announce.js";
import { ANYTHING, found, LENGTHS, lineOf, minutesOf, SORTS, WEIGHTS } from "./game_search.js";
import { Icon } from "./icons.js";
import { Waiting, useLoaded } from "./loading.js";
import { MatchList, UnreadableMatches } from "./match_list.js";
import { go, Link } from "./navigation.js";
import { playNow } from "./play_now.js";
import { Header } from "./server_header.js";
import { ViewTitle } from "./view_title.js";

/** @import { FieldEvent, GameSummary, Press, SelectEvent, Trouble } from "../types.d.ts" @import { Sought } from "./game_search.js" */

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
                ? html`<${MatchList} title=${t("my-matches")} matches=${matches.mine} kind="mine" again=${again} />
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
    const [sought, setSought] = useState(ANYTHING);
    const fitting = found(games, sought);
    const set = (/** @type {Partial<Sought>} */ part) => setSought((old) => ({ ...old, ...part }));
    const search = html`<search class="finding">
        <label class="search"><span class="unseen">${t("search-games")}</span>
            <input type="search" placeholder=${t("search-games")} value=${sought.words} onInput=${(/** @type {FieldEvent} */ event) => set({ words: event.currentTarget.value })} /></label>
        <${Filters} games=${games} sought=${sought} set=${set} />
        <p class="quiet small" role="status">${t("games-found", { number: fitting.length })}</p>
    </search>`;
    return html`${games.length > 12 && search}
        <ul class="games">
            ${fitting.map((game) => html`<li key=${game.game}><${GameCard} game=${game} players=${sought.players} /></li>`)}
        </ul>
        ${!fitting.length && html`<p class="quiet">${t("no-games")} <button type="button" class="slim" onClick=${() => setSought(ANYTHING)}>${t("clear-filters")}</button></p>`}`;
}

/** @param {{ games: GameSummary[], sought: Sought, set: (part: Partial<Sought>) => void }} props */
function Filters({ games, sought, set }) {
    const most = Math.max(...games.flatMap(({ seats }) => seats));
    const tags = [...new Set(games.flatMap((game) => game.tags))].map((tag) => [tag, t(`tag-${tag}`)]).sort(([, one], [, other]) => one.localeCompare(other, language.value));
    const players = Array.from({ length: most }, (_, index) => [String(index + 1), String(index + 1)]);
    const measured = games.some(({ weight }) => weight);
    /** @type {[name: Exclude<keyof Sought, "words">, values: string[][]][]} */
    const fields = [
        ["players", players],
        ["tag", tags],
        ...(measured ? /** @type {[name: "length" | "weight", values: string[][]][]} */ ([
            ["length", LENGTHS.map((it) => [it, t(`find-length-${it}`)])],
            ["weight", WEIGHTS.map((it) => [it, t(`weight-${it}`)])],
        ]) : []),
        ["sort", SORTS.filter((it) => measured || it === "title").map((it) => [it, t(`sort-${it}`)])],
    ];
    return html`<details open=${matchMedia("(min-width: 40rem)").matches}><summary>${t("filters")}</summary><div class="filters">${fields.map(([name, values]) => html`<label class="field" key=${name}><span>${t(`find-${name}`)}</span>
        <select value=${sought[name]} onChange=${(/** @type {SelectEvent} */ event) => set({ [name]: event.currentTarget.value })}>
            ${name !== "sort" && html`<option value="">${t(`find-${name}-any`)}</option>`}
            ${values.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>`)}</div></details>`;
}

/** @param {{ game: GameSummary, players: string }} props */
function GameCard({ game, players }) {
    const minutes = minutesOf(game, players);
    const facts = [seatsText(game.seats), minutes !== undefined && t("about-minutes", { minutes }), game.weight && t(`weight-${game.weight}`)];
    return html`<div class="card game">
        <${Link} to=${`/game/${encodeURIComponent(game.game)}`}>
            <span class="thumb"><img src=${game.picture} alt="" loading="lazy" /></span>
            <span class="about"><strong>${game.title}</strong><span class="says">${lineOf(game.says)}</span><span class="quiet small">${facts.filter(Boolean).join(" · ")}</span>
                ${Boolean(game.provenance?.length) && html`<span class="chip small" title=${t("provenance")}>${t("provenance-short")}</span>`}</span>
        <//>
        <button type="button" class="slim" title=${t("play-now-about")} aria-label=${`${t("play-now")}: ${game.title}`} onClick=${(/** @type {Press} */ event) => playNow(game.game, event.currentTarget)}>
            <${Icon} name="play" />${t(game.seats[game.seats.length - 1] > 1 ? "play-now" : "play-on")}</button>
    </div>`;
}

/** How many people can play: "2 players", "2 to 4 players", "2 or 4 players". @param {number[]} counts Rising. */
export function seatsText(counts) {
    const [fewest, most] = [counts[0], counts[counts.length - 1]];
    if (fewest === most) return t("seats-exactly", { number: most });
    if (most - fewest < counts.length) return t("seats-range", { fewest, most });
    const numbers = new Intl.ListFormat(language.value, { type: "disjunction" }).format(counts.map(String));
    return t("seats-some", { numbers });
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
