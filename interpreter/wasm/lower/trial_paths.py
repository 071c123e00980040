"""The paths of a trial that changes the state in place: which nodes it may come to, and how each is undone.

A trial begins at a node of a routine, and ends at the first node behind which nothing can refuse it. Its
points are nodes in contexts, as those of a whole game. A point that changes the state notes what stood there:
in locals where it is passed at most once, or in a journal, in which the order of the notes is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.cfg import reached
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.roles import FieldsWith, Role
from interpreter.ir.visit import targets, walk
from interpreter.wasm.lower import option_layouts, piece_loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.playout_cfg import CfgPoint, Context, Paths, structure

MOST_POINTS = 160
RECORD = 16
"""Bytes of a note in the journal of a trial."""
FEWEST_RECORDS = 64
"""The notes that a journal has room for, and more where the state is larger than these."""
MOST_KEPT = 512
"""Bytes of a state that is kept as a whole rather than in a journal."""
FAILS, SUCCEEDS, OVERFLOWS = range(3)
"""How a trial in place ends; `OVERFLOWS`: its journal has no room left."""
IN_PLACE = (
    (ir.FrameNode | ir.SetHead | ir.SetWord | ir.SetWords | ir.Transfer | ir.EnterPhase)
    | ir.Branch
    | ir.Precondition
)
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
    room: int
    """Bytes of scratch that the trial takes."""
    keeps_all: bool
    """The state is kept as a whole where the journal would begin."""
    extent: int
    """The words of its frames, and of those of trials within it."""
    asks: frozenset[int]
    """The histories that it, or a trial within it, asks for the present position."""
    may_overflow: bool
    """Whether its journal, or that of a trial within it, may have no room left."""

    @property
    def succeeds(self) -> bool:
        """Whether nothing in it can refuse."""
        return (0, self.number) in self.sure


def plan_of(fx: FunctionContext, number: int) -> TrialPlan | None:
    """How a trial from a node on runs in place; nothing if it needs a copy of the state."""
    plans = fx.builder.trial_plans
    if number not in plans:
        # A trial that reaches itself again gets a copy. So does one of a choice in a loop, and none
        # continues through a collection that was made before it began.
        plans[number] = None
        plans[number] = _plan(fx, number)
    found = plans[number]
    assert found is None or isinstance(found, TrialPlan)
    return found


def _plan(fx: FunctionContext, number: int) -> TrialPlan | None:
    builder, mc = fx.builder, fx.mc
    if builder.config.explains or mc.cover:
        return None
    routine = builder.regions[builder.region_of[number]].routine
    size = mc.routines[routine].size if routine >= 0 else mc.flow_size
    found, start = Paths([Context(routine, size, None)]), (0, number)
    within = _find(fx, found, start)
    if within is None:
        return None
    refusing = [p for p in found.successors if _refuses(mc, p[1])]
    sure = frozenset(found.successors) - _before(found, refusing)
    _cut(found, start, sure)
    if not structure(found, start):
        return None
    rows, journal = _rows(mc, found)
    notes = _notes(mc, found)
    keeps_all = Notes.JOURNAL in notes.values() and builder.state_bytes <= MOST_KEPT
    room = journal + max(builder.state_bytes, FEWEST_RECORDS * RECORD)
    if room > builder.scratch_end - builder.scratch_start >> 4:
        return None
    overflows = any(plan.may_overflow for plan, _ in within)
    overflows |= Notes.JOURNAL in notes.values() and not keeps_all
    extent = max(base(found, i) + x.size for i, x in enumerate(found.contexts))
    extent = max(extent, *(at + plan.extent for plan, at in within), 0)
    words, asks = _words(mc, found), _asks(mc, found).union(*(plan.asks for plan, _ in within))
    return TrialPlan(
        number, routine, found, words, sure, notes, rows, journal, room, keeps_all, extent, asks, overflows
    )


# ---- points


Within = list[tuple["TrialPlan", int]]
"""The trials within a trial, and where their frames lie in words behind that of the trial."""


def base(found: Paths, context: int) -> int:
    """Where the frame of a context lies, in words behind that of the trial."""
    back = found.contexts[context].back
    return 0 if back is None else base(found, back[0]) + found.contexts[back[0]].size


def _find(fx: FunctionContext, found: Paths, start: CfgPoint) -> Within | None:
    """Finds the points of a trial; the trials within it. Nothing if it needs a copy."""
    todo: list[CfgPoint] = [start]
    within: Within = []
    while todo:
        point = todo.pop()
        if point in found.successors:
            continue
        node, here = fx.mc.nodes[point[1]], base(found, point[0])
        above = here + found.contexts[point[0]].size
        tried = _tried(fx, node)
        after = _successors(fx.mc, found, point, node)
        if after is None or tried is None or len(found.successors) > MOST_POINTS:
            fx.builder.needs_copy[start[1]] = point[1]
            return None
        for in_new_frame, plan in tried:
            within.append((plan, above if in_new_frame else here))
        found.successors[point] = after
        todo += after
    return within


def _successors(mc: ir.Machine, found: Paths, point: CfgPoint, node: ir.Step) -> list[CfgPoint] | None:
    """Where a trial continues behind a point; nothing if the point needs a copy."""
    context = point[0]
    match node:
        case ir.Return():
            back = found.contexts[context].back
            return [] if back is None else [back]
        case ir.Commit(next=following):
            return [] if found.contexts[context].back is None else [(context, following)]
        case ir.Call(routine=routine, arguments=arguments, next=following):
            inner = len(found.contexts)
            found.inner[(*point, 0, routine)] = inner
            found.contexts.append(Context(routine, mc.routines[routine].size, (context, following)))
            return [(inner, mc.routines[routine].entry(len(arguments)))]
        case ir.Decide() | ir.Offer():
            skipped = _if_nothing(node)
            return [] if skipped is None else [(context, skipped)]
        case ir.MovePiece() | ir.MoveAll() | ir.MoveSome(below=False):
            if any(trigger.condition is None for trigger in mc.triggers):
                return None
        case _ if not isinstance(node, IN_PLACE):
            return [] if effect_of(node).ends_trial else None
    return [(context, x) for x in targets(node)]


def _if_nothing(node: ir.Decide | ir.Offer) -> int | None:
    """Where a run continues if there is nothing to choose."""
    following = node.nothing if isinstance(node, ir.Decide) else None
    return node.passing if following is None else following


# ---- trials within a trial

Tried = list[tuple[bool, "TrialPlan"]]
"""Trials that a node runs, and whether each has a frame of its own."""


def _tried(fx: FunctionContext, node: ir.Step) -> Tried | None:
    """The trials that a node runs and that change the state; nothing if one of them needs a copy."""
    entries: list[int] = []
    for part in walk(node):
        if isinstance(part, ir.Can):
            if not isinstance(part.what, ir.DoRoutine) or fx.builder.recursive:
                return None
            entries.append(fx.mc.routines[part.what.routine].entry(len(part.what.arguments)))
    found: Tried = []
    if isinstance(node, ir.Decide):
        inner = _tried_values(fx, node)
        if inner is None:
            return None
        found += ((False, plan) for plan in inner)
    if isinstance(node, ir.Offer):
        for doing in node.what:
            if not isinstance(doing, ir.DoRoutine) or has_trial(doing):
                return None
            entry = option_layouts.entry_of(fx, doing.routine, len(doing.arguments))
            if any(has_trial(fx.mc.nodes[n]) for n in entry.needs):
                return None
            if entry.choice is not None:
                choice = fx.mc.node(entry.choice, ir.Decide)
                inner = None if has_trial(choice) else _tried_values(fx, choice)
                if inner is None:
                    return None
                found += ((True, plan) for plan in inner)
            elif not fx.builder.is_pure_path(entry.begin):
                entries.append(entry.begin)
    for number in entries:
        plan = plan_of(fx, number)
        if plan is None:
            return None
        found.append((True, plan))
    return found


def need_no_frames(fx: FunctionContext, node: ir.Step) -> bool:
    """Whether all trials that a node runs are certain to run on the state itself."""
    tried = _tried(fx, node)
    return tried is not None and not any(plan.may_overflow for _, plan in tried)


def _tried_values(fx: FunctionContext, node: ir.Decide) -> list[TrialPlan] | None:
    """How the values of a choice are tried, if that changes the state; nothing if it needs a copy."""
    if not node.trial or cannot_refuse(fx.mc, node.next) or fx.builder.is_pure_path(node.next):
        return []
    plan = plan_of(fx, node.next)
    return None if plan is None else [plan]


def _refuses(mc: ir.Machine, number: int) -> bool:
    """Whether a trial can fail at a node."""
    match mc.nodes[number]:
        case ir.Precondition():
            return True
        case ir.SetWord(edge=edge):
            return edge == "refuse"
        case ir.Transfer(verb=verb, edge=edge):
            return verb == "pay" or edge == "refuse"
        case ir.Decide() | ir.Offer() as choice:
            return _if_nothing(choice) is None
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
        case ir.MoveAll(source=ir.Pieces() as source) if piece_loops.is_one_slot(mc, source):
            return any(p.kind == ir.ORDERED and p.classes == source.classes for p in mc.places)
        case ir.SetWords() | ir.MoveAll() | ir.MoveSome():
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


def _asks(mc: ir.Machine, found: Paths) -> frozenset[int]:
    """The histories that the points of a trial ask for the present position."""
    parts = (part for _, number in found.successors for part in walk(mc.nodes[number]))
    return frozenset(part.history for part in parts if isinstance(part, ir.Times))


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
