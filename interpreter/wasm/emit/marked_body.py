"""Bodies that remember to which place of the rules their instructions belong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from dsl.source import Span
from interpreter.wasm.emit.body import Body, declared_locals


class Here(NamedTuple):
    """Whose instructions follow; `offering`: they look for what can be chosen."""

    span: Span | None
    offering: bool


class EntryMark(NamedTuple):
    """At an offset a node or expression begins. `unit` tells apart those that are counted alone."""

    offset: int
    unit: Hashable
    here: Here


class TrialMark(NamedTuple):
    """At an offset a trial that may change the state begins: it copies so many words of it, or none."""

    offset: int
    words: int
    here: Here


@dataclass
class CountedBlock:
    """Instructions that are executed together: what they count for each place, and what begins in them."""

    start: int
    costs: dict[Here, int] = field(default_factory=lambda: defaultdict(int))
    calls: list[tuple[int, Here]] = field(default_factory=list)
    entries: list[tuple[Hashable, Here]] = field(default_factory=list)
    trials: list[tuple[int, Here]] = field(default_factory=list)

    @property
    def matters(self) -> bool:
        return bool(self.costs or self.calls or self.entries or self.trials)


@dataclass
class Meter:
    """The blocks of a module in the order of their counters, by function; where the counters lie.

    `split`: there is a second counter for each, for what is executed in a trial; it lies `stride` bytes on.
    """

    blocks: list[tuple[int, CountedBlock]]
    base: int
    split: bool

    @property
    def stride(self) -> int:
        return 8 * len(self.blocks)

    @property
    def size(self) -> int:
        return self.stride * (2 if self.split else 1)


@dataclass
class Marks:
    """The places of expressions by their identity. They are kept, so that no other takes their identity.

    Where a value or a parameter is only another name for an expression, there are several: `spans` has the
    innermost, where it is written, and `uses` all of them, where it is asked for.
    """

    spans: dict[int, Span] = field(default_factory=dict)
    uses: dict[int, list[Span]] = field(default_factory=dict)
    kept: list[object] = field(default_factory=list)
    meter: Meter | None = None
    """What the counters of the module mean, once it is written."""

    def note(self, part: object, span: Span) -> None:
        """A part stands at a place. The places of the parts within it are noted before."""
        self.uses.setdefault(id(part), []).append(span)
        if id(part) not in self.spans:
            self.spans[id(part)] = span
            self.kept.append(part)


NOWHERE_YET = Here(None, False)


class MarkedBody(Body):
    """A body with marks: from which offset on the instructions belong to which place."""

    def __init__(self, parameters: tuple[int, ...], results: tuple[int, ...]) -> None:
        super().__init__(parameters, results)
        self.here = NOWHERE_YET
        self.marks: list[tuple[int, Here]] = []
        self.entries: list[EntryMark] = []
        self.trials: list[TrialMark] = []
        self.counted: tuple[bytes, list[int]] | None = None
        """The instructions with counters, and the kinds of further locals."""

    def mark(self, here: Here) -> None:
        self.here = here
        self.marks.append((len(self.code), here))

    def enter(self, unit: Hashable) -> None:
        self.entries.append(EntryMark(len(self.code), unit, self.here))

    def begin_trial(self, words: int) -> None:
        self.trials.append(TrialMark(len(self.code), words, self.here))

    def written(self) -> tuple[int, ...]:
        return (*super().written(), len(self.marks), len(self.entries), len(self.trials))

    def unwrite(self, written: tuple[int, ...]) -> None:
        *before, marks, entries, trials = written
        super().unwrite(tuple(before))
        del self.marks[marks:]
        del self.entries[entries:]
        del self.trials[trials:]

    def leave_out(self, names: Container[str]) -> Callable[[int], int]:
        at = super().leave_out(names)
        self.marks = [(at(offset), here) for offset, here in self.marks]
        self.entries = [entry._replace(offset=at(entry.offset)) for entry in self.entries]
        self.trials = [trial._replace(offset=at(trial.offset)) for trial in self.trials]
        return at

    def encoded(self) -> bytes:
        if self.counted is None:
            return super().encoded()
        code, more = self.counted
        return declared_locals([*self.types, *more]) + code + b"\x0b"
