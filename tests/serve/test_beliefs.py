"""What could be known at a table: who is told, when, and that it is what the rules say."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from interpreter.beliefs.seat_log import SeatLog
from interpreter.sights import SPECTATOR
from rulewright.serve.matches import beliefs as table_beliefs
from rulewright.serve.matches.replays import Replay
from tests.serve.clients import Browser, Served, play_out
from tests.serve.test_tables import at_table, run, seated


def address(match: str, seq: int, seat: int | None = None) -> str:
    asked = "" if seat is None else f"&seat={seat}"
    return f"/api/matches/{match}/beliefs?seq={seq}{asked}"


async def played(served: Served) -> tuple[str, list[Browser]]:
    """A match of Kuhn poker that has ended, and the browsers of its players."""
    match, browsers = await seated(served, "kuhn_poker", 2)
    async with at_table(match, browsers) as players:
        await play_out(players, most=100)
    return match, browsers


def chances(answer: dict[str, Any], place: str) -> dict[str, float]:
    return {name: found["chance"] for name, found in answer["hidden"][place].items()}


def test_after_the_end_all_is_told(tmp_path: Path) -> None:
    """In Kuhn poker each other card is as likely at first, and the true one is named."""

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "kuhn_poker", 2)
        async with at_table(match, browsers) as players:
            first = len(players[0].entries)
            await play_out(players, most=100)
        live = await served.service.open(match)
        hands = live.match.history[0][0]
        answer = await browsers[1].get(address(match, first, 0))
        assert answer["exactness"]["kind"] == "exact"
        assert sorted(chances(answer, "hand of B").values()) == [pytest.approx(0.5)] * 2
        (card,) = answer["true"]["hand of B"]
        assert card in chances(answer, "hand of B")
        view = live.match.game.views.view(hands, 1)
        assert view.zones["hand of B"] == [card]
        assert live.match.game.names.place(answer["places"]["hand of B"]) == "hand of B"
        all_seen = await browsers[1].get(address(match, len(players[0].entries), 0) + "&by=-2")
        assert "exactness" in all_seen

    run(tmp_path, act, "kuhn_poker")


def test_before_the_end_only_those_who_watch_are_told(tmp_path: Path) -> None:
    """From what all seats were told alone; whoever plays is told nothing, and nobody of a seat."""

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "leduc_poker", 2, visibility="open")
        watcher = served.browser()
        async with at_table(match, browsers) as players:
            seq = len(players[0].entries)
            answer = await watcher.get(address(match, 1))
            assert set(answer["hidden"]) >= {"hand of A", "hand of B"}
            assert "true" not in answer
            for seat in (0, 1):
                assert (await watcher.get(address(match, seq, seat), 409))["error"]["code"] == "not-now"
            assert (await browsers[0].get(address(match, 1), 409))["error"]["code"] == "not-now"
            assert (await browsers[0].get(address(match, 1, 0), 409))["error"]["code"] == "not-now"

    run(tmp_path, act, "leduc_poker")


def test_spectators_are_behind(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        spectators = {"allowed": True, "delay": 50}
        match, browsers = await seated(served, "leduc_poker", 2, visibility="open", spectators=spectators)
        watcher = served.browser()
        async with at_table(match, browsers) as players:
            async with watcher.seat(match, SPECTATOR) as behind:
                await behind.until(lambda: bool(behind.position))
                known = len(behind.entries)
            await play_out(players, most=2)
            await watcher.get(address(match, known))
            found = await watcher.get(address(match, known + 1), 400)
            assert found["error"]["code"] == "malformed"

    run(tmp_path, act, "leduc_poker")


def test_what_cannot_be_asked(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        match, browsers = await played(served)
        for asked in ("", "?seq=x", "?seq=-1", "?seq=9999", "?seq=1&seat=7", "?seq=1&by=9", "?seq=1&by=x"):
            found = await browsers[0].get(f"/api/matches/{match}/beliefs{asked}", 400)
            assert found["error"]["code"] == "malformed"

    run(tmp_path, act, "kuhn_poker")


def test_who_takes_too_long_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says so, and the server goes on."""
    monkeypatch.setattr(table_beliefs, "LONGEST", 0.05)

    async def act(served: Served) -> None:
        match, browsers = await played(served)
        assert await browsers[0].get(address(match, 1, 0)) == {"failed": ""}
        monkeypatch.setattr(table_beliefs, "LONGEST", 20.0)
        assert "hidden" in await browsers[0].get(address(match, 1, 0))

    run(tmp_path, act, "kuhn_poker")


def test_the_process_is_given_no_more_than_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the position nor the seed nor the log of another seat."""
    given: list[SeatLog] = []
    worked_out = table_beliefs.TableBeliefs._worked_out

    async def noted(self: table_beliefs.TableBeliefs, row: Any, log: SeatLog) -> dict[str, Any]:
        given.append(log)
        return await worked_out(self, row, log)

    monkeypatch.setattr(table_beliefs.TableBeliefs, "_worked_out", noted)

    async def act(served: Served) -> None:
        match, browsers = await played(served)
        for _ in range(2):
            await browsers[0].get(address(match, 1, 1))
        live = await served.service.open(match)
        assert [log.seat for log in given] == [1]  # the second answer was kept
        assert given[0].moments == SeatLog.of(live.match, 1).moments[:1]

    run(tmp_path, act, "kuhn_poker")


def test_what_nobody_waits_for_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves on does not keep the others waiting."""
    output_of, given_up = table_beliefs.output_of, asyncio.Event()

    async def endless(*_: Any) -> bytes:
        try:
            await asyncio.sleep(1000)
        finally:
            given_up.set()
        return b""

    monkeypatch.setattr(table_beliefs, "output_of", endless)

    async def act(served: Served) -> None:
        match, browsers = await played(served)
        for _ in range(2):
            given_up.clear()
            gone = [browsers[0].http.get(address(match, seq, 0), timeout=0.4) for seq in (1, 2, 3)]
            for one in await asyncio.gather(*gone, return_exceptions=True):
                assert isinstance(one, httpx.ReadTimeout)
            async with asyncio.timeout(5):
                await given_up.wait()
        monkeypatch.setattr(table_beliefs, "output_of", output_of)
        async with asyncio.timeout(20):
            assert "hidden" in await browsers[1].get(address(match, 1, 0))

    run(tmp_path, act, "kuhn_poker")


def test_of_one_address_few_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait behind them; who asks too much may ask again."""
    monkeypatch.setattr(table_beliefs, "MOST_WAITING", 2)

    async def act(served: Served) -> None:
        match, browsers = await played(served)
        asked = [browsers[0].http.get(address(match, seq, 0)) for seq in (1, 2, 3, 4)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert int(refused.headers["Retry-After"]) > 0
        for seq in (1, 2, 3, 4):
            assert "hidden" in await browsers[0].get(address(match, seq, 0))

    run(tmp_path, act, "kuhn_poker")


def test_an_answer_is_kept_with_all_that_belongs_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match is not replayed for it again; after the end it is another one."""
    replays: list[int] = []
    whole = Replay.whole

    async def noted(self: Replay, live: Any, step: int) -> Any:
        replays.append(step)
        return await whole(self, live, step)

    monkeypatch.setattr(Replay, "whole", noted)

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "kuhn_poker", 2, visibility="open")
        watcher = served.browser()
        async with at_table(match, browsers) as players:
            before = [await watcher.get(address(match, 1)) for _ in range(3)]
            assert before[0] == before[1] == before[2]
            assert "true" not in before[0]
            assert len(replays) == 1
            await play_out(players, most=100)
        after = [await watcher.get(address(match, 1)) for _ in range(2)]
        assert after[0] == after[1] == {**before[0], "true": after[0]["true"]}
        assert len(replays) == 2

    run(tmp_path, act, "kuhn_poker")
