"""Games that refuse in the words of their rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dsl.rules import Rules
    from interpreter import ir
    from interpreter.game import ExecutorKind, Game
    from interpreter.wording import ConditionBook


def worded_game(rules: Rules, machine: ir.Machine, executor: ExecutorKind | None = "reference") -> Game:
    """A game whose refusals say conditions as the rulebook does."""
    from interpreter.game import Game

    return Game(rules, machine, executor, _words)


def _words(rules: Rules, machine: ir.Machine) -> ConditionBook:
    """The words of a game. The rulebook is imported when the first choice is refused."""
    from rulewright.sentences.refusal_words import refusal_words

    return refusal_words(rules, machine)
