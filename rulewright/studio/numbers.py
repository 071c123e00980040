"""Another value of a number: what it does to random matches, in pairs with the same chance, and to scenarios.

Experiments need the extra `arrays`; without it there are no numbers, and it is said so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING

from dsl.diagnostics import DiagnosticError
from dsl.folder import BASE
from dsl.rules import Rules
from dsl.source import NOWHERE, Span
from rulewright.messages import ExperimentsNotInstalled
from rulewright.studio.loading import FrozenRuleset, frozen, loaded
from rulewright.studio.offsets import span_range
from rulewright.studio.rpc import Json, refused
from rulewright.studio.scenarios import broken_scenarios

if TYPE_CHECKING:
    from rulewright.experiments.numbers import ChangedRuleset, Number
    from rulewright.experiments.rulesets import Ruleset
    from validators.experiments.comparing import Measure

MARGIN = 0.02
"""The difference of shares of the win that matters."""
FIRST = 64
"""After how many pairs the first figures are told; then after four times as many."""
BOTS = "random"


def numbers_in(ruleset: FrozenRuleset, seats: int, options: Mapping[str, str]) -> list[Json]:
    """The numbers of a ruleset that have a name: options with a range, constants, and cells of tables, which
    have their place. Raises `DiagnosticError`."""
    check_installed()
    from rulewright.experiments.numbers import cells_of, find_number, numbers_of

    rules, _ = loaded(ruleset)
    own = experimental(ruleset)
    found = [find_number(n.name, own, rules, seats, options) for n in numbers_of(rules, seats)]
    cells = [n for n in cells_of(own, rules) if n.place is not None and not n.place.path.startswith(BASE)]
    return [asdict(number) for number in (*found, *cells)]


def number_edit(ruleset: FrozenRuleset, rules: Rules, seats: int, name: str, value: int) -> list[Json]:
    """The edit that writes another value of a constant or cell into its file.

    Raises `DiagnosticError` if there is no such number, `RpcError` if it is not written as a plain one.
    """
    check_installed()
    from rulewright.experiments.cells import constant_place, source_of
    from rulewright.experiments.numbers import find_number

    files = dict(ruleset.files)
    number = find_number(name, experimental(ruleset), rules, seats, {})
    place = number.place if number.kind == "cell" else constant_place(files, name)
    if place is None:
        raise refused("not-plain", f"`{name}` is not a plain number in game.yaml: change it there")
    span = Span(source_of(place.path, files[place.path]), place.start, place.end)
    return [{**span_range(place.path, span), "text": str(value)}]


def simulated(
    ruleset: FrozenRuleset,
    tests: Mapping[str, str],
    seats: int,
    options: Mapping[str, str],
    name: str,
    value: int,
    pairs: int,
) -> Iterator[Json]:
    """Figures after more and more pairs, each with its interval; behind the first the scenarios that break.

    Raises `DiagnosticError` or `ErrorsReported` if there is no such number, or no game with such a value.
    """
    check_installed()
    from rulewright.experiments.numbers import find_number, with_numbers

    own = experimental(ruleset)
    number = find_number(name, own, loaded(ruleset)[0], seats, options)
    changed = with_numbers(own, options, {number: value})
    found: Json = {"name": name, "value": value}
    figures = _compared(own, options, changed, seats, pairs)
    found |= next(figures)
    yield found
    found = {**found, "broken": _broken(ruleset, changed, tests, number)}
    yield found
    for part in figures:
        yield {**found, **part}


def check_installed() -> None:
    """Raises `DiagnosticError` if what experiments need is not there."""
    if find_spec("numpy") is None:
        raise DiagnosticError(ExperimentsNotInstalled(NOWHERE, "numpy", "arrays"))


def experimental(ruleset: FrozenRuleset) -> Ruleset:
    """A ruleset as experiments have it."""
    from rulewright.experiments.rulesets import Ruleset

    return Ruleset(ruleset.name, ruleset.digest, ruleset.files)


def _broken(
    ruleset: FrozenRuleset, changed: ChangedRuleset, tests: Mapping[str, str], number: Number
) -> list[Json] | None:
    """The scenarios that hold now, and not with the other value; none for an option, which scenarios choose
    themselves."""
    if number.kind == "option":
        return None
    now = frozen(changed.ruleset.name, changed.ruleset.digest, dict(changed.ruleset.files))
    return broken_scenarios(loaded(ruleset), loaded(now), tests)


def _compared(
    own: Ruleset, options: Mapping[str, str], changed: ChangedRuleset, seats: int, pairs: int
) -> Iterator[Json]:
    from rulewright.experiments.running import LocalRunner
    from rulewright.experiments.sides import read_side
    from validators.experiments.comparing import measures
    from validators.experiments.jobs import PairJob
    from validators.experiments.tallies import PairTally

    old, names, _ = read_side(own, options, seats, BOTS)
    new, _, _ = read_side(changed.ruleset, changed.options, seats, BOTS)
    where = LocalRunner()
    where.learn([own, changed.ruleset])
    tally, played, size = PairTally(), 0, FIRST
    while played < pairs:
        number = min(size, pairs) - played
        (found,) = where.results([PairJob(old, new, played, number)])
        assert isinstance(found, PairTally)
        tally, played, size = tally + found, played + number, size * 4
        shown = measures(tally, names, MARGIN) if tally.pairs else []
        yield {
            "pairs": tally.pairs,
            "same": tally.same,
            "faults": sorted({_as_written(fault, own.name) for fault in tally.faults}),
            "measures": [measure_json(one) for one in shown],
        }


def _as_written(fault: str, name: str) -> str:
    """A fault, with its places in the files of the game: the one with the other number changes that one."""
    return fault.replace(f"{name}/base/", f"{name}/")


def measure_json(measure: Measure) -> Json:
    """A figure of both sides with the interval of its difference; shares as percentages."""
    scale = 100 if measure.unit == "share" else 1
    difference = measure.difference.scaled(scale)
    return {
        "name": measure.name,
        "unit": "%" if measure.unit == "share" else measure.unit,
        "old": round(scale * measure.old.mean, 3),
        "new": round(scale * measure.new.mean, 3),
        "difference": round(difference.estimate, 3),
        "low": _finite(difference.low),
        "high": _finite(difference.high),
    }


def _finite(value: float) -> float | None:
    return round(value, 3) if abs(value) < 1e9 else None
