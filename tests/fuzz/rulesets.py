"""Fuzzer of rulesets: every text is a game, or has mistakes with codes; and then it can be played."""

from __future__ import annotations

from random import Random
from typing import Any

from dsl.declare.presets import ChosenPreset
from dsl.diagnostics import DiagnosticError, ErrorsReported, Report
from dsl.domains import FlagType, IntType
from dsl.load import load
from dsl.render import as_json, lines, snippets
from dsl.rules import Rules
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from tests.fuzz.corpus import games, mutants_of, mutated, others, small_first
from tests.fuzz.edits import edit_ruleset
from tests.fuzz.inputs import Input, Wrong, folder_of
from validators.check import CheckContext
from validators.run_checks import run_checks

NAME = "rulesets"
CHOICES = 12
"""How many choices of each are played."""
CHECKED = 8
"""One in so many is examined by the checks that do not play, too."""


def make(pick: Random) -> Input:
    """A ruleset with a few changes; some have had a mistake before, others one that can be played."""
    known = games() if pick.random() < 0.8 else others()
    name = small_first(pick, list(known))
    texts, slips = known[name], mutants_of(name) if name in games() and pick.random() < 0.2 else ()
    if slips:
        return Input(NAME, said(pick), mutated(name, pick.choice(slips)))
    other = games()[pick.choice(list(games()))]
    return Input(NAME, said(pick), edit_ruleset(pick, texts, other))


def said(pick: Random) -> dict[str, Any]:
    return {"seed": pick.randrange(1 << 20), "checked": pick.randrange(CHECKED) == 0}


def run(tried: Input) -> str:
    pick = Random(tried.said["seed"])
    loaded = opened(tried, pick)
    if loaded is None:
        return "refused"
    rules, game = loaded
    if tried.said["checked"]:
        examined = run_checks(CheckContext(rules), 4.0, plays=False)
        told(Report([*examined.findings]))
    return play(game, tried.said["seed"])


def opened(tried: Input, pick: Random) -> tuple[Rules, Game] | None:
    """The game of an input, for some number of seats and some options; nothing if it has mistakes."""
    try:
        rules, report = load(folder_of(tried.files), preset(tried))
        told(report)
        seats, options = setting(rules, pick)
        return rules, Game(rules, compile_rules(rules, seats, options))
    except ErrorsReported as stop:
        if not len(stop.report):
            raise Wrong("stop-without-mistake") from stop
        told(stop.report)
    except DiagnosticError as failed:
        told(Report([failed.diagnostic]))
    return None


def preset(tried: Input) -> ChosenPreset | None:
    return ChosenPreset(tried.said["small"]) if tried.said.get("small") else None


def told(report: Report) -> None:
    """What is said of mistakes can be said in every form."""
    for form in (snippets, lines, as_json):
        form(report)


def setting(rules: Rules, pick: Random) -> tuple[int, dict[str, str | int]]:
    """A number of seats and some options of a game."""
    options: dict[str, str | int] = {}
    for name, option in sorted(rules.options.items()):
        if pick.random() < 0.3:
            match option.type:
                case FlagType():
                    options[name] = pick.choice(("true", "false"))
                case IntType(lo, hi):
                    options[name] = pick.choice((lo, hi))
                case _:
                    options[name] = pick.choice(option.values)
    return pick.randint(*rules.seats), options


def play(game: Game, seed: int) -> str:
    """The beginning of a match of random choices, with all that can be looked at."""
    below = Choosing(seed).below
    try:
        match = Match(game, seed, checked=True).start()
        for _ in range(CHOICES):
            for seat in range(-2, game.machine.seats):
                match.view(seat)
            match.accounts()
            if match.over:
                match.winners()
                return "over"
            decision = match.decisions()[below(len(match.decisions()))]
            match.choose(decision.seat, decision.choices[below(len(decision.choices))].text)
    except Fault as fault:
        told(Report([fault.diagnostic]))
        return f"{fault.diagnostic.code}"
    return "played"
