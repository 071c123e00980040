"""Programs that show a match and were made to tell a secret are found by the law: a leak of each kind."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import replace

import pytest

from interpreter import match as matches, refusal
from interpreter.executor_protocol import Waiting
from interpreter.game import Decision, Game, MatchStep
from interpreter.match import Match, ScoreSheet
from interpreter.sights import REFEREE
from interpreter.views import View, Views
from interpreter.wasm.host.reader import HostFunctions
from rulewright.commands import replay
from rulewright.presentation import scores
from rulewright.story.names import TableNames
from rulewright.tui import explain, game_loop
from rulewright.tui.session import Session
from rulewright.tui.story import Story
from tests.games import sample
from tests.properties import secrets, shown
from validators.secrecy.noninterference import Leak, leaks

REACTION = """
action more
    next_seat may choose card from hand of next_seat where card.cost > 4
        gain 1 coins
"""
BLIND = """
action more(card from hand of next_seat)
    move card to discard
"""
HOARD = """
action more(card from hand of me)
    move card to stash of me

score hoard = sum(card.cost for card in stash of me)
"""
AT_ONCE = """
score ahead = count(seat where bid of seat < bid of me)
"""
Fake = Callable[[pytest.MonkeyPatch], Game]


def told_in_full(fake: pytest.MonkeyPatch) -> Game:
    """The replay tells a seat what the referee knows."""
    told = replay.step_lines
    fake.setattr(replay, "step_lines", lambda names, match, seat: told(names, match, REFEREE))
    return secrets.game()


def replayed_with_its_words(fake: pytest.MonkeyPatch) -> Game:
    """The JSON of a step has the words of the choice."""
    step = replay._step

    def leaky(number: int, played: MatchStep, told: list[str], eyes: int) -> dict[str, object]:
        return step(number, played, told, eyes) | {"text": played.text}

    fake.setattr(replay, "_step", leaky)
    return secrets.game()


def replayed_with_all_steps(fake: pytest.MonkeyPatch) -> Game:
    """The numbers of the steps count what a seat may not know of, such as what others do at once."""

    def steps(match: Match, eyes: int) -> list[tuple[MatchStep, list[str]]]:
        told = replay.step_lines(TableNames.of(match.game), match, eyes)
        return [(step, told.get(at, [])) for at, step in enumerate(match.steps) if step.seat or step.stream]

    fake.setattr(replay, "_steps", steps)
    return secrets.game("""
action more
    if any(card in hand of next_seat where card.cost > 3)
        roll cup of next_seat
""", actions=("more",))  # fmt: skip


def the_whole_position(fake: pytest.MonkeyPatch) -> Game:
    fake.setattr(replay, "_position", lambda view: [str(view)])
    view = Match.view
    fake.setattr(Match, "view", lambda self, seat: view(self, REFEREE if self.steps else seat))
    return secrets.game()


def listed_by_what_is_there(fake: pytest.MonkeyPatch) -> Game:
    """The zones are listed in the order of what lies there, though each says no more than it may."""
    view = Views.view

    def sorted_view(self: Views, s: array[int], seat: int) -> View:
        found, known = view(self, s, seat), view(self, s, REFEREE)
        order = sorted(found.zones, key=lambda address: str(known.zones[address]))
        return replace(found, zones={address: found.zones[address] for address in order})

    fake.setattr(Views, "view", sorted_view)
    return secrets.game()


def offered_by_what_is_hidden(fake: pytest.MonkeyPatch) -> Game:
    """A seat's choices are listed in an order that hangs on another's hand."""
    offered = matches.as_offered

    def turned(match: Match, decision: Decision) -> Decision:
        found = offered(match, decision)
        hands = match.view(REFEREE).zones
        others = "".join(str(hands[f"hand of {seat}"]) for seat in ("A", "B") if seat != decision.seat)
        return replace(found, choices=found.choices[:: -1 if "c6" in others else 1])

    fake.setattr(matches, "as_offered", turned)
    return secrets.game()


def named_though_unseen(fake: pytest.MonkeyPatch) -> Game:
    for module in (matches, game_loop, replay, shown):
        fake.setattr(module, "as_offered", lambda match, decision: decision)
    return secrets.game(BLIND, actions=("more",))


def named_in_a_refusal(fake: pytest.MonkeyPatch) -> Game:
    """`offered: ...` lists what may be chosen."""
    fake.setattr(refusal, "open_words", lambda words, node: words)
    return secrets.game(BLIND, actions=("more",))


def called_by_the_number_of_choices(fake: pytest.MonkeyPatch) -> Game:
    """Whoever can only pass is not called to the screen."""

    def itself(self: Session, s: array[int], waiting: Waiting) -> bool:
        return len(waiting.options) == 1

    fake.setattr(Session, "is_automatic", itself)
    return secrets.game(REACTION, actions=("more",))


def undone_by_hidden_choices(fake: pytest.MonkeyPatch) -> Game:
    """How much goes back with a choice counts what another seat could have chosen."""

    def number(match: Match, own: str, itself: object, choices: int) -> int:
        hands = match.view(REFEREE).zones
        return sum("c6" in str(hands[f"hand of {seat}"]) for seat in ("A", "B"))

    fake.setattr(shown, "number_of_choices", number)
    return secrets.game()


def scored_from_what_nobody_sees(fake: pytest.MonkeyPatch) -> Game:
    fake.setattr(HostFunctions, "agreed", lambda self, s, viewer, readers, sheets: [True] * len(readers))
    return secrets.game(HOARD, actions=("more",))


def scored_for_the_seat_itself(fake: pytest.MonkeyPatch) -> Game:
    """The seat's own line comes from pieces that it does not see."""
    known = scores.secret_lines
    fake.setattr(scores, "secret_lines", lambda game, own=False: frozenset() if own else known(game))
    return secrets.game(HOARD, actions=("more",))


def scored_while_all_choose(fake: pytest.MonkeyPatch) -> Game:
    accounts = Match.accounts

    def live(self: Match, viewer: int = REFEREE) -> list[ScoreSheet]:
        return accounts(self)

    fake.setattr(Match, "accounts", live)
    return secrets.game(AT_ONCE)


def heard_in_full(fake: pytest.MonkeyPatch) -> Game:
    """The story at the table tells each seat what the referee hears."""
    heard = Story.all
    fake.setattr(Story, "all", lambda self, who: heard(self, REFEREE))
    return secrets.game()


def explained_by_what_is_hidden(fake: pytest.MonkeyPatch) -> Game:
    """The heading of a decision names a card of another's hand."""
    title = explain.Explainer.question

    def leaky(self: explain.Explainer, match: Match, decision: Decision) -> str:
        hands = match.view(REFEREE).zones
        return title(self, match, decision) + str([hands[f"hand of {seat}"] for seat in ("A", "B")])

    fake.setattr(explain.Explainer, "question", leaky)
    return secrets.game()


MUTANTS: list[Fake] = [
    told_in_full, replayed_with_its_words, replayed_with_all_steps, the_whole_position,
    listed_by_what_is_there, offered_by_what_is_hidden, named_though_unseen, named_in_a_refusal,
    called_by_the_number_of_choices, undone_by_hidden_choices, scored_from_what_nobody_sees,
    scored_for_the_seat_itself, scored_while_all_choose, heard_in_full, explained_by_what_is_hidden,
]  # fmt: skip
UNSPOILED = {"reaction": REACTION, "blind": BLIND, "hoard": HOARD}


def first_leak(game: Game, seeds: int = 12) -> Leak | None:
    return next((k for seed in range(seeds) for k in leaks(game, seed, 30, extra=shown.briefly)), None)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_program_that_shows_a_secret_is_found(mutant: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_leak(mutant(monkeypatch)) is not None


@pytest.mark.parametrize("seeds", sample([1, 12], [1]))
@pytest.mark.parametrize("rules", UNSPOILED.values(), ids=UNSPOILED)
def test_without_its_fault_nothing_is_found(rules: str, seeds: int) -> None:
    assert first_leak(secrets.game(rules, actions=("more",)), seeds) is None


@pytest.mark.parametrize("seeds", sample([1, 12], [1]))
def test_a_score_that_counts_what_others_have_is_as_it_was_when_all_began(seeds: int) -> None:
    assert first_leak(secrets.game(AT_ONCE), seeds) is None
