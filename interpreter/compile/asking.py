"""Where all can see that nothing can be chosen, nobody is asked; where only some can, the seat is asked.

A decision that may be declined and depends on something hidden asks even if there is nothing to choose, since
not asking would tell. What everybody can know is tested before: the first `needs` of the actions, and that
there is anything in the zone from which is chosen. While all choose at once, nobody sees what the others have
changed, so all are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile

from dsl import rules as r
from dsl.domains import FLAG
from dsl.rules.needs import conjuncts, leading_needs
from dsl.rules.visit import walk, walk_values
from interpreter import ir
from interpreter.compile.frames import SEATS, Frames
from interpreter.ir.fold import operation

YES = ir.Const(1)


def asked_where_possible(lower: Frames, entry: int, otherwise: int, possible: ir.Expr) -> int:
    """The node that leads to a decision where something may be possible; an entry for the decision itself."""
    if possible == YES:
        return entry
    if lower.layout.branches:
        possible = operation("or", ir.Op("!=", ir.Head(ir.FORKED), ir.Const(0)), possible)
    asked = lower.graph.reserve()
    branch = ir.Branch(span=lower.graph.span, condition=possible, then=asked, otherwise=otherwise)
    lower.graph.fill(entry, branch)
    return asked


def offer_is_possible(lower: Frames, targets: Iterable[r.Target], seat: r.Expr | None = None) -> ir.Expr:
    """Whether something of an offer may be possible for all that everybody knows."""
    possible: ir.Expr = ir.Const(0)
    for target in targets:
        possible = operation("or", possible, _target_is_possible(lower, target, seat))
    return possible


def choice_is_possible(lower: Frames, binder: r.Binder, seat: r.Expr | None = None) -> ir.Expr:
    """Whether there may be something to choose for all that everybody knows."""
    return _all(lower, takewhile(partial(_is_known, lower, seat), _of_binder(lower, binder)))


def _target_is_possible(lower: Frames, target: r.Target, seat: r.Expr | None) -> ir.Expr:
    if isinstance(target, r.DoCell):
        return YES
    routine = lower.rules.routines[target.routine]
    possible: ir.Expr = YES
    for need in leading_needs(routine)[0].get(-1, []):
        parts = list(conjuncts(need.condition))
        known = list(takewhile(partial(_is_known, lower, seat), parts))
        if len(known) < len(parts):
            return operation("and", possible, _all(lower, known))
        possible = operation("and", possible, lower.covered(need, _all(lower, known), 0, ir.FAILED))
    if target.arguments or not routine.parameters:
        return possible
    first = routine.parameters[0]
    if first.binder is None or first.several is not None:
        return possible
    return operation("and", possible, choice_is_possible(lower, first.binder, seat))


def _all(lower: Frames, conditions: Iterable[r.Expr]) -> ir.Expr:
    possible: ir.Expr = YES
    for condition in conditions:
        possible = operation("and", possible, lower.expr(condition))
    return possible


def _is_known(lower: Frames, seat: r.Expr | None, condition: r.Expr) -> bool:
    """Whether all know if a condition holds, and it means here what it means behind the decision."""
    if lower.hidden_reads.observes_hidden(condition) or lower.reads_tainted(condition):
        return False
    read = walk_values(lower.rules.values, (condition,))
    return seat is None or not any(isinstance(node, r.Special) and node.what in SEATS for node in read)


def _of_binder(lower: Frames, binder: r.Binder) -> Iterator[r.Expr]:
    """That there is anything where something is chosen from, and what does not depend on which it is."""
    collection = binder.collection
    while isinstance(collection, r.Filtered):
        collection = collection.binder.collection
    if isinstance(collection, r.InZone):
        yield r.Neg(FLAG, collection.span, r.Empty(FLAG, collection.span, collection))
        if binder.where is not None and binder.collection is collection:
            own = takewhile(lambda part: not _reads(part, binder.var), conjuncts(binder.where))
            yield from own


def _reads(part: r.Expr, var: r.Var) -> bool:
    return any(isinstance(node, r.Read | r.HeldSet) and node.var is var for node in walk(part))
