"""Numbers of a ruleset that have a name, and the ruleset with other values of them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import IntType
from dsl.folder import BASE, Folder
from dsl.load import load
from dsl.rules import Rules
from dsl.source import NOWHERE
from rulewright.experiments.rulesets import Ruleset
from rulewright.messages import NoSuchNumber

NEAR = 3
"""Without bounds of its own, a number is changed by at least so much to each side, or by half of itself."""


@dataclass(frozen=True)
class Number:
    """A number with a name: an option, a constant, or a cell of a table; its value, and what is tried."""

    name: str
    kind: Literal["option", "constant", "cell"]
    value: int
    low: int
    high: int


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


def cells_of(ruleset: Ruleset) -> dict[str, list[Number]]:
    """The cells of tables that hold numbers and have a name of their own, by the path of their file."""
    found: dict[str, list[Number]] = {}
    names = Counter(f"{row}.{column}" for _, row, column, _ in _cells(ruleset))
    for path, row, column, value in _cells(ruleset):
        name = f"{row}.{column}"
        if names[name] == 1:
            found.setdefault(path, []).append(Number(name, "cell", value, *_around(value)))
    return found


def find_number(
    written: str, ruleset: Ruleset, rules: Rules, seats: int, options: Mapping[str, str]
) -> Number:
    """A number by name, `NAME` or `NAME=LOW..HIGH`. Raises `DiagnosticError` with `NoSuchNumber`."""
    name, _, bounds = (part.strip() for part in written.partition("="))
    known = {number.name: number for number in numbers_of(rules, seats)}
    found = known.get(name) or _cell(name, ruleset)
    if found is None:
        cells = [f"{row}.{column}" for _, row, column, _ in _cells(ruleset)]
        hint = did_you_mean(name, [*known, *cells]) or "name an option, a constant or a cell, `ROW.COLUMN`"
        raise DiagnosticError(NoSuchNumber(NOWHERE, written, "", hint))
    if found.kind == "option" and name in options:
        found = Number(name, "option", int(options[name]), found.low, found.high)
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
    return Number(found.name, found.kind, found.value, least, most)


def with_numbers(
    ruleset: Ruleset, options: Mapping[str, str], numbers: Mapping[Number, int]
) -> ChangedRuleset:
    """A ruleset with other values of some numbers; it may have mistakes then."""
    chosen, files = dict(options), dict(ruleset.files)
    constants: dict[str, int] = {}
    for number, value in numbers.items():
        match number.kind:
            case "option":
                chosen[number.name] = str(value)
            case "constant":
                constants[number.name] = value
            case "cell":
                files = _with_cell(files, number.name, value)
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

    def fetch(path: str) -> bytes:
        if path not in files:
            raise FileNotFoundError(2, "No such file")
        return files[path]

    reader = Folder(name, fetch, with_look=False)
    load(reader)
    return Ruleset(name, reader.digest(), tuple(sorted(files.items())))


def _around(value: int) -> tuple[int, int]:
    reach = max(NEAR, -(-abs(value) // 2))
    return (max(0, value - reach) if value >= 0 else value - reach), value + reach


# ---- cells of tables


def _cells(ruleset: Ruleset) -> Iterator[tuple[str, str, str, int]]:
    """The cells of tables in files that hold numbers: the file, the row by its first cell, the column."""
    for path, data in ruleset.files:
        if path.endswith(".csv"):
            head, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig")))
            for row in rows:
                for column, cell in list(zip(head, row, strict=False))[1:]:
                    if cell.strip().lstrip("-").isdecimal():
                        yield path, row[0].strip(), column.strip(), int(cell)


def _cell(name: str, ruleset: Ruleset) -> Number | None:
    found = [value for _, row, column, value in _cells(ruleset) if f"{row}.{column}" == name]
    return Number(name, "cell", found[0], *_around(found[0])) if len(found) == 1 else None


def _with_cell(files: Mapping[str, bytes], name: str, value: int) -> dict[str, bytes]:
    """The files with another number in a cell."""
    wanted, _, column = name.rpartition(".")
    changed = dict(files)
    for path, data in files.items():
        if not path.endswith(".csv"):
            continue
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        heads = [cell.strip() for cell in rows[0]]
        if column not in heads:
            continue
        for row in rows[1:]:
            if row and row[0].strip() == wanted:
                row[heads.index(column)] = str(value)
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows(rows)
                changed[path] = text.getvalue().encode()
    return changed
