"""The differences as JSON objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from dsl.source import Span
from rulewright.versions.logs import Judged
from validators.diff.changes import Change, LineEdit
from validators.diff.compare import Comparison
from validators.diff.log_replay.verdicts import KINDS

Object = dict[str, object]


def comparison_object(
    comparison: Comparison, names: tuple[str, str], judged: Sequence[Judged] | None
) -> Object:
    """The comparison as an object; it has `logs` only if logs were judged."""
    old, new = comparison.old, comparison.new
    found: Object = {
        "old": {"version": names[0], "game": old.name, "rules": old.digest},
        "new": {"version": names[1], "game": new.name, "rules": new.digest},
        "same": comparison.same,
        "changes": [_change(change) for change in comparison.changes],
        "clauses": list(comparison.clauses()),
    }
    if judged is not None:
        counts = Counter(one.kind for one in judged)
        found["logs"] = {
            "counts": {kind: counts[kind] for kind in KINDS},
            "verdicts": [_judged(one) for one in judged],
        }
    return found


def _change(change: Change) -> Object:
    return {
        "section": change.section,
        "kind": change.noun,
        "name": change.name,
        "verb": change.verb,
        "was": change.was or None,
        "facts": [asdict(fact) for fact in change.facts],
        "lines": [_edit(edit) for edit in change.edits],
        "clauses": list(change.clauses),
        "old": _place(change.old),
        "new": _place(change.new),
    }


def _edit(edit: LineEdit) -> Object:
    place = _place(edit.span) or {}
    return {"sign": edit.sign, "text": edit.text, "depth": edit.depth, **place, "clauses": list(edit.clauses)}


def _place(span: Span | None) -> Object | None:
    if span is None:
        return None
    return {"file": span.source.name, "line": span.line}


def _judged(one: Judged) -> Object:
    found = asdict(one)
    found["mistake"] = found.pop("diagnostic")
    return found
