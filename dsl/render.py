"""A report as snippets, as `file:line:col` lines, or as JSON."""

from __future__ import annotations

import json

from dsl.diagnostics import Label, Mistake, Report


def snippets(report: Report) -> str:
    """Each mistake with the line it stands in, marked, and how to mend it."""
    return "\n\n".join(_snippet(m) for m in report)


def lines(report: Report) -> str:
    """One line each, in the form that editors jump to."""
    return "\n".join(
        f"{m.span.place}: {m.severity}: {m.message} [{m.code}]" + (f" (help: {m.help})" if m.help else "")
        for m in report
    )


def as_json(report: Report) -> str:
    """A list of objects: code, slug, severity, message, help, file, line, column, end."""
    return json.dumps([_object(m) for m in report], indent=2, ensure_ascii=False)


def _object(m: Mistake) -> dict[str, object]:
    line, column = m.span.source.position(m.span.start)
    end_line, end_column = m.span.source.position(m.span.end)
    return {
        "code": m.code, "slug": m.slug, "severity": str(m.severity), "message": m.message,
        "help": m.help, "file": m.span.source.name, "line": line, "column": column,
        "end_line": end_line, "end_column": end_column,
    }  # fmt: skip


def _snippet(m: Mistake) -> str:
    parts = [
        f"{m.severity}[{m.code}]: {m.message}",
        _marked(m.span.place, Label(m.span, m.pointer)),
    ]
    parts.extend(_marked(other.span.place, other) for other in m.others)
    if m.help:
        parts.append(f"  help: {m.help}")
    return "\n".join(part for part in parts if part)


def _marked(place: str, label: Label) -> str:
    source = label.span.source
    if not source.text:
        return f"  --> {source.name}" + (f": {label.text}" if label.text else "")
    number, column = source.position(label.span.start)
    text = source.line(number)
    shown = text if len(text) <= 160 else text[:157] + "..."
    width = max(1, min(label.span.end, label.span.start + len(text) - column + 1) - label.span.start)
    width = min(width, max(1, len(shown) - column + 1))
    gutter = " " * len(str(number))
    marks = " " * (column - 1) + "^" * width if column <= len(shown) + 1 else ""
    return f"  --> {place}\n {gutter} |\n {number} | {shown}\n {gutter} | {marks} {label.text}".rstrip()
