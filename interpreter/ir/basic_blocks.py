"""The regions of the control-flow graph, each of which becomes a function, and their leaders.

A leader begins a basic block: more than one edge leads to it, or a stopped run continues there. All other
nodes follow the one node that leads to them.
"""

from __future__ import annotations

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir import cfg
from interpreter.ir.visit import targets


@dataclass(frozen=True, slots=True)
class CodeRegion(cfg.Region):
    """A region with its `leaders`, in the order in which their code will stand."""

    leaders: tuple[int, ...]


def code_regions(mc: ir.Machine) -> tuple[list[CodeRegion], list[int], list[int]]:
    """The regions; for each node the index of its region, and the size of the frame it runs in."""
    found, region_of, sizes = cfg.regions(mc)
    made = [CodeRegion(x.routine, x.entries, x.nodes, x.size, _leaders(mc, x)) for x in found]
    return made, region_of, sizes


def _resumes(node: ir.Step) -> list[int]:
    """The nodes at which a run continues after it has left the function at this node."""
    match node:
        case ir.Call() | ir.CallCell() | ir.Chance() | ir.CheckTrigger() | ir.Fork():
            return [node.next]
        case ir.Decide() | ir.Offer():
            return targets(node)
    return []


def _leaders(mc: ir.Machine, region: cfg.Region) -> tuple[int, ...]:
    ways: dict[int, int] = dict.fromkeys(region.nodes, 0)
    chosen = set(region.entries)
    chosen.update(cfg.behind_needs(mc, entry) for entry in region.entries)
    for number in region.nodes:
        node = mc.nodes[number]
        for target in targets(node):
            ways[target] += 1
        chosen.update(_resumes(node))
        if isinstance(node, ir.NextTrigger):
            chosen.update((number, node.block))
        if mc.branches and isinstance(node, ir.Decide | ir.Offer):
            chosen.add(number)  # a branch of `together` may continue here, not behind the decision
    chosen |= {n for n, k in ways.items() if k > 1}
    return tuple(n for n in cfg.reverse_postorder(mc, region.entries) if n in chosen)
