"""The page of `check` for one game: findings, phases, machine, boards and tables."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from dsl.diagnostics import Diagnostic, Label
from dsl.rules import Rules, Table
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.formatting import Formatter
from rulewright.drawing.machine import machine_diagram
from rulewright.drawing.phases import phase_diagram
from rulewright.drawing.svg import svg
from rulewright.layout.board_svg import shared_picture
from rulewright.pages.boards import facts
from rulewright.pages.colours import coloured
from rulewright.pages.rendering import render, trusted
from validators.boards import is_board
from validators.check import Finding
from validators.checks import CHECKS
from validators.flow.graph import Flow
from validators.flow.writes import JudgedWrite, judged
from validators.run_checks import CheckRun

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_CELLS = 120
"""The most cells of a table that are shown."""


def page(name: str, rules: Rules | None, diagnostics: Sequence[Diagnostic], examined: CheckRun) -> str:
    """The page, without external resources. Raises `DiagnosticError` if no pages can be rendered."""
    return render(
        "report.html",
        title=rules.title if rules is not None else name,
        rules=rules,
        diagnostics=diagnostics,
        examined=examined,
        excerpt=_excerpt,
        own_place=lambda diagnostic: Label(diagnostic.span, diagnostic.pointer),
        way=lambda diagnostic: diagnostic.path if isinstance(diagnostic, Finding) else diagnostic.others,
        **(_game(rules, examined) if rules is not None else {}),
    )


def _game(rules: Rules, examined: CheckRun) -> dict[str, object]:
    """The parts of the page for a ruleset that could be loaded."""
    machine = compile_rules(rules)
    names = Formatter(rules, machine)
    boards = [decl for decl in rules.types.values() if is_board(decl)]
    seats = rules.seats[1]
    return {
        "checks": [_check(check.code, check.finding, examined) for check in CHECKS],
        "ranges": _ranges(machine),
        "phases": trusted(svg(phase_diagram(rules))),
        "machine": trusted(svg(machine_diagram(rules, machine))),
        "boards": [
            {
                "name": b.name,
                "facts": facts(b, seats),
                "drawing": _drawn(rules, b.name, seats),
            }
            for b in boards
        ],
        "tables": [_table(names, table) for table in rules.tables.values()],
    }


def _drawn(rules: Rules, board: str, seats: int) -> str:
    return trusted(shared_picture(rules, board, seats))


# ---- findings


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line of a source, split at the marked part."""

    before: Markup | str
    marked: Markup | str
    after: Markup | str


def _excerpt(label: Label) -> Excerpt | None:
    """The line of a label; nothing if its source has no text."""
    span, source = label.span, label.span.source
    if not source.text:
        return None
    number, column = source.position(span.start)
    line = source.line(number)
    start, end = column - 1, min(len(line), column - 1 + max(1, span.end - span.start))
    if not source.name.endswith(".rules"):
        return Excerpt(line[:start], line[start:end], line[end:])
    places = ((0, start), (start, end), (end, len(line)))
    return Excerpt(*(trusted(coloured(line, *place)) for place in places))


def _check(code: str, finding: type[Finding], examined: CheckRun) -> dict[str, object]:
    summary = inspect.cleandoc(finding.__doc__ or "").split("\n\n")[0]
    found = sum(f.code == code for f in examined.findings)
    return {
        "code": code,
        "about": " ".join(summary.split()),
        "found": found if code in examined.done else "no time" if code in examined.left else "not asked",
        "allowed": sum(f.code == code for f, _ in examined.allowed),
    }


# ---- ranges


def _ranges(machine: ir.Machine) -> dict[str, object] | None:
    """The writes of which it is not proved that the number stays in its range."""
    flow = Flow(machine)
    writes = list(judged(flow))
    if not writes:
        return None
    unproved = [write for write in writes if write.verdict != "proved"]
    return {
        "proved": len(writes) - len(unproved),
        "all": len(writes),
        "open": [_open(flow, write) for write in unproved],
    }


def _open(flow: Flow, write: JudgedWrite) -> dict[str, str]:
    span = flow.span(write.number)
    line = span.source.line(span.line).strip() if span.source.text else ""
    return {
        "place": span.place,
        "line": line.split("  ")[0],
        "name": write.name,
        "may_become": f"{_bound(write.values.lo)} to {_bound(write.values.hi)}",
        "range": f"{write.lo} to {write.hi}",
    }


def _bound(value: int) -> str:
    return "anything" if abs(value) > 1 << 30 else str(value)


# ---- tables


def _table(names: Formatter, table: Table) -> dict[str, object]:
    """Keys and cells; the values of the last key are the columns."""
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    rows = list(product(*down))
    shown = rows[: max(1, MOST_CELLS // len(across))]
    return {
        "name": table.name,
        "order": table.order,
        "depth": len(down),
        "across": [names.value(table.over_types[-1], v) for v in across],
        "rows": list(_rows(names, table, shown, len(across))),
        "left": len(rows) - len(shown),
    }


def _rows(
    names: Formatter, table: Table, shown: Sequence[tuple[int, ...]], width: int
) -> Iterator[tuple[list[str], list[str]]]:
    for i, keys in enumerate(shown):
        values = table.values[i * width : (i + 1) * width]
        yield (
            [names.value(kind, key) for kind, key in zip(table.over_types, keys, strict=False)],
            [names.value(table.type, value) for value in values],
        )
