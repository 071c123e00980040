"""The front door of comparing: two versions of a ruleset to everything that differs in meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.rules import Rules
from validators.diff.book import ALLOWED, CLAUSES, GAME, LABELS
from validators.diff.changes import SECTIONS, Change
from validators.diff.definitions import ACTIONS, EFFECTS, PROCEDURES, SCORES, VALUES
from validators.diff.flow import PHASES
from validators.diff.kinds import Kind, compare_kind
from validators.diff.names import Names
from validators.diff.pieces import COMPONENTS, ROWS, TYPES
from validators.diff.renaming import renamed
from validators.diff.settings import CONSTANTS, OPTIONS
from validators.diff.sides import Side
from validators.diff.stores import COUNTERS, MARKS, POINTERS, ZONES
from validators.diff.tables import TABLES
from validators.diff.unnamed import UNNAMED, compare_unnamed

KINDS: tuple[Kind, ...] = (
    GAME,
    OPTIONS,
    PHASES,
    ACTIONS,
    SCORES,
    EFFECTS,
    COMPONENTS,
    ROWS,
    TYPES,
    TABLES,
    CONSTANTS,
    ZONES,
    COUNTERS,
    MARKS,
    POINTERS,
    PROCEDURES,
    VALUES,
    LABELS,
    CLAUSES,
    ALLOWED,
)


@dataclass(frozen=True)
class Comparison:
    """Two versions, what is called otherwise, and the changes in the order of a report."""

    old: Rules
    new: Rules
    names: Names
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
    before, now = Side(old, names), Side(new)
    changes = sorted(_changes(before, now), key=lambda change: list(SECTIONS).index(change.section))
    return Comparison(old, new, names, tuple(changes))


def _changes(old: Side, new: Side) -> Iterator[Change]:
    for kind in KINDS:
        yield from compare_kind(kind, old, new)
    for unnamed in UNNAMED:
        yield from compare_unnamed(unnamed, old, new)
