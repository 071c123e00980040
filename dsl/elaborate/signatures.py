"""Parameters of routines and values: their types and, where they are chosen, their collections."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.declare.arithmetic import SEATS, is_number, number_named
from dsl.diagnostics import DiagnosticError
from dsl.document import Scalar
from dsl.domains import (
    FLAG,
    LARGEST,
    EnumType,
    FlagType,
    IntType,
    SetType,
    Type,
    is_optional,
    possible,
    several,
)
from dsl.elaborate import chosen_sets, collections
from dsl.elaborate.typer import Typer
from dsl.messages.statements import WrongStatement
from dsl.messages.types import NoSet, UnboundedChoice, WrongType
from dsl.operators import RoutineKind


def parameter(typer: Typer, node: s.Parameter, kind: RoutineKind) -> r.Parameter:
    """A parameter of a routine; with a binder if the acting seat chooses it."""
    if node.several is not None:
        return _set_parameter(typer, node, node.several, kind)
    collection = chosen = _choices(typer, node)
    declared = collection.item if collection is not None else domain(typer, node)
    if collection is None and not is_optional(declared) and not isinstance(declared, SetType | FlagType):
        collection = collections.all_of(typer, declared, node.span)
    var = typer.scope.bind(node.name, declared)
    if chosen is not None:
        typer.scope.origins[var] = chosen
    where = typer.maybe_condition(node.where)
    typer.scope.learn_given(node.where)
    if collection is None or kind == "procedure":
        return r.Parameter(var, None)
    check_listed(collection)
    return r.Parameter(var, r.Binder(var, collection, where))


def _set_parameter(typer: Typer, node: s.Parameter, what: s.Several, kind: RoutineKind) -> r.Parameter:
    """A parameter for which a set is chosen."""
    group = chosen_sets.check_parameter(node, what, kind)
    bounds = chosen_sets.numbers(typer, what)
    with typer.scope.inner():
        binder = collections.bound(typer, s.Binder(node.span, node.name, node.collection, node.where))
    check_bounded(binder.collection)
    several = chosen_sets.several(typer, what, binder, bounds, free=False)
    chosen_sets.bind(typer, group, several.whole)
    return r.Parameter(binder.var, binder, several)


def check_bounded(collection: r.Collection) -> None:
    """Raises `DiagnosticError` if a collection may have more values than a decision can offer."""
    size = _numbers_in(collection)
    if size > LARGEST:
        raise DiagnosticError(UnboundedChoice(collection.span, size, LARGEST))


def check_listed(collection: r.Collection) -> None:
    """Raises `DiagnosticError` if values that a seat chooses from must be listed, and are too many.

    Numbers of ranges are not listed, whatever their number is.
    """
    match collection:
        case r.Interval(item=IntType()):
            return
        case r.Filtered(binder=binder):
            check_listed(binder.collection)
        case r.UseCollection(collection=inner):
            check_listed(inner)
        case r.Sum(parts=parts):
            for part in parts:
                check_listed(part)
        case r.Either(then=then, otherwise=otherwise):
            check_listed(then)
            check_listed(otherwise)
        case _:
            check_bounded(collection)


def _numbers_in(collection: r.Collection) -> int:
    """The most numbers in the ranges and lists of a collection; declarations bound everything else."""
    match collection:
        case r.Interval(item=IntType(lo, hi)):
            return max(0, hi - lo + 1)
        case r.Items(items=items):
            return len(items)
        case r.Sum(parts=parts):
            return sum(map(_numbers_in, parts))
        case r.Filtered(binder=binder) | r.Prefix(binder=binder) | r.Ranked(binder=binder):
            return _numbers_in(binder.collection)
        case r.Either(then=then, otherwise=otherwise):
            return max(_numbers_in(then), _numbers_in(otherwise))
        case r.UseCollection(collection=inner):
            return _numbers_in(inner)
    return 0


def _choices(typer: Typer, node: s.Parameter) -> r.Collection | None:
    """The collection of `x from S`. Raises `DiagnosticError` if there is a type beside it."""
    if node.collection is None:
        return None
    if node.domain is not None:
        hint = "remove the type or the `from`"
        raise DiagnosticError(
            WrongStatement(node.domain.span, f"the type of `{node.name.text}` is given twice", hint)
        )
    return typer.collection(node.collection)


def value_parameter(typer: Typer, node: s.Parameter) -> r.Var:
    """A parameter of a value, which is always given."""
    if node.collection is not None or node.where is not None:
        raise DiagnosticError(
            WrongStatement(node.span, "a parameter of a value cannot be chosen", "remove `from` and `where`")
        )
    return typer.scope.bind(node.name, domain(typer, node))


def domain(typer: Typer, node: s.Parameter) -> Type:
    """The type that a parameter declares, or the type of its name."""
    if node.domain is None:
        return typer.scope.type_of_name(node.name)
    written = node.domain.collection
    if isinstance(written, s.Name) and written.text == "flag" and "flag" not in typer.symbols.types:
        found: Type = FLAG
    elif isinstance(written, s.Name):
        found = typer.scope.type_of_name(s.Word(written.span, written.text))
    else:
        found = _numbers(typer, node, written)
    if node.domain.several:
        return _set_of(found, node.domain)
    if node.domain.optional and isinstance(found, FlagType):
        raise DiagnosticError(
            WrongType(node.domain.span, "a type", "a condition or none", "remove `or none`")
        )
    if node.domain.optional and isinstance(found, IntType):
        hint = "remove `or none`: numbers are never none"
        raise DiagnosticError(WrongType(node.domain.span, "a type", "numbers or none", hint))
    return possible(found) if node.domain.optional else found


def _set_of(item: Type, node: s.Domain) -> SetType:
    """Raises `DiagnosticError` if a set cannot hold values of a type."""
    if (isinstance(item, IntType) and item.hi - item.lo < LARGEST) or isinstance(item, EnumType):
        return SetType(item)
    raise DiagnosticError(NoSet(node.span, several(item), "name the type of the values, or a small range"))


def _numbers(typer: Typer, node: s.Parameter, written: s.Expr) -> IntType:
    """A range with fixed bounds, such as `1..hand_size`. Raises `DiagnosticError` for other collections."""
    found = typer.collection(written)
    if isinstance(found, r.Interval):
        low, high = (_fixed(typer, bound) for bound in (found.low, found.high))
        if low is not None and high is not None:
            if low <= high:
                return IntType(low, high, node.name.text)
            raise DiagnosticError(WrongType(written.span, "a range from low to high", "one from high to low"))
    hint = f"write `{node.name.text} from {' '.join(written.span.text.split())}`"
    raise DiagnosticError(
        WrongType(written.span, "a type or a fixed range", "a collection that changes", hint)
    )


def _fixed(typer: Typer, value: r.Expr) -> int | None:
    """A number that is fixed when a match begins; none for any other expression."""
    match value:
        case r.Const(value=number):
            return number
        case r.Setting(name=name) if is_number(typer.symbols, name):
            return number_named(typer.symbols, Scalar(name, value.span))
        case r.Special(what="seats_playing"):
            return number_named(typer.symbols, Scalar(SEATS, value.span))
        case r.Arith(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = _fixed(typer, left), _fixed(typer, right)
            if a is None or b is None:
                return None
            return a + b if op == "+" else a - b if op == "-" else a * b
    return None
