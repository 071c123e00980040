"""Cycles of play in which every seat declines everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

from validators.check import Check, CheckContext, Finding
from validators.endless_play import EndlessPlay, settled
from validators.flow.cycles import Cycles, OpenCycle
from validators.flow.graph import Edge, Flow
from validators.flow.path_text import cycle_name, path_labels


@dataclass(frozen=True)
class PassForEver(Finding):
    """Every seat may decline everything, round after round, without progress to an end.

    This is the cycle of V304 in which no player acts: all seats pass, nothing runs out, and the game never
    ends.

    Example:

        flow:
          turn: {seat: rotates, do: [{may do: [build]}], then: {built_out: final, otherwise: turn}}

    End the game after a round in which all have passed, make one of the actions mandatory, or count rounds.
    """

    code = "V305"
    slug = "pass-for-ever"
    title = "every seat may decline everything in `{about}` for ever"
    label = "one round"
    advice = "end the game after a round of passing, or count rounds"


def find(subject: CheckContext) -> Iterator[Finding]:
    if subject not in _kept:
        _kept[subject] = list(_found(subject))
    yield from _kept[subject]


_kept: WeakKeyDictionary[CheckContext, list[PassForEver]] = WeakKeyDictionary()


def _found(subject: CheckContext) -> Iterator[PassForEver]:
    reported: set[str] = set()
    told: dict[str, bool] = {}
    for play in subject.endless:
        flow = play.flow
        tried = play in (subject.endless[0], subject.endless[-1])
        for cycle in Cycles(flow, _idle, settles=partial(settled, told, play, tried, _ends)).found():
            name = cycle_name(flow, cycle)
            if name not in reported and cycle[0].source in flow.ending and _declines(flow, cycle):
                reported.add(name)
                path = (*path_labels(flow, cycle), *path_labels(flow, _inside(flow, cycle)))
                yield PassForEver(flow.span(cycle[0].source), name, path)


def _ends(play: EndlessPlay, cycle: OpenCycle) -> bool:
    """Whether play leaves a cycle at last, though all decline everything: a year or a pile runs out."""
    return not play.declines_for_ever(cycle)


def _declines(flow: Flow, cycle: tuple[Edge, ...]) -> bool:
    """Whether something is declined on a cycle, or in what it calls."""
    return any(edge.kind == "declined" for edge in (*cycle, *_inside(flow, cycle)))


def _inside(flow: Flow, cycle: tuple[Edge, ...]) -> list[Edge]:
    """The edges of declining in the routines that a cycle calls."""
    routines = flow.called(edge.runs[0] for edge in cycle if edge.runs is not None)
    return [edge for i in flow.nodes_in(routines) for edge in flow.edges[i] if edge.kind == "declined"]


def _idle(edge: Edge) -> bool:
    return edge.kind != "chosen"


CHECK = Check(PassForEver, find, tries=True)
