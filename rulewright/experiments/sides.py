"""The two sides of a comparison, read from what a command names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.experiments.arguments import seated_bots
from rulewright.experiments.rulesets import Ruleset, RulesetGames, read_ruleset
from rulewright.messages import SeatsDiffer
from validators.experiments.jobs import Side, Variant


@dataclass(frozen=True)
class Sides:
    """Both sides with the rulesets that they need, the names of the seats, and what the sides are called."""

    old: Side
    new: Side
    rulesets: tuple[Ruleset, ...]
    seats: tuple[str, ...]
    titles: tuple[str, str]


def read_side(
    ruleset: Ruleset, options: Mapping[str, str], seats: int | None, bots: str
) -> tuple[Side, tuple[str, ...], str]:
    """A side, the names of its seats, and its title. Raises `ErrorsReported` or `DiagnosticError`."""
    number = seats if seats is not None else ruleset.rules().seats[0]
    variant = Variant(ruleset.digest, number, tuple(sorted(options.items())))
    game = RulesetGames([ruleset]).game(variant, "reference")
    side = Side(variant, seated_bots(bots, game))
    return side, tuple(game.names.seat(i) for i in range(number)), game.rules.title


def read_sides(
    old: tuple[str, Mapping[str, str]], new: tuple[str, Mapping[str, str]], seats: int | None, bots: str
) -> Sides:
    """Both sides, each a version with its options. Raises `ErrorsReported` or `DiagnosticError`."""
    (name, options), (other, changed) = old, new
    first = read_ruleset(name)
    second = first if other == name else read_ruleset(other)
    if seats is None:
        seats = _common(first, second)
    before, names, title = read_side(first, options, seats, bots)
    after, _, other_title = read_side(second, changed, seats, bots)
    titles = _called(name, title, options), _called(other, other_title, changed)
    if titles[0] == titles[1] and name != other:
        titles = f"{titles[0]} ({name})", f"{titles[1]} ({other})"
    return Sides(before, after, tuple(dict.fromkeys((first, second))), names, titles)


def _common(old: Ruleset, new: Ruleset) -> int:
    """The fewest seats that both allow. Raises `DiagnosticError` with `SeatsDiffer`."""
    (low, high), (least, most) = old.rules().seats, new.rules().seats
    if max(low, least) > min(high, most):
        why = f"one is for {low} to {high} seats, the other for {least} to {most}"
        raise DiagnosticError(SeatsDiffer(NOWHERE, old.name, new.name, why))
    return max(low, least)


def _called(version: str, title: str, options: Mapping[str, str]) -> str:
    revision = f"@{version.rpartition('@')[2]}" if "@" in version else ""
    return " ".join([title + revision, *(f"{name}={value}" for name, value in options.items())])
