"""Rulewright turns a board game's rulebook into a program that referees it.

    import rulewright

    game = rulewright.open_game("my_game", seats=2)    # a bundled game, or the path of a folder
    match = rulewright.Match(game, seed=7).start()
    while not match.over:
        decision = match.decisions()[0]
        match.choose(decision.seat, decision.choices[0].text)
    print(match.winners(), match.accounts())

`bundled` names the games that come along, `check` finds a ruleset's mistakes, `read_rules` gives its
typed rules. `open_program` gives a game that plays by itself, fast:

    rulewright.open_program("my_game", seats=2).playouts(100_000, seed=7).wins

`Batch` and `Stepper` play for programs that choose, with masks and views as arrays (numpy is needed).
`search` says what a search thinks of the choices of a seat, which knows no more than the seat; `bot_named`
gives the players of `--seats`, `model_named` what others are taken to choose by, for `Match.beliefs`.

What is wrong with a ruleset raises `ErrorsReported` (with a report of mistakes) or `DiagnosticError` (with
one); a choice that is not offered, or anything else that must not happen in play, raises `Fault`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any
from warnings import warn

if TYPE_CHECKING:
    from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported, Report
    from dsl.rules import Rules
    from interpreter.bots.names import bot_named
    from interpreter.bots.search import search
    from interpreter.game import Choice, Decision, Game, MatchStep
    from interpreter.match import Match, ScoreSheet
    from interpreter.messages import Fault
    from interpreter.wasm.batch import Batch, Stepper
    from interpreter.wasm.program import Program
    from rulewright.cache import open_program
    from rulewright.examination import check_game as check
    from rulewright.learn.model_names import model_named
    from rulewright.library import bundled, open_game, read_rules

__all__ = [
    "Batch",
    "Choice",
    "Decision",
    "Diagnostic",
    "DiagnosticError",
    "ErrorsReported",
    "Fault",
    "Game",
    "Match",
    "MatchStep",
    "Program",
    "Report",
    "Rules",
    "ScoreSheet",
    "Stepper",
    "bot_named",
    "bundled",
    "check",
    "model_named",
    "open_game",
    "open_program",
    "read_rules",
    "search",
]

HOMES = {
    "dsl.diagnostics": ("DiagnosticError", "Diagnostic", "Report", "ErrorsReported"),
    "dsl.rules": ("Rules",),
    "interpreter.bots.names": ("bot_named",),
    "interpreter.bots.search": ("search",),
    "interpreter.game": ("Choice", "Decision", "Game", "MatchStep"),
    "interpreter.match": ("ScoreSheet", "Match"),
    "interpreter.messages": ("Fault",),
    "interpreter.wasm.batch": ("Batch", "Stepper"),
    "interpreter.wasm.program": ("Program",),
    "rulewright.cache": ("open_program",),
    "rulewright.learn.model_names": ("model_named",),
    "rulewright.library": ("bundled", "open_game", "read_rules"),
}
"""Where each name is defined. It is fetched when it is first asked for, so that importing is quick."""

FORMER = {
    "Account": "ScoreSheet",
    "Failed": "DiagnosticError",
    "Mistake": "Diagnostic",
    "Played": "MatchStep",
    "Stop": "ErrorsReported",
}
"""Former names, still found, with a `DeprecationWarning`."""


def __getattr__(name: str) -> Any:
    if name in FORMER:
        warn(f"`{name}` is now called `{FORMER[name]}`", DeprecationWarning, stacklevel=2)
        return __getattr__(FORMER[name])
    if name == "check":
        return import_module("rulewright.examination").check_game
    for module, names in HOMES.items():
        if name in names:
            if module.startswith(("interpreter.wasm", "interpreter.bots")) or name == "open_program":
                import_module("rulewright.processes.interrupts").listen()
            return getattr(import_module(module), name)
    raise AttributeError(f"module `rulewright` has no attribute `{name}`")


def __dir__() -> list[str]:
    return sorted(__all__)
