"""Who plays where nobody has named a bot: nobody is given an opponent without being told which."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from interpreter.bots import names
from interpreter.bots.names import OFFERED, RANDOM, USUAL, bot_named, offered_bots, usual_bot
from interpreter.bots.search import SearchBot
from interpreter.bots.tree_search import TreeSearch
from interpreter.match import Match
from rulewright.library import open_game
from rulewright.matches.seats import HUMAN, seats_of
from rulewright.serve.matches.automatic import search_for
from tests.games import rules_of
from tests.serve.clients import serving
from tests.serve.test_uploads import ruleset, zipped


def test_the_usual_bot_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(bot_named(usual_bot()), SearchBot)
    assert (usual_bot(), offered_bots()) == (USUAL, OFFERED)
    assert (usual_bot(searching=False), offered_bots(searching=False)) == (RANDOM, (RANDOM,))
    monkeypatch.setattr(names, "find_spec", lambda _: None)
    assert (usual_bot(), offered_bots()) == (RANDOM, (RANDOM,))


def test_at_a_terminal_the_usual_bot_plays_and_without_one_people_are_stood_in_for() -> None:
    rules = rules_of("chess")
    assert seats_of(rules, None, None, True) == [HUMAN, USUAL]
    assert seats_of(rules, None, None, False) == [HUMAN, HUMAN]


def test_a_server_seats_the_usual_bot_and_says_which_one_plays(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe") as served:
            ann = served.browser()
            game = await ann.get("/api/games/tic_tac_toe")
            assert (game["bots"], game["usual_bot"]) == (list(OFFERED), USUAL)
            made = await ann.make("tic_tac_toe", players=["me", "bot"])
            assert [seat["bot"] for seat in made["seats"]] == [None, USUAL]
            made = await ann.make("tic_tac_toe", players=["bot", "me"], bots="hard")
            assert [seat["bot"] for seat in made["seats"]] == ["hard", None]
            made = await ann.make("tic_tac_toe", players=["me", "bot:easy"], bots="hard")
            assert [seat["bot"] for seat in made["seats"]] == [None, "easy"]
            async with ann.seat(made["match"]) as player:
                await player.until(lambda: bool(player.table))
                assert player.table["seats"][1]["bot"] == "easy"
            made = await ann.make("tic_tac_toe", players=["me", "invited"])
            seated = await ann.post(f"/api/matches/{made['match']}/seats/1/bot", {"bot": True})
            assert seated["seats"][1]["bot"] == USUAL
            for players in (["me", "bot:nobody"], ["me", "me:easy"], ["me", "bot:"]):
                await ann.post("/api/matches", {"game": "tic_tac_toe", "seats": 2, "players": players}, 400)

    asyncio.run(main())


def test_under_uploaded_rules_bots_are_random_by_name(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig", uploads=True) as served:
            ann, kind = served.browser(), {"content-type": "application/zip"}
            done = await ann.http.post("/api/games", content=zipped(ruleset()), headers=kind)
            name = done.json()["game"]
            game = await ann.get(f"/api/games/{name}")
            assert (game["bots"], game["usual_bot"]) == ([RANDOM], RANDOM)
            made = await ann.make(name, players=["me", "bot"])
            assert made["seats"][1]["bot"] == RANDOM
            path = f"/api/matches/{made['match']}/seats/1/bot"
            assert (await ann.post(path, {"bot": True}))["seats"][1]["bot"] == RANDOM
            await ann.post(path, {"bot": "easy"}, 400)
            await ann.post("/api/matches", {"game": name, "seats": 2, "players": ["me", "bot:hard"]}, 400)

    asyncio.run(main())


def test_a_bot_of_a_table_searches_a_move_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(open_game("nim"), seed=1).start()
    first = search_for(match, 0, "search:60")
    assert first is not None
    match.choose("A", first(time.perf_counter))
    monkeypatch.setattr(TreeSearch, "run", None)
    second = search_for(match, 0, "search:60")
    assert second is not None
    match.choose("A", second(time.perf_counter))
    assert match.waiting()[0].seat == 1
