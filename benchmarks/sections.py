"""The sections of a run beside the playouts, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks import batches, compiling, growth, learning, library, phrasings, states, stepping
from benchmarks.games import ENTRIES, LIBRARY, Entry
from benchmarks.slices import Pace
from benchmarks.table import Table


@dataclass(frozen=True)
class Section:
    """Something that is measured over games, over `games` if none is named; `measure` hands on tables."""

    name: str
    what: str
    measure: Callable[[Sequence[Entry], Pace], list[Table]]
    games: Sequence[Entry] = ENTRIES


SECTIONS = (
    Section("library", "library games beside OpenSpiel's C++", library.measure, LIBRARY),
    Section("stepping", "one match from Python", stepping.measure),
    Section("batches", "many matches at once", batches.measure),
    Section("learning", "environments of learning libraries", learning.measure, learning.GAMES),
    Section("compiling", "from files to the first playout", compiling.measure),
    Section("copies", "sizes and copies of states", states.measure_copies),
    Section("calls", "calls from Python", states.measure_calls),
    Section("phrasings", "the same game written in several ways", phrasings.measure, phrasings.GAMES),
    Section("growth", "growth with the number of components", growth.measure),
)
