"""What a seat was shown of pieces stays known, as long as nothing can have changed it unseen."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from validators.secrecy.noninterference import leaks

YAML = """game: peeks
seats: 2..3
rules: [demo.rules]
types: {mark: [sun, moon, star, rain, snow], slot: 1..3}
components:
  card: {kinds: mark, count: 1}
  die: {die: 1..6, count: 2}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, order: pile, of: seat, seen_by: owner, counted_by: all}
  spot: {holds: card, of: seat, at: slot, size: 1, seen_by: nobody, counted_by: all}
  vault: {holds: card, seen_by: nobody, counted_by: nobody}
  table: {holds: card, seen_by: all}
  box: {holds: die, seen_by: all, start: all}
  cup: {holds: die, of: seat, seen_by: owner, counted_by: all}
counters:
  time: {range: 0..40}
flow:
  deal: {do: [deal], then: turn}
  turn: {do: [{do one of: [ACTIONS]}], then: {late: end, otherwise: turn}}
  end: {score: highest}
"""
RULES = """
value late = time is 40
procedure deal
    move 2 from deck to hand of B
    move 1 from deck to spot of B at 1
    move 1 from deck to vault
    roll all from box to cup of B
action look
    time += 1
    show hand of B to A
action look_up
    time += 1
    show spot of B at 1 to A
action look_in
    time += 1
    show vault to A
action look_under
    time += 1
    show cup of B to A
action wait
    time += 1
action draw_one
    needs size(deck) > 0
    time += 1
    move 1 from deck to hand of B
action lay_openly
    needs size(hand of B) > 0
    time += 1
    move 1 from hand of B to table
action lay_covered
    needs size(hand of B) > 0 and spot of B at 2 is empty
    time += 1
    move 1 from hand of B to spot of B at 2
action push
    needs spot of B at 3 is empty
    time += 1
    move all from spot of B at 1 to spot of B at 3
action push_back
    needs spot of B at 3 is not empty
    time += 1
    move all from spot of B at 3 to hand of B
action throw
    time += 1
    roll cup of B
action stir
    time += 1
    shuffle deck
    move all from hand of B to deck
score time = 0
"""
ACTIONS = (
    *("look", "look_up", "look_in", "look_under", "wait", "draw_one", "lay_openly", "lay_covered"),
    *("push", "push_back", "throw", "stir"),
)


def peeks(executor: ExecutorKind = "reference", seats: int = 2) -> Game:
    yaml = YAML.replace("ACTIONS", ", ".join(ACTIONS))
    files = {"game.yaml": yaml.encode(), "demo.rules": RULES.encode()}
    rules, report = load(Folder("peeks", files.__getitem__))
    assert not list(report), [m.message for m in report]
    return Game(rules, compile_rules(rules, seats), executor)


HAND, FIRST, THIRD, VAULT, CUP = "hand of B", "spot of B at 1", "spot of B at 3", "vault", "cup of B"
CASES = [
    ("look", HAND, True),
    ("look wait wait", HAND, True),
    ("look lay_openly", HAND, True),
    ("look lay_covered", HAND, False),
    ("look draw_one", HAND, False),
    ("look draw_one look wait", HAND, True),
    ("look stir", HAND, False),
    ("look_up wait", FIRST, True),
    ("look_up push", THIRD, True),
    ("look_up push push_back", HAND, False),
    ("look look_up push push_back wait", HAND, True),
    ("push", THIRD, False),
    ("look_in wait", VAULT, False),
    ("look_under wait", CUP, True),
    ("look_under throw", CUP, False),
]


@pytest.mark.parametrize(("acts", "place", "known"), CASES, ids=lambda x: str(x).replace(" ", "-"))
@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_what_a_seat_remembers(acts: str, place: str, known: bool, executor: ExecutorKind) -> None:
    """Where a seat cannot count the pieces it could not tell a change: that is forgotten with the action."""
    match = Match(peeks(executor), seed=5).start()
    for act in acts.split():
        match.choose("A", act)
    views = match.game.views
    seen, real = (views.view(match.state, viewer).zones[place] for viewer in (0, -2))
    assert isinstance(seen, list) == known
    assert not known or seen == real
    assert not isinstance(views.view(match.state, -1).zones[place], list), "spectators were shown nothing"


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_remembered_leaks_nothing(seats: int) -> None:
    for seed in range(8):
        assert [str(leak) for leak in leaks(peeks(seats=seats), seed, 30)] == []


@pytest.mark.parametrize("seed", range(4))
def test_both_executors_remember_the_same(seed: int) -> None:
    """The words that say who was shown what, too, at every stop."""
    one, other = (Match(peeks(kind), seed=seed).start() for kind in ("reference", "wasm"))
    for number in range(30):
        options = [choice.text for choice in one.decisions()[0].choices]
        text = options[(seed * 7 + number * number) % len(options)]
        for match in (one, other):
            match.choose("A", text)
        assert one.state == other.state
