"""What could be known at a table: who is told, when, and that it is what the rules say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from interpreter.beliefs.seat_log import SeatLog
from interpreter.views import SPECTATOR
from rulewright.serve.matches import beliefs as table_beliefs
from tests.serve.clients import Served, play_out
from tests.serve.test_tables import at_table, run, seated


def address(match: str, seq: int, seat: int | None = None) -> str:
    asked = "" if seat is None else f"&seat={seat}"
    return f"/api/matches/{match}/beliefs?seq={seq}{asked}"


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
        match, browsers = await seated(served, "kuhn_poker", 2)
        async with at_table(match, browsers) as players:
            await play_out(players, most=100)
        for asked in ("", "?seq=x", "?seq=-1", "?seq=9999", "?seq=1&seat=7", "?seq=1&by=9", "?seq=1&by=x"):
            found = await browsers[0].get(f"/api/matches/{match}/beliefs{asked}", 400)
            assert found["error"]["code"] == "malformed"

    run(tmp_path, act, "kuhn_poker")


def test_who_takes_too_long_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says so, and the server goes on."""
    monkeypatch.setattr(table_beliefs, "LONGEST", 0.05)

    async def act(served: Served) -> None:
        match, browsers = await seated(served, "kuhn_poker", 2)
        async with at_table(match, browsers) as players:
            await play_out(players, most=100)
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
        match, browsers = await seated(served, "kuhn_poker", 2)
        async with at_table(match, browsers) as players:
            await play_out(players, most=100)
        for _ in range(2):
            await browsers[0].get(address(match, 1, 1))
        live = await served.service.open(match)
        assert [log.seat for log in given] == [1]  # the second answer was kept
        assert given[0].moments == SeatLog.of(live.match, 1).moments[:1]

    run(tmp_path, act, "kuhn_poker")
