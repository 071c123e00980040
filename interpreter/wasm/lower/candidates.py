"""What a choice asks of all values before one is drawn, and what only of the value that is drawn.

Where a module draws among complete choices, a condition may be asked of all values, or of values that are
drawn until one meets it: each of those that meet it has the same chance either way. What is a set is asked of
all, and so are `needs` behind the choice that only look at words; what is none, and goes through collections
for each value, is asked of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import reduce

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.purity import MANY_TIMES
from interpreter.ir.trials import YES, TriedChoice
from interpreter.ir.visit import walk
from interpreter.wasm.emit.operands import Variable
from interpreter.wasm.lower import bitset_select, calls, tried_choices
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import InLocal, Interval


@dataclass(frozen=True, slots=True)
class Candidates:
    """Conditions on a register: what is asked of all values of a choice, and what of one that is drawn."""

    reg: int
    of_all: ir.Expr | None
    of_drawn: ir.Expr | None


def candidates_of(fx: FunctionContext, node: ir.Decide) -> Candidates:
    """How the conditions of a choice are divided. Only what cannot fault is asked at another time."""
    name = ("candidates", id(node))
    if name not in fx.builder.relations:
        slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, calls.UnknownWords(fx.mc.seats), {}
        fx.builder.relations[name] = node, _divided(fx, node)
        fx.slots, fx.regs = slots, regs
    found: Candidates = fx.builder.relations[name][1]
    return found


def _divided(fx: FunctionContext, node: ir.Decide) -> Candidates:
    undivided = Candidates(node.reg, node.where, None)
    if node.ranges or fx.mc.cover or fx.builder.config.explains:
        return undivided
    asked = fx.builder.trial_of_choice(node)
    reg, parts = asked.reg, conjuncts(asked.where) if asked.where is not None else []
    needs = list(needs_of(fx, node, asked, {}))
    r = bitset_select.range_of(fx, node.source, reg, _all(parts + needs), True)
    if r is None:
        return undivided
    late = [part for part in parts if goes_through(part) and not bitset_select.settable(fx, part, reg, r)]
    if asked.where is not None and late and tried_choices.is_faulty(fx, node, reg, asked.where):
        return undivided
    early = [part for part in parts if part not in late]
    early += [
        part for part in needs if not goes_through(part) and bitset_select.settable_whole(fx, part, reg, r)
    ]
    of_all = _all(early)
    if early == parts or bitset_select.worthwhile(fx, node.source, reg, of_all) is None:
        return undivided
    return Candidates(reg, of_all, _all(late))


def _all(parts: list[ir.Expr]) -> ir.Expr | None:
    return reduce(both, parts) if parts else None


def goes_through(part: ir.Expr) -> bool:
    """Whether a condition goes through collections."""
    return any(isinstance(x, MANY_TIMES) for x in walk(part))


def needs_of(
    fx: FunctionContext, node: ir.Decide, asked: TriedChoice, known: Mapping[int, Interval]
) -> Iterator[ir.Expr]:
    """What trying a value asks before anything that may fault, if any of it only looks at words.

    `known` are intervals of words of the frame.
    """
    before, parts = asked.where, conjuncts(asked.trial)
    if all(part == YES or goes_through(part) for part in parts):
        return
    with ExitStack() as stack:
        for slot, span in known.items():
            stack.enter_context(calls.with_slot(fx, slot, InLocal(Variable(0), span)))
        for part in parts:
            before = both(before, part)
            if part == YES or tried_choices.is_faulty(fx, node, asked.reg, before):
                return
            yield part
