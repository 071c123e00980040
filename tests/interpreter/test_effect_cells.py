"""Which effects a cell may name: those of its column, or of its row, and not those of other columns."""

from __future__ import annotations

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.ir.cfg import call_graph, is_recursive
from interpreter.match import Match
from validators.check import CheckContext

YAML = b"""game: reactions
seats: 2
rules: [demo.rules]
types:
  feat: {table: feats.csv, columns: {deed: effect, answer: effect or none}}
components:
  card: {table: cards.csv, columns: {copies: 1..3, power: effect or none, reaction: effect or none}, \
copies: copies}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: all}
counters:
  points: {of: seat, range: 0..20, at_edge: clamp}
flow:
  deal: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{do one of: [play]}], then: {over: end, otherwise: turn}}
  end: {score: highest}
"""
CARDS = b"card,copies,power,reaction\nattack,3,strike,\nmoat,3,,guard\nimp,2,earn,\n"
FEATS = b"feat,deed,answer\nleap,earn,\nbow,guard,guard\ncharge,rush,\n"
RULES = """
value over = any(seat where points of seat > 12)
procedure deal
    each seat in turn
        move 3 from deck to hand of me
action play(card from hand of me)
    move card to deck
    if card.power exists
        do card.power
    draw_one
procedure draw_one
    move 1 from deck to hand of me
effect strike
    points of me += 1
    for card in hand of opponent
        REACTION
effect guard
    points of opponent += 1
effect earn
    points of me += 2
effect rush
    do leap.deed
score points = points of me
"""
PLAIN = "if card.reaction exists\n            do card.reaction"
ANSWERS = {
    "a column": (PLAIN, {"guard"}),
    "a local": ("let answer = card.reaction\n        if answer exists\n            do answer", {"guard"}),
    "a value": ("if answer_of(card) exists\n            do answer_of(card)", {"guard"}),
    "one of two": (
        "let answer = card.reaction if card.reaction exists else leap.deed\n        do answer",
        {"guard", "earn"},
    ),
    "a row": ("do leap.deed", {"earn"}),
    "another row": ("do bow.deed", {"guard"}),
    "a row that names another": ("do charge.deed", {"rush"}),
}


def reactions(reaction: str = PLAIN, executor: str = "reference") -> Game:
    rules = RULES.replace("REACTION", reaction)
    if "answer_of" in reaction:
        rules += "value answer_of(card) = card.reaction\n"
    files = {"game.yaml": YAML, "demo.rules": rules.encode(), "cards.csv": CARDS, "feats.csv": FEATS}
    made, report = load(Folder("reactions", files.__getitem__))
    assert not [m for m in report if m.code.startswith("D1")], [m.message for m in report]
    return Game(made, compile_rules(made, 2), "wasm" if executor == "wasm" else "reference")


@pytest.mark.parametrize("kind", ANSWERS)
def test_only_the_effects_that_can_stand_there_are_called(kind: str) -> None:
    """So no depth need be declared where no effect leads back to itself."""
    reaction, expected = ANSWERS[kind]
    machine = reactions(reaction).machine
    names = [routine.name for routine in machine.routines]
    called = {names[number] for number in call_graph(machine)[names.index("strike")]}
    assert called == expected
    assert not is_recursive(machine)


@pytest.mark.parametrize("kind", ANSWERS)
def test_both_executors_carry_them_out(kind: str) -> None:
    one, other = (reactions(ANSWERS[kind][0], executor) for executor in ("reference", "wasm"))
    for seed in range(3):
        first, second = Match(one, seed=seed).start(), Match(other, seed=seed).start()
        for _ in range(40):
            if first.over:
                break
            options = [choice.text for choice in first.decisions()[0].choices]
            text = options[len(first.steps) % len(options)]
            seat = first.decisions()[0].seat
            first.choose(seat, text)
            second.choose(seat, text)
            assert first.state == second.state


def test_an_effect_that_leads_back_still_needs_a_bound() -> None:
    with pytest.raises(ErrorsReported, match="`strike` calls itself"):
        reactions("if card.power exists\n            do card.power")


def test_checks_follow_the_same_graph() -> None:
    """An action that may do `guard` alone leads to nothing else."""
    made = reactions()
    flow = CheckContext(made.rules).plain[0]
    names = [routine.name for routine in flow.machine.routines]
    reached = {names[number] for number in flow.called({names.index("strike")})}
    assert reached == {"strike", "guard"}
