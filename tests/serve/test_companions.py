"""Companion tables: a match at a physical table followed by what is told, with restarts in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

import rulewright
from dsl.diagnostics import DiagnosticError
from interpreter.companion import Companion
from interpreter.game import MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.presentation.companion import asked_seat, companion_position, question_json
from rulewright.presentation.position import entries
from rulewright.serve.matches import slices
from rulewright.serve.matches.companion_snapshots import (
    companion_restored,
    companion_snapshot,
    told_match,
)
from rulewright.serve.matches.interface import SeatRequest, TableRequest
from rulewright.serve.matches.live import LiveMatch
from rulewright.serve.matches.service import MatchService
from rulewright.serve.tables.projection import encoded
from tests.interpreter.test_companion import revealed
from tests.serve.clients import Player, Served, serving
from tests.serve.playing import HUMAN, served

T = TypeVar("T")
GAMES = ("roma", "kuhn_poker", "roll_through_the_ages")
MOST = 24
"""Choices that are followed."""
LIFE = 8
"""Choices until the server stops."""


def companion_table(game: str, *seats: SeatRequest) -> TableRequest:
    return TableRequest(game, seats or (HUMAN, HUMAN), set_up={"companion": True})


class Table:
    """People at a table: a match with everything in it, of which they tell the referee what all see."""

    def __init__(self, game: str, seed: int) -> None:
        self.truth = Match(rulewright.open_game(game, seats=2), seed=seed)
        self.random = Random(seed)
        self.steps: list[MatchStep] = []
        self.words = ""
        self.truth.start()
        self.steps = list(self.truth.steps)

    def choose(self, seat: int) -> str:
        """Somebody chooses. Returns the words."""
        decision = next(d for d in self.truth.decisions() if d.waiting.seat == seat)
        before = len(self.truth.steps)
        self.words = self.random.choice(decision.choices).text
        self.truth.choose(decision.seat, self.words)
        self.steps = list(self.truth.steps[before:])
        return self.words

    def answer(self, companion: Companion) -> str:
        """The answer to what the referee asks."""
        assert companion.question is not None
        if companion.question.stream is not None:
            outcomes = [step.text for step in self.steps if step.stream is not None]
            return outcomes[len(companion.told.outcomes)]
        left = revealed(self.truth.game, self.steps, self.words)
        for piece in companion.told.revealed:
            left.remove(piece)
        return next(name for name, place in left if place == companion.question.place)


def companion_of(live: LiveMatch) -> Companion:
    assert live.companion is not None
    return live.companion


def shown(companion: Companion) -> str:
    """All that a page is told."""
    match = companion.match
    return encoded([companion_position(companion), entries(match, SPECTATOR), question_json(companion, 0)])


async def answer_all(service: MatchService, match: str, table: Table) -> None:
    while (companion := companion_of(await service.open(match))).question is not None:
        number = (await service.open(match)).log.length
        await service.tell(match, 0, f"t{number}", number, table.answer(companion))


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_followed_with_restarts(game: str, address: str) -> None:
    """In each life of the server some choices are told; it stops also while a question waits.

    A new life begins from the snapshot that the one before has left.
    """
    table, found = Table(game, 3), {"id": "", "number": 0, "waits": 0}

    async def begin(service: MatchService) -> None:
        found["id"] = (await service.create(companion_table(game))).id

    async def go_on(service: MatchService) -> None:
        id_ = str(found["id"])
        await answer_all(service, id_, table)
        for _ in range(LIFE):
            live = await service.open(id_)
            assert companion_of(live).match.view(SPECTATOR) == table.truth.view(SPECTATOR)
            if table.truth.over:
                break
            seat = asked_seat(companion_of(live))
            assert seat is not None
            words = table.choose(seat)
            number = live.log.length
            await service.choose(id_, 0, f"c{number}", number, words)
            found["number"] += 1
            if (
                companion_of(await service.open(id_)).question is not None
                and found["number"] % LIFE == LIFE - 1
            ):
                found["waits"] += 1
                break
            await answer_all(service, id_, table)
        found["shown"] = shown(companion_of(await service.open(id_)))

    async def as_before(service: MatchService) -> None:
        live = await service.open(str(found["id"]))
        assert shown(companion_of(live)) == found["shown"]
        kinds = {row.kind for row in live.log.rows}
        assert kinds <= {"start", "choice", "told", "clock"}

    served(address, begin)
    for _ in range(MOST // LIFE):
        served(address, go_on)
        served(address, as_before)
        if table.truth.over:
            break
    if table.truth.over:

        async def ended(service: MatchService) -> None:
            live = await service.open(str(found["id"]))
            assert live.row.status == "over"
            winners = [live.game.seat_number(name) for name in table.truth.winners()]
            assert live.row.result == {"by": "rules", "winners": winners}

        served(address, ended)


@pytest.mark.parametrize("game", [*GAMES, "leduc_poker", "augustus"])
def test_nobody_is_told_a_placeholder(game: str) -> None:
    """Companions with other placeholders tell the same, byte for byte."""
    table, rules = Table(game, 5), rulewright.open_game(game, seats=2)
    many = [Companion(rules, seed=seed).start() for seed in range(3)]
    for number in range(MOST if game != "augustus" else 8):
        while many[0].question is not None:
            answer = table.answer(many[0])
            for companion in many:
                companion.tell(answer)
            assert len({shown(companion) for companion in many}) == 1
        seat = asked_seat(many[0])
        if seat is None:
            assert table.truth.over
            break
        words = table.choose(seat)
        for companion in many:
            companion.choose(rules.names.seat(seat), words)
        assert len({shown(companion) for companion in many}) == 1, number
    if game == "roma":
        assert len({companion.match.hash() for companion in many}) == 3


def test_a_bad_answer_is_refused_and_nothing_is_lost(sqlite: Callable[[], str]) -> None:
    async def act(service: MatchService) -> None:
        id_ = (await service.create(companion_table("pig"))).id
        live = await service.open(id_)
        with pytest.raises(DiagnosticError, match="nothing is asked"):
            await service.tell(id_, 0, "a", None, "3")
        with pytest.raises(Fault, match="fly"):
            await service.choose(id_, 0, "b", None, "fly")
        words = companion_position(companion_of(live))["decisions"][0]["choices"][0]["words"]
        await service.choose(id_, 0, "c", None, words)
        waits = await service.open(id_)
        with pytest.raises(DiagnosticError, match="`9` is not a possible answer"):
            await service.tell(id_, 0, "d", None, "9")
        with pytest.raises(DiagnosticError, match="which"):
            await service.choose(id_, 0, "e", None, words)
        assert await service.open(id_) is waits
        await service.tell(id_, 1, "f", waits.log.length, "4")
        with pytest.raises(DiagnosticError, match="has changed"):
            await service.tell(id_, 0, "g", waits.log.length, "4")
        assert (await service.tell(id_, 1, "f", waits.log.length, "4")).former
        kinds = [row.kind for row in (await service.open(id_)).log.rows]
        assert kinds == ["start", "choice", "told"]

    served(sqlite(), act)


def test_turns_are_taken_back_without_consent(address: str) -> None:
    texts: list[str] = []
    ids: list[str] = []

    async def act(service: MatchService) -> None:
        id_ = (await service.create(companion_table("pig"))).id
        ids.append(id_)
        with pytest.raises(DiagnosticError, match="nothing has been told"):
            await service.undo(id_, 0, "u0", None)
        for number, face in enumerate("464"):
            live = await service.open(id_)
            texts.append(shown(companion_of(live)))
            words = companion_position(companion_of(live))["decisions"][0]["choices"][0]["words"]
            await service.choose(id_, 0, f"c{number}", None, words)
            if number < 2:
                await service.tell(id_, 0, f"t{number}", None, face)
        for number in range(3):
            await service.undo(id_, 1, f"u{number + 1}", None)
            assert shown(companion_of(await service.open(id_))) == texts.pop()
            if number == 0:
                return

    async def later(service: MatchService) -> None:
        for number in range(2):
            await service.undo(ids[0], 1, f"v{number}", None)
            assert shown(companion_of(await service.open(ids[0]))) == texts.pop()
        assert not texts

    served(address, act)
    served(address, later)


def test_the_last_answer_is_taken_back(address: str) -> None:
    """Of several dice that are told one after the other the last one is told again; a restart finds it so."""
    texts, ids = [], []

    async def act(service: MatchService) -> None:
        id_ = (await service.create(companion_table("roll_through_the_ages"))).id
        ids.append(id_)
        with pytest.raises(DiagnosticError, match="is not an answer"):
            await service.undo(id_, 0, "u0", None, 0)
        answers = companion_of(await service.open(id_)).answers()
        for number in range(2):
            texts.append(shown(companion_of(await service.open(id_))))
            await service.tell(id_, 0, f"t{number}", None, answers[number])
        await service.undo(id_, 0, "u1", None, 0)
        assert shown(companion_of(await service.open(id_))) == texts[1]
        await service.tell(id_, 0, "t9", None, answers[2])
        texts.append(shown(companion_of(await service.open(id_))))

    async def later(service: MatchService) -> None:
        assert shown(companion_of(await service.open(ids[0]))) == texts[2]
        await service.undo(ids[0], 0, "u2", None, 0)
        await service.undo(ids[0], 0, "u3", None, 0)
        assert shown(companion_of(await service.open(ids[0]))) == texts[0]

    served(address, act)
    served(address, later)


def test_a_snapshot_is_the_companion_that_rows_lead_to(sqlite: Callable[[], str]) -> None:
    """With all its moments: what is taken back leads to the placeholders that there were."""

    async def act(service: MatchService) -> None:
        table = Table("roma", 4)
        id_ = (await service.create(companion_table("roma"))).id
        for number in range(14):
            await answer_all(service, id_, table)
            seat = asked_seat(companion_of(await service.open(id_)))
            assert seat is not None
            await service.choose(id_, 0, f"c{number}", None, table.choose(seat))
            live = await service.open(id_)
            check(live)
            told = companion_of(live)
            if number == 9:
                assert len({turn.outcomes for turns in told.past for turn in turns[:1]}) > 1
        while (live := await service.open(id_)).log.decisions > 8:
            await service.undo(id_, 0, f"u{live.log.length}", None)
            check(await service.open(id_))

    def check(live: LiveMatch) -> None:
        kept = companion_snapshot(live)
        found = companion_restored(live.row, live.game, kept)
        assert found is not None
        anew = run(told_match(live.row, live.seats, live.log.rows, live.game, None))
        for other in (found, companion_of(anew)):
            assert shown(other) == shown(companion_of(live))
            assert (other.turns, other.past) == (companion_of(live).turns, companion_of(live).past)
            assert other.match.hash() == companion_of(live).match.hash()

    served(sqlite(), act)


def run(work: Generator[None, None, T]) -> T:
    """What work returns that is done in steps."""
    while True:
        try:
            next(work)
        except StopIteration as stop:
            found: T = stop.value
            return found


def test_others_have_a_turn_while_a_contradiction_is_found(
    sqlite: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer for which many placeholders are tried is found out in slices."""
    monkeypatch.setattr(slices, "SLICE", 0.0)

    async def act(service: MatchService) -> None:
        table, beats = Table("roma", 4), [0]
        id_ = (await service.create(companion_table("roma"))).id
        for number in range(12):
            await answer_all(service, id_, table)
            seat = asked_seat(companion_of(await service.open(id_)))
            assert seat is not None
            await service.choose(id_, 0, f"c{number}", None, table.choose(seat))
        companion, live = companion_of(await service.open(id_)), await service.open(id_)
        seat = asked_seat(companion)
        assert seat is not None
        cards = companion.game.rules.components["card"].classes

        async def beat() -> None:
            while True:
                beats[0] += 1
                await asyncio.sleep(0)

        beating = asyncio.get_running_loop().create_task(beat())
        refused = 0
        for card in cards[::4]:
            before = beats[0]
            try:
                await service.choose(id_, 0, f"x{card}", None, f"lay {card}")
            except Fault:
                refused += 1
                assert beats[0] - before > 0
            else:
                await service.undo(id_, 0, f"y{card}", None)
        beating.cancel()
        assert refused
        assert shown(companion_of(await service.open(id_))) == shown(companion_of(live))

    served(sqlite(), act)


def test_the_answers_of_the_set_up_are_taken_back(sqlite: Callable[[], str]) -> None:
    async def act(service: MatchService) -> None:
        id_ = (await service.create(companion_table("roll_through_the_ages"))).id
        first = shown(companion_of(await service.open(id_)))
        possible = companion_of(await service.open(id_)).answers()
        await service.tell(id_, 0, "a", None, possible[0])
        assert shown(companion_of(await service.open(id_))) != first
        await service.undo(id_, 0, "b", None)
        assert shown(companion_of(await service.open(id_))) == first

    served(sqlite(), act)


def test_what_makes_no_sense_at_a_physical_table_is_refused(sqlite: Callable[[], str]) -> None:
    async def act(service: MatchService) -> None:
        bot = SeatRequest("bot", strategy="random")
        with pytest.raises(DiagnosticError, match="a bot cannot play"):
            await service.create(companion_table("pig", HUMAN, bot))
        with pytest.raises(DiagnosticError, match="seed"):
            await service.create(replace(companion_table("pig"), committed=True))
        id_ = (await service.create(companion_table("pig"))).id
        for what in (
            service.seating.seat_bot(id_, 1, "random"),
            service.export(id_),
            service.propose(id_, 0, "p", "repair", {"step": 0}),
        ):
            with pytest.raises(DiagnosticError):
                await what
        await service.propose(id_, 0, "q", "abandon", {})
        assert (await service.open(id_)).row.status == "abandoned"

    served(sqlite(), act)


@pytest.mark.long
def test_all_at_the_table_are_sent_the_same(tmp_path: Path) -> None:
    """The one at each seat and a spectator: equal positions; answers by whoever sits there."""

    async def act(served: Served) -> None:
        ann, watcher = served.browser(), served.browser()
        made = await ann.make("roma", seats=2, players=["me", "me"], companion=True, visibility="open")
        assert made["status"] == "running"
        assert made["companion"]
        match = made["match"]
        async with ann.seat(match, 0) as first, ann.seat(match, 1) as second, watcher.seat(match) as third:
            people = [first, second, third]
            for player in people:
                await player.until(lambda p=player: bool(p.position))
            assert first.position == second.position == third.position
            assert first.position["asked"] == first.position["waiting"][0]
            assert "forum" in first.choices
            table = Table("roma", 1)
            words = table.choose(first.position["asked"])
            answer = await third.ask("choose", version=third.version, words=words)
            assert answer["code"] == "spectator"
            answer = await second.ask("choose", version=second.version, words="not a card")
            assert answer["code"] == "not-offered", answer
            await second.choose(words)
            await first.until(lambda: first.version == second.version)
            assert first.position == second.position
            await followed(served, match, second, table)

    async def followed(served: Served, match: str, player: Player, table: Table) -> None:
        while player.table["question"] is None:
            await player.choose(table.choose(player.position["asked"]))
        question = player.table["question"]
        assert question["possible"]
        wrong = await player.ask("outcome", version=question["version"], text="nonsense")
        assert wrong["code"] == "not-possible"
        again = await player.ask("choose", version=player.version, words="pass")
        assert again["code"] == "needs-outcome"
        told = await player.ask("outcome", version=question["version"], text=question["possible"][0])
        assert told["type"] == "ack", told
        late = await player.ask("outcome", version=question["version"], text=question["possible"][0])
        assert late["code"] == "stale"
        asked = await player.ask("why", words="not a card")
        assert asked["refusal"]
        account = await player.ask("account")
        assert account["scores"]
        past = await player.ask("at", seq=1, seat=-2)
        assert past["position"]["seat"] == SPECTATOR

    async def main() -> None:
        async with serving(tmp_path, "roma") as served:
            await act(served)

    asyncio.run(main())
