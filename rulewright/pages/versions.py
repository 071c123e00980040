"""The page of `diff` for two versions of a ruleset: changes by chapter, and verdicts on saved matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dsl import rules as r
from rulewright.pages.rendering import render
from rulewright.versions.logs import Judged
from rulewright.versions.matches import WORDS, blamed, cause, example
from validators.diff.changes import SECTIONS, Change
from validators.diff.compare import Comparison
from validators.diff.log_replay.verdicts import KINDS


def page(comparison: Comparison, names: tuple[str, str], judged: Sequence[Judged] | None) -> str:
    """The page, without external resources. Raises `DiagnosticError` if no pages can be rendered."""
    verbs = Counter[str](change.verb for change in comparison.changes)
    counts = Counter(one.kind for one in judged or ())
    return render(
        "versions.html",
        title=f"{comparison.new.title}: {names[0]} and {names[1]}",
        comparison=comparison,
        names=names,
        told=", ".join(f"{number} {verb}" for verb, number in verbs.items()),
        chapters=_chapters(comparison.changes),
        clauses=[_clause(comparison, mark) for mark in comparison.clauses()],
        matches=judged,
        verdicts=", ".join(f"{counts[kind]} {WORDS[kind][1]}" for kind in KINDS if counts[kind]),
        words=WORDS,
        cause=cause,
        where=lambda one: example(one).removeprefix(one.log).lstrip(",: "),
        blamed_place=_blamed_place,
    )


@dataclass(frozen=True, slots=True)
class Chapter:
    section: str
    title: str
    changes: list[Change]


def _chapters(changes: Sequence[Change]) -> list[Chapter]:
    """The chapters that have changes."""
    chapters = (
        Chapter(section, title, [change for change in changes if change.section == section])
        for section, title in SECTIONS.items()
    )
    return [chapter for chapter in chapters if chapter.changes]


@dataclass(frozen=True, slots=True)
class Touched:
    """A clause that changes concern, and the declarations that cite it and have changed."""

    mark: str
    clause: r.Clause | None
    changed: str


def _clause(comparison: Comparison, mark: str) -> Touched:
    clause = comparison.new.clauses.get(mark) or comparison.old.clauses.get(mark)
    parts = (change.of_clause(mark) for change in comparison.changes)
    return Touched(mark, clause, ", ".join(f"{p.noun} {p.name}" for p in parts if p is not None))


def _blamed_place(one: Judged) -> str | None:
    found = cause(one)
    return blamed(one)[0] if found.place or found.changes else None
