"""What is asked of all before a value of a collection, as a beginning of it.

last in ray(x, way) and all(P(y) for y in those(y in ray(x, way) while y is not last))
last in those(y in ray(x, way) until not P(y))
last in those(y in ray(x, way) while P(y))            where P(last) is asked, too, also before that
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import cast

from interpreter.ir.expressions import (
    Bits,
    Const,
    Contains,
    Expr,
    Fold,
    Let,
    Linked,
    Mask,
    Not,
    Op,
    Prefix,
    Reg,
    Size,
    Source,
)
from interpreter.ir.flood_rules import is_settled
from interpreter.ir.fold import both, conjuncts, negation
from interpreter.ir.program import Machine
from interpreter.ir.searches import search
from interpreter.ir.visit import Part, inside_out, mapped, reads_register, substitute, walk


def as_beginnings(mc: Machine) -> Machine:
    """The same machine with conditions in this form."""
    change = inside_out(partial(_changed, mc))
    return mc.with_nodes(mapped(node, change) for node in mc.nodes)


def _changed(mc: Machine, part: Part) -> Part:
    match part:
        case Fold(kind="any", reg=reg, source=Linked() as rays, where=where) if where is not None:
            parts = [x for one in conjuncts(where) for x in conjuncts(_without_words(one, rays, reg))]
            found = _beginning(mc, parts, rays, reg)
            if found is not None:
                return replace(part, source=found[0], where=reduce(both, found[1], cast("Expr | None", None)))
        case Op(op="and"):
            parts = conjuncts(part)
            for i, one in enumerate(parts):
                match one:
                    case Contains(item=Reg(index=reg), source=Linked() as rays):
                        found = _beginning(mc, [*parts[:i], *parts[i + 1 :]], rays, reg)
                        if found is not None:
                            begun: list[Expr] = [*found[1][:i], Contains(Reg(reg), found[0]), *found[1][i:]]
                            return reduce(both, begun)
            return _asked_before(parts, part)
    return part


def _asked_before(parts: Sequence[Expr], e: Expr) -> Expr:
    """The parts of a condition, of which beginnings up to a value go on while that is asked of it before."""
    found = [_going_on(part, parts[:i]) for i, part in enumerate(parts)]
    return e if all(a is b for a, b in zip(found, parts, strict=True)) else reduce(both, found)


def _going_on(e: Expr, known: Sequence[Expr]) -> Expr:
    match e:
        case Contains(item=item, source=Prefix(until=True, where=Not(operand=asked)) as source):
            if _follows(substitute(asked, source.reg, item), known):
                return Contains(item, Prefix(source.reg, source.source, asked))
        case Fold(kind="any", reg=reg, where=where) if where is not None:
            outside = [x for x in known if not reads_register(x, reg)]
            parts = conjuncts(where)
            found = [_going_on(part, [*outside, *parts[:i]]) for i, part in enumerate(parts)]
            if any(a is not b for a, b in zip(found, parts, strict=True)):
                return replace(e, where=reduce(both, found))
    return e


def _beginning(
    mc: Machine, parts: Sequence[Expr], rays: Linked, reg: int
) -> tuple[Source, list[Expr]] | None:
    """The beginning in which a value lies by what is asked of all before it, and what else is asked."""
    among = sorted({v for row in rays.links for v in row})
    for i, part in enumerate(parts):
        match part:
            case Fold(kind="all", reg=inner, source=Prefix() as before, where=None, body=body) if (
                body is not None
                and _ends_before(before, rays, reg)
                and not reads_register(body, reg)
                and is_settled(mc, body, "", {inner: among})
            ):
                rest = [*parts[:i], *parts[i + 1 :]]
                asked = substitute(body, inner, Reg(reg))
                if any(_follows(asked, [x]) for x in rest):
                    return Prefix(inner, rays, body), rest
                return Prefix(inner, rays, negation(body), until=True), rest
    return None


def _ends_before(source: Prefix, rays: Linked, reg: int) -> bool:
    """Whether a beginning of rays is what comes before a value."""
    if source.until or source.source != rays:
        return False
    ends = {Op("!=", Reg(source.reg), Reg(reg)), Op("!=", Reg(reg), Reg(source.reg))}
    return source.where in ends or source.where in {Not(Op("==", x.left, x.right)) for x in ends}


def _follows(e: Expr, known: Sequence[Expr]) -> bool:
    """Whether a condition holds where others hold, by its form alone."""
    if e in known:
        return True
    match e:
        case Op(op="or", left=left, right=right):
            return _follows(left, known) or _follows(right, known)
        case Op(op="and", left=left, right=right):
            return _follows(left, known) and _follows(right, known)
    return False


def _without_words(e: Expr, rays: Linked, reg: int) -> Expr:
    """A condition on what comes before a value of rays, if the set of that is kept in words."""
    source: Prefix | None = None
    body = e
    while isinstance(body, Let) and isinstance(body.value, Mask):
        kept = body.value.source
        if not isinstance(kept, Prefix) or not _ends_before(kept, rays, reg) or source not in (None, kept):
            return e
        source, body = kept, body.body
    if source is None:
        return e
    before: Prefix = source
    first = search(before.reg, before, None)

    def change(part: Part) -> Part:
        match part:
            case Op(op="==", left=Size(source=Bits())) if part.right == Const(0):
                return negation(first)
            case Fold(kind="all", source=Bits()):
                return replace(part, source=before)
        return mapped(part, change)

    found = cast(Expr, change(body))
    return e if any(isinstance(part, Bits) for part in walk(found)) else found
