"""The entry point of comparison: two versions of a ruleset to everything that differs in meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsl.rules import Rules
from validators.diff.changes import SECTIONS, Change
from validators.diff.definitions import Collections, Routines, Scores, Values
from validators.diff.flow import Phases
from validators.diff.game_texts import AllowedFindings, Clauses, DefaultChoices, Labels, RowSources, WholeGame
from validators.diff.kinds import DeclKind, compare_kind
from validators.diff.names import RenameMap
from validators.diff.pieces import Components, Rows, Types
from validators.diff.rename_detection import renamed
from validators.diff.settings import Constants, Options
from validators.diff.state_vars import Counters, Histories, Marks, Pointers, Zones
from validators.diff.tables import Tables
from validators.diff.unnamed import UNNAMED, compare_unnamed
from validators.diff.version_view import VersionView

KINDS: tuple[DeclKind[Any], ...] = (
    WholeGame(),
    Options(),
    Phases(),
    DefaultChoices(),
    Routines("actions", "action"),
    Scores(),
    Routines("effects", "effect"),
    Components(),
    Rows(),
    Types(),
    Tables(),
    Constants(),
    Zones(),
    Counters(),
    Marks(),
    Pointers(),
    Histories(),
    Routines("routines", "procedure"),
    Values(),
    Collections(),
    Labels(),
    Clauses(),
    AllowedFindings(),
    RowSources(),
)


@dataclass(frozen=True)
class Comparison:
    """Two versions, the renames, and the changes in the order of a report."""

    old: Rules
    new: Rules
    names: RenameMap
    changes: tuple[Change, ...]

    @property
    def same(self) -> bool:
        return not self.changes

    def clauses(self) -> tuple[str, ...]:
        """The clauses that a change touches, in the order of the rulebook."""
        touched = {clause for change in self.changes for clause in change.cited}
        order = dict.fromkeys((*self.new.clauses, *self.old.clauses))
        return (*(c for c in order if c in touched), *sorted(touched - set(order)))


def compare(old: Rules, new: Rules) -> Comparison:
    """Everything that differs in meaning."""
    names = renamed(old, new, KINDS)
    before, now = VersionView(old, names), VersionView(new)
    changes = sorted(_changes(before, now), key=lambda change: list(SECTIONS).index(change.section))
    return Comparison(old, new, names, tuple(changes))


def _changes(old: VersionView, new: VersionView) -> Iterator[Change]:
    for kind in KINDS:
        yield from compare_kind(kind, old, new)
    for unnamed in UNNAMED:
        yield from compare_unnamed(unnamed, old, new)
