"""Collections and addresses: what can be iterated, chosen from, moved out of."""

from __future__ import annotations

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed
from dsl.domains import SEAT, Elem, Int, Piece, Type, certain, hull
from dsl.elaborate.scope import Scope, facts, key_of
from dsl.messages import MayBeNone, NotInRange, WrongArguments, WrongIndex, WrongType
from dsl.source import Span


class Groups:
    """The part of the typing that deals with collections. `Expressions` completes it."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.world = scope.world

    # completed by Expressions
    def expr(self, node: s.Expr, expected: Type | None = None) -> r.Expr:
        raise NotImplementedError

    def condition(self, node: s.Expr) -> r.Expr:
        raise NotImplementedError

    # ---- fitting types

    def root(self, name: str) -> str:
        decl = self.world.types[name]
        return decl.base or decl.name

    def related(self, a: Type, b: Type) -> bool:
        """Whether a value of one type can ever be a value of the other."""
        match certain(a), certain(b):
            case Elem(x), Elem(y):
                return self.root(x) == self.root(y)
            case Elem(x), Int():
                return self.world.types[x].numeric
            case Int(), Elem(y):
                return self.world.types[y].numeric
            case x, y:
                return type(x) is type(y) and (not isinstance(x, Piece) or x == y)

    def as_int(self, kind: Type) -> Int | None:
        if isinstance(kind, Int):
            return kind
        if isinstance(kind, Elem) and self.world.types[kind.type].numeric:
            decl = self.world.types[kind.type]
            return Int(decl.lo, decl.hi)
        return None

    def fit(self, value: r.Expr, wanted: Type, node: s.Node, hint: str = "") -> r.Expr:
        """The value, if it can stand where `wanted` is asked for. Raises `Failed` otherwise."""
        found = value.type
        if r_is_nothing(found):
            if getattr(wanted, "optional", False):
                return value
            raise Failed(WrongType(node.span, str(wanted), "none", hint))
        if not self.related(found, wanted):
            raise Failed(WrongType(node.span, str(wanted), str(found), hint))
        if getattr(found, "optional", False) and not getattr(wanted, "optional", False):
            self.certain(value, node)
        a, b = self.as_int(certain(found)), self.as_int(certain(wanted))
        if a is not None and b is not None and (a.hi < b.lo or a.lo > b.hi):
            raise Failed(NotInRange(node.span, str(a), str(b), hint))
        return value

    def certain(self, value: r.Expr, node: s.Node) -> r.Expr:
        """The value, known to be there. Raises `Failed` if nothing says so."""
        missing = getattr(value.type, "optional", False) and key_of(node) not in self.scope.known  # type: ignore[arg-type]
        if missing and not self.scope.trusting:
            raise Failed(MayBeNone(node.span, key_of(node)))  # type: ignore[arg-type]
        return value

    # ---- collections

    def group(self, node: s.Expr, expected: Type | None = None) -> r.Group:
        found = self.maybe_group(node, expected)
        if found is None and isinstance(node, s.Name) and node.text in self.world.types:
            # a local of that name is one value; where a collection is asked for, the type is meant
            return r.OfType(Elem(node.text), node.span, node.text)
        if found is None:
            value = self.expr(node, expected)
            raise Failed(
                WrongType(node.span, "a collection", str(value.type), "put a single value in `[...]`")
            )
        return found

    def maybe_group(self, node: s.Expr, expected: Type | None = None) -> r.Group | None:
        """The collection that an expression stands for, or nothing if it is a single value."""
        match node:
            case s.Name():
                return self._named(node)
            case s.Address(head=s.Name(text=text)) if text in self.world.zones:
                return self.zone(node)
            case s.Interval(low=low, high=high):
                return self._interval(node, low, high)
            case s.ListOf(items=items):
                return self._items(node, items, expected)
            case s.Arithmetic(op="+", left=left, right=right):
                return self._sum(node, left, right, expected)
            case s.Quantifier(kind="those", binder=binder):
                with self.scope.inner():
                    made = self.binder(binder)
                return r.Those(made.group.item, node.span, made)
            case s.Ternary(then=then, condition=condition, otherwise=otherwise):
                return self._either(node, then, condition, otherwise, expected)
            case s.Call(name=word, arguments=arguments) if word.text == "neighbours":
                return self._neighbours(node, arguments)
        return None

    def _named(self, node: s.Name) -> r.Group | None:
        name = node.text
        if name in self.scope.locals:
            return None
        if name == "opponents":
            return r.Opponents(SEAT, node.span)
        if name == "seats":
            return r.OfType(SEAT, node.span, "seat")
        if name in self.world.zones:
            return self.zone(node)
        if self.scope.free is not None and name in self.world.types:
            return None
        if name in self.world.types:
            return r.OfType(Elem(name), node.span, name)
        return None

    def _interval(self, node: s.Interval, low: s.Expr, high: s.Expr) -> r.Group:
        a, b = self.number(low), self.number(high)
        lo, hi = self.range_of(a), self.range_of(b)
        return r.Interval(Int(min(lo.lo, hi.hi), max(lo.lo, hi.hi)), node.span, a, b)

    def number(self, node: s.Expr) -> r.Expr:
        value = self.expr(node)
        if self.as_int(certain(value.type)) is None:
            raise Failed(WrongType(node.span, "a number", str(value.type)))
        return self.certain(value, node)

    def range_of(self, value: r.Expr) -> Int:
        found = self.as_int(certain(value.type))
        assert found is not None
        return found

    def _items(self, node: s.ListOf, items: tuple[s.Expr, ...], expected: Type | None) -> r.Group:
        if not items:
            raise Failed(WrongType(node.span, "a list with at least one value", "an empty one"))
        made = [self.expr(items[0], expected)]
        made.extend(self.expr(item, made[0].type) for item in items[1:])
        item = made[0].type
        for node_, value in zip(items, made, strict=True):
            self.fit(value, item if not isinstance(item, Int) else Int(-(2**31) + 1, 2**31 - 1), node_)
        if isinstance(item, Int):
            for value in made[1:]:
                item = hull(item, self.range_of(value))
        return r.Items(item, node.span, tuple(made))

    def _sum(self, node: s.Arithmetic, left: s.Expr, right: s.Expr, expected: Type | None) -> r.Group | None:
        a, b = self.maybe_group(left, expected), self.maybe_group(right, expected)
        if a is None or b is None:
            return None
        if not self.related(a.item, b.item):
            raise Failed(WrongType(right.span, f"a collection of {a.item}", f"one of {b.item}"))
        return r.Sum(a.item, node.span, (a, b))

    def _either(self, node: s.Ternary, then: s.Expr, condition: s.Expr, otherwise: s.Expr,
                expected: Type | None) -> r.Group | None:  # fmt: skip
        a, b = self.maybe_group(then, expected), self.maybe_group(otherwise, expected)
        if a is None or b is None:
            return None
        if not self.related(a.item, b.item):
            raise Failed(WrongType(otherwise.span, f"a collection of {a.item}", f"one of {b.item}"))
        return r.Either(a.item, node.span, self.condition(condition), a, b)

    def _neighbours(self, node: s.Call, arguments: tuple[s.Expr, ...]) -> r.Group:
        if len(arguments) != 1:
            raise Failed(WrongArguments(node.span, "neighbours", "one place", f"{len(arguments)} are"))
        value = self.certain(self.expr(arguments[0]), arguments[0])
        if not isinstance(value.type, Elem) or self.world.types[value.type.type].shape == "none":
            raise Failed(WrongType(arguments[0].span, "a place of a board", str(value.type)))
        return r.Neighbours(certain(value.type), node.span, value.type.type, value)

    def binder(self, node: s.Binder, kind: Type | None = None) -> r.Binder:
        """`x in S where C`; the name is bound in the scope's current block."""
        if node.group is not None:
            group = self.group(node.group, kind)
        else:
            found = self.scope.type_of_name(node.name)
            if isinstance(found, Piece):
                group = self.all_pieces(found, node.name.span)
            else:
                group = r.OfType(found, node.name.span, found.type)  # type: ignore[union-attr]
        var = self.scope.bind(node.name, group.item)
        where = self.condition(node.where) if node.where is not None else None
        self.scope.known |= facts(node.where)
        return r.Binder(var, group, where)

    def all_pieces(self, kind: Piece, span: Span) -> r.Group:
        zones = [z for z in self.world.zones.values() if z.component == kind.component]
        parts = tuple(r.InZone(kind, span, z.name, None, None) for z in zones)
        return parts[0] if len(parts) == 1 else r.Sum(kind, span, parts)

    # ---- addresses

    def zone(self, node: s.Expr) -> r.InZone:
        """A zone's address. Raises `Failed` if the expression is none."""
        head = node.head if isinstance(node, s.Address) else node
        if not isinstance(head, s.Name) or head.text not in self.world.zones:
            found = key_of(head)
            raise Failed(WrongType(head.span, "a zone", f"`{found}`", "zones are declared under `zones`"))
        zone = self.world.zones[head.text]
        of, at = self.indices(node, zone.store, several=True)
        return r.InZone(Piece(zone.component), node.span, zone.name, of, at)

    def indices(
        self, node: s.Expr, store: r.Store, several: bool
    ) -> tuple[r.Expr | r.Group | None, r.Expr | r.Group | None]:
        """The `of` and `at` of an address. With `several`, an index may be a collection or missing."""
        of = node.of if isinstance(node, s.Address) else None
        at = node.at if isinstance(node, s.Address) else None
        if of is not None and store.of is None:
            hint = f"say `at`: it is declared `at: {store.at}`" if store.at else "it has no index"
            raise Failed(WrongIndex(of.span, f"`{store.name}` has no owner, but `of` names one", hint))
        if at is not None and store.at is None:
            hint = f"say `of`: it is declared `of: {store.of}`" if store.of else "it has no index"
            raise Failed(WrongIndex(at.span, f"`{store.name}` has no place, but `at` names one", hint))
        made = (self._index(of, store.of, several), self._index(at, store.at, several))
        for index, declared, word in ((made[0], store.of, "of"), (made[1], store.at, "at")):
            if index is None and declared is not None and not several:
                hint = f"write `{store.name} {word} {'me' if declared == 'seat' else declared}`"
                raise Failed(WrongIndex(node.span, f"`{store.name}` lacks `{word}`, its `{declared}`", hint))
        return made

    def _index(self, node: s.Expr | None, declared: str | None, several: bool) -> r.Expr | r.Group | None:
        if node is None or declared is None:
            return None
        wanted: Type = Elem(declared) if declared in self.world.types else Piece(declared)
        if several:
            group = self.maybe_group(node, wanted)
            if group is not None:
                if not self.related(group.item, wanted):
                    raise Failed(WrongType(node.span, str(wanted), str(group.item)))
                return group
        return self.fit(self.expr(node, wanted), wanted, node)

    def single(self, zone: r.InZone) -> bool:
        """Whether an address names exactly one place."""
        store = self.world.zones[zone.zone].store
        of_one = store.of is None or is_expr(zone.of)
        return of_one and (store.at is None or is_expr(zone.at))

    def one_place(self, node: s.Expr) -> r.InZone:
        """An address of exactly one place, for something to be moved to or drawn from."""
        zone = self.zone(node)
        if not self.single(zone):
            store = self.world.zones[zone.zone].store
            lacking = store.of if store.of is not None and not is_expr(zone.of) else store.at
            raise Failed(WrongIndex(node.span, f"`{zone.zone}` has one place per `{lacking}`, and it is not said which",
                                    f"write `{zone.zone} {'of me' if lacking == 'seat' else f'at {lacking}'}`"))  # fmt: skip
        return zone


def is_expr(index: object) -> bool:
    return index is not None and not isinstance(
        index,
        r.InZone | r.OfType | r.Interval | r.Items | r.Sum | r.Those | r.Either | r.Opponents | r.Neighbours,
    )


def r_is_nothing(kind: Type) -> bool:
    return type(kind).__name__ == "Nothing"
