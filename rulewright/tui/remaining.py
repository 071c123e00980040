"""How often a decision still comes: the rounds of the loop that it is asked in."""

from __future__ import annotations

from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.match import Match

FARTHEST = 40
"""The most nodes between the head of a loop and a decision that it repeats."""


def still_to_choose(match: Match, waiting: Waiting) -> int | None:
    """How many choices are left in a loop of so many rounds, with this one; none outside of such a loop."""
    machine = match.game.machine
    state = match.state[:]
    if state[ir.FORKED]:
        match.game.reference.switch(state, waiting.branch)
    for node in machine.nodes:
        match node:
            case ir.SetLocal(slot=slot, value=ir.Op(op="-", left=ir.Local(slot=read), right=ir.Const(1))):
                if slot == read and _leads_to(machine, node.next, waiting.node):
                    return state[state[ir.FP] + slot] + 1
    return None


def _leads_to(machine: ir.Machine, number: int, wanted: int) -> bool:
    """Whether a decision is the first thing that a round of a loop comes to."""
    for _ in range(FARTHEST):
        if number == wanted:
            return True
        node = machine.nodes[number]
        if isinstance(node, ir.Decide | ir.Offer | ir.Call | ir.CallCell | ir.Return | ir.Fork):
            return False
        following = getattr(node, "next", None)
        if not isinstance(following, int):
            return False
        number = following
    return False
