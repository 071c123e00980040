"""The referee of a physical table follows a match of which it is told only what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import rulewright
from interpreter.companion import Companion
from interpreter.events import Moved
from interpreter.game import Game, MatchStep
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from tests.games import sample

GAMES = ("roma", "augustus", "kuhn_poker", "leduc_poker", "roll_through_the_ages", "pig")


def tell_all(companion: Companion, truth: Match, steps: Sequence[MatchStep], words: str) -> int:
    """Answer all questions about some steps, as people who see the table would. Returns their number."""
    outcomes = [step.text for step in steps if step.stream is not None]
    seen = revealed(truth.game, steps, words)
    number = 0
    while companion.question is not None:
        if companion.question.stream is not None:
            companion.tell(outcomes[len(companion.told.outcomes)])
        else:
            left = list(seen)
            for piece in companion.told.revealed:
                left.remove(piece)
            companion.tell(next(name for name, place in left if place == companion.question.place))
        number += 1
    return number


def revealed(game: Game, steps: Sequence[MatchStep], words: str) -> list[tuple[str, int]]:
    """The hidden pieces, by class and place, that everybody sees in some steps, without the one chosen."""
    named, found = words.split(), []
    for event in (event for step in steps if step.stream is None for event in step.events):
        if isinstance(event, Moved) and not game.views.may_see(event.source, SPECTATOR):
            name, number = game.names.class_name(event.component, event.class_), event.number
            if name in named:
                named.remove(name)
                number -= 1
            found += [(name, event.to)] * number * game.views.may_see(event.to, SPECTATOR)
    return found


@pytest.mark.parametrize(
    "name", [*GAMES, *(pytest.param(name, marks=pytest.mark.long) for name in ("trajan", "constantinopolis"))]
)
@pytest.mark.parametrize("seed", sample(range(3), [0]))
def test_it_follows_a_match_by_what_everybody_sees(name: str, seed: int) -> None:
    game, random = rulewright.open_game(name), Random(seed)
    truth, companion = Match(game, seed=seed).start(), Companion(game, seed=seed).start()
    tell_all(companion, truth, truth.steps, "")
    for _ in range(120):
        assert companion.match.view(SPECTATOR) == truth.view(SPECTATOR)
        if truth.over:
            assert companion.match.winners() == truth.winners()
            return
        decision, before = truth.decisions()[0], len(truth.steps)
        choice = random.choice(decision.choices)
        truth.choose(decision.seat, choice.text)
        companion.choose(decision.seat, choice.text)
        tell_all(companion, truth, truth.steps[before:], choice.text)
    again = Companion(game, companion.turns)
    assert again.match.hash() == companion.match.hash()


def test_a_card_that_nobody_has_shown_can_be_named() -> None:
    companion = Companion(rulewright.open_game("roma")).start()
    cards = companion.match.game.rules.components["card"].classes
    assert set(companion.named(0)) == set(cards)
    other = next(card for card in cards if not offered(companion, card))
    companion.choose("A", other)
    assert not companion.match.over


def offered(companion: Companion, words: str) -> bool:
    return any(c.text == words for d in companion.match.decisions() for c in d.choices)


def test_a_hand_that_is_dealt_is_not_asked_for() -> None:
    companion = Companion(rulewright.open_game("roma")).start()
    assert companion.question is None
    assert all(not outcome.known for outcome in companion.turns[0].outcomes)


def test_what_cannot_be_is_refused_and_nothing_changes() -> None:
    companion = Companion(rulewright.open_game("pig")).start()
    seat = companion.match.decisions()[0].seat
    before = companion.match.hash()
    with pytest.raises(Fault, match="cannot choose `fly`"):
        companion.choose(seat, "fly")
    companion.choose(seat, companion.match.decisions()[0].choices[0].text)
    assert companion.question is not None
    with pytest.raises(Fault, match="`9` is not a possible outcome"):
        companion.tell("9")
    assert companion.match.hash() == before
    companion.tell(companion.question.possible[0])
    assert companion.match.hash() != before


@pytest.mark.parametrize("name", ["roma", "kuhn_poker", "leduc_poker"])
def test_what_it_says_does_not_depend_on_its_placeholders(name: str) -> None:
    game, random = rulewright.open_game(name), Random(4)
    truth = Match(game, seed=4).start()
    both = [Companion(game, seed=seed).start() for seed in (1, 2)]
    for companion in both:
        tell_all(companion, truth, truth.steps, "")
    for _ in range(40):
        if truth.over:
            break
        assert both[0].named(0) == both[1].named(0)
        assert both[0].named(1) == both[1].named(1)
        decision, before = truth.decisions()[0], len(truth.steps)
        choice = random.choice(decision.choices)
        assert choice.text in both[0].named(decision.waiting.seat)
        truth.choose(decision.seat, choice.text)
        for companion in both:
            companion.choose(decision.seat, choice.text)
        assert both[0].answers() == both[1].answers()
        for companion in both:
            tell_all(companion, truth, truth.steps[before:], choice.text)


def test_the_last_turn_is_taken_back() -> None:
    companion = Companion(rulewright.open_game("roma")).start()
    assert not companion.take_back()
    hashes = []
    for card in ("forum", "senator", "mercatus"):
        hashes.append(companion.match.hash())
        companion.choose(companion.match.decisions()[0].seat, card)
    draft = companion.draft()
    while draft.take_back():
        assert draft.match.hash() == hashes.pop()
    assert not hashes
    assert len(companion.turns) == 4


def test_a_turn_that_waits_for_an_answer_is_taken_back() -> None:
    companion = Companion(rulewright.open_game("pig")).start()
    before = companion.match.hash(), list(companion.turns)
    decision = companion.match.decisions()[0]
    companion.choose(decision.seat, decision.choices[0].text)
    assert companion.question is not None
    assert companion.take_back()
    assert companion.question is None
    assert (companion.match.hash(), companion.turns) == before
