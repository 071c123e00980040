"""The paths of a trial that changes the state in place: which nodes it may come to, and how each is undone.

A trial begins at a node of a routine, and ends at the first node behind which nothing can refuse it. Its
points are nodes in contexts, as those of a whole game. A point that changes the state notes what stood there:
in locals where it is passed at most once, or in a journal, in which the order of the notes is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from interpreter import ir
from interpreter.ir.cfg import reached
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.visit import targets, walk
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.playout_cfg import CfgPoint, Context, Paths, structure

MOST_POINTS = 160
RECORD = 16
"""Bytes of a note in the journal of a trial."""
FEWEST_RECORDS = 8
"""The notes that a journal must have room for."""
FAILS, SUCCEEDS, OVERFLOWS = range(3)
"""How a trial in place ends; `OVERFLOWS`: its journal has no room left."""
IN_PLACE = ir.FrameNode | ir.SetHead | ir.SetWord | ir.Transfer | ir.EnterPhase | ir.Branch | ir.Precondition
"""What a trial may come to without a copy, beside calls, choices and moves of pieces."""
READ_SLOTS = FieldsWith(Role.SLOT_READ)


class Notes(Enum):
    """Where a point notes what it changes."""

    BEFORE = auto()
    """In locals. It is passed once, before anything is in the journal."""
    JOURNAL = auto()
    BEHIND = auto()
    """In locals. It is passed once, and nothing comes into the journal behind it."""


@dataclass(frozen=True)
class TrialPlan:
    """A trial from a node on. `words` are those of its frame that it may read before it has written them."""

    number: int
    routine: int
    paths: Paths
    words: tuple[int, ...]
    sure: frozenset[CfgPoint]
    """Points from which on nothing can refuse."""
    notes: dict[CfgPoint, Notes]
    rows: list[dict[int, int]]
    """For each context where the words of its frame that are indexed lie in the scratch of the trial."""
    journal: int
    """Where the journal begins in the scratch of the trial."""
    may_overflow: bool
    """Whether its journal, or that of a trial within it, may have no room left."""

    @property
    def succeeds(self) -> bool:
        """Whether nothing in it can refuse."""
        return (0, self.number) in self.sure


def plan_of(builder: ModuleBuilder, number: int) -> TrialPlan | None:
    """How a trial from a node on runs in place; nothing if it needs a copy of the state."""
    plans = builder.trial_plans
    if number not in plans:
        # a trial that comes to itself again gets a copy
        plans[number] = None
        plans[number] = _plan(builder, number)
    found = plans[number]
    assert found is None or isinstance(found, TrialPlan)
    return found


def _plan(builder: ModuleBuilder, number: int) -> TrialPlan | None:
    mc = builder.machine
    if builder.config.explains or mc.cover:
        return None
    routine = builder.regions[builder.region_of[number]].routine
    size = mc.routines[routine].size if routine >= 0 else mc.flow_size
    found, start = Paths([Context(routine, size, None)]), (0, number)
    nested = _find(builder, found, start)
    if nested is None:
        return None
    refusing = [p for p in found.successors if _refuses(mc, p[1])]
    sure = frozenset(found.successors) - _before(found, refusing)
    _cut(found, start, sure)
    if not structure(found, start) or not _rows_are_written(mc, found, start):
        return None
    rows, journal = _rows(mc, found)
    if journal + FEWEST_RECORDS * RECORD > room(builder):
        return None
    notes = _notes(mc, found)
    overflows = nested or Notes.JOURNAL in notes.values()
    return TrialPlan(number, routine, found, _words(mc, found), sure, notes, rows, journal, overflows)


def room(builder: ModuleBuilder) -> int:
    """Bytes of scratch that a trial takes, in place or on a copy."""
    return (builder.state_bytes + 15) // 16 * 16


# ---- points


def _find(builder: ModuleBuilder, found: Paths, start: CfgPoint) -> bool | None:
    """Finds the points of a trial; whether a trial within it may overflow. Nothing if it needs a copy."""
    todo, overflows = [start], False
    while todo:
        point = todo.pop()
        if point in found.successors:
            continue
        node = builder.machine.nodes[point[1]]
        after = _successors(builder, found, point, node)
        if after is None or len(found.successors) > MOST_POINTS:
            return None
        if isinstance(node, ir.Decide):
            inner = _trial_within(builder, node)
            overflows |= inner is not None and inner.may_overflow
        found.successors[point] = after
        todo += after
    return overflows


def _successors(
    builder: ModuleBuilder, found: Paths, point: CfgPoint, node: ir.Step
) -> list[CfgPoint] | None:
    """Where a trial goes on behind a point; nothing if the point needs a copy."""
    (context, _), mc = point, builder.machine
    if has_trial(node):
        return None
    match node:
        case ir.Return():
            back = found.contexts[context].back
            return [] if back is None else [back]
        case ir.Commit(next=following):
            return [] if found.contexts[context].back is None else [(context, following)]
        case ir.Call(routine=routine, arguments=arguments, next=following):
            if builder.recursive:
                return None
            inner = len(found.contexts)
            found.inner[(*point, 0, routine)] = inner
            found.contexts.append(Context(routine, mc.routines[routine].size, (context, following)))
            return [(inner, mc.routines[routine].entry(len(arguments)))]
        case ir.Decide():
            if not is_at_hand(builder, node):
                return None
            skipped = node.nothing if node.nothing is not None else node.passing
            return [] if skipped is None else [(context, skipped)]
        case ir.MovePiece() | ir.MoveAll():
            if any(trigger.condition is None for trigger in mc.triggers):
                return None
        case _ if not isinstance(node, IN_PLACE):
            return [] if effect_of(node).ends_trial else None
    return [(context, x) for x in targets(node)]


def is_at_hand(builder: ModuleBuilder, node: ir.Decide) -> bool:
    """Whether the values of a choice can be tried without a copy of the state."""
    pure = not node.trial or cannot_refuse(builder.machine, node.next) or builder.is_pure_path(node.next)
    return pure or _trial_within(builder, node) is not None


def _trial_within(builder: ModuleBuilder, node: ir.Decide) -> TrialPlan | None:
    if not node.trial or cannot_refuse(builder.machine, node.next) or builder.is_pure_path(node.next):
        return None
    return plan_of(builder, node.next)


def _refuses(mc: ir.Machine, number: int) -> bool:
    """Whether a trial can fail at a node."""
    match mc.nodes[number]:
        case ir.Precondition():
            return True
        case ir.SetWord(edge=edge):
            return edge == "refuse"
        case ir.Transfer(verb=verb, edge=edge):
            return verb == "pay" or edge == "refuse"
        case ir.Decide(nothing=nothing, passing=passing):
            return nothing is None and passing is None
    return False


# ---- what lies before and behind points


def _before(found: Paths, points: Iterable[CfgPoint]) -> set[CfgPoint]:
    """The points from which one of some can be reached, and these."""
    before: dict[CfgPoint, list[CfgPoint]] = {}
    for p, after in found.successors.items():
        for q in after:
            before.setdefault(q, []).append(p)
    return _reached(before, points)


def _reached(ways: dict[CfgPoint, list[CfgPoint]], points: Iterable[CfgPoint]) -> set[CfgPoint]:
    seen, todo = set(points), list(points)
    while todo:
        for point in ways.get(todo.pop(), ()):
            if point not in seen:
                seen.add(point)
                todo.append(point)
    return seen


def _cut(found: Paths, start: CfgPoint, sure: frozenset[CfgPoint]) -> None:
    """Leaves only what is reached before the trial is sure to succeed."""
    for point in sure:
        found.successors[point] = []
    reached = _reached(found.successors, [start])
    found.successors = {p: after for p, after in found.successors.items() if p in reached}


def _notes(mc: ir.Machine, found: Paths) -> dict[CfgPoint, Notes]:
    """Where each point notes what it changes.

    No point of those that note in locals comes between two that use the journal, and none is passed twice.
    So they are undone one after the other: those behind the journal, the journal, those before it.
    """
    writing = [p for p in found.successors if found.successors[p] and not effect_of(mc.nodes[p[1]]).is_local]
    in_order = []
    for point in writing:
        goes_round = point in _reached(found.successors, found.successors[point])
        if goes_round or _writes_often(mc, mc.nodes[point[1]]):
            in_order.append(point)
    behind = _reached(found.successors, [q for p in in_order for q in found.successors[p]])
    before = _before(found, in_order) if in_order else set()
    notes = dict.fromkeys(writing, Notes.JOURNAL)
    for point in writing:
        if point in in_order:
            continue
        if point not in behind:
            notes[point] = Notes.BEFORE
        elif point not in before:
            notes[point] = Notes.BEHIND
    return notes


def _writes_often(mc: ir.Machine, node: ir.Step) -> bool:
    """Whether how many words a node changes depends on the state."""
    match node:
        case ir.MoveAll():
            return True
        case ir.MovePiece(classes=classes):
            return any(p.kind == ir.ORDERED and p.classes == classes for p in mc.places)
    return False


# ---- words of the frame


def _words(mc: ir.Machine, found: Paths) -> tuple[int, ...]:
    """The words of its frame that a trial reads, or a trial within it, and whose frame it is."""
    numbers: set[int] = set()
    for context, number in found.successors:
        node = mc.nodes[number]
        if context == 0:
            numbers.add(number)
            if isinstance(node, ir.Decide) and node.trial:
                numbers.update(reached(mc, (node.next,)))
    words = {ir.ME}
    for number in numbers:
        node = mc.nodes[number]
        words |= {part.slot for part in walk(node) if isinstance(part, ir.Local)}
        words |= {getattr(node, name) for name in READ_SLOTS[type(node)]}
    return tuple(sorted(words))


def _rows(mc: ir.Machine, found: Paths) -> tuple[list[dict[int, int]], int]:
    """Where the rows of each frame lie in the scratch of the trial, and where they end."""
    rows: list[dict[int, int]] = [{} for _ in found.contexts]
    end = RECORD
    for context, number in found.successors:
        node = mc.nodes[number]
        if isinstance(node, ir.Snapshot):
            rows[context][node.slot] = end
            end += (4 * node.capacity + 4 + 15) // 16 * 16
    return rows, end


def _rows_are_written(mc: ir.Machine, found: Paths, start: CfgPoint) -> bool:
    """Whether every collection through which the trial goes is one that it has made before."""
    for context, number in found.successors:
        node = mc.nodes[number]
        if context == 0 and isinstance(node, ir.Iterate) and _comes_without(mc, found, start, node):
            return False
    return True


def _comes_without(mc: ir.Machine, found: Paths, start: CfgPoint, wanted: ir.Iterate) -> bool:
    """Whether a way leads to the next value of a collection without the node that makes it."""
    seen, todo = {start}, [start]
    while todo:
        point = todo.pop()
        node = mc.nodes[point[1]]
        if point[0] == 0 and isinstance(node, ir.Snapshot) and node.slot == wanted.snapshot:
            continue
        if node is wanted:
            return True
        for after in found.successors[point]:
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return False
