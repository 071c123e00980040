"""The context in which expressions are typed, with the relations between types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError, InternalError
from dsl.domains import (
    LARGEST,
    SEAT,
    EnumType,
    FlagType,
    IntType,
    NoneType,
    PieceType,
    SetType,
    Type,
    certain,
    hull,
    is_beyond,
    is_optional,
    possible,
    several,
)
from dsl.elaborate.presence import (
    ALWAYS,
    UPDATED,
    Pointers,
    assume,
    how_to_check,
    key_of,
    presence,
)
from dsl.elaborate.scope import Scope
from dsl.messages.types import MayBeNone, NoSet, NotInRange, OtherValues, WrongType
from dsl.wording import quoted

TEAM = EnumType("team")
LONGEST_OWNER = 40
"""The longest expression that a hint repeats."""
TypeExpression = Callable[["Typer", s.Expr, Type | None], r.Expr]
TypeCollection = Callable[["Typer", s.Expr, Type | None], r.Collection | None]


def _seats_of_team(node: s.Node) -> str:
    return f"`seat where seat.team is {' '.join(node.span.text.split())}`"


class Typer:
    """The context in which the expressions of one place are typed, and the relations between types.

    `type_expression` and `type_collection` dispatch on the kind of an expression; the functions that they
    call type its parts with `expr` and `maybe_collection`.
    """

    def __init__(
        self, scope: Scope, type_expression: TypeExpression, type_collection: TypeCollection
    ) -> None:
        self.scope = scope
        self.symbols = scope.symbols
        self.type_expression = type_expression
        self.type_collection = type_collection
        self.empty_list = False
        """An empty list is a collection, because its place says of which type."""

    def expr(self, node: s.Expr, expected: Type | None = None) -> r.Expr:
        """A single value; `expected` resolves ambiguous names. Raises `DiagnosticError`."""
        return self.type_expression(self, node, expected)

    def maybe_collection(self, node: s.Expr, expected: Type | None = None) -> r.Collection | None:
        """The collection that an expression stands for, or none if it is a single value."""
        return self.type_collection(self, node, expected)

    def collection(self, node: s.Expr, expected: Type | None = None) -> r.Collection:
        """The collection that an expression stands for. Raises `DiagnosticError` if it is a single value.

        Where a collection is expected, a name means the type, even if a local shadows it.
        """
        found = self.maybe_collection(node, expected)
        if found is None and isinstance(node, s.Name) and node.text in self.symbols.types:
            return r.OfType(EnumType(node.text), node.span, node.text)
        if found is None:
            value = self.expr(node, expected)
            hint = (
                f"go over {_seats_of_team(node)}" if value.type == TEAM else "put a single value in `[...]`"
            )
            raise DiagnosticError(WrongType(node.span, "a collection", str(value.type), hint))
        return found

    def condition(self, node: s.Expr) -> r.Expr:
        """A boolean. Raises `DiagnosticError` for any other value."""
        value = self.expr(node)
        if not isinstance(value.type, FlagType):
            hint = "test whether it `exists`" if is_optional(value.type) else "compare it with something"
            raise DiagnosticError(WrongType(node.span, "a condition", str(value.type), hint))
        return value

    def maybe_condition(self, node: s.Expr | None) -> r.Expr | None:
        return self.condition(node) if node is not None else None

    def argument(self, node: s.Expr, wanted: Type) -> r.Expr:
        if isinstance(wanted, SetType):
            return self.gathered(node, wanted)
        return self.fit(self.expr(node, wanted), wanted, node)

    def gathered(self, node: s.Expr, wanted: SetType | None = None) -> r.Gathered:
        """A collection as a set. Raises `DiagnosticError` if a set cannot hold its values."""
        self.empty_list = wanted is not None
        try:
            collection = self.collection(node, wanted.item if wanted is not None else None)
        finally:
            self.empty_list = False
        item = certain(collection.item)
        if not isinstance(item, IntType | EnumType):
            chosen = isinstance(collection, r.Picked)
            hint = "use the name itself, which stands for them" if chosen else "give it a name with `value`"
            raise DiagnosticError(NoSet(node.span, several(item), hint))
        if isinstance(item, IntType) and item.hi - item.lo >= LARGEST:
            why = f"numbers of {item.lo}..{item.hi}"
            raise DiagnosticError(NoSet(node.span, why, f"bound them to {LARGEST} numbers at most"))
        if wanted is not None and (isinstance(wanted.item, PieceType) or not self._within(item, wanted.item)):
            raise DiagnosticError(OtherValues(node.span, str(wanted), several(item)))
        return r.Gathered(wanted or SetType(item), node.span, collection)

    def _within(self, item: IntType | EnumType, wanted: IntType | EnumType) -> bool:
        """Whether every value of one type is one of another."""
        if isinstance(item, EnumType) and isinstance(wanted, EnumType):
            return item == wanted or self.root(item.type) == wanted.type
        a, b = self.as_int(item), self.as_int(wanted)
        return a is not None and b is not None and b.lo <= a.lo and a.hi <= b.hi

    # ---- relations

    def root(self, name: str) -> str:
        decl = self.symbols.types[name]
        return decl.base or decl.name

    def related(self, a: Type, b: Type) -> bool:
        """Whether a value of one type can ever be a value of the other."""
        match certain(a), certain(b):
            case EnumType(x), EnumType(y):
                return self.root(x) == self.root(y)
            case EnumType(x), IntType():
                return self.symbols.types[x].numeric
            case IntType(), EnumType(y):
                return self.symbols.types[y].numeric
            case SetType(), _:
                return False
            case x, y:
                return type(x) is type(y) and (not isinstance(x, PieceType) or x == y)

    def as_int(self, kind: Type) -> IntType | None:
        """The range of a number, or of a type whose values are numbers."""
        if isinstance(kind, IntType):
            return kind
        if isinstance(kind, EnumType) and self.symbols.types[kind.type].numeric:
            decl = self.symbols.types[kind.type]
            return IntType(decl.lo, decl.hi)
        return None

    def range_of(self, value: r.Expr) -> IntType:
        """The range of an expression that is known to be a number."""
        found = self.as_int(certain(value.type))
        if found is None:
            raise InternalError(f"{value.type} is not a number")
        return found

    # ---- demands

    def fit(self, value: r.Expr, wanted: Type, node: s.Node, hint: str = "") -> r.Expr:
        """The value, if `wanted` admits it. Raises `DiagnosticError` otherwise."""
        value = self.as_listed(value, wanted)
        found = value.type
        if isinstance(found, NoneType):
            if is_optional(wanted):
                return value
            raise DiagnosticError(WrongType(node.span, str(wanted), "none", hint))
        if not self.related(found, wanted):
            hint = hint or self._numerals_of(found, wanted) or self._part_of(certain(found), wanted, node)
            raise DiagnosticError(WrongType(node.span, str(wanted), str(found), hint))
        if not is_optional(wanted):
            value = self.certain(value, node)
        self._in_range(value, wanted, node, hint)
        return value

    def _part_of(self, found: Type, wanted: Type, node: s.Node) -> str:
        """How to write the attribute of a value that is of the type that is wanted."""
        wanted = certain(wanted)
        text = " ".join(node.span.text.split())
        if (found, wanted) == (TEAM, SEAT):
            return f"a team has several seats: name one, or go over {_seats_of_team(node)}"
        names = [name for name, kind in self.attributes(found).items() if kind == wanted]
        if not names:
            return ""
        if len(text) > LONGEST_OWNER:
            return f"give it a name, as in `let x = ...`, and write {quoted([f'x.{n}' for n in names], 'or')}"
        text = f"({text})" if isinstance(node, s.Address) else text
        return f"write {quoted([f'{text}.{name}' for name in names], 'or')}"

    def attributes(self, kind: Type) -> dict[str, Type]:
        """The columns of a type, and for pieces the indices of their places."""
        symbols = self.symbols
        found: dict[str, Type] = {}
        columns: dict[str, r.Column] = {}
        if isinstance(kind, EnumType):
            columns = symbols.types[kind.type].columns
        elif isinstance(kind, PieceType):
            columns = symbols.components[kind.component].columns
            for zone in symbols.zones.values():
                if zone.component == kind.component:
                    indices = r.index_types(symbols.types, zone.var)
                    found |= {name: EnumType(index) for name, index in indices.items()}
        return found | {name: certain(column.type) for name, column in columns.items() if not column.keyed_by}

    def _numerals_of(self, found: Type, wanted: Type) -> str:
        """The help for a number where one of some numerals is wanted."""
        decl = self.symbols.types[wanted.type] if isinstance(wanted, EnumType) else None
        if decl is None or not decl.numerals or not isinstance(found, IntType):
            return ""
        shown = quoted(decl.names[:8], "and")
        return f"the values of `{decl.name}` are {shown}; choose one of them, or store a number in a counter"

    def as_listed(self, value: r.Expr, wanted: Type) -> r.Expr:
        """A numeral as the value of the list of numerals that is wanted, if it is one of them."""
        if isinstance(value, r.Const) and isinstance(value.type, IntType) and isinstance(wanted, EnumType):
            decl = self.symbols.types[wanted.type]
            if value.value in decl.numerals:
                listed = decl.lo + decl.numerals.index(value.value)
                return r.Const(EnumType(decl.name), value.span, listed)
        return value

    def kept(self, value: r.Expr, wanted: Type, node: s.Node) -> r.Expr:
        """`fit` for a value that is stored: a step beyond the last value must have been tested before."""
        if is_beyond(value.type) and not is_beyond(wanted):
            value = self.certain(value, node, UPDATED)
        return self.fit(value, wanted, node)

    def _in_range(self, value: r.Expr, wanted: Type, node: s.Node, hint: str) -> None:
        a, b = self.as_int(certain(value.type)), self.as_int(certain(wanted))
        if a is not None and b is not None and (a.hi < b.lo or a.lo > b.hi):
            raise DiagnosticError(NotInRange(node.span, str(a), str(b), hint))
        if isinstance(value, r.Const) and isinstance(wanted, EnumType):
            decl = self.symbols.types[wanted.type]
            if value.value not in decl.members and len(decl.members) < decl.size:
                raise DiagnosticError(NotInRange(node.span, f"`{key_of(node)}`", str(certain(wanted)), hint))

    def certain(self, value: r.Expr, node: s.Node, hint: str = "") -> r.Expr:
        """The value. Raises `DiagnosticError` if it may be none and has not been tested.

        `hint` ends the help.
        """
        if not is_optional(value.type) or key_of(node) in self.scope.known or self.scope.assume_present:
            return value
        found, missing = presence(self.scope, value, key_of(node)), self._may_be_none(node, hint)
        if found is None:
            raise DiagnosticError(missing)
        assume(self.symbols, found, missing)
        return replace(value, type=certain(value.type))

    def _may_be_none(self, node: s.Node, hint: str = "") -> MayBeNone:
        text = key_of(node)
        return MayBeNone(node.span, text, how_to_check(text, self.scope.lost.get(text)) + hint)

    def presence(self, value: r.Expr, node: s.Node) -> Pointers | None:
        """The pointers that must never be none for a value to exist; none if it may be none all the same."""
        return presence(self.scope, value, key_of(node)) if is_optional(value.type) else ALWAYS

    def narrowed(self, kind: Type, node: s.Expr) -> Type:
        """The type of an expression: without `none` if it has been tested."""
        return certain(kind) if key_of(node) in self.scope.known else kind

    def number(self, node: s.Expr) -> r.Expr:
        """A number that cannot be none. Raises `DiagnosticError` otherwise."""
        return self.as_number(self.expr(node), node)

    def as_number(self, value: r.Expr, node: s.Expr) -> r.Expr:
        """A value as the number that it is. Raises `DiagnosticError` if it is none."""
        kind = certain(value.type)
        if isinstance(kind, EnumType) and self.symbols.types[kind.type].numerals:
            return self._numeral(self.certain(value, node), self.symbols.types[kind.type])
        if self.as_int(kind) is None:
            hint = f"count its place with `ordinal({key_of(node)})`" if isinstance(kind, EnumType) else ""
            raise DiagnosticError(WrongType(node.span, "a number", str(value.type), hint))
        return self.certain(value, node)

    def _numeral(self, value: r.Expr, decl: r.TypeDecl) -> r.Expr:
        """The number that a value of a list of numerals is."""
        if isinstance(value, r.Const):
            number = decl.numerals[value.value - decl.lo]
            return r.Const(IntType(number, number), value.span, number)
        kind = IntType(min(decl.numerals), max(decl.numerals))
        return r.Numeral(kind, value.span, decl.name, value)

    def in_order(self, kind: Type) -> r.TypeDecl | None:
        """The type whose values are in an order, to which a value belongs; none for other kinds."""
        kind = certain(kind)
        if not isinstance(kind, EnumType):
            return None
        decl = self.symbols.types[self.root(kind.type)]
        return decl if decl.ordered else None

    def key(self, node: s.Expr) -> r.Expr:
        """A number, or a value of a type with an order, by which things are put in order."""
        value = self.expr(node)
        return self.certain(value, node) if self.in_order(value.type) else self.as_number(value, node)

    def is_listed(self, kind: Type) -> bool:
        """Whether a kind of values is that of a list of numerals."""
        kind = certain(kind)
        return isinstance(kind, EnumType) and bool(self.symbols.types[kind.type].numerals)

    def beside(self, value: r.Expr, other: Type, node: s.Expr) -> r.Expr:
        """A value of a list of numerals as its number, if it stands beside a number."""
        numbers = isinstance(other, IntType) and self.is_listed(value.type)
        return self.as_number(value, node) if numbers else value

    def joined(self, a: Type, b: Type, node: s.Node) -> Type:
        """The join of two types. Raises `DiagnosticError` if they have no values in common."""
        if isinstance(a, NoneType):
            return possible(b)
        if isinstance(b, NoneType):
            return possible(a)
        if not self.related(a, b):
            wanted = "a number" if isinstance(a, IntType) else str(a)
            raise DiagnosticError(WrongType(node.span, wanted, str(b), "use the same type for both results"))
        optional = is_optional(a) or is_optional(b)
        x, y = self.as_int(certain(a)), self.as_int(certain(b))
        if x is not None and y is not None and (isinstance(a, IntType) or isinstance(b, IntType)):
            if optional:
                raise DiagnosticError(self._may_be_none(node))
            return hull(x, y)
        wider = certain(a)
        if isinstance(a, EnumType) and isinstance(b, EnumType) and a.type != b.type:
            wider = EnumType(self.root(a.type))
        if isinstance(wider, EnumType) and (is_beyond(a) or is_beyond(b)):
            return EnumType(wider.type, True, True)
        return possible(wider) if optional else wider
