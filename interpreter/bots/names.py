"""Bots by name: `random`, `search`, `search:500`, `search:2s`, `easy`, `medium`, `hard`."""

from __future__ import annotations

from typing import Final

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from interpreter.bots.bot import Bot
from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.messages import UnknownBot
from interpreter.bots.random import RandomBot
from interpreter.bots.search import SearchBot

RANDOM: Final = "random"
SEARCH: Final = "search"
STRENGTHS: Final = {"easy": 50, SEARCH: 1_000, "medium": 1_000, "hard": 10_000}
"""The iterations of the bots that search."""
NAMES: Final = (RANDOM, SEARCH, "easy", "medium", "hard")


def bot_named(name: str) -> Bot:
    """The bot of a name, with its budget. Raises `DiagnosticError` with `UnknownBot` or `BadBudget`."""
    if not isinstance(name, str):
        raise DiagnosticError(UnknownBot(NOWHERE, repr(name), "a name is text, as `search:500`"))
    kind, colon, budget = name.strip().partition(":")
    if kind == RANDOM and not colon:
        return RandomBot()
    if kind == SEARCH and colon:
        return SearchBot(read_budget(budget))
    if kind in STRENGTHS and not colon:
        return SearchBot(Budget(iterations=STRENGTHS[kind]))
    raise DiagnosticError(UnknownBot(NOWHERE, name, _hint(kind, bool(colon))))


def is_bot(name: str) -> bool:
    """Whether a bot has this name; what stands behind a colon may still be no budget."""
    kind, colon, _ = name.strip().partition(":")
    return kind == SEARCH if colon else kind in NAMES


def _hint(kind: str, budget: bool) -> str:
    if budget and kind in NAMES:
        return "only `search` takes a budget, as `search:500` or `search:2s`"
    names = ", ".join(f"`{name}`" for name in NAMES)
    return did_you_mean(kind, NAMES) or f"there are {names}, and `search:500` or `search:2s`"
