"""The lines of the rules, and what each of them has cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from dsl.source import Source, Span
from interpreter.wasm.metering import Measured, Work

Place = tuple[str, int]
"""The name of a file, and the number of a line."""


@dataclass(frozen=True, slots=True)
class ProfiledLine:
    """A line of the rules.

    `work` are operations, `in_trials` those of them that find out what can be chosen. `tried` and
    `carried_out` say how often the line was reached in either. `copies` are the trials which copied the
    state for what may happen there, `words` what all of them copied, `undone` those begun there which
    changed the state and undid that.
    """

    source: Source
    number: int
    work: float
    in_trials: float
    tried: int
    carried_out: int
    copies: int
    words: int
    undone: int

    @property
    def place(self) -> str:
        return f"{self.source.name}:{self.number}"

    @property
    def text(self) -> str:
        return " ".join(self.source.line(self.number).split())


@dataclass(frozen=True, slots=True)
class Profile:
    """The lines, those with most work first; `elsewhere` is what belongs to none of them."""

    lines: tuple[ProfiledLine, ...]
    elsewhere: float

    @property
    def work(self) -> float:
        return sum(line.work for line in self.lines) + self.elsewhere

    @property
    def in_trials(self) -> float:
        return sum(line.in_trials for line in self.lines)

    @property
    def copies(self) -> int:
        return sum(line.copies for line in self.lines)

    @property
    def words(self) -> int:
        return sum(line.words for line in self.lines)

    @property
    def undone(self) -> int:
        return sum(line.undone for line in self.lines)

    def share(self, work: float) -> float:
        """Which part of everything some work is."""
        return work / self.work if self.work else 0.0


def profile_of(measured: Measured) -> Profile:
    """What was measured, line by line."""
    work: dict[Place, Work] = defaultdict(Work)
    sources: dict[Place, Source] = {}
    for span, more in measured.work.items():
        place = place_of(span)
        sources[place] = span.source
        at = work[place]
        at.carried_out += more.carried_out
        at.tried += more.tried
        at.copies += more.copies
        at.words += more.words
        at.undone += more.undone
    times = _times(measured.times)
    for place, source in times.sources.items():
        sources.setdefault(place, source)
    lines = (
        ProfiledLine(
            source,
            place[1],
            work[place].carried_out + work[place].tried,
            work[place].tried,
            *times.of(place),
            work[place].copies,
            work[place].words,
            work[place].undone,
        )
        for place, source in sources.items()
    )
    order = sorted(lines, key=lambda line: (-line.work, line.source.name, line.number))
    return Profile(
        tuple(line for line in order if line.work or line.tried or line.carried_out), measured.elsewhere
    )


def place_of(span: Span) -> Place:
    """The line on which something begins."""
    return span.source.name, span.line


@dataclass(frozen=True, slots=True)
class _Times:
    """How often each line was carried out and tried."""

    found: Mapping[Place, tuple[int, int]]
    sources: Mapping[Place, Source]

    def of(self, place: Place) -> tuple[int, int]:
        """How often a line was tried, and how often it was carried out."""
        done, tried = self.found.get(place, (0, 0))
        return tried, done


def _times(times: Mapping[tuple[Span, Hashable], tuple[int, int]]) -> _Times:
    """A line is as often reached as its statement; without one as the longest expression that begins there.

    Of the nodes of a statement the one that is reached most often counts, so a loop counts its rounds. The
    line of an action is tried as often as its choices, and carried out as often as its block. What is only
    asked when it is tried has no node there.
    """
    nodes: dict[Place, tuple[int, int]] = {}
    longest: dict[Place, tuple[int, tuple[int, int]]] = {}
    sources: dict[Place, Source] = {}
    for (span, unit), found in times.items():
        place = place_of(span)
        sources[place] = span.source
        if isinstance(unit, int):
            before = nodes.get(place, (0, 0))
            nodes[place] = max(before[0], found[0]), max(before[1], found[1])
        else:
            longest[place] = max(longest.get(place, (0, found)), (span.end - span.start, found))
    reached = {place: found for place, (_, found) in longest.items()}
    for place, (done, tried) in nodes.items():
        reached[place] = done, tried or reached.get(place, (0, 0))[1]
    return _Times(reached, sources)


def work_within(measured: Measured, spans: Iterable[Span]) -> float:
    """The work of all places that lie within some spans."""
    wanted = frozenset(spans)
    return sum(
        work.carried_out + work.tried
        for span, work in measured.work.items()
        if any(lies_within(span, outer) for outer in wanted)
    )


def lies_within(inner: Span, outer: Span) -> bool:
    """Whether a place is part of another."""
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
