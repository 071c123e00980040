"""Live matches over a store: choosing, sending again, seats, bots, the end."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from dsl.source import Source
from interpreter import ir, log
from interpreter.messages import Fault
from interpreter.replay import replay
from rulewright.library import open_game
from rulewright.serve.matches import scheduler
from rulewright.serve.matches.automatic import is_offered, search_for
from rulewright.serve.matches.interface import Change, SeatRequest
from rulewright.serve.matches.live import LiveMatch, built
from rulewright.serve.matches.service import MatchService
from tests.serve.playing import BOT, CARDS, DICE, HUMAN, TOGETHER, an_offer, choose, play, served, table


def code(refused: pytest.ExceptionInfo[DiagnosticError]) -> str:
    return refused.value.diagnostic.code


@pytest.mark.parametrize("game", [DICE, CARDS, TOGETHER])
def test_a_match_is_the_same_when_it_is_opened_again(address: str, game: str) -> None:
    found: dict[str, object] = {}

    async def begin(service: MatchService) -> None:
        created = await service.create(table(game))
        live = await play(service, created.id, 25)
        found.update(id=created.id, hash=live.match.hash(), steps=live.match.steps, length=live.log.length)

    async def again(service: MatchService) -> None:
        live = await service.open(str(found["id"]))
        assert (live.match.hash(), live.match.steps) == (found["hash"], found["steps"])
        assert live.log.length == found["length"]
        assert [row.seq for row in live.log.rows] == list(range(1, live.log.length + 1))
        rows = service.storage.rows(live.id)
        anew = built(live.row, live.seats, rows, live.game)
        assert (anew.match.hash(), anew.match.steps) == (found["hash"], found["steps"])
        said = [replace(row, data={k: v for k, v in row.data.items() if k != "taken"}) for row in rows]
        assert said != rows
        by_words = built(live.row, live.seats, said, live.game)
        assert (by_words.match.hash(), by_words.match.steps) == (found["hash"], found["steps"])

    served(address, begin)
    served(address, again)


def test_a_request_sent_again_is_answered_and_not_doubled(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table())
        live = await service.open(created.id)
        seat, words = an_offer(live, Random(1))
        send = [service.choose(created.id, seat, "same", live.version(seat), words) for _ in range(5)]
        answers = await asyncio.gather(*send)
        assert len({answer.seq for answer in answers}) == 1
        assert sorted(answer.former for answer in answers) == [False, True, True, True, True]
        await play(service, created.id, 3)
        later = await service.choose(created.id, seat, "same", None, words)
        assert later.former
        assert later.seq == answers[0].seq
        rows = service.storage.rows(created.id)
        assert sum(row.client == f"{seat}:same" for row in rows) == 1

    served(address, act)


def test_what_is_refused_changes_nothing(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table())
        live = await service.open(created.id)
        seat, words = an_offer(live, Random(1))
        told: list[Change] = []
        service.subscribe(created.id, told.append)
        with pytest.raises(Fault):
            await service.choose(created.id, seat, "a", None, "no such thing")
        with pytest.raises(Fault):
            await service.choose(created.id, 1 - seat, "b", None, words)
        with pytest.raises(DiagnosticError) as refused:
            await service.choose(created.id, seat, "c", live.version(seat) - 1, words)
        assert code(refused) == "C454"
        with pytest.raises(DiagnosticError) as refused:
            await service.choose(created.id, 7, "d", None, words)
        assert code(refused) == "C455"
        with pytest.raises(DiagnosticError) as refused:
            await service.choose(created.id, seat, "x" * 101, None, words)
        assert code(refused) == "C455"
        with pytest.raises(DiagnosticError) as refused:
            await service.open("nowhere")
        assert code(refused) == "C453"
        assert await service.open(created.id) is live
        assert told == []
        await service.choose(created.id, seat, "a", live.version(seat), words)
        assert len(told) == 1

    served(address, act)


def test_bots_play_a_match_to_its_end(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(CARDS, BOT, BOT))
        assert created.secrets == {}
        for _ in range(400):
            live = await service.open(created.id)
            if not live.running:
                break
            await asyncio.sleep(0.05)
        assert live.row.status == "over"
        assert live.row.result == {"by": "rules", "winners": [0]} or live.row.result["winners"] in (
            [1],
            [0, 1],
        )
        assert {row.data.get("by") for row in live.log.rows if row.kind == "choice"} == {"bot"}

    served(address, act)


@pytest.mark.parametrize("game", [DICE, CARDS, TOGETHER])
def test_bots_that_search_play_a_match_to_its_end(address: str, game: str) -> None:
    async def act(service: MatchService) -> None:
        bots = (SeatRequest("bot", strategy="search:30"), SeatRequest("bot", strategy="easy"))
        created = await service.create(table(game, *bots))
        beats = 0
        for _ in range(4000):
            live = await service.open(created.id)
            if not live.running:
                break
            await asyncio.sleep(0.005)
            beats += 1
        assert live.row.status == "over"
        assert {row.data.get("by") for row in live.log.rows if row.kind == "choice"} == {"bot"}
        assert beats > 3, "others have had their turn while they thought"

    served(address, act)


def test_a_bot_thinks_of_what_its_seat_knows_alone(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(CARDS))
        live = await service.open(created.id)
        seat = an_offer(live, Random(1))[0]
        search = search_for(live.match, seat, "search:50")
        assert search is not None
        steps, state = list(live.match.steps), live.match.state[:]
        assert is_offered(live.match, seat, search(time.perf_counter))
        assert (live.match.steps, live.match.state) == (steps, state)
        assert not is_offered(live.match, seat, "no such thing")
        assert search_for(live.match, seat, "random") is None
        assert search_for(live.match, 1 - seat, "search:50") is None

    served(address, act)


def test_bots_alone_rest_until_somebody_looks(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "MOST_WITHOUT_PEOPLE", 5)

    async def act(service: MatchService) -> None:
        async def rested() -> LiveMatch:
            while created.id in service.scheduler._automatic:
                await asyncio.sleep(0.01)
            return await service.open(created.id)

        created = await service.create(table(DICE, BOT, BOT))
        live = await rested()
        assert live.running
        assert sum(row.kind == "choice" for row in live.log.rows) == 5
        end = service.subscribe(created.id, lambda _: None)
        assert not (await rested()).running, "whoever looks sees it go on"
        end()

    served(address, act)


def test_a_match_begins_when_its_seats_are_taken(address: str) -> None:
    async def act(service: MatchService) -> None:
        seats = SeatRequest("open"), SeatRequest("invited", "Bo")
        created = await service.create(table(DICE, *seats))
        assert list(created.secrets) == [1]
        with pytest.raises(DiagnosticError) as refused:
            await service.choose(created.id, 0, "a", None, "throw")
        assert code(refused) == "C455"
        first = await service.seating.take_seat(created.id, 0, "Al")
        for secret in (None, "guessed", first):
            with pytest.raises(DiagnosticError) as refused:
                await service.seating.take_seat(created.id, 1, "Cy", secret)
            assert code(refused) == "C456"
        second = await service.seating.take_seat(created.id, 1, "Bo", created.secrets[1])
        with pytest.raises(DiagnosticError) as refused:
            await service.seating.take_seat(created.id, 0, "Cy")
        assert code(refused) == "C456"
        assert (await service.open(created.id)).row.status == "running"
        assert [(await service.seating.seat_of(s)).seat for s in (first, second)] == [0, 1]  # type: ignore[union-attr]
        assert await service.seating.seat_of(created.secrets[1]) is None
        third = await service.seating.revoke(created.id, 0)
        assert await service.seating.seat_of(first) is None
        assert (await service.seating.seat_of(third)).name == "Al"  # type: ignore[union-attr]
        await service.seating.rename(created.id, 0, "Alma")
        assert (await service.open(created.id)).seats[0].name == "Alma"

    served(address, act)


@pytest.mark.parametrize(
    ("wrong", "seats"),
    [
        ("played by", [HUMAN] * 9),
        ("no bot", [HUMAN, SeatRequest("bot", strategy="wise")]),
        ("budget", [HUMAN, SeatRequest("bot", strategy="search:many")]),
        ("at most 20000", [HUMAN, SeatRequest("bot", strategy="search:20001")]),
        ("at most 5s", [HUMAN, SeatRequest("bot", strategy="search:6s")]),
        ("not a name", [HUMAN, SeatRequest("human", "x" * 99)]),
        ("not a name", [HUMAN, SeatRequest("human", "a\nb")]),
    ],
)
def test_a_table_that_cannot_be_is_refused(tmp_path: Path, wrong: str, seats: list[SeatRequest]) -> None:
    async def act(service: MatchService) -> None:
        with pytest.raises(DiagnosticError) as refused:
            await service.create(table(DICE, *seats))
        assert code(refused) == "C457"
        assert wrong in refused.value.diagnostic.message
        assert service.storage.matches() == []

    served(str(tmp_path / "a.db"), act)


def test_the_last_seat_that_has_not_resigned_wins(address: str) -> None:
    async def act(service: MatchService) -> None:
        two = await service.create(table())
        await service.resign(two.id, 0, "r")
        live = await service.open(two.id)
        assert (live.row.status, live.row.result) == (
            "over",
            {"by": "resignation", "seat": 0, "winners": [1]},
        )
        with pytest.raises(DiagnosticError):
            await service.choose(two.id, 1, "c", None, "throw")
        three = await service.create(table(DICE, HUMAN, HUMAN, HUMAN))
        random = Random(3)
        await service.resign(three.id, 0, "r")
        for i in range(12):
            while 0 in (live := await service.open(three.id)).asked:
                await asyncio.sleep(0.01)
            if live.running:
                await choose(service, three.id, random, str(i))
        by = {row.data.get("by") for row in live.log.rows if row.kind == "choice" and row.seat == 0}
        assert by == {"absent"}
        await service.resign(three.id, 1, "r")
        assert (await service.open(three.id)).row.result == {"by": "resignation", "seat": 1, "winners": [2]}

    served(address, act)


def test_a_rematch_is_one_whoever_asks(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, SeatRequest("human", "Al"), SeatRequest("human", "Bo")))
        with pytest.raises(DiagnosticError):
            await service.rematch(created.id)
        await service.resign(created.id, 0, "r")
        first, second = await service.rematch(created.id), await service.rematch(created.id)
        assert first == second
        live = await service.open(first.id)
        assert [seat.name for seat in live.seats] == ["Bo", "Al"]
        assert (await service.seating.seat_of(first.secrets[0])).seat == 0  # type: ignore[union-attr]
        assert live.row.salt != (await service.open(created.id)).row.salt

    served(address, act)


def test_others_are_told_of_nothing_while_all_choose_at_once(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(TOGETHER))
        random = Random(2)
        for i in range(300):
            live = await service.open(created.id)
            if live.match.state[ir.FORKED] and len(live.asked) == 2:
                break
            await choose(service, created.id, random, f"{i}")
        before = {viewer: live.version(viewer) for viewer in (-2, -1, 0, 1)}
        while True:
            seat, words = an_offer(live, random, (0,))
            await service.choose(created.id, seat, f"x{live.log.length}", live.version(0), words)
            live = await service.open(created.id)
            if 0 not in live.asked:
                break
        assert live.match.state[ir.FORKED]
        assert (live.version(-1), live.version(1)) == (before[-1], before[1])
        assert live.version(0) > before[0]
        seat, words = an_offer(live, random, (1,))
        await service.choose(created.id, 1, "late", before[1], words)

    served(address, act)


def test_a_match_goes_to_the_terminal_and_back(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(CARDS))
        live = await play(service, created.id, 4)
        text = await service.export(created.id)
        saved = log.read(Source("log", text))
        found = replay(open_game(CARDS, 2), saved).match
        assert found.hash() == live.match.hash()
        assert all(entry.supplied for entry in saved.entries if entry.stream)
        back = await service.import_log(text, table(CARDS))
        imported = await service.open(back.id)
        assert imported.match.state == live.match.state
        assert [s.text for s in imported.match.steps] == [s.text for s in live.match.steps]
        assert imported.row.salt != live.row.salt
        with pytest.raises(Fault):
            await service.import_log(text.replace("hash", "hush"), table(CARDS))

    served(address, act)


def test_a_committed_seed_is_opened_at_the_end(address: str) -> None:
    async def act(service: MatchService) -> None:
        created = await service.create(table(DICE, committed=True))
        live = await service.open(created.id)
        assert live.opening is not None
        assert list(live.opening) == ["commitment"]
        await play(service, created.id, 10)
        await service.resign(created.id, 0, "r")
        live = await service.open(created.id)
        assert set(live.opening or ()) == {"commitment", "seed", "nonce"}
        saved = log.read(Source("log", await service.export(created.id)))
        assert saved.commitment == live.row.commitment
        assert not any(entry.supplied for entry in saved.entries)
        assert replay(open_game(DICE, 2), saved).match.hash() == live.match.hash()

    served(address, act)


def test_chance_at_a_server_has_no_seed(tmp_path: Path) -> None:
    """Two matches with the same salt and choices differ, as their outcomes come from the system."""

    async def act(service: MatchService) -> None:
        outcomes = []
        for _ in range(2):
            created = await service.create(table())
            live = await service.open(created.id)
            session = service.registry.session(created.id)
            live.match.seed = 1
            session.live = replace(live, row=replace(live.row, salt=1))
            for i in range(12):
                live = await service.open(created.id)
                if not live.running:
                    break
                seat, offers = live.asked[0], live.match.offered_to(live.asked[0])[0].choices
                await service.choose(created.id, seat, str(i), None, offers[0].text)
            rows = service.storage.rows(created.id)
            outcomes.append([row.data["outcome"] for row in rows if row.kind == "chance"])
        assert len(outcomes[0]) > 8
        assert outcomes[0] != outcomes[1]

    served(str(tmp_path / "a.db"), act)
