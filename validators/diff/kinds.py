"""A kind of thing that rulesets declare: how to find them, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dsl.rules import Rules
from dsl.source import Span
from validators.diff.changes import Change, Fact, Verb
from validators.diff.lines import Line, align, meaning, whole
from validators.diff.names import Form
from validators.diff.sides import Side

Key = str | tuple[str, str]
"""A name; or the owner of a value, and the value."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that is said of a declaration: its form, by which it is compared, and its words."""

    what: str
    form: Form
    words: str


def _nothing(*_: object) -> tuple[()]:
    return ()


@dataclass(frozen=True)
class Kind:
    """A kind of declaration. All functions are given a side, and a declaration of it.

    `both` finds what can only be said of two versions together; `rest` says the same of one that stands
    alone. A kind that is not `named` cannot be known under another name.
    """

    section: str
    noun: Callable[[Side, Any], str]
    found: Callable[[Rules], Mapping[Any, Any]]
    facets: Callable[[Side, Any], Iterable[Facet]] = _nothing
    lines: Callable[[Side, Any], Iterable[Line]] = _nothing
    both: Callable[[Side, Any, Side, Any], Iterable[Fact]] = _nothing
    rest: Callable[[Side, Any], Iterable[Facet]] = _nothing
    clauses: Callable[[Side, Any], tuple[str, ...]] = _nothing
    span: Callable[[Any], Span | None] = lambda decl: decl.span
    called: Callable[[Any, Any], str] = lambda key, decl: key
    named: bool = True
    renames: bool = True
    """Whether another name is a change by itself."""
    today: Callable[[Side, Any], Any] = lambda side, key: today(side, key)
    belongs: Callable[[Any], str] = lambda decl: ""
    """The name of what it belongs to: that this is new or gone says the same of all that belongs to it."""

    def form(self, side: Side, decl: Any) -> Form:
        """Everything that is compared, in one."""
        facets = tuple((f.what, f.form) for f in self.all_facets(side, decl))
        return (facets, meaning(tuple(self.lines(side, decl))))

    def all_facets(self, side: Side, decl: Any) -> tuple[Facet, ...]:
        return (*self.facets(side, decl), *self.rest(side, decl))


def said(what: str, words: str | int | None, form: Form | None = None) -> Facet:
    """A facet that is compared by its words, if by nothing else; `None` says nothing."""
    text = "" if words is None else str(words)
    return Facet(what, text if form is None else form, text)


# ---- comparing


def compare_kind(kind: Kind, old: Side, new: Side) -> Iterable[Change]:
    """What has changed in all declarations of a kind: those that are there, in order, then those gone."""
    before = {_key(kind, old, key, new): (key, decl) for key, decl in kind.found(old.rules).items()}
    now = kind.found(new.rules)
    for key, decl in now.items():
        if key in before:
            yield from _changed(kind, old, before[key], new, (key, decl))
        elif not _goes_without(kind, decl, old, new):
            yield _alone(kind, new, (key, decl), "added")
    for key, (was, decl) in before.items():
        if key not in now and not _goes_without(kind, decl, old, new):
            yield _alone(kind, old, (was, decl), "removed")


def _key(kind: Kind, old: Side, key: Key, new: Side) -> Key:
    """A key of the old version in the new one; as it was if only the new one still has it so."""
    found: Key = kind.today(old, key)
    now = kind.found(new.rules)
    return key if found not in now and key in now else found


def _goes_without(kind: Kind, decl: Any, old: Side, new: Side) -> bool:
    """Whether what something belongs to is new or gone itself."""
    owner = kind.belongs(decl)
    known = {old.names.name(n) for n in (*old.rules.types, *old.rules.components)}
    there = known & {*new.rules.types, *new.rules.components}
    return bool(owner) and owner not in there and old.names.name(owner) not in there


def today(side: Side, key: Key) -> Key:
    """A key of the old version as it is in the new one."""
    if isinstance(key, str):
        return side.names.name(key)
    owner, value = key
    return side.names.name(owner), side.names.value(owner, value)


def _changed(
    kind: Kind, old: Side, before: tuple[Key, Any], new: Side, now: tuple[Key, Any]
) -> Iterable[Change]:
    facts = tuple(_facts(kind, old, before[1], new, now[1]))
    aligned = align(tuple(kind.lines(old, before[1])), tuple(kind.lines(new, now[1])))
    was = kind.called(*before)
    was = was if kind.renames and was != kind.called(*now) else ""
    if not (facts or aligned.edits or aligned.facts or was):
        return
    cited = dict.fromkeys((*kind.clauses(old, before[1]), *kind.clauses(new, now[1])))
    verb: Verb = "renamed" if was and not (facts or aligned.edits or aligned.facts) else "changed"
    yield Change(
        kind.section,
        kind.noun(new, now[1]),
        kind.called(*now),
        verb,
        was,
        (*facts, *aligned.facts),
        aligned.edits,
        tuple(cited),
        kind.span(before[1]),
        kind.span(now[1]),
        kind.belongs(now[1]),
    )


def _facts(kind: Kind, old: Side, a: Any, new: Side, b: Any) -> Iterable[Fact]:
    before = {facet.what: facet for facet in kind.facets(old, a)}
    now = {facet.what: facet for facet in kind.facets(new, b)}
    for what in dict.fromkeys((*before, *now)):
        x, y = before.get(what), now.get(what)
        if x is None or y is None or x.form != y.form:
            yield Fact(what, x.words if x else "", y.words if y else "")
    yield from kind.both(old, a, new, b)
    cites = [" ".join(kind.clauses(side, decl)) for side, decl in ((old, a), (new, b))]
    if cites[0] != cites[1]:
        yield Fact("cites", cites[0], cites[1])


def _alone(kind: Kind, side: Side, found: tuple[Key, Any], verb: Verb) -> Change:
    """What is new or gone, with all that is said of it."""
    key, decl = found
    words = [(f.what, f.words) for f in kind.all_facets(side, decl) if f.words]
    if verb == "added":
        facts = tuple(Fact(what, "", text) for what, text in words)
    else:
        facts = tuple(Fact(what, text, "") for what, text in words)
    edits = whole("+" if verb == "added" else "-", tuple(kind.lines(side, decl)))
    span = kind.span(decl)
    old, new = (None, span) if verb == "added" else (span, None)
    cited = kind.clauses(side, decl)
    name, of = kind.called(key, decl), kind.belongs(decl)
    noun = kind.noun(side, decl)
    return Change(kind.section, noun, name, verb, "", facts, edits, cited, old, new, of)
