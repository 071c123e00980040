"""Purity: which nodes only read the state, so that they can be tried without a copy of it."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.visit import Tree, children, walk

MOST = 60
"""Nodes, counted along every path, that code may have to be emitted where it is tried."""


def cannot_refuse(mc: ir.Machine, number: int) -> bool:
    """Whether nothing can refuse any more at a node."""
    return effect_of(mc.nodes[number]).ends_trial


def is_last_payment(mc: ir.Machine, node: ir.Transfer) -> bool:
    """Whether a payment is the last thing that can refuse: then only whether it can be made is asked."""
    return node.verb == "pay" and cannot_refuse(mc, node.next) and not has_trial((node.address, node.amount))


def is_pure_path(mc: ir.Machine, number: int) -> bool:
    """Whether all the ways from a node to a first stop only look, and are few."""
    return _left(mc, number, MOST) >= 0


def _left(mc: ir.Machine, number: int, left: int) -> int:
    """What is left of a number of nodes after those on all ways; less than 0: too many, or not pure."""
    while left >= 0:
        node = mc.nodes[number]
        left -= 1
        match node:
            case ir.Precondition(condition=condition, next=following):
                if has_trial(condition):
                    return -1
                number = following
            case ir.Branch(condition=condition, then=then, otherwise=otherwise):
                if has_trial(condition):
                    return -1
                left = _left(mc, then, left)
                number = otherwise
            case ir.SetLocal(value=value, next=following):
                if has_trial(value):
                    return -1
                number = following
            case ir.ClearLocals(next=following):
                number = following
            case ir.Cover(next=following):
                left += 1
                number = following
            case ir.Transfer():
                return left if is_last_payment(mc, node) else -1
            case ir.Decide():
                if has_trial((node.source, node.where, node.seat)):
                    return -1
                if node.trial:
                    left = _left(mc, node.next, left)
                following_ = node.nothing if node.nothing is not None else node.passing
                if following_ is None:
                    return left
                number = following_
            case _:
                return left if effect_of(node).ends_trial else -1
    return -1


def goes_through_collections(mc: ir.Machine, number: int) -> bool:
    """Whether a pure path from a node goes through collections before its first stop."""
    while True:
        node = mc.nodes[number]
        match node:
            case ir.Precondition(condition=e, next=following) | ir.SetLocal(value=e, next=following):
                if any(isinstance(part, MANY_TIMES) for part in walk(e)):
                    return True
                number = following
            case ir.ClearLocals(next=following) | ir.Cover(next=following):
                number = following
            case ir.Branch() | ir.Decide():
                return True
            case _:
                return False


def needs_from(mc: ir.Machine, number: int) -> tuple[tuple[int, ...], int]:
    """The needs that follow each other from a node on, and the node behind them."""
    needs = []
    while isinstance(node := mc.nodes[number], ir.Precondition):
        needs.append(number)
        number = node.next
    return tuple(needs), number


def uses(mc: ir.Machine, number: int, slot: int) -> int:
    """How often a word of the frame is read on the ways from a node to a first stop; 2 stands for more."""
    found = 0
    while True:
        node = mc.nodes[number]
        match node:
            case ir.Precondition(condition=condition, next=following):
                found += reads(condition, slot)
                number = following
            case ir.SetLocal(value=value, next=following):
                found += reads(value, slot)
                number = following
            case ir.ClearLocals(next=following):
                number = following
            case ir.Transfer(address=address, amount=amount):
                return found + reads((amount, *address.terms), slot)
            case _:
                return found if effect_of(node).ends_trial else 2
        if found > 1:
            return 2


MANY_TIMES = ir.Fold | ir.Best | ir.Filtered | ir.Prefix | ir.Ranked | ir.Contains
"""What is in them is evaluated for each value."""


def reads(tree: Tree, slot: int) -> int:
    """How often an expression reads a word of the frame, a fold or collection counted twice."""
    match tree:
        case None:
            return 0
        case tuple():
            return sum(reads(part, slot) for part in tree)
        case ir.Local():
            return int(tree.slot == slot)
    times = 2 if isinstance(tree, MANY_TIMES) else 1
    return times * sum(reads(part, slot) for part in children(tree))
