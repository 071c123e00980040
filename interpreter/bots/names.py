"""Bots by name: `random`, `search`, `search:500`, `search:2s`, `easy`, `medium`, `hard`.

With `+beliefs` behind its name a bot that searches does so in worlds that its seat believes in; with
`+beliefs:50` it takes others to choose by a search of 50 iterations.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import Final

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from interpreter.beliefs.drawing import BelievedWorlds
from interpreter.beliefs.opponents import OpponentModel
from interpreter.bots.bot import Bot
from interpreter.bots.budget import Budget, read_budget
from interpreter.bots.dealing import DealtWorlds
from interpreter.bots.messages import UnknownBot
from interpreter.bots.model_names import MOST, UNIFORM, model_named
from interpreter.bots.random import RandomBot
from interpreter.bots.search import SearchBot

RANDOM: Final = "random"
SEARCH: Final = "search"
STRENGTHS: Final = {"easy": 50, SEARCH: 1_000, "medium": 1_000, "hard": 10_000}
"""The iterations of the bots that search."""
BELIEFS: Final = "+beliefs"
WORLDS: Final = 64
STEPS: Final = 6_000
"""The most worlds and steps for what a bot believes before a choice: well below a second."""
NAMES: Final = (RANDOM, SEARCH, "easy", "medium", "hard")
OFFERED: Final = ("easy", "medium", "hard", RANDOM)
"""The bots among which people choose; others can be asked for by name."""
USUAL: Final = "medium"


def offered_bots(searching: bool = True) -> tuple[str, ...]:
    """The bots that can be offered here: `random` alone where nothing is searched or numpy is missing."""
    return OFFERED if searching and find_spec("numpy") is not None else (RANDOM,)


def usual_bot(searching: bool = True) -> str:
    """The bot that plays where nobody has named one; whoever lets it play says which one it is."""
    return USUAL if USUAL in offered_bots(searching) else RANDOM


def bot_named(name: str) -> Bot:
    """The bot of a name, with its budget. Raises `DiagnosticError` with `UnknownBot` or `BadBudget`."""
    if not isinstance(name, str):
        raise DiagnosticError(UnknownBot(NOWHERE, repr(name), "a name is text, as `search:500`"))
    if BELIEFS in name:
        return _believing(name.strip())
    kind, colon, budget = name.strip().partition(":")
    if kind == RANDOM and not colon:
        return RandomBot()
    if kind == SEARCH and colon:
        return SearchBot(read_budget(budget))
    if kind in STRENGTHS and not colon:
        return SearchBot(Budget(iterations=STRENGTHS[kind]))
    raise DiagnosticError(UnknownBot(NOWHERE, name, _hint(kind, bool(colon))))


def _believing(name: str) -> Bot:
    """A bot that searches in believed worlds, and within a bound on the work for each choice."""
    kind, _, model = name.partition(BELIEFS)
    bot = bot_named(kind)
    if not isinstance(bot, SearchBot):
        hint = f"only bots that search look at worlds, as `search{BELIEFS}` or `search:500{BELIEFS}`"
        raise DiagnosticError(UnknownBot(NOWHERE, name, hint))
    return replace(bot, worlds=BelievedWorlds(_others(name, model), WORLDS, STEPS, DealtWorlds()))


def _others(name: str, model: str) -> OpponentModel:
    """What a bot takes others to choose by, from what stands behind `+beliefs` in its name."""
    try:
        if not model or model.startswith(":"):
            return model_named(f"{SEARCH}{model}" if model else UNIFORM)
    except DiagnosticError:
        pass  # of a model that nobody has named
    stands = f"nothing, or the iterations of others, 1 to {MOST:,}, as `{BELIEFS}:50`"
    raise DiagnosticError(UnknownBot(NOWHERE, name, f"behind `{BELIEFS}` stands {stands}"))


def is_bot(name: str) -> bool:
    """Whether a bot has this name; what stands behind a colon may still be no budget."""
    kind, colon, _ = name.strip().partition(BELIEFS)[0].partition(":")
    return kind == SEARCH if colon else kind in NAMES


def _hint(kind: str, budget: bool) -> str:
    if budget and kind in NAMES:
        return "only `search` takes a budget, as `search:500` or `search:2s`"
    names = ", ".join(f"`{name}`" for name in NAMES)
    believing = f"those that search with `{BELIEFS}` behind them, as `hard{BELIEFS}`"
    return did_you_mean(kind, NAMES) or f"there are {names}, `search:500` or `search:2s`, and {believing}"
