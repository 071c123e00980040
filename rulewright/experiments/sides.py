"""The two sides of a comparison, read from what a command names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dsl.diagnostics import DiagnosticError
from dsl.rules import Rules
from dsl.source import NOWHERE
from rulewright.experiments.bots import seated_bots
from rulewright.experiments.rulesets import Ruleset, RulesetGames, read_ruleset
from rulewright.messages import SeatsDiffer
from validators.experiments.jobs import Side, Variant

LEAST_COMMON = 0.4
"""The part of the names of two versions of a game that they have in common at least."""


@dataclass(frozen=True)
class Sides:
    """Both sides with the rulesets that they need, the names of the seats, and what the sides are called."""

    old: Side
    new: Side
    rulesets: tuple[Ruleset, ...]
    seats: tuple[str, ...]
    titles: tuple[str, str]
    note: str = ""
    """What is said of them before they are compared."""


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
    first = read_ruleset(old[0])
    second = first if new[0] == old[0] else read_ruleset(new[0])
    return sides_of(first, old, second, new, seats, bots)


def sides_of(
    first: Ruleset,
    old: tuple[str, Mapping[str, str]],
    second: Ruleset,
    new: tuple[str, Mapping[str, str]],
    seats: int | None,
    bots: str,
) -> Sides:
    """Both sides of two rulesets, each with what it is called and its options; without `seats`, the fewest
    that both allow. Raises `ErrorsReported` or `DiagnosticError`."""
    (name, options), (other, changed) = old, new
    if seats is None:
        seats = _common(first, second)
    before, names, title = read_side(first, options, seats, bots)
    after, _, other_title = read_side(second, changed, seats, bots)
    titles = _called(name, title, options), _called(other, other_title, changed)
    if titles[0] == titles[1] and name != other:
        titles = f"{titles[0]} ({name})", f"{titles[1]} ({other})"
    return Sides(before, after, tuple(dict.fromkeys((first, second))), names, titles, _note(first, second))


def _common(old: Ruleset, new: Ruleset) -> int:
    """The fewest seats that both allow. Raises `DiagnosticError` with `SeatsDiffer`."""
    one, other = old.rules(), new.rules()
    both = set(one.seat_counts) & set(other.seat_counts)
    if not both:
        why = f"one is for {one.played_by} seats, the other for {other.played_by}"
        raise DiagnosticError(SeatsDiffer(NOWHERE, old.name, new.name, why))
    return min(both)


def _note(old: Ruleset, new: Ruleset) -> str:
    """Two games that have little in common are no versions of one."""
    first, second = (_declared(ruleset.rules()) for ruleset in (old, new))
    if old.digest == new.digest or len(first & second) >= LEAST_COMMON * len(first | second):
        return ""
    return (
        f"these are two different games: {len(first & second)} of the {len(first | second)} names that they "
        "declare are the same, so that chance is not shared and few differences have one cause"
    )


def _declared(rules: Rules) -> set[str]:
    """The names of what a game consists of."""
    parts = (rules.components, rules.zones, rules.counters, rules.routines, rules.phases, rules.options)
    return {name for part in parts for name in part}


def _called(version: str, title: str, options: Mapping[str, str]) -> str:
    revision = f"@{version.rpartition('@')[2]}" if "@" in version else ""
    return " ".join([title + revision, *(f"{name}={value}" for name, value in options.items())])
