"""Parameters: what a routine or value is given, and what whoever acts may choose instead."""

from __future__ import annotations

from dsl import rules as r, syntax as s
from dsl.diagnostics import Failed
from dsl.domains import LARGEST, Elem, Int, Piece, Type, possible
from dsl.elaborate import groups
from dsl.elaborate.expressions import Expressions
from dsl.elaborate.scope import facts
from dsl.messages.statements import WrongStatement
from dsl.messages.types import UnboundedChoice, WrongType


def parameter(typer: Expressions, node: s.Parameter, kind: str) -> r.Parameter:
    """A parameter of a routine with its type and, where it can be chosen, its collection."""
    group = _group(typer, node)
    kind_of = group.item if group is not None else domain(typer, node)
    if group is None and not _optional(kind_of):
        group = groups.all_of(typer, kind_of, node.span)
    var = typer.scope.bind(node.name, kind_of)
    where = typer.condition(node.where) if node.where is not None else None
    typer.scope.learn(facts(node.where))
    if group is None or kind == "procedure":
        return r.Parameter(var, None)
    check_bounded(group)
    return r.Parameter(var, r.Binder(var, group, where))


def check_bounded(group: r.Group) -> None:
    """Raises `Failed` if more values could be chosen from a collection than any decision has."""
    size = _numbers_in(group)
    if size > LARGEST:
        raise Failed(UnboundedChoice(group.span, size, LARGEST))


def _numbers_in(group: r.Group) -> int:
    """How many numbers ranges of a collection can hold; what is declared has a bound of its own."""
    match group:
        case r.Interval(item=Int(lo, hi)):
            return max(0, hi - lo + 1)
        case r.Items(items=items):
            return len(items)
        case r.Sum(parts=parts):
            return sum(map(_numbers_in, parts))
        case r.Those(binder=binder) | r.Prefix(binder=binder):
            return _numbers_in(binder.group)
        case r.Either(then=then, otherwise=otherwise):
            return max(_numbers_in(then), _numbers_in(otherwise))
    return 0


def _group(typer: Expressions, node: s.Parameter) -> r.Group | None:
    """`x from S`. Raises `Failed` if the type is said beside it."""
    if node.group is None:
        return None
    if node.domain is not None:
        hint = "remove the type or the `from`"
        raise Failed(WrongStatement(node.domain.span, f"the type of `{node.name.text}` is given twice", hint))
    return typer.group(node.group)


def value_parameter(typer: Expressions, node: s.Parameter) -> r.Var:
    """A parameter of a value, which is always given."""
    if node.group is not None or node.where is not None:
        raise Failed(
            WrongStatement(node.span, "a parameter of a value cannot be chosen", "remove `from` and `where`")
        )
    return typer.scope.bind(node.name, domain(typer, node))


def domain(typer: Expressions, node: s.Parameter) -> Type:
    """The type that a parameter declares, or the one whose name it bears."""
    if node.domain is None:
        return typer.scope.type_of_name(node.name)
    written = node.domain.group
    if isinstance(written, s.Name):
        found = typer.scope.type_of_name(s.Word(written.span, written.text))
    else:
        found = _numbers(typer, node, written)
    if node.domain.optional and isinstance(found, Int):
        raise Failed(
            WrongType(
                node.domain.span, "a type", "numbers or none", "remove `or none`: numbers are never none"
            )
        )
    return possible(found) if node.domain.optional else found


def _numbers(typer: Expressions, node: s.Parameter, written: s.Expr) -> Int:
    """`1..6`, with bounds that are the same whenever it is asked."""
    group = typer.group(written)
    if isinstance(group, r.Interval) and isinstance(group.low, r.Const) and isinstance(group.high, r.Const):
        if group.low.value <= group.high.value:
            return Int(group.low.value, group.high.value)
        raise Failed(WrongType(written.span, "a range from low to high", "one from high to low"))
    hint = f"write `{node.name.text} from {' '.join(written.span.text.split())}`"
    raise Failed(WrongType(written.span, "a type or a fixed range", "a collection that changes", hint))


def _optional(kind: Type) -> bool:
    return isinstance(kind, Elem | Piece) and kind.optional
