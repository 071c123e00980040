"""Collections and addresses: what can be iterated, chosen from and moved from."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from dsl import rules as r, syntax as s
from dsl.diagnostics import DiagnosticError
from dsl.domains import (
    ANY_INT,
    FLAG,
    LARGEST,
    SEAT,
    EnumType,
    IntType,
    PieceType,
    SetType,
    Type,
    certain,
    hull,
    row_type,
    several,
)
from dsl.elaborate import places, products
from dsl.elaborate.attributes import attributes_of
from dsl.elaborate.presence import key_of
from dsl.elaborate.scope import address_parts
from dsl.elaborate.typer import Typer
from dsl.messages.names import UnknownName
from dsl.messages.types import WrongArguments, WrongIndex, WrongType
from dsl.rules.visit import instantiate, sources
from dsl.source import Span
from dsl.wording import given as given_number, plural

Index = r.Expr | r.Collection | None
"""An index of an address: one value, several, or none given."""


# ---- collections


def maybe_collection(typer: Typer, node: s.Expr, expected: Type | None = None) -> r.Collection | None:
    """The collection that an expression stands for, or none if it is a single value."""
    match node:
        case s.Name():
            return _named(typer, node)
        case s.Address(head=s.Name(text=text)) if text in typer.symbols.zones:
            return zone_of(typer, node)
        case s.Interval(low=low, high=high):
            return _interval(typer, node, low, high, expected)
        case s.ListOf(items=items):
            return _items(typer, node, items, expected)
        case s.Arithmetic(op="+"):
            return _sum(typer, node, expected)
        case s.Quantifier(kind="those", binder=binder):
            with typer.scope.inner():
                typed = bound(typer, binder)
            return r.Filtered(typed.collection.item, node.span, typed)
        case s.Prefix(kind="those"):
            return beginning(typer, node)
        case s.Ranked():
            return _ranked(typer, node)
        case s.Ternary():
            return _either(typer, node, expected)
        case s.Call(name=word, arguments=arguments):
            return places.around(typer, node) or named(typer, node, word.text, arguments)
    return None


def _named(typer: Typer, node: s.Name) -> r.Collection | None:
    name = node.text
    held = typer.scope.locals.get(name)
    if held is not None:
        typer.symbols.resolve(node.span, typer.symbols.local(held))
    if held is not None and held in typer.scope.picked:
        return replace(typer.scope.picked[held], span=node.span)
    if held is not None and isinstance(held.type, SetType):
        assert not isinstance(held.type.item, PieceType)
        return r.HeldSet(held.type.item, node.span, held)
    if held is not None or name in typer.scope.broken:
        return None
    if name == "opponents":
        return r.Opponents(SEAT, node.span)
    if name == "partners" and typer.symbols.teams and name not in typer.symbols.names:
        return _partners(typer, node)
    if name == "seats":
        return r.OfType(SEAT, node.span, "seat")
    if name in typer.symbols.zones:
        return zone_of(typer, node)
    if (option := option_set(typer, node)) is not None:
        return option
    if name in typer.symbols.types and typer.scope.open_types is None:
        return r.OfType(EnumType(name), node.span, name)
    return named(typer, node, name, ())


def option_set(typer: Typer, node: s.Expr) -> r.OptionSet | None:
    """The set that an option holds, if this is the name of one."""
    option = typer.symbols.options.get(node.text) if isinstance(node, s.Name) else None
    if option is None or not isinstance(option.type, SetType) or option.name in typer.scope.locals:
        return None
    return r.OptionSet(option.type.item, node.span, option.name)


def _partners(typer: Typer, node: s.Name) -> r.Collection:
    """The seats of the acting seat's team but itself."""
    span, seats = node.span, r.OfType(SEAT, node.span, "seat")
    column = typer.symbols.types["seat"].columns["team"]
    var, me = r.Var("partner", SEAT, span), r.Special(SEAT, span, "me")

    def team(seat: r.Expr) -> r.Expr:
        return r.ColumnOf(column.type, span, seat, column, None)

    same = r.Cmp(FLAG, span, "is", team(r.Read(SEAT, span, var)), team(me))
    other = r.Cmp(FLAG, span, "is not", r.Read(SEAT, span, var), me)
    return r.Partners(SEAT, span, r.Binder(var, seats, r.Both(FLAG, span, "and", same, other)))


def named(typer: Typer, node: s.Expr, name: str, given: tuple[s.Expr, ...]) -> r.UseCollection | None:
    """The use of a collection that a `value` names; none if there is no such value.

    Raises `DiagnosticError` for arguments that do not fit.
    """
    found = typer.scope.signatures.collection(name, node.span)
    if found is None:
        return None
    if len(given) != len(found.parameters):
        wanted = plural(len(found.parameters), "argument")
        raise DiagnosticError(WrongArguments(node.span, name, wanted, given_number(len(given))))
    arguments = tuple(typer.argument(a, p.type) for a, p in zip(given, found.parameters, strict=True))
    inner = instantiate(found.collection, dict(zip(found.parameters, arguments, strict=True)))
    return r.UseCollection(inner.item, node.span, name, arguments, inner)


def is_collection(typer: Typer, node: s.Expr) -> bool:
    """Whether an expression is a collection, and not one place of `size: 1` or a choice of such."""
    found = typer.maybe_collection(node)
    return found is not None and not all(
        isinstance(part, r.InZone) and single(typer, part) and typer.symbols.zones[part.zone].size == 1
        for part in sources(found)
    )


def _interval(
    typer: Typer, node: s.Interval, low: s.Expr, high: s.Expr, expected: Type | None
) -> r.Collection:
    """Numbers, or values of a type with an order."""
    found = _between(typer, node, low, high, expected)
    if found is not None:
        return found
    a, b = typer.number(low), typer.number(high)
    lo, hi = typer.range_of(a), typer.range_of(b)
    return r.Interval(IntType(min(lo.lo, hi.hi), max(lo.lo, hi.hi)), node.span, a, b)


def _between(
    typer: Typer, node: s.Interval, low: s.Expr, high: s.Expr, expected: Type | None
) -> r.Collection | None:
    """The values of a type with an order between two of them; none if the two are numbers."""
    known = expected if expected is not None and typer.in_order(expected) is not None else None
    a = typer.expr(low, known)
    b = typer.expr(high, certain(a.type))
    a = a if typer.related(a.type, b.type) else typer.expr(low, certain(b.type))
    decl = typer.in_order(a.type)
    if decl is None or typer.as_int(certain(a.type)) is not None or not typer.related(a.type, b.type):
        return None
    return r.Interval(EnumType(decl.name), node.span, typer.certain(a, low), typer.certain(b, high))


def _items(typer: Typer, node: s.ListOf, items: tuple[s.Expr, ...], expected: Type | None) -> r.Collection:
    if not items and isinstance(expected, IntType | EnumType) and typer.empty_list:
        return r.Items(certain(expected), node.span, ())
    if not items:
        raise DiagnosticError(WrongType(node.span, "a list with at least one value", "an empty list"))
    values = [typer.certain(typer.expr(items[0], expected), items[0])]
    values.extend(typer.expr(item, values[0].type) for item in items[1:])
    item = certain(values[0].type)
    for value, source in zip(values, items, strict=True):
        typer.fit(value, ANY_INT if isinstance(item, IntType) else item, source)
    if isinstance(item, IntType):
        item = reduce(hull, map(typer.range_of, values))
    return r.Items(item, node.span, tuple(values))


def _sum(typer: Typer, node: s.Arithmetic, expected: Type | None) -> r.Collection | None:
    a = typer.maybe_collection(node.left, expected)
    b = typer.maybe_collection(node.right, expected) if a is not None else None
    if a is None or b is None:
        return None
    return r.Sum(common_item(typer, a, b, node.right), node.span, (a, b))


def _either(typer: Typer, node: s.Ternary, expected: Type | None) -> r.Collection | None:
    if node.otherwise is None:
        return None
    with typer.scope.given(node.condition):
        a = typer.maybe_collection(node.then, expected)
    with typer.scope.given(node.condition, False):
        b = typer.maybe_collection(node.otherwise, expected) if a is not None else None
    if a is None or b is None:
        return None
    return r.Either(
        common_item(typer, a, b, node.otherwise), node.span, typer.condition(node.condition), a, b
    )


def common_item(typer: Typer, a: r.Collection, b: r.Collection, node: s.Expr) -> Type:
    """The type of the items of two collections. Raises `DiagnosticError` if they have nothing in common."""
    if not typer.related(a.item, b.item):
        wanted, found = f"a collection of {several(a.item)}", f"one of {several(b.item)}"
        raise DiagnosticError(WrongType(node.span, wanted, found))
    return typer.joined(a.item, b.item, node)


def beginning(typer: Typer, node: s.Prefix) -> r.Prefix:
    """`those(x in S while C)` or `until C`, where the binder may have a `where`."""
    with typer.scope.inner():
        binder = bound(typer, node.binder)
        condition = typer.condition(node.condition)
    return r.Prefix(binder.collection.item, node.span, binder, condition, node.until)


def _ranked(typer: Typer, node: s.Ranked) -> r.Ranked:
    """`those highest(x in S by k)`, `those 3 lowest(x in S by k)`."""
    number = typer.number(node.number) if node.number is not None else None
    with typer.scope.inner():
        binder = bound(typer, node.binder)
        keys = tuple(typer.key(k) for k in node.keys)
    return r.Ranked(binder.collection.item, node.span, node.kind, binder, keys, number)


# ---- binders


def bound(typer: Typer, node: s.Binder) -> r.Binder:
    """`x in S where C`; the name is bound in the scope's current block."""
    if node.collection is not None:
        collection = typer.collection(node.collection)
    else:
        collection = all_of(typer, typer.scope.type_of_name(node.name), node.name.span)
    var = typer.scope.bind(node.name, collection.item)
    typer.scope.origins[var] = collection
    where = typer.maybe_condition(node.where)
    typer.scope.learn_given(node.where)
    return r.Binder(var, collection, where)


def all_of(typer: Typer, kind: Type, span: Span) -> r.Collection:
    """All values of a type, or all pieces of a component in all zones."""
    match kind:
        case EnumType(name):
            return r.OfType(certain(kind), span, name)
        case PieceType():
            return _all_pieces(typer, PieceType(kind.component), span)
        case IntType(lo, hi):
            low, high = (r.Const(IntType(n, n), span, n) for n in (lo, hi))
            return r.Interval(kind, span, low, high)
    raise DiagnosticError(WrongType(span, "something that can be enumerated", str(kind)))


def _all_pieces(typer: Typer, kind: PieceType, span: Span) -> r.Collection:
    zones = [z for z in typer.symbols.zones.values() if z.component == kind.component]
    parts = tuple(r.InZone(kind, span, z.name, None, None) for z in zones)
    if not parts:
        raise DiagnosticError(
            WrongType(span, "a collection", f"the only `{kind.component}`", "use its name directly")
        )
    return parts[0] if len(parts) == 1 else r.Sum(kind, span, parts)


def most(typer: Typer, collection: r.Collection) -> int:
    """The greatest size of a collection."""
    match collection:
        case r.OfType(decl=decl) | r.Neighbours(decl=decl) | r.Spread(decl=decl):
            return len(typer.symbols.types[decl].members)
        case r.Incident(decl=decl, what=what):
            return max(map(len, typer.symbols.types[decl].incident[what].rows), default=0)
        case r.Ray(decl=decl):
            return max(typer.symbols.types[decl].sides, default=1) - 1
        case r.Opponents():
            return max(0, typer.symbols.seat_counts[-1] - 1)
        case r.Interval(item=IntType(lo, hi)):
            return min(LARGEST, max(0, hi - lo + 1))
        case r.Items(items=items):
            return len(items)
        case r.Sum(parts=parts):
            return sum(most(typer, p) for p in parts)
        case r.HeldSet(item=item):
            return set_size(typer, item)
        case r.OptionSet(name=name):
            return max(sets.most for sets in typer.symbols.options[name].sets.values())
        case r.Ranked(binder=binder, number=number):
            tied = most(typer, binder.collection)
            return tied if number is None else max(0, min(tied, typer.range_of(number).hi))
        case r.Filtered(binder=binder) | r.Prefix(binder=binder):
            return most(typer, binder.collection)
        case r.Either(then=then, otherwise=otherwise):
            return max(most(typer, then), most(typer, otherwise))
        case r.UseCollection(collection=inner):
            return most(typer, inner)
        case r.InZone(zone=name):
            return _pieces(typer, typer.symbols.zones[name].component)
    return LARGEST


def set_size(typer: Typer, item: Type) -> int:
    """The most values that a set can hold."""
    if isinstance(item, IntType):
        return item.hi - item.lo + 1
    assert isinstance(item, EnumType)
    return typer.symbols.types[typer.root(item.type)].size


def size_range(typer: Typer, collection: r.Collection) -> IntType:
    """The range of the size of a collection."""
    return IntType(0, most(typer, collection))


def _pieces(typer: Typer, component: str) -> int:
    decl = typer.symbols.components[component]
    seats = typer.symbols.seat_counts[-1] if decl.per_seat and decl.die is not None else 1
    return sum(decl.copies) * seats


# ---- addresses


def zone_of(typer: Typer, node: s.Expr) -> r.InZone:
    """The address of a zone. Raises `DiagnosticError` for any other expression."""
    head, _, _ = address_parts(node)
    if not isinstance(head, s.Name) or head.text not in typer.symbols.zones:
        if isinstance(head, s.Name) and head.text not in typer.symbols.names:
            raise typer.scope.unknown(head.text, head.span, "zone", "zones are declared under `zones`")
        found = f"`{key_of(head)}`"
        raise DiagnosticError(WrongType(head.span, "a zone", found, "zones are declared under `zones`"))
    zone = typer.symbols.zones[head.text]
    of, at = indices(typer, node, zone.var, several=True)
    return r.InZone(PieceType(zone.component), node.span, zone.name, of, at)


def indices(typer: Typer, node: s.Expr, var: r.StateVar, several: bool) -> tuple[Index, Index]:
    """The `of` and `at` of an address. With `several`, an index may be a collection or missing."""
    _, of, at = address_parts(node)
    _check_words(var, of, at)
    try:
        owner, place = _index(typer, of, var.of, several), _index(typer, at, var.at, several)
    except DiagnosticError as failed:
        raise _in_brackets(typer, node, var, failed) from None
    for index, declared, word, what in ((owner, var.of, "of", "owner"), (place, var.at, "at", "index")):
        if index is None and declared is not None and not several:
            hint = f"write `{_completed(node, var.name, word, declared)}`"
            why = f"`{var.name}` needs an {what}: it has one value per `{declared}`"
            raise DiagnosticError(WrongIndex(node.span, why, hint))
    return owner, place


def _in_brackets(typer: Typer, node: s.Expr, var: r.StateVar, failed: DiagnosticError) -> DiagnosticError:
    """The error of an address; of one like `played of winner.suit`, with the brackets that it lacks."""
    head, of, at = address_parts(node)
    last, unknown = at or of, failed.diagnostic
    if not isinstance(last, s.Attribute) or last.keys or not isinstance(unknown, UnknownName):
        return failed
    zone, pointer = typer.symbols.zones.get(var.name), typer.symbols.pointers.get(var.name)
    kind: Type | None = PieceType(zone.component) if zone is not None else None
    if pointer is not None and pointer.to in typer.symbols.types:
        kind = EnumType(pointer.to)
    if unknown.span != last.name.span or kind is None or last.name.text not in attributes_of(typer, kind):
        return failed
    whole, name = " ".join(head.span.to(last.owner.span).text.split()), last.name.text
    hint = f"write `({whole}).{name}`, or `let x = {whole}` first, then `x.{name}`"
    return DiagnosticError(replace(unknown, hint=hint))


def one_index(typer: Typer, node: s.Expr, var: r.StateVar) -> tuple[r.Expr | None, r.Expr | None]:
    """The `of` and `at` of an address of one place."""
    of, at = indices(typer, node, var, several=False)
    return of if isinstance(of, r.Expr) else None, at if isinstance(at, r.Expr) else None


def _index(typer: Typer, node: s.Expr | None, declared: str | None, several: bool) -> Index:
    if node is None or declared is None:
        return None
    wanted: Type = EnumType(declared) if declared in typer.symbols.types else PieceType(declared)
    if isinstance(node, s.Pair) and several:
        return products.combinations(typer, node, wanted)
    collection = typer.maybe_collection(node, wanted) if several else None
    if collection is None:
        value = typer.expr(node, wanted)
        by_row = isinstance(wanted, PieceType) and value.type == EnumType(row_type(wanted.component))
        return value if by_row else typer.fit(value, wanted, node)
    if not typer.related(collection.item, wanted):
        raise DiagnosticError(WrongType(node.span, str(wanted), str(collection.item)))
    return collection


def single(typer: Typer, zone: r.InZone) -> bool:
    """Whether an address names exactly one place."""
    var = typer.symbols.zones[zone.zone].var
    of_one = var.of is None or isinstance(zone.of, r.Expr)
    return of_one and (var.at is None or isinstance(zone.at, r.Expr))


def one_place(typer: Typer, node: s.Expr) -> r.InZone:
    """An address of exactly one place. Raises `DiagnosticError` for any other expression."""
    zone = zone_of(typer, node)
    if not single(typer, zone):
        var = typer.symbols.zones[zone.zone].var
        by_of = var.of is not None and not isinstance(zone.of, r.Expr)
        lacking, word = (var.of, "of") if by_of else (var.at, "at")
        why = f"`{zone.zone}` needs an index: it has one place per `{lacking}`"
        hint = f"write `{_completed(node, zone.zone, word, lacking)}`"
        raise DiagnosticError(WrongIndex(node.span, why, hint))
    return zone


def _check_words(var: r.StateVar, of: s.Expr | None, at: s.Expr | None) -> None:
    """Raises `DiagnosticError` if an address has an `of` or `at` that is not declared."""
    if of is not None and var.of is None:
        hint = f"use `at`: it is declared `at: {var.at}`" if var.at else f"write `{var.name}` alone"
        raise DiagnosticError(WrongIndex(of.span, f"`{var.name}` is declared without `of`", hint))
    if at is not None and var.at is None:
        hint = f"use `of`: it is declared `of: {var.of}`" if var.of else f"write `{var.name}` alone"
        raise DiagnosticError(WrongIndex(at.span, f"`{var.name}` is declared without `at`", hint))


def _completed(node: s.Expr, name: str, word: str, declared: str | None) -> str:
    """An address with the index that it lacks."""
    _, of, at = address_parts(node)
    shown = {"of": of and key_of(of), "at": at and key_of(at)}
    shown[word] = "me" if declared == "seat" else str(declared)
    return name + "".join(f" {index} {text}" for index, text in shown.items() if text is not None)
