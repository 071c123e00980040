"""Nodes that write variables, as closures: locals, the head of the state, counters, marks, pointers."""

from __future__ import annotations

from array import array
from typing import assert_never

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Changed, Entered, Turned
from interpreter.messages import CannotPay, Fault, OutOfRange
from interpreter.reference.closures import NodeFn
from interpreter.reference.codes import FAIL
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker


class VariableNodes:
    """Links nodes that write variables."""

    def __init__(self, context: RunContext, linker: ExprLinker) -> None:
        self.context, self.linker = context, linker
        self.machine, self.registers = context.machine, context.registers

    def link(self, node: ir.WordNode) -> NodeFn:
        match node:
            case ir.SetHead():
                return self.set_head(node)
            case ir.SetWord():
                return self.set_word(node)
            case ir.Transfer():
                return self.transfer(node)
            case ir.Reset():
                return self.reset(node)
            case ir.EnterPhase():
                return self.enter_phase(node)
            case ir.SetWords():
                raise InternalError("only the fast executor writes sets")
        assert_never(node)

    def set_local(self, node: ir.SetLocal) -> NodeFn:
        value, slot, following, e = self.linker.number(node.value), node.slot, node.next, self.registers

        def run(s: array[int]) -> int:
            s[s[ir.FP] + slot] = value(s, e)
            return following

        return run

    def clear_locals(self, node: ir.ClearLocals) -> NodeFn:
        first, last, following = node.first, node.last, node.next
        zeros = array("i", bytes(4 * (last - first)))

        def run(s: array[int]) -> int:
            fp = s[ir.FP]
            s[fp + first : fp + last] = zeros
            return following

        return run

    def set_head(self, node: ir.SetHead) -> NodeFn:
        value, word, following, e = self.linker.number(node.value), node.word, node.next, self.registers

        def run(s: array[int]) -> int:
            new = value(s, e)
            if word == ir.ACTIVE and self.context.sink is not None:
                self.context.sink.append(Turned(new))
            s[word] = new
            return following

        return run

    def enter_phase(self, node: ir.EnterPhase) -> NodeFn:
        def run(s: array[int]) -> int:
            s[ir.PHASE] = node.phase
            if self.context.sink is not None:
                self.context.sink.append(Entered(node.phase))
            return node.next

        return run

    def reset(self, node: ir.Reset) -> NodeFn:
        ranges = [(self.linker.address(a), array("i", values)) for a, values in node.ranges]
        e, following = self.registers, node.next

        def run(s: array[int]) -> int:
            for where, values in ranges:
                at = where(s, e)
                s[at : at + len(values)] = values
            return following

        return run

    # ---- counters

    def set_word(self, node: ir.SetWord) -> NodeFn:
        where, value, e = self.linker.address(node.address), self.linker.number(node.value), self.registers
        words, context = self.machine.stores[node.name], self.context
        op, following = node.op, node.next

        def run(s: array[int]) -> int:
            at = where(s, e)
            old = s[at]
            amount = value(s, e)
            new = amount if op == "=" else old + amount if op == "+=" else old - amount
            if node.edge != "free" and new != NONE:
                lo, hi = words.bounds(at)
                if not lo <= new <= hi:
                    if node.edge == "clamp":
                        new = lo if new < lo else hi
                    elif node.edge == "refuse" and context.trial:
                        context.failure, context.failed_state = (node, new, hi), s
                        return FAIL
                    else:
                        raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
            s[at] = new
            self._changed(node.name, at, old, new)
            return following

        return run

    def transfer(self, node: ir.Transfer) -> NodeFn:
        where, amount_of = self.linker.address(node.address), self.linker.number(node.amount)
        to = self.linker.address(node.to) if node.to is not None else None
        bank = self.linker.address(node.bank) if node.bank is not None else None
        words, e = self.machine.stores[node.name], self.registers
        applied = self._gain if node.verb == "gain" else self._give

        def run(s: array[int]) -> int:
            at, amount = where(s, e), amount_of(s, e)
            old = s[at]
            new = applied(s, node, old, amount, words.bounds(at))
            if new is None:
                return FAIL
            s[at] = new
            self._changed(node.name, at, old, new)
            if to is not None:
                self._receive(s, node, to(s, e), old - new, words)
            elif bank is not None:
                self._book(s, node, bank(s, e), new - old)
            return node.next

        return run

    def _gain(
        self, s: array[int], node: ir.Transfer, old: int, amount: int, bounds: tuple[int, int]
    ) -> int | None:
        """The value after a gain; none if it fails a trial."""
        lo, hi = bounds
        new = old + amount
        if lo <= new <= hi:
            return new
        if node.edge == "clamp":
            return lo if new < lo else hi
        if node.edge == "refuse" and self.context.trial:
            self._refuse(s, node, new, hi)
            return None
        raise Fault(OutOfRange(node.span, node.name, new, lo, hi))

    def _give(
        self, s: array[int], node: ir.Transfer, old: int, amount: int, bounds: tuple[int, int]
    ) -> int | None:
        """The value after a loss or a payment; none if it fails a trial."""
        lo, hi = bounds
        new = old - amount
        if new < lo and node.verb == "lose":
            new = lo
        if new < lo and self.context.trial:
            self._refuse(s, node, amount, old - lo)
            return None
        if new < lo:
            raise Fault(CannotPay(node.span, node.name, amount, old - lo))
        if new > hi:
            raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
        return new

    def _refuse(self, s: array[int], node: ir.Transfer, wanted: int, found: int) -> None:
        self.context.failure, self.context.failed_state = (node, wanted, found), s

    def _receive(self, s: array[int], node: ir.Transfer, at: int, amount: int, words: ir.VarLayout) -> None:
        """Book an amount to the receiver."""
        lo, hi = words.bounds(at)
        new = s[at] + amount
        if new > hi and node.edge != "clamp":
            raise Fault(OutOfRange(node.span, node.name, new, lo, hi))
        new = min(new, hi)
        self._changed(node.name, at, s[at], new)
        s[at] = new

    def _book(self, s: array[int], node: ir.Transfer, bank: int, amount: int) -> None:
        """Book an amount to the bank, which leaves its range only where that is declared."""
        lo, hi = self.machine.variables[node.bank_name].bounds(bank)
        new = s[bank] - amount
        if (new < lo and not (node.paid_anyway or node.bank_clamps)) or (new > hi and not node.bank_clamps):
            raise Fault(OutOfRange(node.span, node.bank_name, new, lo, hi))
        new = max(lo, min(hi, new))
        self._changed(node.bank_name, bank, s[bank], new)
        s[bank] = new

    def _changed(self, name: str, word: int, old: int, new: int) -> None:
        """Tells of a word that is not what it was; of working memory nothing is told."""
        if self.context.sink is not None and old != new and name in self.machine.variables:
            self.context.sink.append(Changed(name, word, old, new))
