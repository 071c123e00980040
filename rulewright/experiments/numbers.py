"""Numbers of a ruleset that have a name, and the ruleset with other values of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import IntType
from dsl.folder import BASE, Folder, fetch_of
from dsl.load import load
from dsl.rules import Rules
from dsl.source import NOWHERE, Span, with_replaced
from rulewright.experiments.cells import Cell, CellPlace, cells, source_of
from rulewright.experiments.rulesets import Ruleset
from rulewright.messages import NoSuchNumber

NEAR = 3
"""Without bounds of its own, a number is changed by at least so much to each side, or by half of itself."""


@dataclass(frozen=True)
class Number:
    """A number with a name: an option, a constant, or a cell of a table; its value, and what is tried.

    `place` is where a cell stands.
    """

    name: str
    kind: Literal["option", "constant", "cell"]
    value: int
    low: int
    high: int
    place: CellPlace | None = None


@dataclass(frozen=True)
class ChangedRuleset:
    """A ruleset with other numbers, and the options that go with it."""

    ruleset: Ruleset
    options: Mapping[str, str]


def numbers_of(rules: Rules, seats: int) -> list[Number]:
    """The options with a range and the constants."""
    found = [
        Number(option.name, "option", option.default, option.type.lo, option.type.hi)
        for option in rules.options.values()
        if isinstance(option.type, IntType)
    ]
    for constant in rules.constants.values():
        value = constant.values[seats]
        found.append(Number(constant.name, "constant", value, *_around(value)))
    return found


def cells_of(ruleset: Ruleset, rules: Rules) -> list[Number]:
    """The cells of tables that hold numbers and have a name of their own."""
    found = list(cells(dict(ruleset.files), rules))
    names = Counter(cell.name for cell in found)
    return [_of_cell(cell) for cell in found if names[cell.name] == 1]


def find_number(
    written: str, ruleset: Ruleset, rules: Rules, seats: int, options: Mapping[str, str]
) -> Number:
    """A number by name, `NAME` or `NAME=LOW..HIGH`. Raises `DiagnosticError` with `NoSuchNumber`."""
    name, _, bounds = (part.strip() for part in written.partition("="))
    known = {number.name: number for number in numbers_of(rules, seats)}
    if name not in known:
        known |= {number.name: number for number in cells_of(ruleset, rules)}
    found = known.get(name)
    if found is None:
        cells = "a cell, `ROW.COLUMN` or `TABLE.KEY`"
        hint = did_you_mean(name, list(known)) or f"name an option, a constant or {cells}"
        raise DiagnosticError(NoSuchNumber(NOWHERE, written, "", hint))
    if found.kind == "option" and name in options:
        found = replace(found, value=int(options[name]))
    return _bounded(found, written, bounds) if bounds else found


def _bounded(found: Number, written: str, bounds: str) -> Number:
    low, dots, high = bounds.partition("..")
    try:
        least, most = int(low), int(high)
    except ValueError:
        dots = ""
    if not dots or not least <= found.value <= most:
        hint = f"bounds are written `{found.name}=LOW..HIGH`, around {found.value}"
        raise DiagnosticError(NoSuchNumber(NOWHERE, written, " within these bounds", hint))
    if found.kind == "option" and not found.low <= least <= most <= found.high:
        hint = f"the option `{found.name}` is from {found.low} to {found.high}"
        raise DiagnosticError(NoSuchNumber(NOWHERE, written, " within these bounds", hint))
    return replace(found, low=least, high=most)


def with_numbers(
    ruleset: Ruleset, options: Mapping[str, str], numbers: Mapping[Number, int]
) -> ChangedRuleset:
    """A ruleset with other values of some numbers; it may have mistakes then."""
    chosen, files = dict(options), dict(ruleset.files)
    constants: dict[str, int] = {}
    in_cells: list[tuple[CellPlace, int]] = []
    for number, value in numbers.items():
        match number.kind:
            case "option":
                chosen[number.name] = str(value)
            case "constant":
                constants[number.name] = value
            case "cell" if number.place is not None:
                in_cells.append((number.place, value))
    files = _with_cells(files, in_cells)
    if constants:
        files = _laid_over(files, constants)
    if files == dict(ruleset.files):
        return ChangedRuleset(ruleset, chosen)
    return ChangedRuleset(_digested(ruleset.name, files), chosen)


def _laid_over(files: Mapping[str, bytes], constants: Mapping[str, int]) -> dict[str, bytes]:
    """An overlay with other constants."""
    lines = ["overlay: unchanged", "game: changed", "constants:"]
    lines += [f"  {key}: {value}" for key, value in constants.items()]
    below = {BASE + path: data for path, data in files.items()}
    return {"game.yaml": "\n".join([*lines, ""]).encode(), **below}


def _digested(name: str, files: Mapping[str, bytes]) -> Ruleset:
    """Raises `ErrorsReported` or `DiagnosticError` if the files are no game."""
    reader = Folder(name, fetch_of(files), with_look=False)
    load(reader)
    return Ruleset(name, reader.digest(), tuple(sorted(files.items())))


def _around(value: int) -> tuple[int, int]:
    reach = max(NEAR, -(-abs(value) // 2))
    return (max(0, value - reach) if value >= 0 else value - reach), value + reach


# ---- cells of tables


def _of_cell(cell: Cell) -> Number:
    low, high = _around(cell.value)
    least, most = cell.bounds or (low, high)
    return Number(cell.name, "cell", cell.value, max(low, least), min(high, most), cell.place)


def _with_cells(files: Mapping[str, bytes], changes: Iterable[tuple[CellPlace, int]]) -> dict[str, bytes]:
    """The files with other numbers in some cells."""
    numbers: dict[str, list[tuple[CellPlace, int]]] = {}
    for place, value in changes:
        numbers.setdefault(place.path, []).append((place, value))
    changed = dict(files)
    for path, in_file in numbers.items():
        source = source_of(path, files[path])
        spans = ((Span(source, place.start, place.end), str(value)) for place, value in in_file)
        changed[path] = with_replaced(source.text, spans).encode()
    return changed
