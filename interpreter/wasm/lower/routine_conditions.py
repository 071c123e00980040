"""Whether something can be done, as a condition: so it is found like any other, and needs no frame."""

from __future__ import annotations

from functools import partial

from interpreter import ir
from interpreter.ir.visit import Tree, walk
from interpreter.wasm.lower import calls
from interpreter.wasm.lower.context import FunctionContext


def asked_by(fx: FunctionContext, what: ir.Doing) -> ir.Expr | None:
    """What it takes that something can be done, as a condition: if it only looks, and cannot fault."""
    if not isinstance(what, ir.DoRoutine) or what.arguments or fx.mc.cover:
        return None
    name = ("asked by", what.routine)
    if name not in fx.builder.relations:
        condition, exact = fx.builder.trial_of_path(fx.mc.routines[what.routine].entry(0))
        slots = {part.slot for part in walk(condition) if isinstance(part, ir.Local)}
        slots_, regs = fx.slots, fx.regs
        fx.slots, fx.regs = calls.UnknownWords(fx.mc.seats), {}
        sure = exact and slots <= {ir.ME} and not fx.breaks_rules(partial(fx.num, condition))
        fx.slots, fx.regs = slots_, regs
        fx.builder.relations[name] = condition if sure else None
    found: ir.Expr | None = fx.builder.relations[name]
    return found


def runs_trial(fx: FunctionContext, tree: Tree) -> bool:
    """Whether evaluating an expression runs a trial that is no condition."""
    return any(isinstance(part, ir.Can) and asked_by(fx, part.what) is None for part in walk(tree))
