"""Attribution of a difference between two replays to a change of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from dsl.domains import row_type
from dsl.source import Span
from interpreter import ir
from validators.diff.changes import Change
from validators.diff.compare import KINDS, Comparison
from validators.diff.definitions import Collections, Values
from validators.diff.log_replay.log_player import StopReason
from validators.diff.names import Form
from validators.diff.rename_detection import all_lines, definitions
from validators.diff.version_view import VersionView

Version = Literal["old", "new"]
Place = tuple[str, int]
"""A file and a line of it."""
READ = frozenset(
    {"value", "table", "constant", "option", "ruling", "zone", "counter", "mark", "pointer"}
    | {"type", "board", "component"}
)
"""Nouns of what lines read by name. Other changes take effect where their own lines are run."""
ROUTINES = ("actions", "effects", "routines")
"""The chapters of what lines call by name."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A line, its clauses, and the changes behind it, each by the name of what it changes."""

    place: str = ""
    clauses: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


NO_CAUSE = Cause()


def place_of(span: Span) -> Place:
    return span.source.name, span.line


@dataclass(eq=False)
class Attribution:
    """The changes of a comparison, indexed by their lines and by the names and columns that lines read."""

    comparison: Comparison
    edited: dict[tuple[Version, Place], str] = field(init=False)

    def __post_init__(self) -> None:
        self.edited = {
            ("old" if edit.sign == "-" else "new", place_of(edit.span)): _label(change)
            for change in self.comparison.changes
            for edit in change.edits
        }

    # ---- what lines read

    @cached_property
    def _read(self) -> dict[tuple[Version, Place], frozenset[Form]]:
        """The names and columns that each line reads, in the names of the new version."""
        found: dict[tuple[Version, Place], frozenset[Form]] = {}
        for version, side in self._sides():
            for line in all_lines(KINDS, side):
                key = version, place_of(line.span)
                found[key] = found.get(key, frozenset()) | frozenset(_atoms(line.form))
        return found

    def _sides(self) -> Iterator[tuple[Version, VersionView]]:
        yield "old", VersionView(self.comparison.old, self.comparison.names)
        yield "new", VersionView(self.comparison.new)

    @cached_property
    def _changed(self) -> dict[Form, frozenset[str]]:
        """The changes behind each name and column: its own, and those of the values that it uses."""
        found: dict[Form, frozenset[str]] = {}
        for change in self.comparison.changes:
            for atom in _roots(self.comparison, change):
                found[atom] = found.get(atom, frozenset()) | {_label(change)}
        values = list(self._values())
        for _ in values:
            before = dict(found)
            for name, atoms in values:
                more = frozenset[str]().union(*(found.get(atom, frozenset()) for atom in atoms))
                if more:
                    found[name] = found.get(name, frozenset()) | more
            if found == before:
                break
        return found

    def _values(self) -> Iterator[tuple[Form, set[Form]]]:
        """What each value with its modifiers reads."""
        for _, side in self._sides():
            for name, value in side.rules.values.items():
                atoms = {atom for line in Values().lines(side, value) for atom in _atoms(line.form)}
                yield side.names.name(name), atoms
            for name, collection in side.rules.collections.items():
                atoms = {atom for line in Collections().lines(side, collection) for atom in _atoms(line.form)}
                yield side.names.name(name), atoms

    @cached_property
    def _together(self) -> dict[tuple[Version, Place], frozenset[Place]]:
        """The lines of the definition of each line."""
        found: dict[tuple[Version, Place], frozenset[Place]] = {}
        for version, side in self._sides():
            for lines in definitions(KINDS, side):
                places = frozenset(place_of(line.span) for line in lines)
                found.update({(version, place): places for place in places})
        return found

    # ---- causes

    def named(self, *names: str) -> tuple[str, ...]:
        """The changes of what has one of these names."""
        return tuple(sorted(frozenset[str]().union(*(self._changed.get(n, frozenset()) for n in names))))

    def line(self, version: Version, span: Span) -> tuple[str, ...]:
        """The changes behind a line: its own, or those of what it reads."""
        return tuple(sorted(self._of_place(version, place_of(span))))

    def around(self, version: Version, span: Span) -> tuple[str, ...]:
        """The same; if there are none, those of the definition around it, or of definitions that it names."""
        here = place_of(span)
        near = (self._of_place(version, place) for place in self._together.get((version, here), ()))
        named = (self._defined.get(atom, frozenset()) for atom in self._read.get((version, here), ()))
        found = (self._of_place(version, here), frozenset[str]().union(*near), frozenset[str]().union(*named))
        return tuple(sorted(next((some for some in found if some), ())))

    @cached_property
    def _defined(self) -> dict[Form, frozenset[str]]:
        """The changes of routines, which are called, not read."""
        changes = self.comparison.changes
        return {c.name: frozenset({_label(c)}) for c in changes if c.section in ROUTINES and not c.of}

    def _of_place(self, version: Version, place: Place) -> frozenset[str]:
        if (version, place) in self.edited:
            return frozenset({self.edited[version, place]})
        found = (self._changed.get(atom, frozenset()) for atom in self._read.get((version, place), ()))
        return frozenset[str]().union(*found)

    def result(self) -> tuple[str, ...]:
        """The changes of how the winners are determined."""
        changes = self.comparison.changes
        scoring = [c for c in changes if c.noun == "phase" and any(f.what == "score" for f in c.facts)]
        return tuple(_label(c) for c in (*scoring, *(c for c in changes if c.section == "scores")))

    def phases(self) -> tuple[str, ...]:
        """The changes of phases, which take effect where one begins."""
        return tuple(_label(c) for c in self.comparison.changes if c.noun == "phase" and c.verb != "renamed")

    def is_edited(self, version: Version, span: Span) -> bool:
        """Whether a line is in this version only."""
        return (version, place_of(span)) in self.edited

    def stop_cause(self, version: Version, reason: StopReason) -> Cause:
        """The cause of a refused step."""
        if reason.span is None:
            return Cause("", reason.clauses)
        return Cause(reason.span.place, reason.clauses, self.around(version, reason.span))

    def cause(self, version: Version, node: ir.Step) -> Cause:
        """The cause that a node is."""
        return Cause(node.span.place, node.clauses, self.line(version, node.span))


def _label(change: Change) -> str:
    return f"{change.noun} {change.name}".strip()


def _roots(comparison: Comparison, change: Change) -> Iterator[Form]:
    """The names or columns that a change affects, unless it is only a rename.

    A row that is added or removed, or whose number of pieces changes, affects the zones where pieces start.
    """
    if not change.of:
        yield from [change.name] if change.noun in READ and change.verb != "renamed" else []
        return
    columns = [fact.what.partition("(")[0] for fact in change.facts]
    if change.verb == "changed":
        yield from ((owner, column) for column in columns for owner in (change.of, row_type(change.of)))
    if change.verb != "changed" or "copies" in columns:
        zones = comparison.new.zones.values()
        yield from (zone.name for zone in zones if zone.start and zone.component == change.of)
        yield change.of


def _atoms(form: Form) -> Iterator[Form]:
    """The names in a form, and the columns, each with its owner."""
    if not isinstance(form, tuple):
        return
    if (len(form) == 2 and form[0] == "name") or (len(form) == 4 and form[0] == "column"):
        yield form[1]
    for part in form:
        yield from _atoms(part)
