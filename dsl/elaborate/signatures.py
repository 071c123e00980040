"""Parameters: what a routine or value is given, and what whoever acts may choose instead."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import LARGEST, EnumType, IntType, PieceType, Type, possible
from dsl.elaborate import collections
from dsl.elaborate.scope import facts
from dsl.elaborate.typer import Typer
from dsl.messages.statements import WrongStatement
from dsl.messages.types import UnboundedChoice, WrongType


def parameter(typer: Typer, node: s.Parameter, kind: str) -> r.Parameter:
    """A parameter of a routine with its type and, where it can be chosen, its collection."""
    collection = _group(typer, node)
    kind_of = collection.item if collection is not None else domain(typer, node)
    if collection is None and not _optional(kind_of):
        collection = collections.all_of(typer, kind_of, node.span)
    var = typer.scope.bind(node.name, kind_of)
    where = typer.maybe_condition(node.where)
    typer.scope.learn(facts(node.where))
    if collection is None or kind == "procedure":
        return r.Parameter(var, None)
    check_bounded(collection)
    return r.Parameter(var, r.Binder(var, collection, where))


def check_bounded(collection: r.Collection) -> None:
    """Raises `DiagnosticError` if more values could be chosen from a collection than any decision has."""
    size = _numbers_in(collection)
    if size > LARGEST:
        raise DiagnosticError(UnboundedChoice(collection.span, size, LARGEST))


def _numbers_in(collection: r.Collection) -> int:
    """How many numbers ranges of a collection can hold; what is declared has a bound of its own."""
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
    return 0


def _group(typer: Typer, node: s.Parameter) -> r.Collection | None:
    """`x from S`. Raises `DiagnosticError` if the type is said beside it."""
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
    """The type that a parameter declares, or the one whose name it bears."""
    if node.domain is None:
        return typer.scope.type_of_name(node.name)
    written = node.domain.collection
    if isinstance(written, s.Name):
        found = typer.scope.type_of_name(s.Word(written.span, written.text))
    else:
        found = _numbers(typer, node, written)
    if node.domain.optional and isinstance(found, IntType):
        raise DiagnosticError(
            WrongType(
                node.domain.span, "a type", "numbers or none", "remove `or none`: numbers are never none"
            )
        )
    return possible(found) if node.domain.optional else found


def _numbers(typer: Typer, node: s.Parameter, written: s.Expr) -> IntType:
    """`1..6`, with bounds that are the same whenever it is asked."""
    collection = typer.collection(written)
    if (
        isinstance(collection, r.Interval)
        and isinstance(collection.low, r.Const)
        and isinstance(collection.high, r.Const)
    ):
        if collection.low.value <= collection.high.value:
            return IntType(collection.low.value, collection.high.value)
        raise DiagnosticError(WrongType(written.span, "a range from low to high", "one from high to low"))
    hint = f"write `{node.name.text} from {' '.join(written.span.text.split())}`"
    raise DiagnosticError(
        WrongType(written.span, "a type or a fixed range", "a collection that changes", hint)
    )


def _optional(kind: Type) -> bool:
    return isinstance(kind, EnumType | PieceType) and kind.optional
