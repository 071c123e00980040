"""Cycles of play without progress."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validators.check import Check, CheckContext, Finding
from validators.checks import pass_for_ever
from validators.flow.cycles import Cycles
from validators.flow.path_text import cycle_name, path_labels


@dataclass(frozen=True)
class EndlessRound(Finding):
    """Play can run in a cycle in which nothing changes monotonically: no counter, no zone, no pointer.

    A game ends because something runs out: a pile that is drawn from and never refilled, a counter of
    rounds, places that are filled and never emptied. The analysis finds nothing of the kind in this cycle, so
    nothing guarantees that a match ends: two seats could play for ever. Some games are like that, and end
    because players want to win. Where every seat may decline in the whole cycle, V305 is reported instead.

    Example:

        action step(cell where token at cell is none)
            clear token at (here of me)
            token at cell = me                # back and forth

    Count rounds, or let something run out. If the game ends for a reason that the analysis does
    not find, state it: `allow: [{finding: V304, about: turn, why: every pawn moves forward}]`.
    """

    code = "V304"
    slug = "endless-round"
    title = "`{about}` can repeat for ever: nothing in the cycle runs out"
    label = "one round of the cycle"
    advice = "count rounds, let something run out, or `allow` it with its reason"


def find(subject: CheckContext) -> Iterator[Finding]:
    reported = {finding.about for finding in pass_for_ever.find(subject)}
    for flow in subject.plain:
        for cycle in Cycles(flow).found():
            name = cycle_name(flow, cycle)
            if name not in reported and cycle[0].source in flow.ending:
                reported.add(name)
                yield EndlessRound(flow.span(cycle[0].source), name, path_labels(flow, cycle))


CHECK = Check(EndlessRound, find)
