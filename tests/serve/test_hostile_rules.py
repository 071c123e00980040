"""Uploaded rules that loop or explode: refused with a code, and the matches of others go on meanwhile."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from dsl.diagnostics import DiagnosticError
from rulewright.processes.deadline import TimeIsUp
from rulewright.serve.matches import allowance as bounds, live, scheduler
from rulewright.serve.matches.allowance import Allowance
from tests.games import game_of
from tests.serve.clients import Browser, Player, Served, play_out, serving
from tests.serve.test_tables import at_table, seated
from tests.serve.test_uploads import zipped
from tests.serve.test_wire_secrecy import match_row

GAME = """game: hostile
title: Hostile
seats: 2
rules: [hostile.rules]
longest: 40000
counters: {mode: {range: 0..9}, points: {of: seat, range: 0..900}}
options: {extent: {range: 1..2000, default: 1}}
flow:
  turn: {seat: rotates, do: [one_turn], then: {done: final, otherwise: turn}}
  final: {score: highest}
"""
RULES = """procedure one_turn
    if mode is 1
        do one of search, calm
    else
        do one of calm, arm, work

action calm
    gain 1 points

action arm(x from 1..3)
    mode = x

action search(a from 0..300, b from 0..300, c from 0..300)
    needs a + b + c is 0 or a + b + c is 900
    lose 1 points

action work
    if mode is 2
        repeat 100000 times
            gain 1 points
            lose 1 points
    gain 1 points

value done = points of me > 800
value costly = sum(sum(min(x, y + points of me) for y in 0..900) for x in 0..900)
score points = points of me + (costly if mode is 3 else 0)
"""
ZIP = {"content-type": "application/zip"}


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less is allowed than usual, so that the rules here are too costly on every computer."""
    monkeypatch.setattr(bounds, "STRANGERS_SECONDS", 0.1)


async def uploaded(browser: Browser, rules: str = RULES, game: str = GAME) -> str:
    files = {"game.yaml": game.encode(), "hostile.rules": rules.encode()}
    answer = await browser.http.post("/api/games", content=zipped(files), headers=ZIP)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["game"])


@asynccontextmanager
async def hostile_match(folder: Path) -> AsyncIterator[tuple[Served, str, list[Browser], list[Player]]]:
    """A match of the hostile game, with both of its players."""
    async with serving(folder, "tic_tac_toe", uploads=True) as served:
        game = await uploaded(served.browser())
        match, browsers = await seated(served, game, 2)
        async with at_table(match, browsers) as players:
            yield served, match, browsers, players


async def others_go_on(served: Served) -> None:
    """A match of a bundled game is played to its end."""
    match, browsers = await seated(served, "tic_tac_toe", 2)
    async with at_table(match, browsers) as players:
        await play_out(players)
        assert all(player.position["over"] for player in players)


def test_a_choice_that_leads_to_a_costly_offer_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with hostile_match(tmp_path) as (served, match, browsers, (ann, ben)):
            refused = await ann.ask("choose", version=ann.version, words="arm 1")
            assert (refused["type"], refused["code"]) == ("refused", "too-costly")
            assert "too long" in refused["text"]
            again = await ann.ask("choose", version=ann.version, words="calm")
            assert again["code"] == "too-costly", "the rules rest"
            await others_go_on(served)
            served.service.allowance._resting.clear()
            await ann.choose("calm")
            await ben.until(lambda: bool(ben.choices))
            assert (await browsers[0].get(f"/api/matches/{match}"))["status"] == "running"

    asyncio.run(main())


def test_a_player_can_give_up_while_the_rules_rest(tmp_path: Path) -> None:
    async def main() -> None:
        async with hostile_match(tmp_path) as (_, _, _, (ann, ben)):
            refused = await ann.ask("choose", version=ann.version, words="arm 1")
            assert refused["code"] == "too-costly"
            assert (await ben.ask("abandon"))["type"] == "answer"
            assert (await ann.ask("answer", proposal=1, agree=False))["type"] == "ack"
            assert (await ann.ask("resign"))["type"] == "ack"
            await ben.until(lambda: ben.table["status"] == "over")
            assert ben.table["result"] == {"by": "resignation", "seat": 0, "winners": [1]}

    asyncio.run(main())


def test_a_choice_that_loops_is_refused(tmp_path: Path) -> None:
    async def main() -> None:
        async with hostile_match(tmp_path) as (served, _, _, (ann, ben)):
            await ann.choose("arm 2")
            await ben.until(lambda: bool(ben.choices))
            refused = await ben.ask("choose", version=ben.version, words="work")
            assert refused["code"] == "too-costly"
            await others_go_on(served)

    asyncio.run(main())


def test_views_that_take_too_long_are_told_as_such(tmp_path: Path) -> None:
    """So are all requests that look at such a position; its lists and pages are there."""

    async def main() -> None:
        async with hostile_match(tmp_path) as (served, match, browsers, (ann, ben)):
            answer = await ann.ask("choose", version=ann.version, words="arm 3")
            assert answer["type"] == "ack"
            for player in (ann, ben):
                await player.until(lambda p=player: bool(p.errors))
                assert [error["code"] for error in player.errors] == ["too-costly"]
            for kind, fields in (("account", {}), ("at", {"seq": 2}), ("why", {"words": "arm 2"})):
                served.service.allowance._resting.clear()
                refused = await ben.ask(kind, **fields)
                assert (refused["type"], kind) == ("answer" if kind == "why" else "refused", kind)
                assert kind == "why" or refused["code"] == "too-costly"
            served.service.allowance._resting.clear()
            late = browsers[1].socket(match)
            async with late as socket:
                player = Player(socket)
                await player.hello()
                await player.until(lambda: bool(player.errors))
                assert player.errors[0]["code"] == "too-costly"
            log = await browsers[0].http.get(f"/api/matches/{match}/log?seat=0")
            assert log.status_code == 503
            assert log.json()["error"]["code"] == "too-costly"
            assert (await browsers[0].get("/api/matches"))["mine"]
            await others_go_on(served)

    asyncio.run(main())


def test_bots_of_a_costly_game_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They play while the rules have a share left; then they wait, and go on."""
    monkeypatch.setattr(bounds, "REST", 0.1)
    monkeypatch.setattr(scheduler, "AGAIN", 100)
    calm = RULES.replace("x from 1..3", "x from 4..5")

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            visitor = served.browser()
            made = await visitor.make(await uploaded(visitor, calm), players=["bot", "bot"])
            await others_go_on(served)
            allowance, before = served.service.allowance, 0
            for left in (-0.05, -0.1):
                allowance._saved = left
                live = await served.service.open(made["match"])
                assert live.running
                while (await served.service.open(made["match"])).log.length <= before + 2:
                    await asyncio.sleep(0.02)
                before = live.log.length

    asyncio.run(main())


def test_rules_that_are_costly_at_once_are_refused_as_an_upload(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            visitor = served.browser()
            files = {
                "game.yaml": GAME.encode(),
                "hostile.rules": RULES.replace("if mode is 1", "if mode is 0").encode(),
            }
            answer = await visitor.http.post("/api/games", content=zipped(files), headers=ZIP)
            assert answer.status_code == 422
            assert answer.json()["error"]["diagnostics"][0]["code"] == "R227"

    asyncio.run(main())


def test_a_match_whose_rules_rest_says_so_to_who_opens_it(tmp_path: Path) -> None:
    """Nobody is told that it is gone; the page connects again by itself."""

    async def main() -> None:
        async with hostile_match(tmp_path) as (served, match, browsers, (ann, _)):
            refused = await ann.ask("choose", version=ann.version, words="arm 1")
            assert refused["code"] == "too-costly"
            live = await served.service.open(match)
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            allowance = served.service.allowance
            allowance._resting[live.row.digest] = allowance._clock() + 60
            browser = served.browser()
            browser.http.cookies.update(browsers[0].http.cookies)
            async with browser.socket(match, 0) as socket:
                told = json.loads(await socket.recv())
                assert (told["type"], told["code"]) == ("error", "too-costly")
                with pytest.raises(ConnectionClosed):
                    await socket.recv()
                assert socket.close_code == 1013
            allowance._resting.clear()
            async with browser.seat(match, 0) as player:
                await player.until(lambda: bool(player.choices))

    asyncio.run(main())


def test_a_match_that_takes_too_long_to_be_opened_is_not_tried_at_once_again() -> None:
    now, row = [100.0], match_row(game_of("pig", 2))
    allowance = Allowance(clock=lambda: now[0])

    def opened() -> None:
        with allowance.running(row, opening=True):
            raise TimeIsUp

    for _ in range(2):
        with pytest.raises(DiagnosticError, match="too long"):
            opened()
    with pytest.raises(DiagnosticError), allowance.running(row, opening=True):
        raise AssertionError("it was tried again")
    with allowance.running(row), allowance.running(replace(row, id="other"), opening=True):
        pass
    now[0] += bounds.REST + 1
    with allowance.running(row, opening=True):
        pass


def test_rules_do_not_pay_for_the_garbage_of_others() -> None:
    """A search for garbage goes through all that the server keeps; within a piece of work there is none."""
    searches: list[str] = []

    def searched(phase: str, _: dict[str, int]) -> None:
        searches.append(phase)

    gc.callbacks.append(searched)
    try:
        with Allowance().running(match_row(game_of("pig", 2))):
            kept = [[number] for number in range(5 * gc.get_threshold()[0])]
            assert searches == []
        kept += [[number] for number in range(5 * gc.get_threshold()[0])]
        assert searches
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(searched)


def test_what_happens_in_a_choice_and_in_a_match_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it stays in memory, is sent to everybody, and is written into snapshots."""
    monkeypatch.setattr(bounds, "STRANGERS_EVENTS", 100)
    monkeypatch.setattr(bounds, "STRANGERS_TOLD", 300)
    much = RULES.replace("repeat 100000 times", "repeat 60 times").replace("1..3", "1..2")
    few = much.replace("repeat 60 times", "repeat 40 times")

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            for rules, fits in ((much, 0), (few, 3)):
                match, browsers = await seated(served, await uploaded(served.browser(), rules), 2)
                async with at_table(match, browsers) as (ann, ben):
                    await ann.choose("arm 2")
                    for player in [ben, ann] * (fits // 2) + [ben] * (fits % 2):
                        await player.until(lambda p=player: bool(p.choices))
                        await player.choose("work")
                    last = ann if fits % 2 else ben
                    await last.until(lambda p=last: bool(p.choices))
                    refused = await last.ask("choose", version=last.version, words="work")
                    assert (refused["type"], refused["code"]) == ("refused", "too-costly")
                    assert "too much happen" in refused["text"]

    asyncio.run(main())


def test_few_positions_of_a_large_game_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And its spectators are not as far behind as there are none."""
    game = game_of("pig", 2)
    monkeypatch.setattr(live, "MOST_WORDS", 5 * len(game.executor.initial_state()))

    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            visitor, body = served.browser(), {"game": "pig", "players": ["me", "bot"]}
            refused = await visitor.post("/api/matches", {**body, "spectators": {"delay": 6}}, 400)
            assert "5 choices behind" in refused["error"]["text"]
            match = (await visitor.make("pig", players=["me", "me"], spectators={"delay": 5}))["match"]
            async with visitor.seat(match, 0) as ann, visitor.seat(match, 1) as ben:
                for player in (ann, ben):
                    await player.until(lambda p=player: bool(p.position))
                await play_out([ann, ben], most=12)
            assert len((await served.service.open(match)).match.history) == 5

    asyncio.run(main())


@pytest.mark.long
def test_what_is_made_of_uploaded_rules_is_made_in_a_bounded_process(tmp_path: Path) -> None:
    """Its picture, its rulebook and its clauses."""

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            visitor = served.browser()
            game = await uploaded(visitor)
            assert (await visitor.http.get(f"/api/games/{game}/picture.svg")).text.startswith("<svg")
            assert "<html" in (await visitor.http.get(f"/api/games/{game}/rulebook")).text
            assert (await visitor.get(f"/api/games/{game}/clauses")) == {"clauses": {}}

    asyncio.run(main())


def test_configurations_and_pictures_that_take_too_long_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are tried in a bounded process first, and what was refused is not tried again at once."""
    from rulewright.serve.games import bounded_process

    async def main() -> None:
        async with serving(tmp_path, "tic_tac_toe", uploads=True) as served:
            visitor = served.browser()
            game = await uploaded(visitor)
            blocked = (*bounded_process.command_of("time")[:3], "import time; time.sleep(60)")
            monkeypatch.setattr(bounded_process, "command_of", lambda module: blocked)
            monkeypatch.setattr(bounded_process, "LONGEST", 0.3)
            for _ in range(2):
                body = {"game": game, "seats": 2, "options": {"extent": "1999"}}
                refused = await visitor.post("/api/matches", body, 422)
                assert "time or memory" in refused["error"]["text"]
                picture = await visitor.http.get(f"/api/games/{game}/picture.svg")
                assert picture.status_code == 422
                monkeypatch.setattr(bounded_process, "command_of", lambda module: ("no such program",))
            await others_go_on(served)

    asyncio.run(main())
