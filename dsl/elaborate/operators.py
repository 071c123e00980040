"""Operators: arithmetic, comparisons, membership, logic, and one of two values."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import (
    FLAG,
    NONE,
    EnumType,
    IntType,
    NoneType,
    PieceType,
    Type,
    arithmetic,
    certain,
    is_optional,
    row_type,
    several,
)
from dsl.elaborate import name_resolution
from dsl.elaborate.name_resolution import SPECIAL
from dsl.elaborate.scope import facts, key_of
from dsl.elaborate.typer import Typer
from dsl.messages.types import CannotCompare

# ---- numbers


def arith(typer: Typer, node: s.Arithmetic) -> r.Expr:
    left, right = typer.number(node.left), typer.number(node.right)
    found = arithmetic(node.op, typer.range_of(left), typer.range_of(right))
    return r.Arith(found, node.span, node.op, left, right)


def negative(typer: Typer, node: s.Negative) -> r.Expr:
    inner = typer.number(node.operand)
    found = typer.range_of(inner)
    return r.Arith(IntType(-found.hi, -found.lo), node.span, "-", r.Const(IntType(0, 0), node.span, 0), inner)


def extreme(typer: Typer, node: s.Extreme) -> r.Expr:
    made = tuple(typer.number(item) for item in node.items)
    ranges = [typer.range_of(m) for m in made]
    pick = min if node.kind == "min" else max
    return r.Extreme(
        IntType(pick(x.lo for x in ranges), pick(x.hi for x in ranges)), node.span, node.kind, made
    )


# ---- comparisons


def compare(typer: Typer, node: s.Compare) -> r.Expr:
    left, right = _sides(typer, node)
    if node.op not in ("is", "is not"):
        typer.as_number(left, node.left)
        typer.as_number(right, node.right)
    elif isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        _with_none(typer, node, left, right)
    else:
        left, right = _by_class(typer, left, right)
        _comparable(typer, node, left, right)
    return r.Cmp(FLAG, node.span, node.op, left, right)


def _sides(typer: Typer, node: s.Compare) -> tuple[r.Expr, r.Expr]:
    """Both sides, the one that says what it is first: in `red is card.colour` that is the right one."""
    if isinstance(node.left, s.Name) and _is_bare(typer, node.left):
        right = typer.expr(node.right)
        return typer.expr(node.left, right.type), right
    left = typer.expr(node.left)
    return left, typer.expr(node.right, left.type)


def _is_bare(typer: Typer, node: s.Name) -> bool:
    """A name that only another side can explain: a value of some type, or a row."""
    name, symbols = node.text, typer.symbols
    if name in typer.scope.locals or name in SPECIAL or name in symbols.zones or name in symbols.options:
        return False
    if name in symbols.constants or name_resolution.state_var_of(typer, name) is not None:
        return False
    if typer.scope.signatures.value(name, node.span) is not None:
        return False
    return bool(symbols.owners(name)) or any(name in c.classes for c in symbols.components.values())


def _with_none(typer: Typer, node: s.Compare, left: r.Expr, right: r.Expr) -> None:
    if isinstance(left.type, NoneType) and isinstance(right.type, NoneType):
        raise DiagnosticError(
            CannotCompare(node.span, "none is always none", "test something that may be none")
        )
    if is_optional(left.type) and is_optional(right.type):
        return
    if key_of(node.left) not in typer.scope.known:
        shown = node.right if isinstance(left.type, NoneType) else node.left
        why = f"`{key_of(shown)}` can never be none"
        raise DiagnosticError(CannotCompare(node.span, why, "remove the test"))


def _by_class(typer: Typer, left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
    """A piece compared with a row is compared by its class."""
    if isinstance(left.type, PieceType) and _is_row(typer, right, left.type):
        return r.ClassOf(EnumType(row_type(left.type.component), left.type.optional), left.span, left), right
    if isinstance(right.type, PieceType) and _is_row(typer, left, right.type):
        return left, r.ClassOf(
            EnumType(row_type(right.type.component), right.type.optional), right.span, right
        )
    return left, right


def _is_row(typer: Typer, value: r.Expr, piece: PieceType) -> bool:
    return isinstance(value, r.Const) and value.type == EnumType(row_type(piece.component))


def _comparable(typer: Typer, node: s.Compare, left: r.Expr, right: r.Expr) -> None:
    if not typer.related(left.type, right.type):
        why = f"{left.type} and {right.type} cannot be compared"
        raise DiagnosticError(CannotCompare(node.span, why, _meant(left.type, right.type)))
    a, b = typer.as_int(certain(left.type)), typer.as_int(certain(right.type))
    if a is not None and b is not None and (a.hi < b.lo or b.hi < a.lo):
        raise DiagnosticError(
            CannotCompare(node.span, f"{a} and {b} are never equal", "their ranges do not overlap")
        )
    if is_optional(right.type):
        typer.certain(left, node.left)


# ---- being there, being in


def exists(typer: Typer, node: s.Exists) -> r.Expr:
    value = typer.expr(node.operand)
    sure = not is_optional(value.type) and not _is_lost_somewhere(typer, value)
    if sure and key_of(node.operand) not in typer.scope.known:
        raise DiagnosticError(
            CannotCompare(node.span, f"`{key_of(node.operand)}` always exists", "remove the test")
        )
    return r.Cmp(FLAG, node.span, "is not", value, r.Const(NoneType(), node.span, NONE))


def _is_lost_somewhere(typer: Typer, value: r.Expr) -> bool:
    """Whether it is the index of a piece that some zone lacks: asking for it is no idle question."""
    if not isinstance(value, r.PlaceOf) or not isinstance(value.piece.type, PieceType):
        return False
    component = value.piece.type.component
    stores = [z.var for z in typer.symbols.zones.values() if z.component == component]
    return any(value.index not in (var.of, var.at) for var in stores)


def is_empty(typer: Typer, node: s.IsEmpty) -> r.Expr:
    empty = r.Empty(FLAG, node.span, typer.collection(node.operand))
    return r.Neg(FLAG, node.span, empty) if node.negated else empty


def member(typer: Typer, node: s.Member) -> r.Expr:
    value = typer.expr(node.item)
    collection = typer.collection(node.collection, value.type)
    if isinstance(value.type, PieceType) and collection.item == EnumType(row_type(value.type.component)):
        value = r.ClassOf(EnumType(row_type(value.type.component), value.type.optional), value.span, value)
    elif not typer.related(value.type, collection.item):
        why = f"{value.type} can never be among {several(collection.item)}"
        raise DiagnosticError(CannotCompare(node.span, why, _meant(value.type, collection.item)))
    found = r.IsIn(FLAG, node.span, value, collection)
    return r.Neg(FLAG, node.span, found) if node.negated else found


# ---- logic


def logic(typer: Typer, node: s.Logic) -> r.Expr:
    left = typer.condition(node.left)
    with typer.scope.knowing(facts(node.left, node.op == "and")):
        right = typer.condition(node.right)
    return r.Both(FLAG, node.span, node.op, left, right)


def ternary(typer: Typer, node: s.Ternary, expected: Type | None) -> r.Expr:
    condition = typer.condition(node.condition)
    with typer.scope.knowing(facts(node.condition)):
        then = typer.expr(node.then, expected)
    with typer.scope.knowing(facts(node.condition, False)):
        otherwise = typer.expr(node.otherwise, expected or then.type)
    return r.Cond(
        typer.joined(then.type, otherwise.type, node.otherwise), node.span, condition, then, otherwise
    )


def _meant(left: Type, right: Type) -> str:
    """A hint where a piece or place is compared with something of its own."""
    kinds = (left, right)
    if any(isinstance(k, PieceType) for k in kinds) and any(isinstance(k, IntType) for k in kinds):
        return "compare a column of it, or the face of a die"
    return ""
