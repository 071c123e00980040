"""Rendering of a report: as snippets, as `file:line:col` lines, or as JSON."""

from __future__ import annotations

import json
import unicodedata

from dsl.characters import shown_as_one
from dsl.diagnostics import Diagnostic, Label, Report
from dsl.sheets.delimited import cell_at, is_workbook
from dsl.source import NOWHERE, Span

WIDEST = 120


def snippets(report: Report) -> str:
    """Each diagnostic with its line, marked, and its help."""
    return "\n\n".join(_snippet(m) for m in report)


def lines(report: Report) -> str:
    """One line for each diagnostic, which editors can jump to: `file:line:col: error: ... [D009]`."""
    return "\n".join(_line(m) for m in report)


def as_json(report: Report) -> str:
    """A list of objects: code, slug, severity, message, help, label, way, file, line, column, end_line,
    end_column; in a table also `cell`, `B7`.

    Lines and columns count from 1; a diagnostic without a place has `null` for the last five. `label` is the
    text at the place; `way` are further places, each with its file, line, column and label.
    """
    return json.dumps([_object(m) for m in report], indent=2)


def _line(m: Diagnostic) -> str:
    place = "" if _placeless(m.span) else f"{place_of(m.span, with_cell=False)}: "
    code = f"{m.code}, {cell}" if (cell := cell_at(m.span)) else m.code
    help_ = f" (help: {m.help})" if m.help else ""
    return printable(f"{place}{m.severity}: {m.message} [{code}]{help_}")


def _object(m: Diagnostic) -> dict[str, object]:
    source = m.span.source
    nowhere = _placeless(m.span)
    start, end = source.position(m.span.start), source.position(m.span.end)
    return {
        "code": m.code,
        "slug": m.slug,
        "severity": str(m.severity),
        "message": m.message,
        "help": m.help,
        "label": m.pointer,
        "way": [_step(other) for other in m.others],
        "file": None if nowhere else source.name,
        "line": None if nowhere else start[0],
        "column": None if nowhere else start[1],
        **({"cell": cell} if (cell := cell_at(m.span)) else {}),
        "end_line": None if nowhere else end[0],
        "end_column": None if nowhere else end[1],
    }


def place_of(span: Span, with_cell: bool = True) -> str:
    """`file:line:col`, in a table with the cell, `cards.csv:7:3 (B7)`; in a workbook the cell alone,
    `cards.xlsx#Cards!B7`.
    """
    cell = cell_at(span)
    if is_workbook(span.source.name):
        return f"{span.source.name}!{cell or 'A1'}"
    return f"{span.place} ({cell})" if cell and with_cell else span.place


def _step(label: Label) -> dict[str, object]:
    source = label.span.source
    line, column = source.position(label.span.start)
    return {"file": source.name, "line": line, "column": column, "label": label.text}


def _placeless(span: Span) -> bool:
    return span.source is NOWHERE.source


def _snippet(m: Diagnostic) -> str:
    parts = [printable(f"{m.severity}[{m.code}]: {m.message}")]
    if not _placeless(m.span):
        parts.append(marked(Label(m.span, m.pointer)))
    parts.extend(marked(other) for other in m.others)
    if m.help:
        parts.append(printable(f"  help: {m.help}"))
    return "\n".join(parts)


def marked(label: Label) -> str:
    """The first line of a span, with marks under the span; only the place if its file has no text."""
    span, source = label.span, label.span.source
    if not source.text:
        return printable(f"  --> {source.name}" + (f": {label.text}" if label.text else ""))
    number, column = source.position(span.start)
    text = source.line(number)
    before, marked, after = _window(text, column - 1, column - 1 + max(1, span.end - span.start))
    marks = " " * _width(before) + "^" * max(1, _width(marked))
    gutter = " " * len(str(number))
    rows = (
        f"  --> {printable(place_of(span))}",
        f" {gutter} |",
        f" {number} | {before}{marked}{after}",
        f" {gutter} | {marks} {printable(label.text)}",
    )
    return "\n".join(row.rstrip() for row in rows)


def _window(text: str, start: int, end: int) -> tuple[str, str, str]:
    """The parts of a line before, in and after a span, cut to the width of a screen."""
    left = 0 if start < WIDEST * 3 // 4 else start - WIDEST // 4
    right = left + WIDEST
    before, marked, after = text[left:start], text[start : min(end, right)], text[min(end, right) : right]
    before = "..." + before if left else before
    after = after + "..." if len(text) > right else after
    return printable(before), printable(marked), printable(after)


def printable(text: str) -> str:
    """The text with every character that could control a terminal replaced by a blank or sign."""
    return "".join(ch if shown_as_one(ch) else " " if ch in "\t\u00a0" else "\ufffd" for ch in text)


def _width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return sum(_columns(ch) for ch in text)


def _columns(ch: str) -> int:
    if unicodedata.combining(ch) or unicodedata.category(ch) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(ch) in "WF" else 1
