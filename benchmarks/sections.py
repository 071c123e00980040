"""The sections of a run, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.games import Entry
from benchmarks.slices import Pace
from benchmarks.table import Table


@dataclass(frozen=True)
class Section:
    """Something that is measured over games; `measure` hands on tables."""

    name: str
    what: str
    measure: Callable[[Sequence[Entry], Pace], list[Table]]


SECTIONS: tuple[Section, ...] = ()
