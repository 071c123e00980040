"""Expressions: from what was written to what it means, with its type."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import (
    FLAG,
    NONE,
    SEAT,
    Cell,
    Elem,
    Int,
    Nothing,
    Piece,
    Type,
    clip,
    hull,
    possible,
)
from dsl.elaborate.operators import Operators
from dsl.elaborate.scope import key_of, other_than, zones_of
from dsl.messages.names import UnknownName
from dsl.messages.statements import CannotOffer, WrongStatement
from dsl.messages.types import WrongArguments, WrongType
from dsl.wording import given, plural, quoted


class Expressions(Operators):
    """Types the expressions of one place."""

    def expr(self, node: s.Expr, expected: Type | None = None) -> r.Expr:
        """A single value with its type. Raises `Failed` with the first thing that does not fit."""
        match node:
            case s.Number(value=value):
                return r.Const(Int(value, value), node.span, value)
            case s.Constant(value=word):
                return _constant(node, word)
            case s.Name():
                return self.name(node, expected)
            case s.Call():
                return self.use(node)
            case s.Attribute():
                return self._attribute(node)
            case s.Address():
                return self.address(node)
            case s.Arithmetic():
                return self.arithmetic(node)
            case s.Negative():
                return self.negative(node)
            case s.Compare():
                return self.compare(node)
            case s.IsEmpty():
                return self.is_empty(node)
            case s.Exists():
                return self.exists(node)
            case s.Member():
                return self.member(node)
            case s.Can(what=what, actor=actor):
                return r.CanDo(FLAG, node.span, self.target(what, actor))
            case s.Logic():
                return self.logic(node)
            case s.Not(operand=operand):
                return r.Neg(FLAG, node.span, self.condition(operand))
            case s.Ternary():
                return self.ternary(node, expected)
            case s.Quantifier():
                return self._quantifier(node)
            case s.Prefix():
                return self._prefix(node)
            case s.Fold():
                return self._fold(node)
            case s.Extreme():
                return self.extreme(node)
            case s.Pick():
                return self._pick(node)
            case s.Interval() | s.ListOf():
                raise Failed(WrongType(node.span, "a single value", "a collection"))
        assert_never(node)

    # ---- calls

    def use(self, node: s.Call) -> r.Expr:
        """A value, table or function with its arguments."""
        match node.name.text:
            case "size":
                self._count(node, 1)
                group = self.group(node.arguments[0])
                return r.SizeOf(Int(0, self.most(group)), node.span, group)
            case "next" | "previous":
                return self._step(node)
            case "step":
                return self.toward(node)
            case "neighbours" | "ray" | "spread":
                raise Failed(WrongType(node.span, "a single value", "a collection"))
            case name if name in self.world.tables:
                return self._look_up(node)
        return self._use_value(node)

    def _use_value(self, node: s.Call) -> r.Expr:
        name = node.name.text
        signature = self.scope.signatures.value(name, node.name.span)
        if signature is None:
            raise self._no_function(node)
        parameters, kind = signature
        self._count(node, len(parameters))
        made = tuple(self.argument(a, p.type) for a, p in zip(node.arguments, parameters, strict=True))
        return r.UseValue(kind, node.span, name, made)

    def _no_function(self, node: s.Call) -> Failed:
        name = node.name.text
        if self.scope.signatures.routine(name) is not None:
            hint = "call routines on a line of their own"
            return Failed(CannotOffer(node.span, name, "a routine, not a value", hint))
        if self.stored(name) is not None or name in self.world.zones:
            hint = f"give the owner with `of` and the place with `at`: `{name} of me`"
            return Failed(UnknownName(node.name.span, name, "value or function", hint))
        return self.scope.unknown(name, node.name.span, "value or function")

    def argument(self, node: s.Expr, wanted: Type) -> r.Expr:
        return self.fit(self.expr(node, wanted), wanted, node)

    def _count(self, node: s.Call, wanted: int) -> None:
        found = len(node.arguments)
        if found != wanted:
            text = plural(wanted, "argument")
            raise Failed(WrongArguments(node.span, node.name.text, text, given(found)))

    def _step(self, node: s.Call) -> r.Expr:
        """`next(x)` and `previous(x)`: around a ring and the table always there, else perhaps none."""
        self._count(node, 1)
        value = self.certain(self.expr(node.arguments[0]), node.arguments[0])
        if not isinstance(value.type, Elem):
            raise Failed(WrongType(node.arguments[0].span, "a value of a type", str(value.type)))
        decl, by = self.world.types[value.type.type], 1 if node.name.text == "next" else -1
        found: Type = Elem(decl.name)
        if decl.shape != "ring" and decl.name != "seat" and not self._is_before(node.arguments[0], decl, by):
            found = self.narrowed(Elem(decl.name, True, True), node)
        return r.Step(found, node.span, decl.name, by, value)

    def _is_before(self, node: s.Expr, decl: r.TypeDecl, by: int) -> bool:
        """Whether it has been said that a value is not the last, or going back not the first."""
        end = decl.members[-1 if by > 0 else 0]
        whole = all(
            decl.present(n) == decl.members for n in range(self.world.seats[0], self.world.seats[1] + 1)
        )
        return whole and other_than(key_of(node), decl.names[end - decl.lo]) in self.scope.known

    def _look_up(self, node: s.Call) -> r.Expr:
        table = self.world.tables[node.name.text]
        self._count(node, len(table.over))
        keys = tuple(self.argument(a, t) for a, t in zip(node.arguments, table.over_types, strict=True))
        return r.LookUp(self.narrowed(table.type, node), node.span, table.name, keys)

    # ---- attributes

    def _attribute(self, node: s.Attribute) -> r.Expr:
        """A column of a row or piece, the face of a die, or an index of the place where a piece lies."""
        owner = self.certain(self.expr(node.owner), node.owner)
        columns = self._columns(owner.type)
        if node.name.text in columns:
            return self._column(node, owner, columns[node.name.text])
        if node.keys:
            raise Failed(WrongArguments(node.span, node.name.text, "nothing", given(len(node.keys))))
        found = self._of_piece(node, owner, owner.type) if isinstance(owner.type, Piece) else None
        if found is None:
            raise self._no_attribute(node, owner.type)
        return found

    def _no_attribute(self, node: s.Attribute, kind: Type) -> Failed:
        name = node.name.text
        known = (*self._columns(kind), *self._places(kind))
        hint = did_you_mean(name, known) or (f"it has {quoted(known[:8], 'and')}" if known else "")
        return Failed(UnknownName(node.name.span, name, "attribute", hint, f" of {kind}"))

    def _columns(self, kind: Type) -> dict[str, r.Column]:
        match kind:
            case Elem(name):
                return self.world.types[name].columns
            case Piece(component):
                return self.world.components[component].columns
        return {}

    def _column(self, node: s.Attribute, owner: r.Expr, column: r.Column) -> r.Expr:
        keys = len(node.keys)
        if keys != (1 if column.keyed_by is not None else 0):
            wanted = f"one `{column.keyed_by}`" if column.keyed_by is not None else "nothing"
            raise Failed(WrongArguments(node.span, column.name, wanted, given(keys)))
        key = self.argument(node.keys[0], Elem(column.keyed_by)) if column.keyed_by is not None else None
        return r.ColumnOf(self.narrowed(column.type, node), node.span, owner, column, key)

    def _places(self, kind: Type) -> tuple[str, ...]:
        """The attributes of a piece that tell where it lies, and the face of a die."""
        if not isinstance(kind, Piece):
            return ()
        zones = [z for z in self.world.zones.values() if z.component == kind.component]
        indices = {i for z in zones for i in (z.store.of, z.store.at) if i is not None}
        face = ("face",) if self.world.components[kind.component].die is not None else ()
        return (*face, *sorted(indices))

    def _of_piece(self, node: s.Attribute, owner: r.Expr, kind: Piece) -> r.Expr | None:
        component = self.world.components[kind.component]
        name = node.name.text
        if name == "face" and component.die is not None:
            return r.ClassOf(component.die, node.span, owner)
        if name == "seat" and component.per_seat and component.die is None:
            return r.ClassOf(SEAT, node.span, owner)
        if name in self._places(kind):
            lacks = self._lacks(owner, name)
            found = Elem(name, lacks) if name in self.world.types else Piece(name, lacks)
            return r.PlaceOf(self.narrowed(found, node), node.span, owner, name)
        return None

    def _lacks(self, piece: r.Expr, index: str) -> bool:
        """Whether the text says that a piece lies at a place without an index."""
        group = self.scope.origin(piece)
        zones = (zones_of(group) if group is not None else None) or ()
        stores = [self.world.zones[zone].store for zone in zones]
        return bool(stores) and all(index not in (store.of, store.at) for store in stores)

    # ---- collections as values

    def _quantifier(self, node: s.Quantifier) -> r.Expr:
        if node.kind == "those":
            raise Failed(WrongType(node.span, "a single value", "a collection"))
        with self.scope.inner():
            made = self.binder(node.binder)
        kind: Type = FLAG if node.kind == "any" else Int(0, self.most(made.group))
        return r.AnyOf(kind, node.span, node.kind, made)

    def _prefix(self, node: s.Prefix) -> r.Expr:
        if node.kind == "those":
            raise Failed(WrongType(node.span, "a single value", "a collection"))
        group = self.beginning(node)
        return r.SizeOf(Int(0, self.most(group)), node.span, group)

    def _fold(self, node: s.Fold) -> r.Expr:
        with self.scope.inner():
            made = self.binder(node.binder)
            match node.kind:
                case "all":
                    return r.FoldOf(FLAG, node.span, "all", self.condition(node.body), made)
                case "distinct":
                    body = self.certain(self.expr(node.body), node.body)
                    return r.FoldOf(Int(0, self.most(made.group)), node.span, "distinct", body, made)
            body = self.number(node.body)
        found = self.range_of(body)
        if node.kind == "sum":
            most = self.most(made.group)
            found = Int(clip(min(0, found.lo * most)), clip(max(0, found.hi * most)))
        else:
            found = hull(found, Int(0, 0))
        return r.FoldOf(found, node.span, node.kind, body, made)

    def _pick(self, node: s.Pick) -> r.Expr:
        with self.scope.inner():
            made = self.binder(node.binder)
            keys = tuple(self.number(k) for k in node.keys)
        return r.PickOf(self.narrowed(possible(made.group.item), node), node.span, node.kind, made, keys)

    # ---- what can be done

    def target(self, node: s.Expr, actor: s.Word | None) -> r.Target:
        """An action or effect with some arguments, or a cell that names one."""
        word = node.name if isinstance(node, s.Call) else node if isinstance(node, s.Name) else None
        if word is not None and word.text not in self.scope.locals:
            signature = self.scope.signatures.routine(word.text)
            if signature is not None:
                return self._routine_target(node, word.text, signature, actor)
        cell = self.expr(node)
        if not isinstance(cell.type, Cell):
            hint = "name an action, or a column of effects"
            raise Failed(WrongType(node.span, "an action or effect", str(cell.type), hint))
        return r.DoCell(cell, self._actor(cell, actor), node.span)

    def _actor(self, cell: r.Expr, actor: s.Word | None) -> r.Expr | None:
        """The piece that `self` is: the one named after `as`, or the one whose column it is."""
        if actor is not None:
            piece = self.expr(s.Name(actor.span, actor.text))
            if not isinstance(piece.type, Piece):
                raise Failed(WrongType(actor.span, "a piece", str(piece.type)))
            return self.certain(piece, actor)
        owner = cell.owner if isinstance(cell, r.ColumnOf) else None
        return owner if owner is not None and isinstance(owner.type, Piece) else None

    def _routine_target(
        self,
        node: s.Expr,
        name: str,
        signature: tuple[str, tuple[r.Parameter, ...]],
        actor: s.Word | None,
    ) -> r.DoRoutine:
        kind, parameters = signature
        if kind == "procedure":
            hint = f"call it: `{name}` on a line of its own, or make it an action"
            raise Failed(CannotOffer(node.span, name, "a procedure and cannot be offered", hint))
        if actor is not None:
            hint = "`as` gives the piece of an effect in a cell: `do card.power as self`"
            raise Failed(
                WrongStatement(actor.span, f"`{name}` is named directly, so `as` has no meaning", hint)
            )
        arguments = node.arguments if isinstance(node, s.Call) else ()
        if len(arguments) > len(parameters):
            wanted = f"at most {plural(len(parameters), 'argument')}"
            raise Failed(WrongArguments(node.span, name, wanted, given(len(arguments))))
        for parameter in parameters[len(arguments) :]:
            if parameter.binder is None:
                wanted = f"a `{parameter.var.name}`"
                hint = f"add it, or write `{parameter.var.name} from ...` in the header"
                raise Failed(WrongArguments(node.span, name, wanted, given(len(arguments)), hint))
        made = tuple(self.argument(a, p.var.type) for a, p in zip(arguments, parameters, strict=False))
        return r.DoRoutine(name, made, node.span)


def _constant(node: s.Constant, word: str) -> r.Expr:
    if word == "none":
        return r.Const(Nothing(), node.span, NONE)
    return r.Const(FLAG, node.span, int(word == "true"))
