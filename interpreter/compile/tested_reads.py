"""What is read before a node runs, through calls: only who may know it is told that it refuses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

Reads = tuple[tuple[str, bool], ...]
"""Zones and hidden variables, and whether the acting seat sees them; "" is a local made from such."""


@dataclass(frozen=True, slots=True)
class Trace:
    """What was read on the way to a line, and where what lies hidden may have come.

    `reads` decided what ran. `presence` decided whether there was anything to choose: who tries an action
    learns of it. `brought` are reads with the zone or store to which they came: who looks at that learns of
    them. `looks` are the zones and stores that were looked at; `flows` say from which to which things came.
    """

    reads: Reads = ()
    presence: Reads = ()
    brought: tuple[tuple[str, bool, str], ...] = ()
    looks: frozenset[str] = frozenset()
    flows: frozenset[tuple[str, str]] = frozenset()

    def joined(self, *others: Trace) -> Trace:
        """What was read on one of several ways."""
        ways = (self, *others)
        return Trace(
            tuple(dict.fromkeys(read for way in ways for read in way.reads)),
            tuple(dict.fromkeys(read for way in ways for read in way.presence)),
            tuple(dict.fromkeys(read for way in ways for read in way.brought)),
            frozenset().union(*(way.looks for way in ways)),
            frozenset().union(*(way.flows for way in ways)),
        )

    def by_another(self) -> Trace:
        """The same, where another seat acts."""
        brought = tuple(dict.fromkeys((name, False, to) for name, _, to in self.brought))
        return replace(
            self, reads=_of_another(self.reads), presence=_of_another(self.presence), brought=brought
        )

    def tried(self) -> Trace:
        """What is left of it behind a trial: all that it brought anywhere is undone."""
        return Trace(reads=tuple(dict.fromkeys((*self.told(), *self.presence))), looks=self.looks)

    def told(self) -> Reads:
        """What it can tell: what decided what ran, and what has come to where somebody looked."""
        looked = set(self.looks)
        while more := {source for source, to in self.flows if to in looked} - looked:
            looked |= more
        came = ((name, own) for name, own, to in self.brought if to in looked)
        return tuple(dict.fromkeys((*self.reads, *came)))


@dataclass(frozen=True, slots=True)
class RoutineRun:
    """A routine that ran, or was only `tried`; `own`: for the same acting seat."""

    routine: str
    own: bool
    tried: bool = False


@dataclass(frozen=True, slots=True)
class Tested:
    """What a routine has read up to a line: what was read before it began, by itself, and by what it ran.

    Of what was read before, `own` says whether the same seat acts: what another acting seat may know, this
    one may not.
    """

    routine: str
    own: bool = True
    trace: Trace = Trace()
    runs: tuple[RoutineRun, ...] = ()

    def and_all(self, other: Tested) -> Tested:
        """What two parts of the same routine have read."""
        runs = tuple(dict.fromkeys((*self.runs, *other.runs)))
        return Tested(self.routine, self.own and other.own, self.trace.joined(other.trace), runs)

    def and_trace(self, trace: Trace) -> Tested:
        return replace(self, trace=self.trace.joined(trace))

    def and_run(self, run: RoutineRun) -> Tested:
        return replace(self, runs=tuple(dict.fromkeys((*self.runs, run))))

    def by_another(self) -> Tested:
        """The same, where another seat acts."""
        runs = tuple(dict.fromkeys(replace(run, own=False) for run in self.runs))
        return Tested(self.routine, False, self.trace.by_another(), runs)


@dataclass
class TestedReads:
    """Collects what is tested before each call and each node, and resolves it over the call graph."""

    nodes: dict[int, Tested] = field(default_factory=dict)
    calls: list[tuple[str, Tested]] = field(default_factory=list)
    """The routine that is called, and what the caller has tested before."""
    ends: dict[str, Tested] = field(default_factory=dict)
    """What each routine has tested when it is over."""

    def resolved(self) -> dict[int, Reads]:
        """For each node all that was read before it, with any of the callers of its routine."""
        whole = _fixed_point(tuple(self.ends.items()), _of)
        before = _fixed_point(
            self.calls,
            lambda tested, before: _acting(before[tested.routine], tested.own).joined(_of(tested, whole)),
        )
        return {
            number: _acting(before[tested.routine], tested.own).joined(_of(tested, whole)).told()
            for number, tested in self.nodes.items()
        }


Traces = defaultdict[str, Trace]
"""The trace of each routine."""


def _fixed_point(lines: Iterable[tuple[str, Tested]], step: Callable[[Tested, Traces], Trace]) -> Traces:
    """The traces of routines that grow by what steps give for them, until none grows any more."""
    traces: Traces = defaultdict(Trace)
    changed = True
    while changed:
        changed = False
        for name, tested in lines:
            grown = traces[name].joined(step(tested, traces))
            changed |= grown != traces[name]
            traces[name] = grown
    return traces


def _of(tested: Tested, whole: Traces) -> Trace:
    """What a routine has read up to a line, with all that it ran."""
    return tested.trace.joined(
        *(
            _acting(whole[run.routine].tried() if run.tried else whole[run.routine], run.own)
            for run in tested.runs
        )
    )


def _acting(trace: Trace, own: bool) -> Trace:
    return trace if own else trace.by_another()


def _of_another(reads: Reads) -> Reads:
    return tuple(dict.fromkeys((name, False) for name, _ in reads))
