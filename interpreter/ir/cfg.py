"""The control-flow graph: successors within one frame, regions, and the call graph."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from dsl.frozen import dataclass
from interpreter.ir.expressions import Const, Doing, DoRoutine, Local, Op
from interpreter.ir.nodes import (
    Branch,
    Call,
    CallCell,
    CheckTrigger,
    Fork,
    Offer,
    Precondition,
    SetLocal,
    Step,
)
from interpreter.ir.program import Machine
from interpreter.ir.visit import targets

FLOW = -1
"""The number of the flow of phases, beside those of routines."""
FEW_RUNS = 10_000
"""Runs of routines that are as good as none."""


@dataclass(frozen=True, slots=True)
class Region:
    """The nodes of the flow or of one routine; `size` is the size of their frame in words."""

    routine: int
    entries: tuple[int, ...]
    nodes: tuple[int, ...]
    size: int


def regions(mc: Machine) -> tuple[list[Region], list[int], list[int]]:
    """The regions; for each node the index of its region (-1: unreachable) and the size of its frame."""
    starts = [(FLOW, (mc.start, *(e.node for e in mc.entries.values())), mc.flow_size)]
    starts += [(i, code.entries, code.size) for i, code in enumerate(mc.routines)]
    region_of = [-1] * len(mc.nodes)
    sizes = [0] * len(mc.nodes)
    found: list[Region] = []
    for routine, entries, size in starts:
        nodes = [n for n in reached(mc, entries) if region_of[n] < 0]
        for number in nodes:
            region_of[number] = len(found)
            sizes[number] = size
        found.append(Region(routine, tuple(dict.fromkeys(entries)), tuple(nodes), size))
    return found, region_of, sizes


def owners(mc: Machine) -> list[int]:
    """For each node the number of its routine, or `FLOW`."""
    found, region_of, _ = regions(mc)
    return [found[i].routine if i >= 0 else FLOW for i in region_of]


def frame_sizes(mc: Machine) -> list[int]:
    """For each node the size of its frame in words."""
    return regions(mc)[2]


def reached(mc: Machine, entries: tuple[int, ...]) -> list[int]:
    """The nodes that are reachable within the same frame, including the entries."""
    seen: dict[int, None] = {}
    todo = list(entries)
    while todo:
        number = todo.pop()
        if number not in seen:
            seen[number] = None
            todo.extend(targets(mc.nodes[number]))
    return list(seen)


def reverse_postorder(mc: Machine, entries: tuple[int, ...]) -> list[int]:
    """The reachable nodes, each before its successors except along the back edges of loops."""
    seen: set[int] = set()
    found: list[int] = []
    for entry in reversed(list(dict.fromkeys(entries))):
        stack: list[tuple[int, list[int]]] = []
        if entry not in seen:
            seen.add(entry)
            stack.append((entry, targets(mc.nodes[entry])))
        while stack:
            number, left = stack[-1]
            while left:
                target = left.pop(0)
                if target not in seen:
                    seen.add(target)
                    stack.append((target, targets(mc.nodes[target])))
                    break
            else:
                stack.pop()
                found.append(number)
    return found[::-1]


def behind_needs(mc: Machine, number: int) -> int:
    """The first node from a node on that is not a precondition."""
    node = mc.nodes[number]
    while isinstance(node, Precondition):
        number = node.next
        node = mc.nodes[number]
    return number


def runs(mc: Machine, node: Step) -> Iterator[tuple[int, int]]:
    """The routines that a node may run, each with the number of given arguments."""
    doings: tuple[Doing, ...] = ()
    match node:
        case Call(routine=routine, arguments=arguments) | Fork(routine=routine, arguments=arguments):
            yield routine, len(arguments)
        case CheckTrigger(trigger=trigger):
            yield mc.triggers[trigger].routine, 0
        case CallCell(what=cell):
            doings = (cell,)
        case Offer(what=what):
            doings = what
    for doing in doings:
        if isinstance(doing, DoRoutine):
            yield doing.routine, len(doing.arguments)
        else:
            yield from ((routine, len(arguments)) for routine, arguments in mc.cells)


def call_graph(mc: Machine) -> dict[int, set[int]]:
    """For each routine and the flow the routines that it may run directly."""
    found: dict[int, set[int]] = {}
    for node, owner in zip(mc.nodes, owners(mc), strict=True):
        found.setdefault(owner, set()).update(routine for routine, _ in runs(mc, node))
    return found


def multiplying(mc: Machine) -> dict[int, int]:
    """The routines with two nodes or more that run a routine which runs others, where these may be many runs.

    Without loops, only through these does a run grow faster than the rules are long. For each the number of
    runs that one of it comes to, but for those of others that are here, too.
    """
    graph = call_graph(mc)
    runs_of = _runs_at_most(mc)

    def few(routine: int) -> int:
        return int(min(runs_of[routine], FEW_RUNS))

    inside: dict[int, list[list[int]]] = {}
    for node, owner in zip(mc.nodes, owners(mc), strict=True):
        if not isinstance(node, Offer):
            inside.setdefault(owner, []).append([routine for routine, _ in runs(mc, node)])
    many = {
        routine
        for routine, nodes in inside.items()
        if routine != FLOW
        and runs_of[routine] > FEW_RUNS
        and sum(any(graph.get(inner) for inner in some) for some in nodes) > 1
    }
    return {
        routine: sum(max((few(x) for x in some if x not in many), default=0) for some in inside[routine])
        for routine in many
    }


def _runs_at_most(mc: Machine) -> dict[int, float]:
    """For each routine how many runs one run of it may come to, where no loop repeats them.

    It is infinite for those that may run themselves.
    """
    inside: dict[int, list[list[int]]] = {}
    for node, owner in zip(mc.nodes, owners(mc), strict=True):
        inside.setdefault(owner, []).append([routine for routine, _ in runs(mc, node)])
    found: dict[int, float] = {}

    def count(routine: int) -> float:
        if routine not in found:
            found[routine] = inf
            one_of_each = (max(map(count, some), default=0) for some in inside.get(routine, ()))
            found[routine] = 1 + sum(one_of_each)
        return found[routine]

    for routine in inside:
        count(routine)
    return found


def is_recursive(mc: Machine) -> bool:
    """Whether the call graph has a cycle."""
    graph = call_graph(mc)
    done: set[int] = set()

    def comes_back(routine: int, above: frozenset[int]) -> bool:
        if routine in above:
            return True
        if routine in done:
            return False
        found = any(comes_back(inner, above | {routine}) for inner in graph.get(routine, ()))
        done.add(routine)
        return found

    return any(comes_back(routine, frozenset()) for routine in graph)


def predecessors(mc: Machine) -> list[list[int]]:
    """For each node those that it may follow in the same frame, each once for every way."""
    found: list[list[int]] = [[] for _ in mc.nodes]
    for number, node in enumerate(mc.nodes):
        for target in targets(node):
            found[target].append(number)
    return found


def counts_down(mc: Machine, before: list[list[int]], number: int) -> bool:
    """Whether a node takes 1 from a local, and its only predecessor tests that the local is above 0."""
    node = mc.nodes[number]
    if not isinstance(node, SetLocal) or node.value != Op("-", Local(node.slot), Const(1)):
        return False
    ways = set(before[number])
    if len(ways) != 1:
        return False
    test = mc.nodes[ways.pop()]
    wanted = Op(">", Local(node.slot), Const(0))
    return isinstance(test, Branch) and test.then == number and test.condition == wanted
