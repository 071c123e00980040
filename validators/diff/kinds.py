"""Kinds of declarations: how to find them in a version, and how to compare them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from dsl.rules import Rules
from dsl.source import Span
from validators.diff.changes import Change, FactChange, Verb
from validators.diff.lines import DiffLine, align, all_edits, meaning
from validators.diff.names import Form
from validators.diff.version_view import VersionView

D = TypeVar("D")


class Cited(Protocol):
    """A declaration with a span and clauses."""

    @property
    def span(self) -> Span: ...

    @property
    def clauses(self) -> tuple[str, ...]: ...


W = TypeVar("W", bound=Cited)


@dataclass(frozen=True, slots=True)
class Facet:
    """One property of a declaration: its form, by which it is compared, and its text."""

    what: str
    form: Form
    words: str


class DeclKind(Generic[D]):
    """A kind of declaration. Subclasses override what they have: `found` and `span` at least."""

    section: str
    """The chapter of the report."""
    word: str = ""
    """The noun for all of them, unless `noun` depends on the declaration."""
    named: bool = True
    """Whether renames are detected."""
    renames: bool = True
    """Whether a new name is a change by itself."""

    def noun(self, decl: D) -> str:
        return self.word

    def found(self, rules: Rules) -> Mapping[str, D]:
        """The declarations of this kind, by their keys."""
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
        """Changes that show only in both versions together, besides those of facets and lines."""
        return ()

    def alone(self, side: VersionView, decl: D) -> Iterable[Facet]:
        """Facets of a declaration that is added or removed, in which `facts` would show them."""
        return ()

    def name(self, key: str, decl: D) -> str:
        return key

    def new_key(self, side: VersionView, key: str) -> str:
        """A key of the old version in the new one."""
        return side.names.name(key)

    def owner(self, decl: D) -> str:
        """The name of the declaration that it is part of, which is reported instead if it is new or gone."""
        return ""

    def all_facets(self, side: VersionView, decl: D) -> tuple[Facet, ...]:
        return (*self.facets(side, decl), *self.alone(side, decl))

    def form(self, side: VersionView, decl: D) -> Form:
        """Everything that is compared, as one form."""
        facets = tuple((f.what, f.form) for f in self.all_facets(side, decl))
        return (facets, meaning(tuple(self.lines(side, decl))))


class WrittenKind(DeclKind[W]):
    """Declarations with a span and clauses of their own."""

    def span(self, decl: W) -> Span | None:
        return decl.span

    def clauses(self, side: VersionView, decl: W) -> tuple[str, ...]:
        return decl.clauses


def facet(what: str, words: str | int | None, form: Form | None = None) -> Facet:
    """A facet that is compared by its words unless a form is given; `None` is no words."""
    text = "" if words is None else str(words)
    return Facet(what, text if form is None else form, text)


# ---- comparing


def compare_kind(kind: DeclKind[D], old: VersionView, new: VersionView) -> Iterable[Change]:
    """The changes in all declarations of a kind: those of the new version in order, then those removed."""
    before = {_key(kind, old, key, new): (key, decl) for key, decl in kind.found(old.rules).items()}
    now = kind.found(new.rules)
    for key, decl in now.items():
        if key in before:
            yield from _changed(kind, old, before[key], new, (key, decl))
        elif not _owner_is_alone(kind, decl, old, new):
            yield _alone(kind, new, (key, decl), "added")
    for key, (was, decl) in before.items():
        if key not in now and not _owner_is_alone(kind, decl, old, new):
            yield _alone(kind, old, (was, decl), "removed")


def _key(kind: DeclKind[D], old: VersionView, key: str, new: VersionView) -> str:
    """A key of the old version in the new one; unchanged if the new one has only the old key."""
    found = kind.new_key(old, key)
    now = kind.found(new.rules)
    return key if found not in now and key in now else found


def _owner_is_alone(kind: DeclKind[D], decl: D, old: VersionView, new: VersionView) -> bool:
    """Whether the owner of a declaration is itself added or removed."""
    owner = kind.owner(decl)
    known = {old.names.name(n) for n in (*old.rules.types, *old.rules.components)}
    there = known & {*new.rules.types, *new.rules.components}
    return bool(owner) and owner not in there and old.names.name(owner) not in there


def _changed(
    kind: DeclKind[D], old: VersionView, before: tuple[str, D], new: VersionView, now: tuple[str, D]
) -> Iterable[Change]:
    a, b = before[1], now[1]
    aligned = align(tuple(kind.lines(old, a)), tuple(kind.lines(new, b)))
    facts = (*_facts(kind, old, a, new, b), *aligned.facts)
    was = kind.name(*before)
    renamed = kind.renames and was != kind.name(*now)
    if facts or aligned.edits or renamed:
        yield Change(
            kind.section,
            kind.noun(b),
            kind.name(*now),
            "changed" if facts or aligned.edits else "renamed",
            was if renamed else "",
            facts,
            aligned.edits,
            tuple(dict.fromkeys((*kind.clauses(old, a), *kind.clauses(new, b)))),
            kind.span(a),
            kind.span(b),
            kind.owner(b),
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
    """The change of a declaration that is added or removed, with all its facets and lines."""
    key, decl = found
    added = verb == "added"
    texts = [(f.what, f.words) for f in kind.all_facets(side, decl) if f.words]
    span = kind.span(decl)
    return Change(
        kind.section,
        kind.noun(decl),
        kind.name(key, decl),
        verb,
        "",
        tuple(FactChange(what, "", text) if added else FactChange(what, text, "") for what, text in texts),
        all_edits("+" if added else "-", tuple(kind.lines(side, decl))),
        kind.clauses(side, decl),
        None if added else span,
        span if added else None,
        kind.owner(decl),
    )
