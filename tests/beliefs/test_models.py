"""Models of how others choose: exact against every course, by what a seat sees alone, within the steps."""

from __future__ import annotations

import gc
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.drawing import BelievedWorlds
from interpreter.beliefs.mistakes import Method
from interpreter.beliefs.opponents import OpponentModel, Uniform
from interpreter.beliefs.particles import ParticleFilter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from interpreter.bots.model_names import model_named
from interpreter.bots.names import bot_named, is_bot
from interpreter.bots.search import SearchBot
from interpreter.bots.search_model import SearchModel
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.learn.model_names import model_named as any_model_named
from rulewright.library import open_game
from tests.beliefs.brute_force import InformationSet, information_sets
from tests.beliefs.chi_square import deviation, rejected
from tests.beliefs.games import played
from tests.games import game_of

SMALL = ("kuhn_poker", "leduc_poker")


@dataclass(frozen=True)
class Bold:
    """The better its own card, the likelier a seat takes a later option."""

    name: str = "others are bold with good cards"

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        seen = game.views.pieces(state, waiting.seat)
        own = [i for i in range(len(seen)) if game.views.owner(i) == waiting.seat]
        card = max((class_ for i in own if isinstance(found := seen[i], list) for class_ in found), default=0)
        return [1.0 + i * card * card for i in range(len(waiting.options))]


def bold(match: Match, waiting: Waiting) -> Sequence[float]:
    return Bold().weights(match.game, match.state, waiting)


def searching(match: Match, waiting: Waiting) -> Sequence[float]:
    return SearchModel(20).weights(match.game, match.state, waiting)


def some(name: str, number: int) -> list[InformationSet]:
    """Some information sets with several worlds under the bold model; the same each time."""
    found = [one for one in information_sets(name, weigh=bold) if len(one.states) > 1]
    return Random(name).sample(found, min(number, len(found)))


def exact(one: InformationSet, model: OpponentModel) -> dict[bytes, float]:
    found = believe(one.match.game, SeatLog.of(one.match, one.seat), model=model, method="enumerate")
    return {world.state.tobytes(): world.weight for world in found.worlds}


# ---- exactness


@pytest.mark.parametrize("name", SMALL)
def test_all_worlds_have_the_weights_of_the_model(name: str) -> None:
    sets = some(name, 80)
    for one in sets:
        assert exact(one, Bold()) == pytest.approx(one.posterior(), abs=1e-9)
    assert any(exact(one, Uniform()) != pytest.approx(one.posterior(), abs=1e-2) for one in sets)


def test_a_search_as_a_model_is_exact() -> None:
    sets = [one for one in information_sets("kuhn_poker", weigh=searching) if len(one.states) > 1]
    for one in Random(1).sample(sets, 12):
        assert exact(one, SearchModel(20)) == pytest.approx(one.posterior(), abs=1e-9)


@pytest.mark.parametrize("name", SMALL)
def test_samples_fit_the_weights_of_the_model(name: str) -> None:
    found = []
    for one in some(name, 6):
        simulation = Simulation(one.match.game, SeatLog.of(one.match, one.seat), Bold(), 1 << 60)
        found.append(deviation(ParticleFilter(simulation).islands(120, 8, 1), one.posterior()))
    assert not rejected(found), found


def test_samples_of_another_model_do_not() -> None:
    """The test above would notice it."""
    found = []
    for one in some("leduc_poker", 12):
        simulation = Simulation(one.match.game, SeatLog.of(one.match, one.seat), Uniform(), 1 << 60)
        found.append(deviation(ParticleFilter(simulation).islands(120, 8, 1), one.posterior()))
    assert rejected(found), found


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
def test_all_worlds_of_every_information_set(name: str) -> None:
    for one in information_sets(name, weigh=bold):
        assert exact(one, Bold()) == pytest.approx(one.posterior(), abs=1e-9)


# ---- what a model may know


@pytest.mark.parametrize(("name", "choices"), [("leduc_poker", 1), ("liars_dice", 1), ("oh_hell", 3)])
def test_a_search_is_the_same_wherever_its_seat_cannot_tell_the_difference(name: str, choices: int) -> None:
    game = game_of(name, 3 if name == "oh_hell" else 2)
    match = next(m for m in (played(game, choices, seed) for seed in range(9)) if not m.over)
    waiting, model = match.waiting()[0], SearchModel(30)
    beliefs = believe(game, SeatLog.of(match, waiting.seat), worlds=32, method="sample")
    others = [match_of(beliefs, world) for world in beliefs.worlds[:6]]
    assert len({other.hash() for other in others}) > 1
    found = model.weights(game, match.state, waiting)
    assert sum(found) == pytest.approx(1.0)
    assert len(found) == len(waiting.options)
    assert min(found) >= model.uniform_share / len(found) - 1e-12
    for other in others:
        assert model.weights(game, other.state, waiting) == found


@dataclass(frozen=True)
class Cheating:
    """Bets by the card of the other seat, which no player sees."""

    name: str = "others see everything"

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        hands = [i for i in range(len(game.machine.places)) if game.views.owner(i) == 1 - waiting.seat]
        card = sum(state[game.machine.places[hands[0]].base + c] * c for c in range(3))
        return [1.0 + i * card for i in range(len(waiting.options))]


def test_a_model_is_asked_about_one_of_the_states_that_its_seat_cannot_tell_apart() -> None:
    """A knows its own card and not that of B: whatever a model of A says of B's card counts for none."""
    match = Match(game_of("kuhn_poker", 2), 3).start()
    match.take(match.waiting()[0], match.waiting()[0].options[-1])
    watched, views = match.beliefs("spectator", model=Cheating()), match.game.views

    def hand(state: array[int]) -> str:
        return str(views.view(state, 0).zones["hand of A"])

    assert any(one.chance != pytest.approx(1 / 3) for one in watched.spread(hand).values())
    for card in watched.spread(hand):
        each = [world.weight for world in watched.worlds if hand(world.state) == card]
        assert each == pytest.approx([each[0]] * len(each))


# ---- bounds


def test_a_question_to_a_model_counts_as_its_cost() -> None:
    match = played(game_of("leduc_poker", 2), 3, seed=3)
    log = SeatLog.of(match, 0)
    plain = believe(match.game, log, model=Bold(), method="enumerate", steps=400)
    assert plain.worlds

    @dataclass(frozen=True)
    class Dear(Bold):
        cost: int = 1_000

    with pytest.raises(Fault) as caught:
        believe(match.game, log, model=Dear(), method="enumerate", steps=400)
    assert caught.value.diagnostic.code == "R240"
    assert SearchModel(800).cost > SearchModel(80).cost > 1


def test_the_answer_says_by_which_model() -> None:
    match = played(game_of("kuhn_poker", 2), 1, seed=3)
    found = str(match.beliefs("B", model=model_named("search:20")).exactness)
    assert "others are taken to choose by a search of 20 iterations, and 25% of the time uniformly" in found


@dataclass(frozen=True)
class Passive:
    """Never takes the last option."""

    name: str = "others never bet"

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        return [float(i < len(waiting.options) - 1) for i in range(len(waiting.options))]


@pytest.mark.parametrize("method", ["enumerate", "sample", "enumerate or sample"])
def test_a_model_by_which_nobody_chooses_like_that(method: Method) -> None:
    match = Match(game_of("kuhn_poker", 2), 3).start()
    match.take(match.waiting()[0], match.waiting()[0].options[-1])
    with pytest.raises(Fault, match="the others choose as the model says") as caught:
        match.beliefs("B", model=Passive(), method=method)
    assert caught.value.diagnostic.code == "R239"
    assert "some weight to every option" in caught.value.diagnostic.help


# ---- names


def test_models_by_name() -> None:
    assert model_named("uniform") == Uniform()
    assert model_named(" search:50 ") == SearchModel(50)
    assert any_model_named("search") == SearchModel()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("serch:50", "did you mean `search`?"),
        ("search:", "a number of iterations"),
        ("search:0", "a number of iterations"),
        ("search:2s", "a number of iterations"),
        ("search:10001", "1 to 10,000"),
        ("search:²", "a number of iterations"),
        ("nobody", "there are `uniform` and `search:100`, and `policy:FILE`"),
        ("policy", "a trained policy is named by its file"),
        (None, "there are `uniform`"),
        (5, "there are `uniform`"),
    ],
)
def test_names_that_no_model_has(name: str, told: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        any_model_named(name)
    assert caught.value.diagnostic.code == "R270"
    assert told in caught.value.diagnostic.help


def test_what_is_kept_of_a_game_ends_with_it() -> None:
    uniform = Uniform()
    match = Match(open_game("leduc_poker", seats=2), 1).start()
    assert uniform.is_open(match.game, match.state, match.waiting()[0])
    assert len(uniform._known) == 1
    del match
    gc.collect()
    assert not uniform._known  # the next game may lie at the same address


def test_bots_that_weigh_what_others_chose() -> None:
    bot = bot_named("search:40+beliefs:50")
    assert is_bot("search:40+beliefs:50")
    assert isinstance(bot, SearchBot)
    assert isinstance(bot.worlds, BelievedWorlds)
    assert bot.worlds.model == SearchModel(50)
    match = played(game_of("leduc_poker", 2), 2, seed=3)
    waiting = match.waiting()[0]
    assert bot.choose(match, waiting, 1) in waiting.options
    for name in (
        "search:40+beliefs:x",
        "search:40+beliefs50",
        "random+beliefs:50",
        "search:40+beliefs:",
        "easy+beliefs:0",
    ):
        with pytest.raises(DiagnosticError) as caught:
            bot_named(name)
        assert caught.value.diagnostic.code == "R250"
        assert f"`{name}`" in caught.value.diagnostic.message
