"""The clause of the condition that refuses is cited, not only that of the action around it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from dsl import rules as r
from dsl.rules.reasons import reasons_of
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.game import Game
from interpreter.match import Match
from interpreter.refusal import Refusal
from interpreter.sights import REFEREE
from rulewright.library import bundled
from tests.games import rules_of, seated
from tests.rulesets.test_scenarios import scenarios_of
from validators.scenarios.scenario import Refused, flat

PLAYED, ASKED = 25, 3
ACTION = ("the action",)


def conjuncts(asked: r.Expr | None) -> Iterator[r.Expr]:
    match asked:
        case r.Both(op="and", left=left, right=right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case r.Neg(operand=operand):
            yield from conjuncts(operand)
        case _ if asked is not None:
            yield asked


def asked_conditions(rules: r.Rules) -> Iterator[r.Expr]:
    """The parts of all conditions that can refuse."""
    for routine in rules.routines.values():
        for part in walk((routine.parameters, routine.block)):
            if isinstance(part, r.Precondition):
                yield from conjuncts(part.condition)
            elif isinstance(part, r.Binder):
                yield from conjuncts(part.where)


def only_the_action(refusal: Refusal) -> Iterator[str]:
    """What is refused with just the clauses of its node, although a definition within it has others."""
    for part in (refusal, *refusal.parts):
        marks = [mark for mark in part.within if mark.startswith("§")]
        texts = [text for text in part.within if not text.startswith("§")]
        around = part.within.index(texts[0]) if texts else len(part.within)
        node = set(part.within[:around])
        if set(marks) - node and set(part.clauses) == node:
            yield part.condition


def refusals_in_play(game: Game, seed: int) -> Iterator[Refusal]:
    """Why some choices are refused at each decision of a random match."""
    random, match = Random(seed), Match(game, seed=seed).start()
    for _ in range(PLAYED):
        if match.over:
            return
        waiting = match.waiting()[0]
        node = game.machine.decision(waiting.node)
        if isinstance(node, ir.Offer):
            names = [game.machine.routines[what[0]].name for what in waiting.what if what is not None]
            asked: list[tuple[str | None, int | None]] = [(name, None) for name in dict.fromkeys(names)]
        else:
            asked = [(None, random.choice(range(node.bounds[0], node.bounds[1] + 1)))] if node.bounds else []
        for action, value in asked[:ASKED]:
            yield game.refusals.explain_value(match.state[:], waiting, action, value, REFEREE)
        match.take(waiting, random.choice(waiting.options))


@pytest.mark.parametrize("name", bundled())
def test_a_value_with_clauses_is_not_refused_by_that_of_the_action_alone(name: str) -> None:
    rules = rules_of(name)
    lost = [
        asked.value
        for asked in asked_conditions(rules)
        if isinstance(asked, r.UseValue) and rules.values[asked.value].clauses
        for wanted in (asked, r.Neg(asked.type, asked.span, asked))
        for reason in reasons_of(rules, wanted, (), ACTION)
        if reason.clauses == ACTION
    ]
    assert len(lost) == 0, lost


@pytest.mark.parametrize("name", bundled())
def test_what_refuses_in_play_is_cited(name: str) -> None:
    game = Game(*seated((name, rules_of(name).seats[0], ())))
    lost = [text for refusal in refusals_in_play(game, 3) for text in only_the_action(refusal)]
    assert len(lost) == 0, lost


@pytest.mark.parametrize("name", bundled())
def test_scenarios_cite_the_clause_of_a_condition_that_refuses(name: str) -> None:
    lines = [
        line for scenario in scenarios_of(name) for line in flat(scenario.lines) if isinstance(line, Refused)
    ]
    named = {value for value, meant in rules_of(name).values.items() if meant.clauses}
    bare = [
        line.written
        for line in lines
        if any(reason.partition("(")[0] in named for reason in line.because)
        and not any(reason.startswith("§") for reason in line.because)
    ]
    assert bare == []
