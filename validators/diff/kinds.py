"""A kind of thing that rulesets declare: how to find them, and what is said of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dsl.rules import Rules
from dsl.source import Span
from validators.diff.changes import Change, FactChange, Verb
from validators.diff.lines import DiffLine, align, meaning, whole
from validators.diff.names import Form
from validators.diff.version_view import VersionView

D = TypeVar("D")


class Cited(Protocol):
    """What has a place and cites clauses."""

    @property
    def span(self) -> Span: ...

    @property
    def clauses(self) -> tuple[str, ...]: ...


W = TypeVar("W", bound=Cited)


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that is said of a declaration: its form, by which it is compared, and its words."""

    what: str
    form: Form
    words: str


class DeclKind(Generic[D]):
    """A kind of declaration: how to find those of a version, and what is said of each."""

    section: str
    """The chapter of the report."""
    word: str = ""
    """The noun for every one of them, unless it depends on the declaration."""
    named: bool = True
    """Whether one can be known under another name."""
    renames: bool = True
    """Whether another name is a change by itself."""

    def noun(self, decl: D) -> str:
        return self.word

    def found(self, rules: Rules) -> Mapping[str, D]:
        raise NotImplementedError

    def span(self, decl: D) -> Span | None:
        raise NotImplementedError

    def clauses(self, side: VersionView, decl: D) -> tuple[str, ...]:
        """The clauses that it cites."""
        return ()

    def facets(self, side: VersionView, decl: D) -> Iterable[Facet]:
        return ()

    def lines(self, side: VersionView, decl: D) -> Iterable[DiffLine]:
        return ()

    def facts(self, old: VersionView, a: D, new: VersionView, b: D) -> Iterable[FactChange]:
        """What can only be said of two versions together."""
        return ()

    def alone(self, side: VersionView, decl: D) -> Iterable[Facet]:
        """The same of one that stands alone."""
        return ()

    def name(self, key: str, decl: D) -> str:
        return key

    def today(self, side: VersionView, key: str) -> str:
        """A key of the old version as it is in the new one."""
        return side.names.name(key)

    def owner(self, decl: D) -> str:
        """The name of what it belongs to. If that is new or gone, so is all that belongs to it."""
        return ""

    def all_facets(self, side: VersionView, decl: D) -> tuple[Facet, ...]:
        return (*self.facets(side, decl), *self.alone(side, decl))

    def form(self, side: VersionView, decl: D) -> Form:
        """Everything that is compared, in one."""
        facets = tuple((f.what, f.form) for f in self.all_facets(side, decl))
        return (facets, meaning(tuple(self.lines(side, decl))))


class WrittenKind(DeclKind[W]):
    """Declarations that have a place of their own, and cite clauses there."""

    def span(self, decl: W) -> Span | None:
        return decl.span

    def clauses(self, side: VersionView, decl: W) -> tuple[str, ...]:
        return decl.clauses


def said(what: str, words: str | int | None, form: Form | None = None) -> Facet:
    """A facet that is compared by its words, if by nothing else; `None` says nothing."""
    text = "" if words is None else str(words)
    return Facet(what, text if form is None else form, text)


# ---- comparing


def compare_kind(kind: DeclKind[D], old: VersionView, new: VersionView) -> Iterable[Change]:
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


def _key(kind: DeclKind[D], old: VersionView, key: str, new: VersionView) -> str:
    """A key of the old version in the new one; as it was if only the new one still has it so."""
    found = kind.today(old, key)
    now = kind.found(new.rules)
    return key if found not in now and key in now else found


def _goes_without(kind: DeclKind[D], decl: D, old: VersionView, new: VersionView) -> bool:
    """Whether what something belongs to is new or gone itself."""
    owner = kind.owner(decl)
    known = {old.names.name(n) for n in (*old.rules.types, *old.rules.components)}
    there = known & {*new.rules.types, *new.rules.components}
    return bool(owner) and owner not in there and old.names.name(owner) not in there


def _changed(
    kind: DeclKind[D], old: VersionView, before: tuple[str, D], new: VersionView, now: tuple[str, D]
) -> Iterable[Change]:
    facts = tuple(_facts(kind, old, before[1], new, now[1]))
    aligned = align(tuple(kind.lines(old, before[1])), tuple(kind.lines(new, now[1])))
    was = kind.name(*before)
    was = was if kind.renames and was != kind.name(*now) else ""
    if not (facts or aligned.edits or aligned.facts or was):
        return
    cited = dict.fromkeys((*kind.clauses(old, before[1]), *kind.clauses(new, now[1])))
    verb: Verb = "renamed" if was and not (facts or aligned.edits or aligned.facts) else "changed"
    yield Change(
        kind.section,
        kind.noun(now[1]),
        kind.name(*now),
        verb,
        was,
        (*facts, *aligned.facts),
        aligned.edits,
        tuple(cited),
        kind.span(before[1]),
        kind.span(now[1]),
        kind.owner(now[1]),
    )


def _facts(kind: DeclKind[D], old: VersionView, a: D, new: VersionView, b: D) -> Iterable[FactChange]:
    before = {facet.what: facet for facet in kind.facets(old, a)}
    now = {facet.what: facet for facet in kind.facets(new, b)}
    for what in dict.fromkeys((*before, *now)):
        x, y = before.get(what), now.get(what)
        if x is None or y is None or x.form != y.form:
            yield FactChange(what, x.words if x else "", y.words if y else "")
    yield from kind.facts(old, a, new, b)
    cites = [" ".join(kind.clauses(side, decl)) for side, decl in ((old, a), (new, b))]
    if cites[0] != cites[1]:
        yield FactChange("cites", cites[0], cites[1])


def _alone(kind: DeclKind[D], side: VersionView, found: tuple[str, D], verb: Verb) -> Change:
    """What is new or gone, with all that is said of it."""
    key, decl = found
    words = [(f.what, f.words) for f in kind.all_facets(side, decl) if f.words]
    if verb == "added":
        facts = tuple(FactChange(what, "", text) for what, text in words)
    else:
        facts = tuple(FactChange(what, text, "") for what, text in words)
    edits = whole("+" if verb == "added" else "-", tuple(kind.lines(side, decl)))
    span = kind.span(decl)
    old, new = (None, span) if verb == "added" else (span, None)
    cited = kind.clauses(side, decl)
    name, of = kind.name(key, decl), kind.owner(decl)
    noun = kind.noun(decl)
    return Change(kind.section, noun, name, verb, "", facts, edits, cited, old, new, of)
