"""Trials as conditions: what code that only reads tests before its first stop, as one expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import TypeVar, cast

from dsl.domains import NONE
from dsl.frozen import dataclass
from dsl.source import Span
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.expressions import Best, Const, Expr, Head, Let, Load, Local, Op, Reg
from interpreter.ir.fold import choice, operation
from interpreter.ir.nodes import (
    Branch,
    ClearLocals,
    Cover,
    Decide,
    Ends,
    Precondition,
    SetLocal,
    SetWord,
    Transfer,
)
from interpreter.ir.number_ranges import first_of
from interpreter.ir.program import Machine
from interpreter.ir.purity import MOST, is_last_payment, uses
from interpreter.ir.searches import search
from interpreter.ir.state import ME
from interpreter.ir.visit import BINDERS, Part, mapped
from interpreter.ir.written_words import Writes

P = TypeVar("P", bound=Part)
FIRST = 1 << 16
"""The first register of trials: rules have fewer, so that none is bound twice."""
YES = Const(1)
Slots = Mapping[int, Expr]
"""What words of the frame hold."""
ATOMS = Const | Reg | Local | Head
"""What takes nothing to evaluate, and does not change in a trial."""


@dataclass(frozen=True, slots=True)
class TriedChoice:
    """What a choice asks of each value, in a register: that it may be chosen, then that its trial succeeds.

    `exact`: if that holds, the trial succeeds; otherwise it may still fail, where it does more than look.
    """

    reg: int
    where: Expr | None
    trial: Expr
    exact: bool

    @property
    def both(self) -> Expr | None:
        """All that is asked, as one condition."""
        if self.where is None:
            return None if self.trial == YES else self.trial
        return operation("and", self.where, self.trial)


class TrialConditions:
    """Makes conditions of trials, each over registers of its own.

    `through_writes`: what is asked behind a write is asked of the words as they are before it.
    `noted` is told of every expression that is made: the one whose place in the rules is its place, or that
    place itself. `through_cover`: what records coverage asks nothing, and is passed over.
    """

    def __init__(
        self,
        mc: Machine,
        noted: Callable[[Part, Part | Span], object] = lambda made, at: None,
        *,
        through_cover: bool = False,
        through_writes: bool = False,
    ) -> None:
        self.mc, self.noted, self.through_cover = mc, noted, through_cover
        self._writes = Writes(mc) if through_writes else None
        self._registers = count(FIRST)
        self._left = 0
        """Nodes that may still become part of the condition."""
        self._exact = True

    def of_path(self, number: int) -> tuple[Expr, bool]:
        """What a stretch from a node asks before its first stop, and whether that is all."""
        self._begin()
        return self._path(number, {}), self._exact

    def of_choice(self, node: Decide) -> TriedChoice:
        """What is asked of each value that can be chosen."""
        self._begin()
        reg, where, trial = self._choice(node, {})
        return TriedChoice(reg, where, trial, self._exact)

    def _begin(self) -> None:
        self._left, self._exact = MOST, True

    # ---- nodes

    def _path(self, number: int, slots: Slots) -> Expr:
        node = self.mc.nodes[number]
        self._left -= 1
        if self._left < 0 or (self._writes is not None and self._writes.hides_from(node)):
            return self._opaque()
        match node:
            case SetWord() if self._writes is not None:
                return self._through_write(self._writes, number, node, slots)
            case Precondition(condition=condition, next=following) if not has_trial(condition):
                asked = self._at(condition, slots, node.span)
                return operation("and", asked, self._path(following, slots))
            case Branch(condition=condition, then=then, otherwise=otherwise) if not has_trial(condition):
                one, two = self._path(then, slots), self._path(otherwise, slots)
                return YES if one == two == YES else choice(self._at(condition, slots, node.span), one, two)
            case SetLocal(value=value) if not has_trial(value):
                return self._set_local(node, slots)
            case ClearLocals(first=first, last=last, next=following):
                return self._path(following, {**slots, **{i: Const(0) for i in range(first, last)}})
            case Transfer():
                return self._payment(node, slots)
            case Cover(next=following) if self.through_cover:
                return self._path(following, slots)
            case Decide() if not has_trial((node.source, node.where, node.seat)):
                return self._any_value(node, slots)
        return YES if effect_of(node).ends_trial else self._opaque()

    def _through_write(self, writes: Writes, number: int, node: SetWord, slots: Slots) -> Expr:
        """What is asked behind a write, of the words as they are before it; if that is all that is asked."""
        if not writes.is_plain(number, node):
            return self._opaque()
        address, value = self._copy(node.address, slots), self._copy(node.value, slots)
        with writes.behind(node.name, address, value) as is_known:
            asked = self._path(node.next, slots) if is_known else YES
        return asked if self._exact and asked != YES else self._opaque()

    def _opaque(self) -> Expr:
        """From here on only a trial tells."""
        self._exact = False
        return YES

    def _set_local(self, node: SetLocal, slots: Slots) -> Expr:
        value = self._at(node.value, slots, node.span)
        once = isinstance(value, Best) and uses(self.mc, node.next, node.slot) <= 1
        if once or isinstance(value, ATOMS) or _is_read_off(value):
            return self._path(node.next, {**slots, node.slot: value})
        reg = next(self._registers)
        body = self._path(node.next, {**slots, node.slot: Reg(reg)})
        return body if body == YES else Let(reg, value, body)

    def _payment(self, node: Transfer, slots: Slots) -> Expr:
        """Whether a payment can be made, if the least number is the same for all words of its name."""
        least = {lo for lo, _ in self.mc.stores[node.name].ranges}
        if not is_last_payment(self.mc, node):
            self._exact = False
        if node.verb != "pay" or len(least) != 1 or has_trial((node.address, node.amount)):
            return self._opaque()
        left = Op("-", self._copy(Load(node.address), slots), self._copy(node.amount, slots))
        found = Op(">=", left, Const(least.pop()))
        self.noted(found, node.span)
        return found

    def _any_value(self, node: Decide, slots: Slots) -> Expr:
        """Whether a further decision has a value, or may have none."""
        following = node.nothing if node.nothing is not None else node.passing
        rest = Const(0) if following is None else self._path(following, slots)
        if rest == YES or (node.asks and node.seat == Local(ME)):
            return YES
        there: Expr = YES
        if node.seat != Local(ME):
            there = operation("!=", self._copy(node.seat, slots), Const(NONE))
        if node.asks:
            return operation("or", there, rest)
        if node.ranges:
            there = operation("and", there, first_of(self._copied(node.ranges, slots)))
            return operation("or", there, rest)
        reg, where, trial = self._choice(node, slots)
        if trial == YES and not self._exact:
            return YES  # the trial looks for a value anyway
        asked = trial if where is None else operation("and", where, trial)
        found = search(reg, self._copy(node.source, slots), None if asked == YES else asked)
        self.noted(found, node.span)
        return operation("or", operation("and", there, found), rest)

    def _copied(self, ends: Ends, slots: Slots) -> Ends:
        """Ranges with words of the frame replaced by expressions."""
        return tuple(
            (self._copy(first, slots), self._copy(last, slots), self._copy(step, slots))
            for first, last, step in ends
        )

    def _choice(self, node: Decide, slots: Slots) -> tuple[int, Expr | None, Expr]:
        """A register, what may be chosen, and what trying it asks."""
        reg = next(self._registers)
        trial = self._path(node.next, {**slots, node.slot: Reg(reg)}) if node.trial else YES
        where = None if node.where is None else self._copy(node.where, slots, {node.reg: Reg(reg)})
        return reg, where, trial

    # ---- expressions

    def _at(self, e: Expr, slots: Slots, span: Span) -> Expr:
        found = self._copy(e, slots)
        if not isinstance(found, ATOMS):
            self.noted(found, span)
        return found

    def _copy(self, part: P, slots: Slots, regs: Mapping[int, Expr] | None = None) -> P:
        """A part with words of the frame, and registers, replaced by expressions."""
        bound = regs or {}

        def change(inner: Part) -> Part:
            if isinstance(inner, Local):
                return slots.get(inner.slot, inner)
            if isinstance(inner, Reg):
                return bound.get(inner.index, inner)
            assert not any(getattr(inner, name) in bound for name in BINDERS[type(inner)])
            changed: Part = mapped(inner, change)
            if self._writes is not None:
                changed = self._writes.seen(changed)
            if changed is not inner:
                self.noted(changed, inner)
            return changed

        return cast(P, change(part))


def _is_read_off(e: Expr) -> bool:
    """Whether an expression is a word of the state whose indices are atoms, and within their bounds."""
    return isinstance(e, Load) and all(t.proved and isinstance(t.index, ATOMS) for t in e.address.terms)
