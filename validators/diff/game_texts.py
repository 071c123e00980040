"""Comparison of the game as a whole, clauses, labels, defaults of absent seats and allowed findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from dsl.declare.enumerations import LETTERS
from dsl.rules import Clause, Preference, Provenance, Rules, Suppression
from dsl.source import Span
from validators.diff.changes import FactChange
from validators.diff.kinds import DeclKind, Facet, facet
from validators.diff.names import apart
from validators.diff.version_view import VersionView

# ---- the game


class WholeGame(DeclKind[Rules]):
    section = "game"
    named = False
    word = "game"

    def found(self, rules: Rules) -> dict[str, Rules]:
        return {"": rules}

    def name(self, key: str, decl: Rules) -> str:
        return decl.name

    def span(self, decl: Rules) -> Span | None:
        return decl.span

    def clauses(self, side: VersionView, decl: Rules) -> tuple[str, ...]:
        return decl.types["seat"].clauses

    def facets(self, side: VersionView, decl: Rules) -> Iterator[Facet]:
        yield facet("name", decl.name)
        yield facet("title", decl.title)
        yield facet("seats", decl.played_by)
        names = decl.types["seat"].names
        yield facet("seats are called", ", ".join(names) if "".join(names) != LETTERS[: len(names)] else "")
        yield facet("longest", decl.longest)
        carries = decl.carries
        yield facet("carries over", ", ".join(carries.of) if carries is not None else "")
        yield facet("another match follows while", (carries.goes_on or "") if carries is not None else "")

    def facts(self, old: VersionView, a: Rules, new: VersionView, b: Rules) -> Iterator[FactChange]:
        """The order of the tie-breaks of both versions."""
        before = [apart(old.names, "tiebreak", s.name) for s in a.scores if s.kind == "tiebreak"]
        now = [s.name for s in b.scores if s.kind == "tiebreak"]
        stay = [[n for n in names if n in before and n in now] for names in (before, now)]
        if stay[0] != stay[1]:
            yield FactChange("order of tie-breaks", ", ".join(stay[0]), ", ".join(stay[1]))


# ---- clauses

APART = ("id", "span")


class Clauses(DeclKind[Clause]):
    """All fields of a clause in the rulebook file."""

    section = "clauses"
    named = False
    word = "clause"

    def found(self, rules: Rules) -> Mapping[str, Clause]:
        return rules.clauses

    def span(self, decl: Clause) -> Span | None:
        return decl.span

    def clauses(self, side: VersionView, decl: Clause) -> tuple[str, ...]:
        return (decl.id,)

    def facets(self, side: VersionView, decl: Clause) -> Iterator[Facet]:
        for field in fields(decl):
            if field.name not in APART:
                yield facet(field.name, _words(getattr(decl, field.name)))


def _words(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_words(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


# ---- words

Texts = tuple[str, str, str]
"""A label, a help, and a phrase of a type from which the labels of its values are made."""


class Labels(DeclKind[Texts]):
    section = "words"
    named = renames = False
    word = "label"

    def found(self, rules: Rules) -> dict[str, Texts]:
        """What is written: the labels that are made of a phrase, or of other labels, follow from it."""
        phrases = {name: text for name, text in rules.phrases.items() if name in rules.types}
        labels = {name: text for name, text in rules.labels.items() if name in rules.written}
        names = dict.fromkeys((*labels, *rules.helps, *phrases))
        return {n: (labels.get(n, ""), rules.helps.get(n, ""), phrases.get(n, "")) for n in names}

    def span(self, decl: Texts) -> Span | None:
        return None

    def new_key(self, side: VersionView, key: str) -> str:
        return side.names.word(key)

    def facets(self, side: VersionView, decl: Texts) -> Iterator[Facet]:
        label, help_, phrase = decl
        yield facet("label", label)
        yield facet("help", help_)
        yield facet("phrase", phrase)


# ---- findings that are allowed


class AllowedFindings(DeclKind[Suppression]):
    section = "findings"
    named = False
    word = "allow"

    def found(self, rules: Rules) -> dict[str, Suppression]:
        return {f"{one.code} {one.about}": one for one in rules.allowed}

    def span(self, decl: Suppression) -> Span | None:
        return decl.span

    def facets(self, side: VersionView, decl: Suppression) -> Iterator[Facet]:
        yield facet("why", decl.why)


# ---- where rows come from


class RowSources(DeclKind[Provenance]):
    section = "findings"
    named = False
    word = "provenance"

    def found(self, rules: Rules) -> dict[str, Provenance]:
        return {f"{one.of} {one.status}": one for one in rules.provenance}

    def span(self, decl: Provenance) -> Span | None:
        return decl.span

    def facets(self, side: VersionView, decl: Provenance) -> Iterator[Facet]:
        yield facet("rows", ", ".join(decl.rows) or "all")
        yield facet("why", decl.why)


# ---- seats that stay away


class DefaultChoices(DeclKind[tuple[Preference, ...]]):
    """What is chosen for a seat that stays away, by decision."""

    section = "flow"
    named = False
    word = "absent"

    def found(self, rules: Rules) -> dict[str, tuple[Preference, ...]]:
        return rules.absent

    def span(self, decl: tuple[Preference, ...]) -> Span | None:
        return decl[0].span if decl else None

    def facets(self, side: VersionView, decl: tuple[Preference, ...]) -> Iterator[Facet]:
        chosen = [" ".join(one.words if one.pick == "first" else (*one.words, one.pick)) for one in decl]
        yield facet("chosen", ", ".join(text or "first" for text in chosen))
