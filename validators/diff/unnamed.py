"""Comparison of what has no name: triggers and promises. They are paired by their forms."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dsl.rules import Rules
from validators.diff.changes import Change, FactChange, Verb
from validators.diff.definitions import promise_lines, trigger_lines
from validators.diff.lines import DiffLine, align, all_edits, meaning
from validators.diff.version_view import VersionView


@dataclass(frozen=True)
class Unnamed:
    """A kind of definition without names, and the lines of each."""

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
class _Item:
    """One definition with its lines."""

    decl: Any
    lines: tuple[DiffLine, ...]

    @property
    def text(self) -> str:
        return self.lines[0].text.removeprefix("when ")


def compare_unnamed(kind: Unnamed, old: VersionView, new: VersionView) -> Iterator[Change]:
    """Pairs equal definitions, then those with the same header or body; the rest is added or removed."""
    before = [_Item(d, tuple(kind.lines(old, d))) for d in kind.found(old.rules)]
    now = [_Item(d, tuple(kind.lines(new, d))) for d in kind.found(new.rules)]
    pairs = list(_paired(before, now))
    earlier = {id(b): a for a, b in pairs}
    for b in now:
        a = earlier.get(id(b))
        yield from _changed(kind, a, b) if a is not None else (_alone(kind, b, "added"),)
    stay = {id(a) for a, _ in pairs}
    yield from (_alone(kind, x, "removed") for x in before if id(x) not in stay)
    yield from _order(kind, pairs, before, now)


FORMS: tuple[Callable[[_Item], Hashable], ...] = (
    lambda one: meaning(one.lines),
    lambda one: meaning(one.lines[:1]),
    lambda one: meaning(one.lines[1:]),
)
"""The forms by which they are paired: of all lines, of the header, of the body."""


def _paired(old: Sequence[_Item], new: Sequence[_Item]) -> Iterator[tuple[_Item, _Item]]:
    left, right = list(old), list(new)
    for form in FORMS:
        found = _pairs(left, right, form)
        done = {id(one) for pair in found for one in pair}
        left = [x for x in left if id(x) not in done]
        right = [y for y in right if id(y) not in done]
        yield from found


def _pairs(
    old: Sequence[_Item], new: Sequence[_Item], form: Callable[[_Item], Hashable]
) -> list[tuple[_Item, _Item]]:
    left: defaultdict[Hashable, deque[_Item]] = defaultdict(deque)
    for one in new:
        left[form(one)].append(one)
    return [(one, others.popleft()) for one in old if (others := left[form(one)])]


def _changed(kind: Unnamed, a: _Item, b: _Item) -> Iterator[Change]:
    found = align(a.lines, b.lines)
    if found.edits or found.facts:
        cited = tuple(dict.fromkeys((*a.decl.clauses, *b.decl.clauses)))
        spans = a.decl.span, b.decl.span
        yield Change(kind.section, kind.noun, b.text, "changed", "", found.facts, found.edits, cited, *spans)


def _alone(kind: Unnamed, one: _Item, verb: Verb) -> Change:
    edits = all_edits("+" if verb == "added" else "-", one.lines)
    old, new = (None, one.decl.span) if verb == "added" else (one.decl.span, None)
    return Change(kind.section, kind.noun, one.text, verb, "", (), edits, one.decl.clauses, old, new)


def _order(
    kind: Unnamed, pairs: Sequence[tuple[_Item, _Item]], before: Sequence[_Item], now: Sequence[_Item]
) -> Iterator[Change]:
    """Triggers run in the order in which they are written."""
    if not kind.ordered:
        return
    stay, earlier = {id(a) for a, _ in pairs}, {id(b): a for a, b in pairs}
    old = [x for x in before if id(x) in stay]
    new = [earlier[id(y)] for y in now if id(y) in earlier]
    if [id(x) for x in old] != [id(x) for x in new]:
        fact = FactChange("order", "; ".join(x.text for x in old), "; ".join(x.text for x in new))
        yield Change(kind.section, f"{kind.noun}s", "", "changed", "", (fact,), (), (), None, None)
