"""What is known of refusals before any state: what each node names, and which pieces a condition looks at."""

from __future__ import annotations

from dataclasses import replace

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.condition_reads import pieces_of, pieces_of_payment
from interpreter.wording import size_of


@dataclass(frozen=True, slots=True)
class NamedCondition:
    """A condition that a refusal can name, and the pieces that must be seen.

    `number` counts the conditions of a node, each before its parts. `at` is the first of its words in the
    record of a refusal: one for each piece, one whose bits say which sides have a value, one for each side.
    """

    wanted: ir.Condition
    number: int
    at: int
    pieces: tuple[tuple[ir.Expr, int], ...]
    parts: tuple[NamedCondition, ...]

    @property
    def known(self) -> int:
        """The word that says which sides have a value; those of the sides follow."""
        return self.at + len(self.pieces)

    @property
    def end(self) -> int:
        """The word behind its own, before those of its parts."""
        return self.known + 1 + len(self.wanted.sides)


def conditions_of(node: ir.Step) -> tuple[NamedCondition, ...]:
    """The conditions that a refusal by a node can name: of a need, or of what a choice wants."""
    match node:
        case ir.Precondition(wants=wants) | ir.Decide(wants=wants):
            return _numbered(wants, 0, 0)
    return ()


def _numbered(wants: tuple[ir.Condition, ...], number: int, at: int) -> tuple[NamedCondition, ...]:
    found: list[NamedCondition] = []
    for wanted in wants:
        one = NamedCondition(wanted, number, at, pieces_of(wanted.condition), ())
        one = replace(one, parts=_numbered(wanted.parts, number + 1, one.end))
        found.append(one)
        number, at = number + size_of(wanted), words_end((one,))
    return tuple(found)


def words_end(conditions: tuple[NamedCondition, ...]) -> int:
    """The word behind those of some conditions and their parts."""
    if not conditions:
        return 0
    last = conditions[-1]
    return words_end(last.parts) if last.parts else last.end


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
        case ir.Precondition(wants=wants):
            return bool(wants)
        case ir.Transfer(verb="pay"):
            return bool(pieces_of_payment(node))
        case ir.Decide(where=where, wants=wants):
            return where is not None or bool(wants)
    return False


def most_values(mc: ir.Machine) -> int:
    """The most words that a refusal's record has for pieces and sides."""
    found = [0]
    for node in mc.nodes:
        found.append(words_end(conditions_of(node)))
        if isinstance(node, ir.Transfer):
            found.append(len(pieces_of_payment(node)))
    return max(found)
