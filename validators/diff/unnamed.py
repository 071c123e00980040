"""What bears no name: triggers and promises. They are known again by what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dsl.rules import Rules
from validators.diff.changes import Change, FactChange, Verb
from validators.diff.definitions import promise_lines, trigger_lines
from validators.diff.lines import DiffLine, align, meaning, whole
from validators.diff.version_view import VersionView


@dataclass(frozen=True)
class Unnamed:
    """A kind of thing without names, and the lines of each."""

    section: str
    noun: str
    found: Callable[[Rules], Sequence[Any]]
    lines: Callable[[VersionView, Any], Iterator[DiffLine]]
    ordered: bool = False


TRIGGERS = Unnamed("routines", "trigger", lambda rules: rules.triggers, trigger_lines, ordered=True)
PROMISES = Unnamed("promises", "promise", lambda rules: rules.invariants, promise_lines)
GOALS = Unnamed("promises", "promise", lambda rules: rules.goals, promise_lines)
UNNAMED = (TRIGGERS, PROMISES, GOALS)


@dataclass(frozen=True)
class _One:
    """One of them, with its lines."""

    decl: Any
    lines: tuple[DiffLine, ...]

    @property
    def text(self) -> str:
        return self.lines[0].text.removeprefix("when ")


def compare_unnamed(kind: Unnamed, old: VersionView, new: VersionView) -> Iterator[Change]:
    """Pairs what means the same, then what has the same header or body; the rest is new or gone."""
    before = [_One(d, tuple(kind.lines(old, d))) for d in kind.found(old.rules)]
    now = [_One(d, tuple(kind.lines(new, d))) for d in kind.found(new.rules)]
    pairs = list(_paired(before, now))
    for b in now:
        a = next((x for x, y in pairs if y is b), None)
        yield from _told(kind, a, b) if a is not None else (_alone(kind, b, "added"),)
    yield from (_alone(kind, x, "removed") for x in before if all(x is not a for a, _ in pairs))
    yield from _order(kind, pairs, before, now)


FORMS: tuple[Callable[[_One], object], ...] = (
    lambda one: meaning(one.lines),
    lambda one: meaning(one.lines[:1]),
    lambda one: meaning(one.lines[1:]),
)
"""By what they are known again: all of it, the header, what stands below it."""


def _paired(old: Sequence[_One], new: Sequence[_One]) -> Iterator[tuple[_One, _One]]:
    left, right = list(old), list(new)
    for form in FORMS:
        found = _pairs(left, right, form)
        left = [x for x in left if all(x is not a for a, _ in found)]
        right = [y for y in right if all(y is not b for _, b in found)]
        yield from found


def _pairs(
    old: Sequence[_One], new: Sequence[_One], form: Callable[[_One], object]
) -> list[tuple[_One, _One]]:
    found: list[tuple[_One, _One]] = []
    left = list(new)
    for one in old:
        other = next((x for x in left if form(x) == form(one)), None)
        if other is not None:
            left = [x for x in left if x is not other]
            found.append((one, other))
    return found


def _told(kind: Unnamed, a: _One, b: _One) -> Iterator[Change]:
    aligned = align(a.lines, b.lines)
    if aligned.edits or aligned.facts:
        cited = tuple(dict.fromkeys((*a.decl.clauses, *b.decl.clauses)))
        yield _change(kind, b.text, "changed", aligned.facts, aligned.edits, cited, a, b)


def _alone(kind: Unnamed, one: _One, verb: Verb) -> Change:
    edits = whole("+" if verb == "added" else "-", one.lines)
    both = (None, one) if verb == "added" else (one, None)
    return _change(kind, one.text, verb, (), edits, one.decl.clauses, *both)


def _change(
    kind: Unnamed, name: str, verb: Verb, facts: Any, edits: Any, cited: Any, a: _One | None, b: _One | None
) -> Change:
    old, new = (one.decl.span if one is not None else None for one in (a, b))
    return Change(kind.section, kind.noun, name, verb, "", facts, edits, cited, old, new)


def _order(
    kind: Unnamed, pairs: Sequence[tuple[_One, _One]], before: Sequence[_One], now: Sequence[_One]
) -> Iterator[Change]:
    """Triggers run in the order in which they are written."""
    if not kind.ordered:
        return
    old = [a for x in before for a, _ in pairs if a is x]
    new = [a for y in now for a, b in pairs if b is y]
    if [id(x) for x in old] != [id(x) for x in new]:
        fact = FactChange("order", "; ".join(x.text for x in old), "; ".join(x.text for x in new))
        yield Change(kind.section, f"{kind.noun}s", "", "changed", "", (fact,), (), (), None, None)
