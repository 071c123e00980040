"""Choices of one of very many numbers: what can be chosen as ranges, instead of a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal, TypeVar, cast

from dsl.diagnostics import DiagnosticError
from dsl.domains import HIGHEST, LARGEST, LOWEST
from dsl.messages.types import NoRangeOfNumbers
from dsl.source import NOWHERE, Span
from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.fold import operation
from interpreter.ir.intervals import WIDE, Interval, Ranges
from interpreter.ir.number_ranges import NoRanges, ranges_of
from interpreter.ir.purity import needs_from
from interpreter.ir.trials import FIRST, YES, TrialConditions
from interpreter.ir.visit import BINDERS, Part, bound_by, mapped, walk

P = TypeVar("P", bound=Part)
NOTHING: Final[ir.Ends] = ((ir.Const(1), ir.Const(0), ir.Const(1)),)


def with_ranges(mc: ir.Machine) -> ir.Machine:
    """A machine whose choices of more numbers than can be listed have ranges.

    Raises `DiagnosticError` with `NoRangeOfNumbers` for a choice of which there are none.
    """
    if not any(isinstance(node, ir.Decide) and node.spare is not None for node in mc.nodes):
        return mc
    spans = Ranges(mc, lambda slot: WIDE)
    nodes, registers = list(mc.nodes), mc.registers
    # The later parameters of a routine come after the earlier ones, whose trials ask about them.
    for number, node in reversed(list(enumerate(mc.nodes))):
        if isinstance(node, ir.Decide) and node.spare is not None:
            found = _with_ranges(replace(mc, nodes=tuple(nodes)), node, spans)
            ranges, used = _in_registers(found.ranges, mc.registers)
            nodes[number] = replace(found, ranges=ranges)
            registers = max(registers, used)
    return replace(mc, nodes=tuple(nodes), registers=registers)


def _in_registers(ranges: ir.Ends, first: int) -> tuple[ir.Ends, int]:
    """Ranges whose expressions bind registers from `first` on, not those of trials; how many there are."""
    bound = (reg for ends in ranges for part in walk(ends) for reg in bound_by(part))
    numbers = {reg: first + i for i, reg in enumerate(dict.fromkeys(r for r in bound if r >= FIRST))}

    def change(part: Part) -> Part:
        if isinstance(part, ir.Reg):
            return ir.Reg(numbers.get(part.index, part.index))
        changed = mapped(part, change)
        own = {name: getattr(part, name) for name in BINDERS[type(part)]}
        new = {name: numbers[reg] for name, reg in own.items() if reg in numbers}
        return replace(changed, **new) if new else changed  # type: ignore[arg-type]

    if not numbers:
        return ranges, first
    found = tuple(cast(tuple[ir.Expr, ir.Expr, ir.Expr], tuple(map(change, ends))) for ends in ranges)
    return found, first + len(numbers)


def _with_ranges(mc: ir.Machine, node: ir.Decide, spans: Ranges) -> ir.Decide:
    assert node.bounds is not None
    within = spans.of_source(node.source, {}).met(Interval(*node.bounds)).met(Interval(LOWEST, HIGHEST))
    node = replace(node, bounds=(within.lo, within.hi))
    size = within.hi - within.lo + 1
    if size <= LARGEST:
        return replace(node, spare=None)
    asked = NumberConditions(mc).of_choice(node)
    try:
        if not asked.exact:
            raise NoRanges(asked.trial)
        conditions = [e for e in (asked.where, asked.trial) if e is not None]
        found = ranges_of(node.source, asked.reg, conditions, (within.lo, within.hi))
    except NoRanges:
        name = node.name.split(".")[-1]
        raise DiagnosticError(NoRangeOfNumbers(_blamed(mc, node), size, LARGEST, name)) from None
    return replace(node, ranges=found or NOTHING)


def _blamed(mc: ir.Machine, node: ir.Decide) -> Span:
    """Where the condition stands that is none over ranges."""
    for condition, span in _asked(mc, node):
        try:
            ranges_of(ir.Between(ir.Const(0), ir.Const(1)), node.reg, [condition], (0, 1))
        except NoRanges:
            return span
    return node.span


def _asked(mc: ir.Machine, node: ir.Decide) -> Iterator[tuple[ir.Expr, Span]]:
    if node.where is not None:
        yield node.where, node.asked if node.asked != NOWHERE else node.span
    if not node.trial:
        return

    def change(part: Part) -> Part:
        chosen = isinstance(part, ir.Local) and part.slot == node.slot
        return ir.Reg(node.reg) if chosen else mapped(part, change)

    for number in needs_from(mc, node.next)[0]:
        need = mc.node(number, ir.Precondition)
        condition = change(need.condition)
        if not isinstance(condition, ir.Address | ir.Term | ir.Indices):
            yield condition, need.asked if need.asked != NOWHERE else need.span  # type: ignore[misc]


class NumberConditions(TrialConditions):
    """What a choice of a number asks, with all payments, gains and writes behind it that can refuse.

    It is not exact where something reads what was written before it.
    """

    def __init__(self, mc: ir.Machine) -> None:
        super().__init__(mc, through_cover=True)
        self._written: set[str] = set()

    def _choice(self, node: ir.Decide, slots: Mapping[int, ir.Expr]) -> tuple[int, ir.Expr | None, ir.Expr]:
        before = set(self._written)
        reg, _, trial = super()._choice(replace(node, where=None), slots)
        self._written = before  # the condition comes before what its trial writes
        where = None if node.where is None else self._copy(node.where, slots, {node.reg: ir.Reg(reg)})
        return reg, where, trial

    def _path(self, number: int, slots: Mapping[int, ir.Expr]) -> ir.Expr:
        node = self.mc.nodes[number]
        match node:
            case ir.Transfer(verb="gain", edge=edge):
                return self._write(node, node.amount, "+", edge, slots)
            case ir.Transfer(verb=verb):
                return self._write(node, node.amount, "-", "refuse" if verb == "pay" else "clamp", slots)
            case ir.SetWord(op="=", value=value, edge=edge):
                return self._write(node, value, None, edge, slots)
            case ir.SetWord(op=op, value=value, edge=edge):
                return self._write(node, value, "+" if op == "+=" else "-", edge, slots)
            case ir.Fork():  # a trial ends where branches begin
                return YES
        return super()._path(number, slots)

    def _write(
        self,
        node: ir.Transfer | ir.SetWord,
        amount: ir.Expr,
        sign: Literal["+", "-"] | None,
        edge: Literal["refuse", "clamp", "error", "free"],
        slots: Mapping[int, ir.Expr],
    ) -> ir.Expr:
        """What is asked from a write on: a fault counts as success, since it hides nothing."""
        ranges = set(self.mc.stores[node.name].ranges)
        self._left -= 1
        if self._left < 0 or len(ranges) != 1 or has_trial((node.address, amount)):
            return self._opaque()
        new = self._copy(amount, slots)
        if sign is not None:
            new = operation(sign, self._copy(ir.Load(node.address), slots), new)
        [(low, high)] = ranges
        inside = operation(">=", new, ir.Const(low))
        if not (isinstance(node, ir.Transfer) and sign == "-"):
            inside = operation("and", inside, operation("<=", new, ir.Const(high)))
        self._written.add(node.name)
        if isinstance(node, ir.Transfer) and node.bank is not None:
            self._written.add(node.bank_name)
        rest = self._path(node.next, slots)
        if edge == "refuse":
            return operation("and", inside, rest)
        return rest if edge in ("clamp", "free") or rest == YES else operation("or", ir.Not(inside), rest)

    def _copy(self, part: P, slots: Mapping[int, ir.Expr], regs: Mapping[int, ir.Expr] | None = None) -> P:
        for one in walk(part):
            if isinstance(one, ir.Load):
                words = self.mc.words_at(one.address.base)
                self._exact = self._exact and (words is None or words.name not in self._written)
        return super()._copy(part, slots, regs)
