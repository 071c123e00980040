"""The control-flow graph of a whole game, in which every call of a routine has nodes of its own.

Where no routine can call itself, and whatever is offered can be found out without a copy of the state, a
playout needs no frames: the words of each frame become locals of one function. This module lays out that
function: its points are nodes in contexts, a context is a chain of calls. The way to structured code is that
of Ramsey, "Beyond Relooper: Recursive Translation of Unstructured Control Flow to Structured Control Flow"
(ICFP 2022): loops where ways lead back, blocks where ways meet, by the tree of dominators.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter import ir
from interpreter.ir.constant_loops import ConstantLoop, constant_loop
from interpreter.ir.effects import has_trial
from interpreter.ir.visit import targets
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower import option_layouts, routine_conditions
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.option_layout import OptionPart

MOST_POINTS = 1500
CfgPoint = tuple[int, int]
"""A context and a node."""


@dataclass
class Context:
    """A frame: its routine (or the flow), and where its end leads to."""

    routine: int
    size: int
    back: CfgPoint | None


@dataclass
class Paths:
    """The points of a game, in reverse postorder, and what structured code needs to know of them."""

    contexts: list[Context] = field(default_factory=list)
    inner: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    """The context that is entered at a context's node, for a part of it and a routine."""
    successors: dict[CfgPoint, list[CfgPoint]] = field(default_factory=dict)
    number: dict[CfgPoint, int] = field(default_factory=dict)
    heads: set[CfgPoint] = field(default_factory=set)
    joins: set[CfgPoint] = field(default_factory=set)
    dominated: dict[CfgPoint, list[CfgPoint]] = field(default_factory=dict)
    """For each point those that it immediately dominates and at which ways meet, the last first."""
    written_out: dict[int, ConstantLoop] = field(default_factory=dict)
    """Loops that are not points but the one at which they begin."""


InPlace = Callable[[FunctionContext, ir.Step], bool]
"""Whether the trials that a node runs need neither a copy of the state nor a frame in it."""


def paths(builder: ModuleBuilder, fx: FunctionContext, in_place: InPlace) -> Paths | None:
    """The paths of a game that can be one function; nothing if it cannot."""
    found = find_points(builder, fx, in_place)
    return found if found is not None and structure(found, (0, builder.machine.start)) else None


def find_points(builder: ModuleBuilder, fx: FunctionContext, in_place: InPlace | None = None) -> Paths | None:
    """The points of a game that needs no frames, without their structure; nothing if it needs some.

    Without `in_place` no trial may change the state.
    """
    mc = builder.machine
    if builder.recursive or mc.branches or mc.triggers:
        return None
    for i, node in enumerate(mc.nodes):
        if not _is_simple(builder, fx, i) and (in_place is None or not _may_try(node, fx, in_place)):
            return None
    found = Paths([Context(-1, mc.flow_size, None)], written_out=_written_out(builder))
    start: CfgPoint = (0, mc.start)
    todo = [start]
    while todo:
        point = todo.pop()
        if point in found.successors:
            continue
        found.successors[point] = _successors(builder, fx, found, point)
        todo += found.successors[point]
        if len(found.successors) > MOST_POINTS:
            return None
    return found


def _written_out(builder: ModuleBuilder) -> dict[int, ConstantLoop]:
    """The loops over a few known values that are written out, by the node at which each begins."""
    mc = builder.machine
    loops = ((i, constant_loop(mc, builder.predecessors, i)) for i in range(len(mc.nodes)))
    return {number: loop for number, loop in loops if loop is not None}


def _is_simple(builder: ModuleBuilder, fx: FunctionContext, number: int) -> bool:
    """Whether a node needs no frame in memory and no copy of the state."""
    mc = builder.machine
    node = mc.nodes[number]
    match node:
        case ir.Fork() | ir.CallCell() | ir.CheckTrigger() | ir.NextTrigger():
            return False
        case ir.Decide():
            return not node.trial or (
                builder.is_pure_path(node.next) and not has_trial((node.source, node.where))
            )
        case ir.Offer(what=what):
            return all(
                isinstance(x, ir.DoRoutine)
                and option_layouts.is_pure(fx, next(option_layouts.entries_of(fx, x)))
                and not has_trial(x)
                for x in what
            )
    return not routine_conditions.runs_trial(fx, node)


def _may_try(node: ir.Step, fx: FunctionContext, in_place: InPlace) -> bool:
    """Whether a node runs trials on the state itself, and needs frames for nothing else."""
    needs_frames = isinstance(node, ir.Fork | ir.CallCell | ir.CheckTrigger | ir.NextTrigger)
    return not needs_frames and in_place(fx, node)


def _enter(
    builder: ModuleBuilder, found: Paths, point: CfgPoint, part: int, routine: int, back: CfgPoint
) -> int:
    key = (*point, part, routine)
    if key not in found.inner:
        found.inner[key] = len(found.contexts)
        found.contexts.append(Context(routine, builder.machine.routines[routine].size, back))
    return found.inner[key]


def _successors(builder: ModuleBuilder, fx: FunctionContext, found: Paths, point: CfgPoint) -> list[CfgPoint]:
    context, number = point
    node = builder.machine.nodes[number]
    match node:
        case ir.Call(routine=routine, arguments=arguments, next=following):
            inner = _enter(builder, found, point, 0, routine, (context, following))
            return [(inner, builder.machine.routines[routine].entry(len(arguments)))]
        case ir.Return():
            back = found.contexts[context].back
            return [back] if back is not None else []
        case ir.Offer(what=what, passing=passing, next=following):
            ends: list[CfgPoint] = [(context, passing)] if passing is not None else []
            for i, doing in enumerate(what):
                assert isinstance(doing, ir.DoRoutine)
                inner = _enter(builder, found, point, i, doing.routine, (context, following))
                ends.append((inner, _begin(fx, option_layouts.layout_of(fx, number).parts[i])))
            return ends
        case ir.Snapshot() if number in found.written_out:
            return [(context, found.written_out[number].done)]
    return [(context, x) for x in targets(node)]


def _begin(fx: FunctionContext, part: OptionPart) -> int:
    """Where a routine continues that has been chosen: behind its first choice, or behind both."""
    entry, pair = part.entries[0], option_layouts.pair_of(fx, part)
    if pair is not None:
        return fx.mc.node(pair.second, ir.Decide).next
    if entry.choice is not None:
        return fx.mc.node(entry.choice, ir.Decide).next
    return fx.mc.routines[entry.routine].entry(entry.given)


# ---- structure


def structure(found: Paths, start: CfgPoint) -> bool:
    """Numbers the points and finds loops, meetings and dominators; false if ways lead into loops sideways."""
    order = _reverse_postorder(found.successors, start)
    found.number = {p: i for i, p in enumerate(order)}
    before: dict[CfgPoint, list[CfgPoint]] = {p: [] for p in order}
    for p in order:
        for q in dict.fromkeys(found.successors[p]):
            before[q].append(p)
    above = _dominators(order, before, found.number)
    for p in order:
        forward = 0
        for q in before[p]:
            if found.number[q] >= found.number[p]:
                if not _dominates(above, p, q):
                    return False
                found.heads.add(p)
            else:
                forward += found.successors[q].count(p)
        if forward > 1:
            found.joins.add(p)
            found.dominated.setdefault(above[p], []).append(p)
    for points in found.dominated.values():
        points.sort(key=lambda p: -found.number[p])
    return True


def _reverse_postorder(successors: dict[CfgPoint, list[CfgPoint]], start: CfgPoint) -> list[CfgPoint]:
    seen = {start}
    found: list[CfgPoint] = []
    stack = [(start, list(successors[start]))]
    while stack:
        point, left = stack[-1]
        while left:
            target = left.pop(0)
            if target not in seen:
                seen.add(target)
                stack.append((target, list(successors[target])))
                break
        else:
            stack.pop()
            found.append(point)
    return found[::-1]


def _dominators(
    order: list[CfgPoint], before: dict[CfgPoint, list[CfgPoint]], number: dict[CfgPoint, int]
) -> dict[CfgPoint, CfgPoint]:
    """The immediate dominator of each point.

    Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
    """
    above: dict[CfgPoint, CfgPoint] = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for p in order[1:]:
            known = [q for q in before[p] if q in above]
            best = known[0]
            for q in known[1:]:
                best = _common(above, number, best, q)
            if above.get(p) != best:
                above[p] = best
                changed = True
    return above


def _common(
    above: dict[CfgPoint, CfgPoint], number: dict[CfgPoint, int], p: CfgPoint, q: CfgPoint
) -> CfgPoint:
    while p != q:
        while number[p] > number[q]:
            p = above[p]
        while number[q] > number[p]:
            q = above[q]
    return p


def _dominates(above: dict[CfgPoint, CfgPoint], p: CfgPoint, q: CfgPoint) -> bool:
    while q != p:
        if above[q] == q:
            return False
        q = above[q]
    return True


# ---- a game that stops


ENTRY: CfgPoint = (0, -1)
"""Leads to the point at which the game continues."""


def resume_point_of(point: CfgPoint) -> CfgPoint:
    """The point at which a game continues whose decision at another point has been made."""
    return (point[0], -2 - point[1])


@dataclass
class ResumePoints:
    """A game as paths between points at which it can be resumed, in the order of their numbers."""

    paths: Paths
    points: list[CfgPoint]
    decisions: list[CfgPoint]


def resume_points(builder: ModuleBuilder, fx: FunctionContext) -> ResumePoints | None:
    """The resume points of a game whose steps can be one function; nothing if it has none."""
    mc = builder.machine
    found = find_points(builder, fx)
    if found is None:
        return None
    start: CfgPoint = (0, mc.start)
    if not structure(found, start):
        return None
    decisions = [p for p in found.successors if isinstance(mc.nodes[p[1]], ir.Decide | ir.Offer)]
    heads = _deciding_heads(found, set(decisions))
    numbered = list(dict.fromkeys([start, *(resume_point_of(p) for p in decisions), *heads]))
    entered = set(numbered)
    successors: dict[CfgPoint, list[CfgPoint]] = {ENTRY: numbered}
    for point, after in found.successors.items():
        successors[point] = _without_choice(mc, point) if point in decisions else after
        if point in decisions:
            successors[resume_point_of(point)] = after
    for point in list(successors):
        if point != ENTRY:
            successors[point] = [ENTRY if q in entered else q for q in successors[point]]
    found.successors = successors
    found.heads, found.joins, found.dominated = set(), set(), {}
    return ResumePoints(found, numbered, decisions) if structure(found, ENTRY) else None


def _without_choice(mc: ir.Machine, point: CfgPoint) -> list[CfgPoint]:
    """Where a decision leads at which there is nothing to choose."""
    node = mc.nodes[point[1]]
    following = node.nothing if isinstance(node, ir.Decide) else None
    following = getattr(node, "passing", None) if following is None else following
    return [(point[0], following)] if following is not None else []


def _deciding_heads(found: Paths, decisions: set[CfgPoint]) -> list[CfgPoint]:
    """The heads of those loops in which something is decided."""
    before: dict[CfgPoint, list[CfgPoint]] = {}
    for p, after in found.successors.items():
        for q in after:
            before.setdefault(q, []).append(p)
    heads = []
    for head in sorted(found.heads):
        body = {head}
        todo = [p for p in before[head] if found.number[p] >= found.number[head]]
        while todo:
            p = todo.pop()
            if p not in body:
                body.add(p)
                todo += before.get(p, [])
        if body & decisions:
            heads.append(head)
    return heads
