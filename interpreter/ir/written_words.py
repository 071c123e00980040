"""What is asked behind a write, of the words as they are before it.

    clear amazon at start                       behind both, `amazon at x is none` is what was:
    amazon at target = me                       x is not target and (x is start or amazon at x is none)

So a trial that writes is a condition, too: weakest preconditions (Dijkstra, 1975), with a word that is one of
many as an array that is changed at one index (McCarthy, 1962).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from dsl.domains import NONE
from interpreter.ir.cfg import owners
from interpreter.ir.chosen_words import Bounds, chosen_words
from interpreter.ir.effects import has_trial
from interpreter.ir.expressions import (
    Address,
    Const,
    Expr,
    Head,
    If,
    Load,
    Local,
    Not,
    Op,
    Reg,
    Spread,
    Term,
    Times,
)
from interpreter.ir.fold import calculate, negation, operation
from interpreter.ir.nodes import SetWord, Step
from interpreter.ir.operators import Comparison, is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.set_writes import always_fits, is_within
from interpreter.ir.visit import Part, holds, walk

ATOMS = Const | Reg | Local | Head
"""What takes nothing to evaluate, and does not change in a trial."""
MOST = 4
"""The most writes that a condition is asked through."""


@dataclass(frozen=True)
class _Written:
    name: str
    address: Address
    value: Expr


class Writes:
    """The writes before the part of a trial that is being made into a condition."""

    def __init__(self, mc: Machine) -> None:
        self.mc = mc
        self.made: tuple[_Written, ...] = ()

    @contextmanager
    def behind(self, name: str, address: Address, value: Expr) -> Iterator[bool]:
        """Behind one more write; whether it can be asked through."""
        before = self.made
        is_known = isinstance(value, ATOMS) and all(isinstance(t.index, ATOMS) for t in address.terms)
        self.made = (*before, _Written(name, address, value))
        yield is_known and len(before) < MOST
        self.made = before

    def hides_from(self, node: Step) -> bool:
        """Whether a node reads what was written other than word by word, or as a whole."""
        if not self.made:
            return False
        return holds(node, (Times,)) or any(
            isinstance(part, Spread) and any(isinstance(x, Load) for x in walk(part)) for part in walk(node)
        )

    def is_plain(self, number: int, node: SetWord) -> bool:
        """Whether a write sets a word, and neither refuses nor faults."""
        if node.op != "=" or node.edge == "refuse" or has_trial((node.address, node.value)):
            return False
        if node.edge != "free" and not always_fits(self.mc, node):
            return False
        return all(self._is_index(number, term) for term in node.address.terms)

    def _is_index(self, number: int, term: Term) -> bool:
        """Whether an index is within its bounds: a known one, or one that was chosen."""
        if term.proved or is_within(self.mc, term.index, term.lo, term.hi):
            return True
        if not isinstance(term.index, Local):
            return False
        low, high = self._chosen.get((self._owners[number], term.index.slot), (NONE, NONE))
        return term.lo <= low and high <= term.hi

    @cached_property
    def _owners(self) -> list[int]:
        return owners(self.mc)

    @cached_property
    def _chosen(self) -> Bounds:
        return chosen_words(self.mc)

    # ---- what is read

    def seen(self, part: Part) -> Part:
        """A part behind the writes, of which all that lies in it is already as it is before them."""
        if not self.made:
            return part
        match part:
            case Load(address=address):
                return self._read(part, address)
            case Op(op=op, left=If() as left, right=right) if is_comparison(op) and isinstance(right, ATOMS):
                return self._compared(op, left, right)
            case Not(operand=If(condition=condition, then=then, otherwise=otherwise)):
                return _cases(condition, negation(then), negation(otherwise))
        return part

    def _read(self, load: Load, address: Address) -> Expr:
        words = self.mc.words_at(address.base)
        found: Expr = load
        for written in self.made:
            if words is not None and words.name == written.name:
                found = _cases(_same(address, written.address), written.value, found)
        return found

    def _compared(self, op: Comparison, e: Expr, value: Expr) -> Expr:
        if isinstance(e, If):
            return _cases(
                e.condition, self._compared(op, e.then, value), self._compared(op, e.otherwise, value)
            )
        if e == value and not isinstance(e, Load):
            return Const(calculate(op, 0, 0))
        if op in ("==", "!=") and self._is_seat(e) and value == Const(NONE):
            return Const(int(op == "!="))
        return operation(op, e, value)

    def _is_seat(self, e: Expr) -> bool:
        return is_within(self.mc, e, 0, self.mc.seats - 1)


def _same(one: Address, other: Address) -> Expr:
    """Whether two addresses of one variable are the same."""
    if one.base != other.base or [(t.lo, t.stride) for t in one.terms] != [
        (t.lo, t.stride) for t in other.terms
    ]:
        return operation("==", _word(one), _word(other))
    found: Expr = Const(1)
    for t, u in zip(one.terms, other.terms, strict=True):
        if t.index != u.index:
            found = operation("and", found, operation("==", t.index, u.index))
    return found


def _word(address: Address) -> Expr:
    """The number of the word at an address."""
    found: Expr = Const(address.base)
    for t in address.terms:
        found = operation("+", found, operation("*", operation("-", t.index, Const(t.lo)), Const(t.stride)))
    return found


def _cases(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """A choice, as a condition joined with another one where a case is settled."""
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    if then == Const(0) and _is_truth(otherwise):
        return operation("and", negation(condition), otherwise)
    if then == Const(1) and _is_truth(otherwise):
        return operation("or", condition, otherwise)
    return If(condition, then, otherwise)


def _is_truth(e: Expr) -> bool:
    match e:
        case Const(value=value):
            return value in (0, 1)
        case Not():
            return True
        case Op(op=op):
            return is_comparison(op) or op in ("and", "or")
    return False
