"""Refusals of a machine, node by node: which conditions a refusal can name, and who may be told which.

All of it follows from the rules, before any match. To say that a condition does not hold gives away what it
reads, and that the conditions before it hold. So only a viewer who knows all of that is told: the tables
made here say what that is (`NeedToKnow`), and `interpreter/wasm/host/knowledge.py` compares it with a state.
Who reads the tables: `interpreter/refusal.py` for Python, `interpreter/wasm/standalone.py` for pages. The
words of the record in which a module notes a refusal are numbered here, too (`runtime/reasons.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dsl import rules as r
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.condition_reads import (
    Audience,
    audience,
    changed_in_secret,
    is_mine_alone,
    pieces_of,
    pieces_of_payment,
    source_audience,
)
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
    conditions: list[NamedCondition] = []
    for wanted in wants:
        condition = NamedCondition(wanted, number, at, pieces_of(wanted.condition), ())
        condition = replace(condition, parts=_numbered(wanted.parts, number + 1, condition.end))
        conditions.append(condition)
        number, at = number + size_of(wanted), words_end((condition,))
    return tuple(conditions)


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
    sizes = [0]
    for node in mc.nodes:
        sizes.append(words_end(conditions_of(node)))
        if isinstance(node, ir.Transfer):
            sizes.append(len(pieces_of_payment(node)))
    return max(sizes)


# ---- what has to be known


@dataclass(frozen=True, slots=True)
class NeedToKnow:
    """What has to be known before something is told.

    `alone`: nothing of others is read that may change in `together`; else nothing is told while one runs.
    `pieces` have to be seen: each with its number of classes and its word behind the head of a record.
    """

    audience: Audience = Audience.ALL
    alone: bool = True
    pieces: tuple[tuple[ir.Expr, int, int], ...] = ()

    def and_(self, other: NeedToKnow) -> NeedToKnow:
        """What has to be known before both are told."""
        audiences = {self.audience, other.audience} - {Audience.ALL}
        words = {(expr, classes): at for expr, classes, at in (*other.pieces, *self.pieces)}
        pieces = tuple((*piece, at) for piece, at in words.items())
        return NeedToKnow(min(audiences, default=Audience.ALL), self.alone and other.alone, pieces)

    def words(self, at: Iterable[int]) -> list[int]:
        """This need as the host reads it; the pieces stand at these words of a record."""
        pieces = (x for (_, classes, _), word in zip(self.pieces, at, strict=True) for x in (word, classes))
        return [self.audience, int(self.alone), *pieces]


OPEN = NeedToKnow()
"""What all may be told."""


class NeededKnowledge:
    """What has to be known before the refusals of one machine are told."""

    def __init__(self, machine: ir.Machine, rules: r.Rules) -> None:
        self._machine, self._rules = machine, rules
        self._changed = changed_in_secret(machine, rules)

    def of_node(self, node: ir.Step) -> NeedToKnow:
        """Before it is told that a node refuses: all that was read before it, and what it reads itself."""
        pieces = pieces_of_payment(node) if isinstance(node, ir.Transfer) and node.verb == "pay" else ()
        return self._seeing(audience(self._rules, node.behind), pieces)

    def of_conditions(self, node: ir.Step) -> tuple[NeedToKnow, ...]:
        """Before each condition of a node is named, by its number: also what is around and before it."""
        plain = isinstance(node, ir.Decide) and not node.trial
        around = OPEN if plain else NeedToKnow(audience(self._rules, node.behind))
        return tuple(self._of_each(conditions_of(node), around, isinstance(node, ir.Decide)))

    def of_range(self, node: ir.Decide, ends: tuple[ir.Expr, ...]) -> NeedToKnow:
        """Before the ends of the range of a decision are told."""
        return self._seeing(source_audience(self._rules, node), (x for end in ends for x in pieces_of(end)))

    def _of_each(
        self, conditions: tuple[NamedCondition, ...], around: NeedToKnow, chosen: bool
    ) -> Iterator[NeedToKnow]:
        for condition in conditions:
            wanted = condition.wanted
            alone = not chosen or is_mine_alone(self._machine, self._changed, wanted.condition)
            own = self._seeing(audience(self._rules, wanted.reads), condition.pieces, condition.at)
            around = around.and_(replace(own, alone=alone))
            yield around
            yield from self._of_each(condition.parts, around, chosen)

    def _seeing(self, readers: Audience, pieces: Iterable[tuple[ir.Expr, int]], first: int = 0) -> NeedToKnow:
        return NeedToKnow(readers, True, tuple((*piece, first + i) for i, piece in enumerate(pieces)))


def in_order(
    conditions: tuple[NamedCondition, ...], parent: int = -1
) -> Iterator[tuple[NamedCondition, int]]:
    """Conditions by their numbers, each before its parts, with the number of the one that it is a part of."""
    for condition in conditions:
        yield condition, parent
        yield from in_order(condition.parts, condition.number)
