"""Names and addresses as single values: locals, values of types, counters, pointers, pieces on places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import FLAG, NONE, SEAT, Cell, Elem, Int, Piece, Type, certain, possible, row_type
from dsl.elaborate.groups import Groups
from dsl.elaborate.scope import key_of
from dsl.messages.names import UnknownName
from dsl.messages.types import Ambiguous, WrongIndex, WrongType
from dsl.source import Span

SPECIAL = ("me", "active", "opponent", "self", "seats_playing")
Stored = r.Counter | r.Mark | r.Pointer


class Naming(Groups):
    """The part of the typing that says what a name is. `Expressions` completes it."""

    # ---- completed by Expressions

    def use(self, node: s.Call) -> r.Expr:
        raise NotImplementedError

    # ---- names

    def name(self, node: s.Name, expected: Type | None) -> r.Expr:
        """A name as a single value; what is expected may tell which value of a type is meant."""
        text = node.text
        if text in self.scope.locals:
            var = self.scope.locals[text]
            return r.Read(self.narrowed(var.type, node), node.span, var)
        if text in self.scope.broken:
            raise self.scope.unknown(text, node.span)
        constant = self._expected(text, node.span, expected)
        if constant is not None:
            return constant
        if text in SPECIAL:
            return self._special(text, node.span)
        return self._declared(node) or self._open(node) or self._value_of_type(node)

    def narrowed(self, kind: Type, node: s.Expr) -> Type:
        """The type of something that has been asked about before is without `none`."""
        return certain(kind) if key_of(node) in self.scope.known else kind

    def _expected(self, name: str, span: Span, expected: Type | None) -> r.Expr | None:
        """A value of the type that is expected, or a row of the component whose piece is expected."""
        match expected:
            case Elem(type_name) if name in (decl := self.world.types[type_name]).names:
                return r.Const(certain(expected), span, decl.lo + decl.names.index(name))
            case Piece(component) if name in (classes := self.world.components[component].classes):
                return self._row(component, classes.index(name), span)
        return None

    def _row(self, component: str, index: int, span: Span) -> r.Expr | None:
        if row_type(component) not in self.world.types:
            return None
        return r.Const(Elem(row_type(component)), span, index)

    def _declared(self, node: s.Name) -> r.Expr | None:
        """What `game.yaml` or a `value` line has declared under a name."""
        name, span, world = node.text, node.span, self.world
        stored = self.stored(name)
        if stored is not None:
            return self._store(node, *stored)
        if name in world.zones:
            return self._slot(node)
        if name in world.options:
            return r.Setting(world.options[name].type, span, name)
        if name in world.constants:
            values = world.constants[name].values.values()
            return r.Setting(Int(min(values), max(values)), span, name)
        if self.scope.signatures.value(name, span) is not None:
            return self.use(s.Call(span, s.Word(span, name), ()))
        return None

    def _open(self, node: s.Name) -> r.Expr | None:
        """The one piece that no zone holds; or, in the header of a trigger, a type left open."""
        name, world = node.text, self.world
        if name in world.components and not any(z.component == name for z in world.zones.values()):
            return r.OnlyDie(Piece(name), node.span, name)
        if self.scope.free is not None and name in world.types:
            var = self.scope.free.setdefault(name, r.Var(name, Elem(name), node.span))
            return r.Read(var.type, node.span, var)
        return None

    def _value_of_type(self, node: s.Name) -> r.Expr:
        """A value of the only type that has one of this name. Raises `Failed` if there is none."""
        name, span, world = node.text, node.span, self.world
        owners = [t for t in world.owners(name) if " " not in t.name]
        if len(owners) == 1:
            decl = owners[0]
            return r.Const(Elem(decl.name), span, decl.lo + decl.names.index(name))
        if owners:
            readings = " or ".join(f"a `{t.name}`" for t in owners)
            raise Failed(Ambiguous(span, name, readings, "compare it with something of the intended type"))
        if name in world.types or name in world.components:
            what = "piece" if name in world.components else "value"
            hint = f"use a chosen `{name}` in the block under its choice; or bind one, as in `for {name}`"
            raise Failed(UnknownName(span, name, what, hint))
        if any(name in c.classes for c in world.components.values()):
            raise Failed(UnknownName(span, name, "piece", f"compare a piece with it: `... is {name}`"))
        if self.scope.signatures.routine(name) is not None:
            raise Failed(UnknownName(span, name, "value", "call routines on a line of their own"))
        raise self.scope.unknown(name, span)

    # ---- names that are always there

    def _special(self, name: str, span: Span) -> r.Expr:
        match name:
            case "me" if self.scope.me is not None:
                return r.Read(SEAT, span, self.scope.me)
            case "me" | "active":
                return r.Special(SEAT, span, _seat_word(name))
            case "opponent":
                return self._opponent(span)
            case "seats_playing":
                return r.Special(Int(*self.world.seats), span, "seats_playing")
        return self._self(span)

    def _opponent(self, span: Span) -> r.Expr:
        low, high = self.world.seats
        if high > 2:
            hint = "choose one: `choose victim from opponents`, `each opponent in turn`"
            raise Failed(Ambiguous(span, "opponent", "one of several seats", hint))
        if low < 2:
            hint = "use `opponents`, which is empty in a game for one seat"
            raise Failed(Ambiguous(span, "opponent", "nobody in a game for one seat", hint))
        return r.Special(SEAT, span, "opponent")

    def _self(self, span: Span) -> r.Expr:
        """The piece whose effect runs, of the component whose cells name the effect."""
        naming = [c for c in self.world.components.values() if self._names_effect(c)]
        if self.scope.effect is None:
            hint = "use `self` only in effects: it is the piece whose effect runs"
            raise Failed(UnknownName(span, "self", "piece", hint))
        if len(naming) != 1:
            readings = " or ".join(f"a `{c.name}`" for c in naming) or "any piece"
            hint = f"name `{self.scope.effect}` in the table of one component only"
            raise Failed(Ambiguous(span, "self", readings, hint))
        return r.Special(Piece(naming[0].name), span, "self")

    def _names_effect(self, component: r.Component) -> bool:
        cells = list(self.world.cells)
        columns = [c for c in component.columns.values() if isinstance(c.type, Cell)]
        numbers = {v for c in columns for v in c.values if v != NONE}
        return any(cells[number][0] == self.scope.effect for number in numbers)

    # ---- stores

    def stored(self, name: str) -> tuple[r.StoreKind, Stored] | None:
        """The counter, mark or pointer of a name."""
        tables: tuple[tuple[r.StoreKind, Mapping[str, Stored]], ...] = (
            ("counter", self.world.counters),
            ("mark", self.world.marks),
            ("pointer", self.world.pointers),
        )
        return next(((kind, table[name]) for kind, table in tables if name in table), None)

    def _store(self, node: s.Expr, kind: r.StoreKind, decl: Stored) -> r.Expr:
        of, at = self.one_index(node, decl.store)
        found: Type
        match decl:
            case r.Counter():
                found = self._counter_range(decl, at)
            case r.Mark():
                found = FLAG
            case r.Pointer():
                found = self.narrowed(possible(Elem(decl.to)), node)
        return r.ReadStore(found, node.span, kind, decl.name, of, at)

    def _counter_range(self, decl: r.Counter, at: r.Expr | None) -> Int:
        if isinstance(at, r.Const) and len(decl.ranges) > 1 and decl.store.at in self.world.types:
            return Int(*decl.ranges[at.value - self.world.types[decl.store.at].lo])
        return Int(decl.lo, decl.hi)

    def _slot(self, node: s.Expr) -> r.Expr:
        """A zone used as a single value: the piece on a place of size 1."""
        zone = self.zone(node)
        decl = self.world.zones[zone.zone]
        if decl.size != 1:
            hint = f"use `size({zone.zone} ...)` to count them, `choose x from {zone.zone} ...` to take one"
            raise Failed(WrongType(node.span, "a single value", f"all pieces in `{zone.zone}`", hint))
        zone = self.one_place(node) if not self.single(zone) else zone
        return r.SlotPiece(self.narrowed(Piece(decl.component, True), node), node.span, zone)

    # ---- addresses

    def address(self, node: s.Address) -> r.Expr:
        """`NAME of WHOSE at WHERE` as a single value."""
        head = node.head
        if not isinstance(head, s.Name):
            hint = "start an address with the name of a counter, zone, mark or pointer"
            raise Failed(
                WrongIndex(head.span, "only counters, zones, marks and pointers have addresses", hint)
            )
        stored = self.stored(head.text)
        if stored is not None:
            return self._store(node, *stored)
        if head.text in self.world.zones:
            return self._slot(node)
        raise self._no_store(head)

    def _no_store(self, head: s.Name) -> Failed:
        world, name = self.world, head.text
        known = (*world.counters, *world.marks, *world.pointers, *world.zones)
        hint = did_you_mean(name, known)
        if name in self.scope.signatures.names():
            hint = f"put the arguments of a value or routine in brackets: `{name}(me)`"
        elif name in world.components:
            zones = [f"`{z.name}`" for z in world.zones.values() if z.component == name]
            hint = f"address the zone that holds it: {', '.join(zones[:5])}" if zones else "no zone holds it"
        if not hint and name not in world.names:
            return self.scope.unknown(name, head.span, "counter, zone, mark or pointer")
        return Failed(UnknownName(head.span, name, "counter, zone, mark or pointer", hint))


def _seat_word(name: str) -> Literal["me", "active"]:
    return "me" if name == "me" else "active"
