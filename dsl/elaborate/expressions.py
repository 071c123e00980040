"""Expressions: from what was written to what it means, with its type."""

from __future__ import annotations

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed, did_you_mean
from dsl.domains import (
    ANY_INT,
    FLAG,
    NONE,
    SEAT,
    Cell,
    Elem,
    Flag,
    Int,
    Nothing,
    Piece,
    Type,
    arithmetic,
    certain,
    hull,
    is_optional,
    possible,
)
from dsl.elaborate.groups import Groups
from dsl.elaborate.scope import Scope, facts, key_of
from dsl.messages import (
    Ambiguous,
    CannotCompare,
    CannotOffer,
    UnknownName,
    WrongArguments,
    WrongIndex,
    WrongType,
)
from dsl.source import Span


class Expressions(Groups):
    """Types the expressions of one place."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)

    def condition(self, node: s.Expr) -> r.Expr:
        value = self.expr(node)
        if not isinstance(value.type, Flag):
            hint = "compare it, or ask whether it `exists`"
            raise Failed(WrongType(node.span, "a condition", str(value.type), hint))
        return value

    def expr(self, node: s.Expr, expected: Type | None = None) -> r.Expr:
        match node:
            case s.Number(value=value):
                return r.Const(Int(value, value), node.span, value)
            case s.Constant(value=word):
                if word == "none":
                    return r.Const(Nothing(), node.span, NONE)
                return r.Const(FLAG, node.span, int(word == "true"))
            case s.Name():
                return self._name(node, expected)
            case s.Call():
                return self._call(node)
            case s.Attribute():
                return self._attribute(node)
            case s.Address():
                return self._address(node)
            case s.Arithmetic():
                return self._arithmetic(node)
            case s.Negative(operand=operand):
                inner = self.number(operand)
                found = self.range_of(inner)
                zero = r.Const(Int(0, 0), node.span, 0)
                return r.Arith(Int(-found.hi, -found.lo), node.span, "-", zero, inner)
            case s.Compare():
                return self._compare(node)
            case s.IsEmpty(operand=operand, negated=negated):
                empty: r.Expr = r.Empty(FLAG, node.span, self.group(operand))
                return r.Neg(FLAG, node.span, empty) if negated else empty
            case s.Exists(operand=operand):
                return self._exists(node, operand)
            case s.Member(item=item, group=group, negated=negated):
                return self._member(node, item, group, negated)
            case s.Can(what=what, actor=actor):
                return r.CanDo(FLAG, node.span, self.target(what, actor))
            case s.Logic():
                return self._logic(node)
            case s.Not(operand=operand):
                return r.Neg(FLAG, node.span, self.condition(operand))
            case s.Ternary():
                return self._ternary(node, expected)
            case s.Quantifier():
                return self._quantifier(node)
            case s.Fold():
                return self._fold(node)
            case s.Extreme(kind=kind, items=items):
                made = tuple(self.number(item) for item in items)
                ranges = [self.range_of(m) for m in made]
                pick = min if kind == "min" else max
                found = Int(pick(x.lo for x in ranges), pick(x.hi for x in ranges))
                return r.Extreme(found, node.span, kind, made)
            case s.Pick():
                return self._pick(node)
            case s.Interval() | s.ListOf():
                raise Failed(WrongType(node.span, "a single value", "a collection"))

    # ---- names

    def _name(self, node: s.Name, expected: Type | None) -> r.Expr:
        name, span, world = node.text, node.span, self.world
        if name in self.scope.locals:
            var = self.scope.locals[name]
            return r.Read(self._narrow(var.type, node), span, var)
        constant = self._enumerator(name, span, expected)
        if constant is not None:
            return constant
        special = self._special(name, span)
        if special is not None:
            return special
        for kind, table in (
            ("counter", world.counters),
            ("mark", world.marks),
            ("pointer", world.pointers),
        ):
            if name in table:
                return self._store(node, kind, table[name])  # type: ignore[index]
        if name in world.zones:
            return self._slot(node)
        if name in world.options:
            return r.Setting(world.options[name].type, span, name)
        if name in world.constants:
            values = world.constants[name].values.values()
            return r.Setting(Int(min(values), max(values)), span, name)
        if self.scope.signatures.value(name, span) is not None:
            return self._call(s.Call(span, s.Word(span, name), ()))
        return self._last_resort(node)

    def _last_resort(self, node: s.Name) -> r.Expr:
        name, span, world = node.text, node.span, self.world
        if name in world.components and not any(z.component == name for z in world.zones.values()):
            return r.OnlyDie(Piece(name), span, name)
        if self.scope.free is not None and name in world.types:
            var = self.scope.free.setdefault(name, r.Var(name, Elem(name), span))
            return r.Read(var.type, span, var)
        owners = [
            t for t in world.types.values() if name in t.names and t.base is None and t.name.isidentifier()
        ]
        if len(owners) == 1:
            decl = owners[0]
            return r.Const(Elem(decl.name), span, decl.lo + decl.names.index(name))
        if owners:
            readings = " or ".join(f"a `{t.name}`" for t in owners)
            raise Failed(Ambiguous(span, name, readings, "compare it with something of the type you mean"))
        if name in world.types or name in world.components:
            hint = f"bind one: `for {name}`, `any({name} where ...)`, or make it a parameter"
            raise Failed(UnknownName(span, name, f"`{name}` chosen or bound", hint))
        rows = [c for c in world.components.values() if name in c.classes]
        if rows:
            hint = f"compare it with a piece: `card is {name}`"
            raise Failed(UnknownName(span, name, "single piece", hint))
        raise self.scope.unknown(name, span)

    def _narrow(self, kind: Type, node: s.Expr) -> Type:
        return certain(kind) if key_of(node) in self.scope.known else kind

    def _enumerator(self, name: str, span: Span, expected: Type | None) -> r.Expr | None:
        match expected:
            case Elem(type_name):
                decl = self.world.types[type_name]
                if name in decl.names:
                    return r.Const(certain(expected), span, decl.lo + decl.names.index(name))
            case Piece(component):
                classes = self.world.components[component].classes
                if name in classes:
                    return r.Const(Elem(f"{component} row"), span, classes.index(name))
        return None

    def _special(self, name: str, span: Span) -> r.Expr | None:
        if name == "me":
            if self.scope.me is not None:
                return r.Read(SEAT, span, self.scope.me)
            return r.Special(SEAT, span, "me")
        if name == "active":
            return r.Special(SEAT, span, "active")
        if name == "opponent":
            if self.world.seats[1] > 2:
                hint = "say which one: `choose victim from opponents`, `each opponent in turn`"
                raise Failed(Ambiguous(span, "opponent", "any of several seats", hint))
            return r.Special(SEAT, span, "opponent")
        if name == "seats_playing":
            return r.Special(Int(*self.world.seats), span, "seats_playing")
        if name == "self":
            owners = [c.name for c in self.world.components.values()
                      if any(isinstance(k.type, Cell) for k in c.columns.values())]  # fmt: skip
            if not self.scope.in_effect or len(owners) != 1:
                raise Failed(UnknownName(span, "self", "piece", "`self` is the piece whose effect runs"))
            return r.Special(Piece(owners[0]), span, "self")
        return None

    def _store(self, node: s.Expr, kind: str, decl: r.Counter | r.Mark | r.Pointer) -> r.Expr:
        of, at = self.indices(node, decl.store, several=False)
        found: Type
        if isinstance(decl, r.Counter):
            found = self._counter_range(decl, at)
        elif isinstance(decl, r.Mark):
            found = FLAG
        else:
            found = self._narrow(possible(Elem(decl.to) if decl.to != "seat" else SEAT), node)
        return r.ReadStore(found, node.span, kind, decl.name, of, at)  # type: ignore[arg-type]

    def _counter_range(self, decl: r.Counter, at: object) -> Int:
        if isinstance(at, r.Const) and len(decl.ranges) > 1 and decl.store.at in self.world.types:
            return Int(*decl.ranges[at.value - self.world.types[decl.store.at].lo])
        return Int(decl.lo, decl.hi)

    def _slot(self, node: s.Expr) -> r.Expr:
        """A zone used as a single value: the piece on a place of size 1."""
        zone = self.zone(node)
        decl = self.world.zones[zone.zone]
        if decl.size != 1:
            hint = f"`size({zone.zone} ...)` counts, `choose x from {zone.zone} ...` takes one"
            raise Failed(WrongType(node.span, "a single value", f"all pieces in `{zone.zone}`", hint))
        if not self.single(zone):
            raise Failed(WrongIndex(node.span, f"`{zone.zone}` is more than one place here", "say which"))
        return r.SlotPiece(self._narrow(Piece(decl.component, True), node), node.span, zone)

    def _address(self, node: s.Address) -> r.Expr:
        head, world = node.head, self.world
        if isinstance(head, s.Address):
            word = "of" if node.of is not None else "at"
            hint = f"brackets are needed around the inner address after `{word}`"
            raise Failed(WrongIndex(node.span, "one thing has two addresses", hint))
        if not isinstance(head, s.Name):
            raise Failed(WrongIndex(head.span, "only counters, zones, marks and pointers have addresses"))
        for kind, table in (
            ("counter", world.counters),
            ("mark", world.marks),
            ("pointer", world.pointers),
        ):
            if head.text in table:
                return self._store(node, kind, table[head.text])  # type: ignore[index]
        if head.text in world.zones:
            return self._slot(node)
        known = (*world.counters, *world.marks, *world.pointers, *world.zones)
        hint = did_you_mean(head.text, known)
        raise Failed(UnknownName(head.span, head.text, "counter, zone, mark or pointer", hint))

    # ---- calls and attributes

    def _call(self, node: s.Call) -> r.Expr:
        name, arguments = node.name.text, node.arguments
        if name == "size":
            self._count(node, 1)
            group = self.group(arguments[0])
            return r.SizeOf(Int(0, self.most(group)), node.span, group)
        if name in ("next", "previous"):
            return self._step(node)
        if name in self.world.tables:
            return self._look_up(node)
        signature = self.scope.signatures.value(name, node.name.span)
        if signature is None:
            if self.scope.signatures.routine(name) is not None:
                hint = "routines are called on a line of their own"
                raise Failed(CannotOffer(node.span, name, "a routine, not a value", hint))
            raise self.scope.unknown(name, node.name.span, "value or function")
        parameters, kind = signature
        self._count(node, len(parameters))
        made = tuple(self._argument(a, p.type) for a, p in zip(arguments, parameters, strict=True))
        return r.UseValue(kind, node.span, name, made)

    def _argument(self, node: s.Expr, wanted: Type) -> r.Expr:
        return self.fit(self.expr(node, wanted), wanted, node)

    def _count(self, node: s.Call, wanted: int) -> None:
        if len(node.arguments) != wanted:
            found = len(node.arguments)
            text = f"{wanted} argument{'' if wanted == 1 else 's'}"
            raise Failed(
                WrongArguments(node.span, node.name.text, text, f"{found} {'is' if found == 1 else 'are'}")
            )

    def _step(self, node: s.Call) -> r.Expr:
        self._count(node, 1)
        value = self.certain(self.expr(node.arguments[0]), node.arguments[0])
        if not isinstance(value.type, Elem):
            raise Failed(WrongType(node.arguments[0].span, "a value of a type", str(value.type)))
        decl = self.world.types[value.type.type]
        by = 1 if node.name.text == "next" else -1
        return r.Step(Elem(decl.name), node.span, decl.name, by, value)

    def _look_up(self, node: s.Call) -> r.Expr:
        table = self.world.tables[node.name.text]
        self._count(node, len(table.over))
        keys = tuple(self._argument(a, t) for a, t in zip(node.arguments, table.over_types, strict=True))
        return r.LookUp(table.type, node.span, table.name, keys)

    def _attribute(self, node: s.Attribute) -> r.Expr:
        owner = self.certain(self.expr(node.owner), node.owner)
        name = node.name.text
        columns = self._columns(owner.type)
        if name in columns:
            return self._column(node, owner, columns[name])
        if isinstance(owner.type, Piece):
            found = self._piece_attribute(node, owner, owner.type)
            if found is not None:
                return found
        known = (*columns, *self._places(owner.type))
        hint = did_you_mean(name, known) or (f"it has {', '.join(f'`{k}`' for k in known)}" if known else "")
        raise Failed(UnknownName(node.name.span, name, f"attribute of {owner.type}", hint))

    def _columns(self, kind: Type) -> dict[str, r.Column]:
        if isinstance(kind, Elem) and kind.type in self.world.types:
            return self.world.types[kind.type].columns
        if isinstance(kind, Piece):
            return self.world.components[kind.component].columns
        return {}

    def _column(self, node: s.Attribute, owner: r.Expr, column: r.Column) -> r.Expr:
        key = None
        if column.keyed_by is not None:
            if len(node.keys) != 1:
                raise Failed(
                    WrongArguments(
                        node.span, column.name, f"one `{column.keyed_by}`", f"{len(node.keys)} are"
                    )
                )
            key = self._argument(node.keys[0], Elem(column.keyed_by))
        elif node.keys:
            raise Failed(WrongArguments(node.span, column.name, "nothing", f"{len(node.keys)} are"))
        return r.ColumnOf(self._narrow(column.type, node), node.span, owner, column, key)

    def _places(self, kind: Type) -> tuple[str, ...]:
        if not isinstance(kind, Piece):
            return ()
        zones = [z for z in self.world.zones.values() if z.component == kind.component]
        indices = {i for z in zones for i in (z.store.of, z.store.at) if i is not None}
        face = ("face",) if self.world.components[kind.component].die is not None else ()
        return (*face, *sorted(indices))

    def _piece_attribute(self, node: s.Attribute, owner: r.Expr, kind: Piece) -> r.Expr | None:
        component = self.world.components[kind.component]
        name = node.name.text
        if name == "face" and component.die is not None:
            return r.ClassOf(component.die, node.span, owner)
        if name == "seat" and component.per_seat and component.die is None:
            return r.ClassOf(SEAT, node.span, owner)
        if name in self._places(kind):
            return r.PlaceOf(Elem(name) if name in self.world.types else Piece(name), node.span, owner, name)
        return None

    # ---- operators

    def _arithmetic(self, node: s.Arithmetic) -> r.Expr:
        left, right = self.number(node.left), self.number(node.right)
        found = arithmetic(node.op, self.range_of(left), self.range_of(right))
        return r.Arith(found, node.span, node.op, left, right)

    def _compare(self, node: s.Compare) -> r.Expr:
        if isinstance(node.left, s.Name) and self._is_bare(node.left):
            right = self.expr(node.right)
            left = self.expr(node.left, right.type)
        else:
            left = self.expr(node.left)
            right = self.expr(node.right, left.type)
        if node.op not in ("is", "is not"):
            self.number(node.left)
            self.number(node.right)
            return r.Cmp(FLAG, node.span, node.op, left, right)
        if isinstance(right.type, Nothing) or isinstance(left.type, Nothing):
            if not is_optional(left.type) or not is_optional(right.type):
                if key_of(node.left) in self.scope.known:
                    return r.Cmp(FLAG, node.span, node.op, left, right)
                raise Failed(CannotCompare(node.span, str(left.type), "none", "it can never be none"))
            return r.Cmp(FLAG, node.span, node.op, left, right)
        left, right = self._by_class(left, right)
        if not self._comparable(left.type, right.type):
            raise Failed(CannotCompare(node.span, str(left.type), str(right.type)))
        a, b = self.as_int(certain(left.type)), self.as_int(certain(right.type))
        if a is not None and b is not None and (a.hi < b.lo or b.hi < a.lo):
            raise Failed(
                CannotCompare(node.span, str(left.type), str(right.type), "their ranges do not meet")
            )
        return r.Cmp(FLAG, node.span, node.op, left, right)

    def _comparable(self, a: Type, b: Type) -> bool:
        return self.related(certain(a), certain(b))

    def _by_class(self, left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
        """A piece compared with a row's name is compared by its class."""
        if isinstance(left.type, Piece) and isinstance(right, r.Const) and isinstance(right.type, Elem):
            return r.ClassOf(Elem(right.type.type, left.type.optional), left.span, left), right
        if isinstance(right.type, Piece) and isinstance(left, r.Const) and isinstance(left.type, Elem):
            return left, r.ClassOf(Elem(left.type.type, right.type.optional), right.span, right)
        return left, right

    def _is_bare(self, node: s.Name) -> bool:
        """A name that only another side can explain: a value of some type, or a row."""
        name = node.text
        if name in self.scope.locals or self._special_name(name):
            return False
        world = self.world
        declared = (
            *world.counters,
            *world.marks,
            *world.pointers,
            *world.zones,
            *world.options,
            *world.constants,
        )
        if name in declared or self.scope.signatures.value(name, node.span) is not None:
            return False
        return any(name in t.names for t in world.types.values()) or any(
            name in c.classes for c in world.components.values()
        )

    def _special_name(self, name: str) -> bool:
        return name in ("me", "active", "opponent", "self", "seats_playing")

    def _exists(self, node: s.Exists, operand: s.Expr) -> r.Expr:
        value = self.expr(operand)
        if not is_optional(value.type) and key_of(operand) not in self.scope.known:
            raise Failed(CannotCompare(node.span, str(value.type), "none", "it always exists"))
        return r.Cmp(FLAG, node.span, "is not", value, r.Const(Nothing(), node.span, NONE))

    def _member(self, node: s.Member, item: s.Expr, group: s.Expr, negated: bool) -> r.Expr:
        value = self.expr(item)
        made = self.group(group, value.type)
        if isinstance(value.type, Piece) and isinstance(made, r.Items):
            value = r.ClassOf(made.item, value.span, value)
        elif not self.related(value.type, made.item):
            raise Failed(CannotCompare(node.span, str(value.type), f"a collection of {made.item}"))
        found: r.Expr = r.IsIn(FLAG, node.span, value, made)
        return r.Neg(FLAG, node.span, found) if negated else found

    def _logic(self, node: s.Logic) -> r.Expr:
        left = self.condition(node.left)
        with self.scope.knowing(facts(node.left, node.op == "and")):
            right = self.condition(node.right)
        return r.Both(FLAG, node.span, node.op, left, right)

    def _ternary(self, node: s.Ternary, expected: Type | None) -> r.Expr:
        condition = self.condition(node.condition)
        with self.scope.knowing(facts(node.condition)):
            then = self.expr(node.then, expected)
        with self.scope.knowing(facts(node.condition, False)):
            otherwise = self.expr(node.otherwise, expected or then.type)
        return r.Cond(self.joined(then, otherwise, node), node.span, condition, then, otherwise)

    def joined(self, a: r.Expr, b: r.Expr, node: s.Node) -> Type:
        """The type of a value that is either of two. Raises `Failed` if they have nothing in common."""
        if isinstance(a.type, Nothing):
            return possible(b.type)
        if isinstance(b.type, Nothing):
            return possible(a.type)
        if not self.related(a.type, b.type):
            raise Failed(WrongType(node.span, str(a.type), str(b.type), "both results must be of one type"))
        x, y = self.as_int(certain(a.type)), self.as_int(certain(b.type))
        if x is not None and y is not None and (isinstance(a.type, Int) or isinstance(b.type, Int)):
            return hull(x, y)
        return possible(a.type) if is_optional(a.type) or is_optional(b.type) else a.type

    # ---- collections as values

    def _quantifier(self, node: s.Quantifier) -> r.Expr:
        if node.kind == "those":
            raise Failed(WrongType(node.span, "a single value", "a collection"))
        with self.scope.inner():
            made = self.binder(node.binder)
        kind: Type = FLAG if node.kind == "any" else Int(0, self.most(made.group))
        return r.AnyOf(kind, node.span, node.kind, made)

    def _fold(self, node: s.Fold) -> r.Expr:
        with self.scope.inner():
            made = self.binder(node.binder)
            if node.kind == "all":
                return r.FoldOf(FLAG, node.span, "all", self.condition(node.body), made)
            if node.kind == "distinct":
                return r.FoldOf(
                    Int(0, self.most(made.group)), node.span, "distinct", self.expr(node.body), made
                )
            body = self.number(node.body)
        found = self.range_of(body)
        if node.kind == "sum":
            most = self.most(made.group)
            found = Int(min(0, found.lo * most), max(0, found.hi * most))
        elif node.kind == "max" or node.kind == "min":
            found = hull(found, Int(0, 0))
        return r.FoldOf(found, node.span, node.kind, body, made)

    def most(self, group: r.Group) -> int:
        """The greatest size of a collection."""
        match group:
            case r.OfType(decl=decl) | r.Neighbours(decl=decl):
                return len(self.world.types[decl].members)
            case r.Opponents():
                return max(0, self.world.seats[1] - 1)
            case r.Interval(item=Int(lo, hi)):
                return min(4096, max(0, hi - lo + 1))
            case r.Items(items=items):
                return len(items)
            case r.Sum(parts=parts):
                return sum(self.most(p) for p in parts)
            case r.Those(binder=binder):
                return self.most(binder.group)
            case r.Either(then=then, otherwise=otherwise):
                return max(self.most(then), self.most(otherwise))
            case r.InZone(zone=name):
                return self.pieces_of(self.world.zones[name].component)
        return 4096

    def pieces_of(self, component: str) -> int:
        decl = self.world.components[component]
        seats = self.world.seats[1] if decl.per_seat and decl.die is not None else 1
        return sum(decl.copies) * seats

    def _pick(self, node: s.Pick) -> r.Expr:
        with self.scope.inner():
            made = self.binder(node.binder)
            keys = tuple(self.number(k) for k in node.keys)
        return r.PickOf(possible(made.group.item), node.span, node.kind, made, keys)

    # ---- what can be done

    def target(self, node: s.Expr, actor: s.Word | None) -> r.Target:
        """An action or effect with some arguments, or a cell that names one."""
        word = node.name if isinstance(node, s.Call) else node if isinstance(node, s.Name) else None
        if word is not None and word.text not in self.scope.locals:
            signature = self.scope.signatures.routine(word.text)
            if signature is not None:
                return self._routine_target(node, word.text, signature)
        cell = self.expr(node)
        if not isinstance(cell.type, Cell):
            hint = "name an action, or a column of effects"
            raise Failed(WrongType(node.span, "an action or effect", str(cell.type), hint))
        return r.DoCell(cell, self._actor(node, actor), node.span)

    def _actor(self, node: s.Expr, actor: s.Word | None) -> r.Expr | None:
        if actor is not None:
            return self.expr(s.Name(actor.span, actor.text))
        if isinstance(node, s.Attribute):
            owner = self.expr(node.owner)
            return owner if isinstance(owner.type, Piece) else None
        return None

    def _routine_target(
        self, node: s.Expr, name: str, signature: tuple[str, tuple[r.Parameter, ...]]
    ) -> r.DoRoutine:
        kind, parameters = signature
        if kind == "procedure":
            hint = f"call it: `{name}(...)` without `do`, or make it an action"
            raise Failed(CannotOffer(node.span, name, "a procedure, which cannot be offered", hint))
        arguments = node.arguments if isinstance(node, s.Call) else ()
        if len(arguments) > len(parameters):
            wanted = f"at most {len(parameters)}"
            raise Failed(WrongArguments(node.span, name, wanted, f"{len(arguments)} are"))
        made = tuple(self._argument(a, p.var.type) for a, p in zip(arguments, parameters, strict=False))
        for parameter in parameters[len(arguments) :]:
            if parameter.binder is None:
                hint = f"give it, or say `{parameter.var.name} from ...` in the header"
                raise Failed(WrongArguments(node.span, name, f"a `{parameter.var.name}` that cannot be chosen",
                                            f"{len(arguments)} are", hint))  # fmt: skip
        return r.DoRoutine(name, made, node.span)


def wide(kind: Type) -> Type:
    """The type of a local that is written more than once."""
    return ANY_INT if isinstance(kind, Int) else kind


def assigned(block: s.Block) -> frozenset[str]:
    """The locals that some line of a block writes after they are made."""
    found: set[str] = set()
    for line in block:
        match line:
            case s.Assign(target=s.Name(text=text)):
                found.add(text)
            case s.Choose(name=word):
                found.add(word.text)
        for part in (getattr(line, "block", None), getattr(line, "otherwise", None)):
            found |= assigned(part or ())
    return frozenset(found)


def as_routine(node: s.Expr) -> tuple[s.Word, tuple[s.Expr, ...]] | None:
    """`settle(card, disc)` or `rebuild`, as a name and arguments."""
    if isinstance(node, s.Call):
        return node.name, node.arguments
    if isinstance(node, s.Name):
        return s.Word(node.span, node.text), ()
    return None
