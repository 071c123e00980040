"""What a seat may believe: chances, intervals, refusals, models of the others."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.estimates import wilson
from interpreter.beliefs.seat_log import SeatLog
from interpreter.executor_protocol import PASS, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from tests.beliefs.games import opened, played
from tests.games import game_of


def hand(match: Match, seat: str) -> str:
    cards = match.view(seat).zones[f"hand of {seat}"]
    assert isinstance(cards, list)
    return cards[0]


# ---- chances


def test_the_other_card_of_kuhn_poker() -> None:
    match = Match(game_of("kuhn_poker", 2), 3).start()
    beliefs = match.beliefs("A")
    others = {"jack", "queen", "king"} - {hand(match, "A")}
    assert beliefs.exactness.kind == "exact"
    assert beliefs.unseen() == ["deck", "hand of B"]
    chances = beliefs.pieces("hand of B")
    assert {name: one.chance for name, one in chances.items()} == dict.fromkeys(others, pytest.approx(0.5))
    assert all((one.low, one.high) == (one.chance, one.chance) for one in chances.values())
    assert set(beliefs.where(others.pop())) == {"deck", "hand of B"}
    assert beliefs.number("deck", hand(match, "A")).keys() == {0}
    assert beliefs.value("pot") == {"2": beliefs.chance(lambda _: True)}


def test_unknown_names_are_refused() -> None:
    beliefs = Match(game_of("kuhn_poker", 2), 3).start().beliefs(0)
    match = Match(game_of("kuhn_poker", 2), 3).start()
    for ask, told in (
        (lambda: beliefs.pieces("hand off B"), "there is no place `hand off B`"),
        (lambda: beliefs.value("pott"), "there is no counter, mark or pointer `pott`"),
        (lambda: beliefs.number("deck", "ace"), "there is no piece `ace`"),
        (lambda: beliefs.where("ace"), "there is no piece `ace`"),
        (lambda: match.beliefs("Z"), "there is no seat `Z`"),
        (lambda: match.beliefs(2), "there is no seat `2`"),
        (lambda: match.beliefs(None), "there is no seat `None`"),  # type: ignore[arg-type]
        (lambda: match.beliefs(True), "there is no seat `True`"),
        (lambda: match.beliefs(0.5), "there is no seat `0.5`"),  # type: ignore[arg-type]
        (lambda: match.beliefs([]), r"there is no seat `\[\]`"),  # type: ignore[arg-type]
        (lambda: beliefs.pieces(None), "there is no place `None`"),  # type: ignore[arg-type]
        (lambda: beliefs.pieces(3), "there is no place `3`"),  # type: ignore[arg-type]
        (lambda: beliefs.value(None), "there is no counter, mark or pointer `None`"),  # type: ignore[arg-type]
        (lambda: beliefs.number("deck", None), "there is no piece `None`"),  # type: ignore[arg-type]
        (lambda: beliefs.where(["ace"]), r"there is no piece `\['ace'\]`"),  # type: ignore[arg-type]
        (lambda: SeatLog.of(match, 2), "there is no seat `2`"),
        (lambda: SeatLog.of(match, True), "there is no seat `True`"),
        (lambda: SeatLog.of(match, "A"), "there is no seat `A`"),  # type: ignore[arg-type]
    ):
        with pytest.raises(Fault, match=told) as caught:
            ask()
        assert caught.value.diagnostic.code == "R257"
        assert caught.value.diagnostic.help


def test_arguments_that_mean_nothing_are_refused() -> None:
    match = Match(game_of("kuhn_poker", 2), 3).start()
    for given in (
        {"worlds": 0},
        {"worlds": -3},
        {"worlds": 2.5},
        {"worlds": True},
        {"steps": 0},
        {"model": 5},
        {"model": Weighing((1.0, 1.0), cost=-1)},
        {"model": Weighing((1.0, 1.0), cost=0.5)},  # type: ignore[arg-type]
        {"seed": "7"},
        {"method": "guess"},
    ):
        with pytest.raises(Fault) as caught:
            match.beliefs("A", **given)  # type: ignore[arg-type]
        assert caught.value.diagnostic.code == "R258"
        assert next(iter(given)) in caught.value.diagnostic.message


def test_what_is_asked_of_states_is_a_function() -> None:
    beliefs = Match(game_of("kuhn_poker", 2), 3).start().beliefs(0)
    for ask in (lambda: beliefs.chance(True), lambda: beliefs.spread("pot")):  # type: ignore[arg-type]
        with pytest.raises(Fault, match="must be a function of a state") as caught:
            ask()
        assert caught.value.diagnostic.code == "R258"


@dataclass(frozen=True)
class Weighing:
    """A model that gives the same weights whatever is offered."""

    given: Sequence[float]
    name: str = "a model under test"
    cost: int = 1

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        return self.given


@pytest.mark.parametrize(
    "given",
    [(float("nan"), 1.0), (-1.0, 2.0), (0.0, 0.0), (float("inf"), 1.0), (1.0,), ("a", "b"), None, 1.0],
)
def test_models_that_give_no_chances_are_refused(given: Sequence[float]) -> None:
    """In Kuhn poker A chooses first, and B does not know why."""
    match = Match(game_of("kuhn_poker", 2), 3).start()
    match.take(match.waiting()[0], match.waiting()[0].options[0])
    with pytest.raises(Fault) as caught:
        match.beliefs("B", model=Weighing(given), method="sample")
    assert caught.value.diagnostic.code == "R259"


def test_a_match_takes_a_model_and_a_method() -> None:
    match = Match(game_of("kuhn_poker", 2), 3).start()
    match.take(match.waiting()[0], match.waiting()[0].options[0])
    assert match.beliefs("B", method="sample").exactness.kind != "exact"
    assert match.beliefs("B", model=Weighing((1.0, 3.0))).exactness.model == "a model under test"


def test_a_void_suit_and_what_was_not_played_are_known() -> None:
    """B did not follow: in no world has it a card of that suit left."""
    game = opened("follow suit")
    for seed in range(40):
        match = played(game, 2, seed)
        led, answer = match.steps[-2].text, match.steps[-1].text
        if led.split()[0].split("_")[0] != answer.split("_")[0]:
            break
    led_suit = led.split("_")[0]
    found = match.beliefs("A").pieces("hand of B")
    assert not [name for name in found if led_suit in name], (led, answer, found)


def test_intervals_contain_the_true_chances() -> None:
    """Of 95 %, at least nine tenths of them do."""
    inside = total = 0
    for name, seed in [(name, seed) for name in ("face down", "leduc_poker") for seed in range(8)]:
        match = played(opened(name), 2, seed)
        log = SeatLog.of(match, 0)
        exact = believe(match.game, log, method="enumerate").pieces("hand of B")
        sampled = believe(match.game, log, 160, seed, method="sample").pieces("hand of B")
        for piece, true in exact.items():
            total += 1
            one = sampled.get(piece)
            inside += one is not None and one.low <= true.chance <= one.high
    assert total >= 16
    assert inside >= 0.9 * total


def test_the_interval_of_a_chance() -> None:
    """From Brown, Cai and DasGupta (2001)."""
    found = wilson(0.5, 100)
    assert (round(found.low, 3), round(found.high, 3)) == (0.404, 0.596)
    assert wilson(0.0, 10).high == pytest.approx(0.278, abs=1e-3)
    assert (wilson(1.0, 10).chance, wilson(1.0, 10).high) == (1.0, 1.0)


# ---- models and refusals


@dataclass(frozen=True)
class Cautious:
    """Bets with the king alone."""

    name: str = "others bet with the king alone"

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        match = Match(game)
        match.state = state
        king = hand(match, game.names.seat(waiting.seat)) == "king"
        return [float((option == PASS) != king) for option in waiting.options]


def test_a_model_of_the_others_counts() -> None:
    match = next(
        m
        for m in (Match(game_of("kuhn_poker", 2), seed).start() for seed in range(20))
        if hand(m, "B") == "jack"
    )
    match.choose("A", "bet")
    log = SeatLog.of(match, 1)
    plain, cautious = believe(match.game, log), believe(match.game, log, model=Cautious())
    assert {name: one.chance for name, one in plain.pieces("hand of A").items()} == {
        "queen": 0.5,
        "king": 0.5,
    }
    assert {name: one.chance for name, one in cautious.pieces("hand of A").items()} == {"king": 1.0}
    assert "others bet with the king alone" in str(cautious.exactness)


def test_refusals_are_kept_and_count() -> None:
    game = opened("question")
    match = next(m for m in (played(game, 0, seed) for seed in range(30)) if len(m.waiting()[0].options) == 1)
    with pytest.raises(Fault):
        match.choose("A", "accuse")
    with pytest.raises(Fault):
        match.choose("A", "accuse")
    log = SeatLog.of(match, 0)
    assert [(one.written, one.seat) for one in log.moments[-1].refused] == [("accuse", "A")]
    assert SeatLog.of(match, 1).moments[-1].refused == ()
    found = believe(game, log).pieces("hand of B")
    assert not {"king", "queen"} & found.keys(), "else it would have been offered"
