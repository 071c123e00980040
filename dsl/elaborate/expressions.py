"""Expressions, from syntax to typed rules: the dispatch on their kinds, calls, and collections as values."""

from __future__ import annotations

from typing import Literal, assert_never

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import FLAG, NONE, EnumType, IntType, NoneType, Type, certain, clip, hull, possible
from dsl.elaborate import (
    attributes,
    collections,
    histories,
    name_resolution,
    offers,
    operators,
    places,
    products,
)
from dsl.elaborate.presence import key_of, other_than
from dsl.elaborate.scope import Scope
from dsl.elaborate.typer import Typer
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotOffer
from dsl.messages.types import WrongArguments, WrongType
from dsl.operators import Folding
from dsl.wording import given, plural


def expression_typer(scope: Scope) -> Typer:
    """The typer of the expressions in a scope."""
    return Typer(scope, _expression, collections.maybe_collection)


def _expression(typer: Typer, node: s.Expr, expected: Type | None) -> r.Expr:
    match node:
        case s.Number(value=value):
            number = r.Const(IntType(value, value), node.span, value)
            return number if expected is None else typer.as_listed(number, expected)
        case s.Constant(value="none"):
            return r.Const(NoneType(), node.span, NONE)
        case s.Constant(value=word):
            return r.Const(FLAG, node.span, int(word == "true"))
        case s.Name():
            return name_resolution.named(typer, node, expected)
        case s.Call():
            return _call(typer, node)
        case s.Attribute():
            return attributes.attribute(typer, node)
        case s.Address():
            return name_resolution.address(typer, node)
        case s.TimesRecorded():
            return histories.times(typer, node)
        case s.Arithmetic():
            return operators.arith(typer, node)
        case s.Negative():
            return operators.negative(typer, node)
        case s.Compare():
            return operators.compare(typer, node)
        case s.IsEmpty():
            return operators.is_empty(typer, node)
        case s.Exists():
            return operators.exists(typer, node)
        case s.Member():
            return operators.member(typer, node)
        case s.Can(what=what, actor=actor):
            return r.CanDo(FLAG, node.span, offers.target(typer, what, actor))
        case s.Logic():
            return operators.logic(typer, node)
        case s.Not(operand=operand):
            return r.Neg(FLAG, node.span, typer.condition(operand))
        case s.Ternary():
            return operators.ternary(typer, node, expected)
        case s.Pair():
            return products.combined(typer, node, expected)
        case s.Quantifier(kind="any" | "count" as kind):
            return _quantifier(typer, node, kind)
        case s.Prefix(kind="count"):
            return _size_of(typer, node, collections.beginning(typer, node))
        case s.Fold():
            return _fold(typer, node)
        case s.Extreme():
            return operators.extreme(typer, node)
        case s.Pick():
            return _pick(typer, node)
        case s.Interval() | s.ListOf() | s.Quantifier() | s.Prefix() | s.Ranked():
            raise DiagnosticError(WrongType(node.span, "a single value", "a collection"))
    assert_never(node)


# ---- calls


def _call(typer: Typer, node: s.Call) -> r.Expr:
    """A value, table or function with its arguments."""
    match node.name.text:
        case "size":
            _check_count(node, 1)
            return _size_of(typer, node, typer.collection(node.arguments[0]))
        case "next" | "previous":
            return _step(typer, node)
        case "ordinal" if _is_free(typer, node.name):
            return _ordinal(typer, node)
        case "step":
            return places.toward(typer, node)
        case "neighbours" | "ray" | "spread":
            raise DiagnosticError(WrongType(node.span, "a single value", "a collection"))
        case name if name in typer.symbols.tables:
            return _look_up(typer, node)
        case "opposite" if typer.scope.signatures.value("opposite", node.span) is None:
            return places.opposite(typer, node)
        case "top" if typer.scope.signatures.value("top", node.span) is None:
            _check_count(node, 1)
            return name_resolution.top_of(typer, node)
    return _use_value(typer, node)


def _use_value(typer: Typer, node: s.Call) -> r.Expr:
    name = node.name.text
    signature = typer.scope.signatures.value(name, node.name.span)
    if signature is None:
        raise _no_function(typer, node)
    parameters, kind = signature
    _check_count(node, len(parameters))
    arguments = tuple(typer.argument(a, p.type) for a, p in zip(node.arguments, parameters, strict=True))
    return r.UseValue(kind, node.span, name, arguments)


def _no_function(typer: Typer, node: s.Call) -> DiagnosticError:
    name = node.name.text
    if typer.scope.signatures.routine(name) is not None:
        hint = "call routines on a line of their own"
        return DiagnosticError(CannotOffer(node.span, name, "a routine, not a value", hint))
    if name_resolution.state_var_of(typer, name) is not None or name in typer.symbols.zones:
        hint = f"give the owner with `of` and the place with `at`: `{name} of me`"
        return DiagnosticError(UnknownName(node.name.span, name, "value or function", hint))
    return typer.scope.unknown(name, node.name.span, "value or function")


def _check_count(node: s.Call, wanted: int) -> None:
    found = len(node.arguments)
    if found != wanted:
        text = plural(wanted, "argument")
        raise DiagnosticError(WrongArguments(node.span, node.name.text, text, given(found)))


def _step(typer: Typer, node: s.Call) -> r.Expr:
    """`next(x)` and `previous(x)`: never none on a ring and for seats; else none beyond the end."""
    _check_count(node, 1)
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    if not isinstance(value.type, EnumType):
        raise DiagnosticError(WrongType(node.arguments[0].span, "a value of a type", str(value.type)))
    decl, by = typer.symbols.types[value.type.type], 1 if node.name.text == "next" else -1
    found: Type = EnumType(decl.name)
    if decl.shape != "ring" and decl.name != "seat" and not _is_before(typer, node.arguments[0], decl, by):
        found = typer.narrowed(EnumType(decl.name, True, True), node)
    return r.Successor(found, node.span, decl.name, by, value)


def _is_free(typer: Typer, word: s.Word) -> bool:
    """Whether a name of a function is not that of a declaration, as it was before there was the function."""
    known = typer.scope.signatures.value(word.text, word.span)
    return known is None and word.text not in typer.symbols.tables


def _ordinal(typer: Typer, node: s.Call) -> r.Expr:
    """`ordinal(x)`: the place of a value among those of its type, from 1."""
    _check_count(node, 1)
    value = typer.certain(typer.expr(node.arguments[0]), node.arguments[0])
    if not isinstance(value.type, EnumType):
        raise DiagnosticError(WrongType(node.arguments[0].span, "a value of a type", str(value.type)))
    decl = typer.symbols.types[value.type.type]
    return r.Ordinal(IntType(1, len(decl.members)), node.span, decl.name, value)


def _is_before(typer: Typer, node: s.Expr, decl: r.TypeDecl, by: int) -> bool:
    """Whether a value is known not to be the last one, or for `previous` the first one."""
    end = decl.members[-1 if by > 0 else 0]
    complete = all(decl.present(n) == decl.members for n in typer.symbols.seat_counts)
    return complete and other_than(key_of(node), decl.names[end - decl.lo]) in typer.scope.known


def _look_up(typer: Typer, node: s.Call) -> r.Expr:
    table = typer.symbols.tables[node.name.text]
    _check_count(node, len(table.over))
    keys = tuple(typer.argument(a, t) for a, t in zip(node.arguments, table.over_types, strict=True))
    return r.LookUp(typer.narrowed(table.type, node), node.span, table.name, keys)


# ---- collections as values


def _quantifier(typer: Typer, node: s.Quantifier, kind: Literal["any", "count"]) -> r.Expr:
    with typer.scope.inner():
        binder = collections.bound(typer, node.binder)
    result = FLAG if kind == "any" else collections.size_range(typer, binder.collection)
    return r.AnyOf(result, node.span, kind, binder)


def _size_of(typer: Typer, node: s.Expr, collection: r.Collection) -> r.Expr:
    return r.SizeOf(collections.size_range(typer, collection), node.span, collection)


def _fold(typer: Typer, node: s.Fold) -> r.Expr:
    with typer.scope.inner():
        binder = collections.bound(typer, node.binder)
        match node.kind:
            case "all":
                body = typer.condition(node.body)
            case "distinct":
                body = typer.certain(typer.expr(node.body), node.body)
            case "min" | "max":
                body = typer.key(node.body)
            case _:
                body = typer.number(node.body)
    kind = _type_of_fold(typer, node.kind, body, binder)
    return r.FoldOf(typer.narrowed(kind, node), node.span, node.kind, body, binder)


def _type_of_fold(typer: Typer, kind: Folding, body: r.Expr, binder: r.Binder) -> Type:
    """The type of a fold; an empty collection gives 0, or none if there is no number."""
    match kind:
        case "all":
            return FLAG
        case "distinct":
            return collections.size_range(typer, binder.collection)
        case "sum":
            most, item = collections.most(typer, binder.collection), typer.range_of(body)
            return IntType(clip(min(0, item.lo * most)), clip(max(0, item.hi * most)))
        case "min" | "max":
            if typer.as_int(certain(body.type)) is None:
                return possible(body.type)
            return hull(typer.range_of(body), IntType(0, 0))
    assert_never(kind)


def _pick(typer: Typer, node: s.Pick) -> r.Expr:
    with typer.scope.inner():
        binder = collections.bound(typer, node.binder)
        keys = tuple(typer.key(k) for k in node.keys)
    item = typer.narrowed(possible(binder.collection.item), node)
    return r.PickOf(item, node.span, node.kind, binder, keys)
