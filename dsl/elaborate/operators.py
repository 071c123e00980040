"""Operators: arithmetic, comparisons, membership, logic, and the conditional expression."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import (
    FLAG,
    NONE,
    EnumType,
    FlagType,
    IntType,
    NoneType,
    PieceType,
    Type,
    arithmetic,
    certain,
    hull,
    is_optional,
    row_type,
    several,
)
from dsl.elaborate import chains, name_resolution
from dsl.elaborate.attributes import attributes_of
from dsl.elaborate.collections import option_set
from dsl.elaborate.name_resolution import SPECIAL
from dsl.elaborate.presence import UPDATED, key_of
from dsl.elaborate.typer import Typer
from dsl.messages.types import CannotCompare, NoOrder, WrongType
from dsl.rules.reads import may_lack_index
from dsl.wording import quoted

WITHOUT_ELSE = "add `else`: only a number may go without it, and is then 0"

# ---- numbers


def arith(typer: Typer, node: s.Arithmetic) -> r.Expr:
    left, right = _left_number(typer, node), typer.number(node.right)
    found = arithmetic(node.op, typer.range_of(left), typer.range_of(right))
    return r.Arith(found, node.span, node.op, left, right)


def _left_number(typer: Typer, node: s.Arithmetic) -> r.Expr:
    """The left side of an operator; in `row at x + 1` that is `row at x`, mostly by mistake."""
    value = typer.expr(node.left)
    if isinstance(node.left, s.Address) and not (
        typer.as_int(certain(value.type)) or typer.is_listed(value.type)
    ):
        word, index = ("at", node.left.at) if node.left.at else ("of", node.left.of)
        if index is not None:
            whole = index.span.to(node.right.span).text
            hint = f"`{word}` takes one word: `{node.left.head.span.text} {word} ({whole})`"
            raise DiagnosticError(WrongType(node.left.span, "a number", str(value.type), hint))
    return typer.as_number(value, node.left)


def negative(typer: Typer, node: s.Negative) -> r.Expr:
    inner = typer.number(node.operand)
    found = typer.range_of(inner)
    return r.Arith(IntType(-found.hi, -found.lo), node.span, "-", r.Const(IntType(0, 0), node.span, 0), inner)


def extreme(typer: Typer, node: s.Extreme) -> r.Expr:
    """`min(a, b)` of numbers, or of values of a type with an order."""
    values = _same_kind(typer, node.items)
    if values is not None:
        kinds = {certain(value.type) for value in values}
        found: Type = kinds.pop() if len(kinds) == 1 else EnumType(typer.root(_type_of(values[0])))
        return r.Extreme(found, node.span, node.kind, values)
    return _extreme_number(typer, node)


def _same_kind(typer: Typer, items: tuple[s.Expr, ...]) -> tuple[r.Expr, ...] | None:
    """The values of some expressions, if they belong to one type with an order; none if they are numbers."""
    bare = [item for item in items if not (isinstance(item, s.Name) and _is_bare(typer, item))]
    first = typer.expr(bare[0] if bare else items[0])
    decl = typer.in_order(first.type)
    if decl is None or typer.as_int(certain(first.type)) is not None:
        return None
    values = tuple(typer.expr(item, certain(first.type)) for item in items)
    if not all(typer.related(value.type, first.type) for value in values):
        return None
    return tuple(typer.certain(value, item) for value, item in zip(values, items, strict=True))


def _type_of(value: r.Expr) -> str:
    kind = certain(value.type)
    return kind.type if isinstance(kind, EnumType) else ""


def _extreme_number(typer: Typer, node: s.Extreme) -> r.Expr:
    items = tuple(typer.number(item) for item in node.items)
    ranges = [typer.range_of(item) for item in items]
    pick = min if node.kind == "min" else max
    found: Type = IntType(pick(x.lo for x in ranges), pick(x.hi for x in ranges))
    return r.Extreme(found, node.span, node.kind, items)


# ---- comparisons


def compare(typer: Typer, node: s.Compare) -> r.Expr:
    with_none = isinstance(node.right, s.Constant) and node.right.value == "none"
    if with_none and chains.tested(typer, node.left)[1] is not None:
        there = exists(typer, s.Exists(node.span, node.left))
        return there if node.op == "is not" else r.Neg(FLAG, node.span, there)
    left, right = _sides(typer, node)
    if node.op not in ("is", "is not"):
        left, right = _in_order(typer, node, left, right)
    elif isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        _with_none(typer, node, left, right)
    else:
        left, right = _by_class(left, right)
        left, right = _by_number(typer, node, left, right)
        _comparable(typer, node, left, right)
    left, right = _called_alike(typer, left, right), _called_alike(typer, right, left)
    return r.Cmp(FLAG, node.span, node.op, left, right)


def _called_alike(typer: Typer, value: r.Expr, other: r.Expr) -> r.Expr:
    """A written number, of the type or column with whose numbers it is compared."""
    if not (isinstance(value, r.Const) and isinstance(value.type, IntType)):
        return value
    match other.type:
        case IntType(of=of):
            pass
        case EnumType(name) if typer.symbols.types[name].numeric:
            of = name
        case _:
            return value
    return replace(value, type=replace(value.type, of=of))


def _in_order(typer: Typer, node: s.Compare, left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
    """Both sides of `<`: two values of one type with an order, or numbers. Raises `DiagnosticError`."""
    kinds = certain(left.type), certain(right.type)
    if all(isinstance(kind, EnumType) and typer.as_int(kind) is None for kind in kinds):
        decl = typer.in_order(left.type)
        if typer.related(*kinds) and decl is not None:
            return typer.certain(left, node.left), typer.certain(right, node.right)
        numerals = [typer.symbols.types[_type_of(value)].numerals for value in (left, right)]
        if typer.related(*kinds) and not all(numerals):
            raise DiagnosticError(NoOrder(node.span, typer.root(_type_of(left)), key_of(node.left)))
    return typer.as_number(left, node.left), typer.as_number(right, node.right)


def _by_number(typer: Typer, node: s.Compare, left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
    """Both sides, with a value of a list of numerals as its number if the other side is a number."""
    if isinstance(right.type, IntType) and typer.is_listed(left.type):
        _check_numeral(typer, node, left, right)
        return typer.as_number(left, node.left), right
    if isinstance(left.type, IntType) and typer.is_listed(right.type):
        _check_numeral(typer, node, right, left)
        return left, typer.as_number(right, node.right)
    return left, right


def _check_numeral(typer: Typer, node: s.Compare, listed: r.Expr, number: r.Expr) -> None:
    """Raises `DiagnosticError` if a numeral is none of those in the list."""
    decl = typer.symbols.types[_type_of(listed)]
    if isinstance(number, r.Const) and number.value not in decl.numerals:
        shown = quoted(decl.names[:8], "and")
        why = f"{number.value} is not a value of `{decl.name}`"
        raise DiagnosticError(CannotCompare(node.span, why, f"its values are {shown}"))


def _sides(typer: Typer, node: s.Compare) -> tuple[r.Expr, r.Expr]:
    """Both sides. In `red is card.colour` the right one is typed first, because it decides what `red` is."""
    if isinstance(node.left, s.Name) and _is_bare(typer, node.left):
        right = typer.expr(node.right)
        return typer.expr(node.left, right.type), right
    left = typer.expr(node.left)
    return left, typer.expr(node.right, left.type)


def _is_bare(typer: Typer, node: s.Name) -> bool:
    """Whether only the other side decides what a name is: a value of some type, or a row."""
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


def _by_class(left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
    """Both sides, with a piece that is compared with a row replaced by its class."""
    if isinstance(left.type, PieceType) and _is_row(right, left.type):
        return _class_of(left, left.type), right
    if isinstance(right.type, PieceType) and _is_row(left, right.type):
        return left, _class_of(right, right.type)
    return left, right


def _is_row(value: r.Expr, piece: PieceType) -> bool:
    return isinstance(value.type, EnumType) and value.type.type == row_type(piece.component)


def _class_of(piece: r.Expr, kind: PieceType) -> r.Expr:
    """The row of a piece."""
    return r.ClassOf(EnumType(row_type(kind.component), kind.optional), piece.span, piece)


def _comparable(typer: Typer, node: s.Compare, left: r.Expr, right: r.Expr) -> None:
    if not typer.related(left.type, right.type):
        why = f"{left.type} and {right.type} cannot be compared"
        hint = _hint(typer, (node.left, left.type), (node.right, right.type))
        raise DiagnosticError(CannotCompare(node.span, why, hint))
    a, b = typer.as_int(certain(left.type)), typer.as_int(certain(right.type))
    if a is not None and b is not None and (a.hi < b.lo or b.hi < a.lo):
        raise DiagnosticError(
            CannotCompare(node.span, f"{a} and {b} are never equal", "their ranges do not overlap")
        )
    if is_optional(right.type):
        typer.certain(left, node.left, UPDATED)


# ---- existence and membership


def exists(typer: Typer, node: s.Exists) -> r.Expr:
    value, inside = chains.tested(typer, node.operand)
    outside = may_lack_index(value, typer.symbols.types, typer.symbols.zones.values())
    redundant = not is_optional(value.type) and not outside
    if inside is not None and redundant and isinstance(value.type, IntType | FlagType):
        typer.expr(node.operand)  # a number of what may be none: the error says of what
    if redundant and inside is None and key_of(node.operand) not in typer.scope.known:
        raise DiagnosticError(
            CannotCompare(node.span, f"`{key_of(node.operand)}` always exists", "remove the test")
        )
    there = r.Cmp(FLAG, node.span, "is not", value, r.Const(NoneType(), node.span, NONE))
    if inside is None:
        return there
    return inside if redundant else r.Both(FLAG, node.span, "and", inside, there)


def is_empty(typer: Typer, node: s.IsEmpty) -> r.Expr:
    empty = r.Empty(FLAG, node.span, typer.collection(node.operand))
    return r.Neg(FLAG, node.span, empty) if node.negated else empty


def member(typer: Typer, node: s.Member) -> r.Expr:
    option = option_set(typer, node.collection)
    value = typer.expr(node.item, option.item if option is not None else None)
    collection = option or typer.collection(node.collection, value.type)
    if isinstance(collection.item, IntType) and typer.is_listed(value.type):
        value = typer.as_number(value, node.item)
    if isinstance(value.type, PieceType) and collection.item == EnumType(row_type(value.type.component)):
        value = _class_of(value, value.type)
    elif not typer.related(value.type, collection.item):
        why = f"{value.type} can never be among {several(collection.item)}"
        raise DiagnosticError(
            CannotCompare(node.span, why, _hint(typer, (node.item, value.type), collection.item))
        )
    found = r.IsIn(FLAG, node.span, value, collection)
    return r.Neg(FLAG, node.span, found) if node.negated else found


# ---- logic


def logic(typer: Typer, node: s.Logic) -> r.Expr:
    left = typer.condition(node.left)
    with typer.scope.given(node.left, node.op == "and"):
        right = typer.condition(node.right)
    return r.Both(FLAG, node.span, node.op, left, right)


def ternary(typer: Typer, node: s.Ternary, expected: Type | None) -> r.Expr:
    condition = typer.condition(node.condition)
    if node.otherwise is None:
        return _or_zero(typer, node, node.then, condition)
    with typer.scope.given(node.condition):
        then = typer.expr(node.then, expected)
    with typer.scope.given(node.condition, False):
        otherwise = typer.expr(node.otherwise, expected or then.type)
    then, otherwise = (
        typer.beside(then, otherwise.type, node.then),
        typer.beside(otherwise, then.type, node.otherwise),
    )
    joined = typer.joined(then.type, otherwise.type, node.otherwise)
    return r.Cond(joined, node.span, condition, then, otherwise)


def _or_zero(typer: Typer, node: s.Ternary, number: s.Expr, condition: r.Expr) -> r.Expr:
    """`n if C`: 0 where C does not hold. Raises `DiagnosticError` for anything but a number."""
    with typer.scope.given(node.condition):
        then = typer.expr(number)
        if typer.as_int(certain(then.type)) is None:
            raise DiagnosticError(WrongType(number.span, "a number", str(then.type), WITHOUT_ELSE))
        typer.certain(then, number)
    nothing = r.Const(IntType(0, 0), node.span, 0)
    return r.Cond(hull(typer.range_of(then), IntType(0, 0)), node.span, condition, then, nothing)


Side = tuple[s.Expr, Type]
"""One side of a comparison, and its type."""


def _hint(typer: Typer, left: Side, right: Side | Type) -> str:
    """The help for comparing things of two types: an attribute of one that has the type of the other.

    If the one may be none, its attribute can only be read after a check, which is part of the help.
    """
    other = right[1] if isinstance(right, tuple) else right
    sides = [(left, other), *([(right, left[1])] if isinstance(right, tuple) else [])]
    found = [(name, owner) for side, wanted in sides for name, owner in _instead(typer, side, wanted)][:3]
    if found:
        checks = list(dict.fromkeys(f"{owner} exists" for _, owner in found if owner is not None))
        shown = f"compare {quoted([name for name, _ in found], 'or')}"
        return shown + (f", after {quoted(checks, 'and')}" if checks else "")
    kinds = (left[1], other)
    if any(isinstance(k, PieceType) for k in kinds) and any(isinstance(k, IntType) for k in kinds):
        return "compare a column of it, or the face of a die"
    return ""


def _instead(typer: Typer, side: Side, wanted: Type) -> list[tuple[str, str | None]]:
    """Attributes of a side, or of the piece or value that it is an attribute of, that have a type.

    Each with its owner if that may be none.
    """
    owner, kind = side
    if isinstance(owner, s.Attribute):
        owner = owner.owner
        kind = typer.expr(owner).type
    shown = f"({key_of(owner)})" if isinstance(owner, s.Address) else key_of(owner)
    known = attributes_of(typer, certain(kind)).items()
    absent = key_of(owner) if is_optional(kind) else None
    fitting = [name for name, given in known if typer.related(certain(given), certain(wanted))]
    return [(f"{shown}.{name}", absent) for name in fitting]
