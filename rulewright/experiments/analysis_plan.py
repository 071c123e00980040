"""The plan of an analysis, from a ruleset and what is asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter import ir
from rulewright.experiments.analysis import AnalysisPlan
from rulewright.experiments.bots import seated_bots
from rulewright.experiments.rulesets import Ruleset, RulesetGames
from validators.experiments.findings import MOST_CHOICES
from validators.experiments.jobs import Variant


def planned(
    ruleset: Ruleset,
    seats: int | None,
    options: Mapping[str, str],
    bots: str,
    number: int,
    first: int = 0,
    *,
    doubled: Sequence[int] = (),
    most_choices: int = MOST_CHOICES,
    thorough: bool = False,
) -> AnalysisPlan:
    """What is played for an analysis of `number` matches; without `seats`, by the fewest that may play.

    Raises `ErrorsReported` or `DiagnosticError`.
    """
    rules = ruleset.rules()
    size = seats if seats is not None else rules.seats[0]
    variant = Variant(ruleset.digest, size, tuple(sorted(options.items())))
    game = RulesetGames([ruleset]).game(variant, "reference")
    return AnalysisPlan(
        ruleset=ruleset,
        variant=variant,
        rules=rules,
        seats=tuple(game.names.seat(i) for i in range(size)),
        bots=seated_bots(bots, game),
        first=first,
        number=number,
        doubled=tuple(doubled),
        thorough=thorough,
        most_choices=most_choices,
        endings=tuple(game.machine.endings),
        chance=any(isinstance(node, ir.Chance) for node in game.machine.nodes),
    )
