"""Chains: `site at (number at x) exists` tests each part that may be none, from the inside out.

Where a chain is only asked whether it exists, or kept under a name, it is none if a part of it is none.
"""

from __future__ import annotations

from functools import reduce

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import FLAG, NONE, EnumType, NoneType, PieceType, is_optional, possible
from dsl.elaborate.presence import inner_parts, key_of
from dsl.elaborate.typer import Typer


def tested(typer: Typer, node: s.Expr) -> tuple[r.Expr, r.Expr | None]:
    """A chain, typed where its parts exist, and the condition that they do; none if all of them exist."""
    with typer.scope.assuming(frozenset()):
        tests = _tests(typer, node)
        return typer.expr(node), _all(tests, node)


def kept(typer: Typer, node: s.Expr) -> r.Expr | None:
    """A chain as a value to be kept, none if a part of it is none; nothing if it needs no test.

    Only what can be none itself is kept so: a number or a condition must not depend on what may be none.
    """
    with typer.scope.assuming(frozenset()):
        condition = _all(_tests(typer, node), node)
        if condition is None:
            return None
        try:
            value = typer.expr(node)
        except DiagnosticError:  # told of the chain as it is written
            return None
    if not isinstance(value.type, EnumType | PieceType):
        return None
    return r.Cond(possible(value.type), node.span, condition, value, r.Const(NoneType(), node.span, NONE))


def _tests(typer: Typer, node: s.Expr) -> list[r.Expr]:
    """The tests of the parts of a chain that may be none; from here on they are known to exist."""
    tests: list[r.Expr] = []
    for part in inner_parts(node):
        if (test := _test(typer, part)) is not None:
            tests.append(test)
            typer.scope.learn(frozenset({key_of(part)}))
    return tests


def _all(tests: list[r.Expr], node: s.Expr) -> r.Expr | None:
    return reduce(lambda a, b: r.Both(FLAG, node.span, "and", a, b), tests) if tests else None


def _test(typer: Typer, part: s.Expr) -> r.Expr | None:
    """That a part of a chain exists; none if that is known, or it is no value that may be none."""
    if key_of(part) in typer.scope.known:
        return None
    try:
        value = typer.expr(part)
    except DiagnosticError:  # what is wrong with it is told where the whole is typed
        return None
    if not is_optional(value.type) or typer.presence(value, part) is not None:
        return None
    return r.Cmp(FLAG, part.span, "is not", value, r.Const(NoneType(), part.span, NONE))
