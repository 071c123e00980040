"""What is known of refusals before any state: what each node names, and which pieces a condition looks at."""

from __future__ import annotations

from dsl.domains import Type
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.condition_reads import pieces_of, pieces_of_payment


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """A condition that a refusal can name: its expression, its sides, and the pieces that must be seen."""

    condition: ir.Expr
    text: str
    sides: tuple[tuple[str, ir.Expr, Type], ...]
    reads: tuple[tuple[str, bool], ...]
    pieces: tuple[tuple[ir.Expr, int], ...]


def named(wanted: ir.Precondition | ir.Condition) -> NamedCondition:
    return NamedCondition(
        wanted.condition, wanted.text, wanted.sides, wanted.reads, pieces_of(wanted.condition)
    )


def conditions_of(node: ir.Step) -> tuple[NamedCondition, ...]:
    """The conditions that a refusal by a node can name: the need, or what a choice wants."""
    match node:
        case ir.Precondition():
            return (named(node),)
        case ir.Decide(wants=wants):
            return tuple(named(wanted) for wanted in wants)
    return ()


def can_refuse(node: ir.Step) -> bool:
    """Whether a node can refuse a trial by itself."""
    match node:
        case ir.Precondition():
            return True
        case ir.SetWord(edge=edge):
            return edge == "refuse"
        case ir.Transfer(verb=verb, edge=edge):
            return verb == "pay" or (verb == "gain" and edge == "refuse")
        case ir.Decide(nothing=nothing, passing=passing):
            return nothing is None and passing is None
        case ir.Offer(passing=passing):
            return passing is None
    return False


def is_explained(node: ir.Step) -> bool:
    """Whether a module has to work something out to explain a refusal by a node."""
    match node:
        case ir.Precondition():
            return bool(node.sides) or bool(pieces_of(node.condition))
        case ir.Transfer(verb="pay"):
            return bool(pieces_of_payment(node))
        case ir.Decide(where=where):
            return where is not None
    return False


def most_values(mc: ir.Machine) -> int:
    """The most words that a refusal's record has for pieces and sides."""
    found = [0]
    for node in mc.nodes:
        pieces = 0
        for condition in conditions_of(node):
            pieces += len(condition.pieces)
            found.append(pieces + len(condition.sides))
        if isinstance(node, ir.Transfer):
            found.append(len(pieces_of_payment(node)))
    return max(found)
