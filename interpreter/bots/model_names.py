"""Models of how others choose, by name: `uniform`, `search:100`."""

from __future__ import annotations

from typing import Final

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.source import NOWHERE
from interpreter.beliefs import opponents
from interpreter.beliefs.opponents import OpponentModel
from interpreter.bots.messages import UnknownModel
from interpreter.bots.search_model import SearchModel

UNIFORM: Final = "uniform"
SEARCH: Final = "search"
MODELS: Final = (UNIFORM, f"{SEARCH}:100")
MOST: Final = 10_000
"""The most iterations of a search that stands for another seat: it searches for each of its choices."""


def model_named(name: str) -> OpponentModel:
    """The model of a name. Raises `DiagnosticError` with `UnknownModel`."""
    kind, colon, number = name.strip().partition(":") if isinstance(name, str) else ("", "", "")
    if kind == UNIFORM and not colon:
        return opponents.UNIFORM
    if kind == SEARCH:
        return SearchModel(_iterations(name, number)) if colon else SearchModel()
    hint = did_you_mean(kind, (UNIFORM, SEARCH)) or f"there are {' and '.join(f'`{m}`' for m in MODELS)}"
    raise DiagnosticError(UnknownModel(NOWHERE, str(name), hint))


def _iterations(name: str, number: str) -> int:
    if number.isdecimal() and number.isascii() and len(number) < 9 and 1 <= int(number) <= MOST:
        return int(number)
    hint = f"behind the colon stands a number of iterations, 1 to {MOST:,}, as in `search:100`"
    raise DiagnosticError(UnknownModel(NOWHERE, name, hint))
