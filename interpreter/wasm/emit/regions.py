"""The graph cut into regions: one for the flow and one for each routine, which become functions.

A region's leaders are the nodes that more than one way leads to, or at which a stopped run goes on. All
other nodes stand in line behind the one node that leads to them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from interpreter import machine as m

FLOW = -1
TARGETS = ("next", "then", "otherwise", "done", "passing", "nothing", "block")


@dataclass(frozen=True, slots=True)
class Region:
    """Nodes that run in frames of one kind. `leaders` in the order in which their code will stand."""

    routine: int
    entries: tuple[int, ...]
    nodes: tuple[int, ...]
    size: int
    leaders: tuple[int, ...]


def targets(node: m.Step) -> list[int]:
    """The nodes that may follow in the same frame, the usual one last."""
    found: list[int] = []
    names = {f.name for f in fields(node)}
    for name in TARGETS:
        if name in names:
            value = getattr(node, name)
            if value is not None and value >= 0:
                found.append(value)
    return found


def regions(mc: m.Machine) -> tuple[list[Region], list[int], list[int]]:
    """The regions; for each node the index of its region, and the size of the frame it runs in."""
    starts = [(FLOW, (mc.start, *(e.node for e in mc.entries.values())), mc.flow_size)]
    starts += [(i, code.entries, code.size) for i, code in enumerate(mc.routines)]
    region_of = [-1] * len(mc.nodes)
    sizes = [0] * len(mc.nodes)
    found: list[Region] = []
    for routine, entries, size in starts:
        nodes = _reached(mc, entries, region_of)
        for number in nodes:
            region_of[number] = len(found)
            sizes[number] = size
        found.append(
            Region(routine, tuple(dict.fromkeys(entries)), tuple(nodes), size, _leaders(mc, entries, nodes))
        )
    return found, region_of, sizes


def _reached(mc: m.Machine, entries: tuple[int, ...], region_of: list[int]) -> list[int]:
    seen: dict[int, None] = {}
    todo = list(entries)
    while todo:
        number = todo.pop()
        if number in seen or region_of[number] >= 0:
            continue
        seen[number] = None
        todo.extend(targets(mc.nodes[number]))
    return list(seen)


def resumes(node: m.Step) -> list[int]:
    """The nodes at which a run goes on after it has left the function at this node."""
    match node:
        case m.Call() | m.CallCell() | m.Chance() | m.CheckTrigger() | m.Fork():
            return [node.next]
        case m.Decide() | m.Offer():
            return targets(node)
    return []


def _leaders(mc: m.Machine, entries: tuple[int, ...], nodes: list[int]) -> tuple[int, ...]:
    ways: dict[int, int] = dict.fromkeys(nodes, 0)
    chosen = set(entries)
    chosen.update(_behind_needs(mc, entry) for entry in entries)
    for number in nodes:
        node = mc.nodes[number]
        for target in targets(node):
            ways[target] += 1
        chosen.update(resumes(node))
        if isinstance(node, m.NextTrigger):
            chosen.update((number, node.block))
        if mc.branches and isinstance(node, m.Decide | m.Offer):
            chosen.add(number)  # a branch of `together` may go on here, not behind the decision
    chosen |= {n for n, k in ways.items() if k > 1}
    order = _reverse_postorder(mc, entries)
    return tuple(n for n in order if n in chosen)


def _behind_needs(mc: m.Machine, number: int) -> int:
    """Where a routine begins that is tried behind its needs."""
    node = mc.nodes[number]
    while isinstance(node, m.Need):
        number = node.next
        node = mc.nodes[number]
    return number


def _reverse_postorder(mc: m.Machine, entries: tuple[int, ...]) -> list[int]:
    """Nodes so that a node stands before those it leads to, but for the ways back of loops."""
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


def counts_down(mc: m.Machine, number: int, node: m.SetLocal) -> bool:
    """Whether a node takes 1 from a word, and only where the word has just been found greater than 0."""
    if node.value != m.Op("-", m.Local(node.slot), m.Const(1)):
        return False
    before = [other for other in mc.nodes if number in targets(other)]
    if len(before) != 1 or not isinstance(before[0], m.Branch):
        return False
    wanted = m.Op(">", m.Local(node.slot), m.Const(0))
    return before[0].then == number and before[0].condition == wanted
