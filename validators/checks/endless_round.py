"""Cycles of play without progress."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from dsl import rules as r
from dsl.rules.reads import zones_in
from dsl.rules.visit import walk, walk_values
from validators.check import Check, CheckContext, Finding
from validators.checks import pass_for_ever
from validators.endless_play import EndlessPlay, settled
from validators.flow.cycles import Cycles, OpenCycle
from validators.flow.graph import Flow
from validators.flow.path_text import cycle_name, path_labels
from validators.flow.updates import RESET, UP, updates_of


@dataclass(frozen=True)
class EndlessRound(Finding):
    """Play can run in a cycle in which nothing changes monotonically: no counter, no zone, no pointer.

    A game ends because something runs out: a pile that is drawn from and never refilled, a counter of
    rounds, places that are filled and never emptied. The analysis finds nothing of the kind in this cycle, so
    nothing guarantees that a match ends: two seats could play for ever. Some games are like that, and end
    because players want to win. A few matches were played too: a position came again in them, or a round in
    which nothing moved on. Where every seat may decline in the whole cycle, V305 is reported instead.

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
    advice = "{hint}count rounds, let something run out, or `allow` it with its reason"

    hint: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    reported = {finding.about for finding in pass_for_ever.find(subject)}
    told: dict[str, bool] = {}
    for play in subject.endless:
        flow = play.flow
        tried = play in (subject.endless[0], subject.endless[-1])
        for cycle in Cycles(flow, settles=partial(settled, told, play, tried, _ends)).found():
            name = cycle_name(flow, cycle)
            if name not in reported and cycle[0].source in flow.ending:
                reported.add(name)
                hint = _hint(subject.rules, name)
                yield EndlessRound(flow.span(cycle[0].source), name, path_labels(flow, cycle), hint=hint)


def _hint(rules: r.Rules, name: str) -> str:
    """The sum over pieces by which the game ends, if there is one: as a counter it would be a measure."""
    phases = sorted(rules.phases.values(), key=lambda phase: phase.name != name)
    asked: list[r.Expr | None] = [transition.condition for phase in phases for transition in phase.then]
    asked += [trigger.condition for trigger in rules.triggers if _ends_game(trigger.block)]
    blocks = tuple(routine.block for routine in rules.routines.values())
    asked += [line.condition for line in walk(blocks) if isinstance(line, r.If) and _ends_game(line.block)]
    for part in walk_values(rules.values, tuple(asked)):
        if isinstance(part, r.FoldOf) and part.kind == "sum" and zones_in(part.binder.collection):
            text = " ".join(part.span.text.split())
            return f"if `{text}` were a counter that is raised as it grows, it would prove the end; else "
    return ""


def _ends_game(block: r.Block) -> bool:
    return any(isinstance(line, r.Ending) for line in walk(block))


def _ends(play: EndlessPlay, cycle: OpenCycle) -> bool:
    """Whether play shows that something moves on in every round, and finds no way back to a position."""
    moves = play.moves_on(cycle) or _ticks(play.flow, cycle_name(play.flow, cycle.edges))
    return moves and not play.returns(cycle)


def _ticks(flow: Flow, cycle: str) -> bool:
    """Whether a counter or history grows in every round in which it does not begin anew.

    The rules begin it anew at what they take for progress, as a limit on moves without a capture does.
    Rounds are possible in which it does not begin anew.
    """
    updates = frozenset(u for number in flow.reached for u in updates_of(flow, number))
    for name in sorted({u.name for u in updates if u.way == RESET}):
        own = {u for u in updates if u.name == name}
        if any(u.way == UP and u.sure for u in own) and all(u.way in (UP, RESET) for u in own):
            resets = frozenset(u for u in own if u.way == RESET)
            if not _is_open(Cycles(flow, counted=resets), cycle):
                return _is_open(Cycles(flow, ignored=frozenset(own - resets), counted=resets), cycle)
    return False


def _is_open(cycles: Cycles, cycle: str) -> bool:
    return any(cycle_name(cycles.flow, found) == cycle for found in cycles.found())


CHECK = Check(EndlessRound, find, tries=True)
