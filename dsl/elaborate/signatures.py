"""Parameters of routines and values: their types and, where they are chosen, their collections."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import LARGEST, IntType, Type, is_optional, possible
from dsl.elaborate import collections
from dsl.elaborate.scope import facts
from dsl.elaborate.typer import Typer
from dsl.messages.statements import WrongStatement
from dsl.messages.types import UnboundedChoice, WrongType


def parameter(typer: Typer, node: s.Parameter, kind: str) -> r.Parameter:
    """A parameter of a routine; with a binder if the acting seat chooses it."""
    collection = _choices(typer, node)
    declared = collection.item if collection is not None else domain(typer, node)
    if collection is None and not is_optional(declared):
        collection = collections.all_of(typer, declared, node.span)
    var = typer.scope.bind(node.name, declared)
    where = typer.maybe_condition(node.where)
    typer.scope.learn(facts(node.where))
    if collection is None or kind == "procedure":
        return r.Parameter(var, None)
    check_bounded(collection)
    return r.Parameter(var, r.Binder(var, collection, where))


def check_bounded(collection: r.Collection) -> None:
    """Raises `DiagnosticError` if a collection may have more values than a decision can offer."""
    size = _numbers_in(collection)
    if size > LARGEST:
        raise DiagnosticError(UnboundedChoice(collection.span, size, LARGEST))


def _numbers_in(collection: r.Collection) -> int:
    """The most numbers in the ranges and lists of a collection; declarations bound everything else."""
    match collection:
        case r.Interval(item=IntType(lo, hi)):
            return max(0, hi - lo + 1)
        case r.Items(items=items):
            return len(items)
        case r.Sum(parts=parts):
            return sum(map(_numbers_in, parts))
        case r.Filtered(binder=binder) | r.Prefix(binder=binder):
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
    if isinstance(written, s.Name):
        found = typer.scope.type_of_name(s.Word(written.span, written.text))
    else:
        found = _numbers(typer, node, written)
    if node.domain.optional and isinstance(found, IntType):
        hint = "remove `or none`: numbers are never none"
        raise DiagnosticError(WrongType(node.domain.span, "a type", "numbers or none", hint))
    return possible(found) if node.domain.optional else found


def _numbers(typer: Typer, node: s.Parameter, written: s.Expr) -> IntType:
    """A range with constant bounds, such as `1..6`. Raises `DiagnosticError` for any other collection."""
    match typer.collection(written):
        case r.Interval(low=r.Const(value=low), high=r.Const(value=high)):
            if low <= high:
                return IntType(low, high)
            raise DiagnosticError(WrongType(written.span, "a range from low to high", "one from high to low"))
    hint = f"write `{node.name.text} from {' '.join(written.span.text.split())}`"
    raise DiagnosticError(
        WrongType(written.span, "a type or a fixed range", "a collection that changes", hint)
    )
