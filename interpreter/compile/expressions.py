"""Lowering of typed expressions; options are constants."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, assert_never

from dsl import rules as r
from dsl.diagnostics import InternalError
from dsl.domains import NONE, EnumType, IntType, NoneType, PieceType, SetType, Type, is_optional
from dsl.rules.effect_cells import effect_cells
from dsl.source import Span
from interpreter import ir
from interpreter.compile import excluded, modifiers, stepping
from interpreter.compile.collections import MOST_LISTED, source_of
from interpreter.compile.layout import Layout
from interpreter.compile.nullability import is_narrowed, may_be_none, may_lack_index
from interpreter.compile.sizes import MOST_EXPRESSIONS, MOST_TABLES, Counted
from interpreter.ir.fold import choice, contains, negation, operation, pick, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from interpreter.compile.coverage import Numbered

T = TypeVar("T")
ATOMS = ir.Const | ir.Reg | ir.Local | ir.Head
"""What is read where it is used, instead of being evaluated once before."""


class Places(Protocol):
    """What keeps the places of expressions. Those of a machine have none of their own."""

    def note(self, part: object, span: Span) -> None:
        """A part stands at a place. The places of the parts within it are noted before."""


class Lowering:
    """Lowers expressions. `env` binds variables, `me` is the acting seat, `reg` the next free register."""

    def __init__(self, rules: r.Rules, seats: int, options: dict[str, int], layout: Layout) -> None:
        self.rules = rules
        self.seats = seats
        self.options = options
        self.layout = layout
        self.env: dict[r.Var, ir.Expr | ir.Bits] = {}
        self.me: ir.Expr = ir.Local(ir.ME)
        self.active: ir.Expr = ir.Head(ir.ACTIVE)
        self.reg = 0
        self.registers = 0
        self.routine_numbers: dict[str, int] = {}
        self.points: dict[int, int] = {}
        """The numbers of the coverage points by the identity of their parts; empty without coverage."""
        self.first_cell: int | None = None
        self.expressions = Counted("parts of expressions, with every value inlined", MOST_EXPRESSIONS)
        self.table_words = Counted("numbers in tables", MOST_TABLES)
        self._tables: dict[object, Any] = {}
        self.places: Places | None = None
        """Where the place of each expression is noted, if anybody wants to know."""

    @contextmanager
    def register(self) -> Iterator[int]:
        """Allocate a register for a while."""
        index = self.reg
        self.reg += 1
        self.registers = max(self.registers, self.reg)
        try:
            yield index
        finally:
            self.reg -= 1

    @contextmanager
    def bound(self, var: r.Var, value: ir.Expr) -> Iterator[None]:
        """Bind a variable for a while."""
        before = self.env.get(var)
        self.env[var] = value
        try:
            yield
        finally:
            if before is None:
                del self.env[var]
            else:
                self.env[var] = before

    @contextmanager
    def acting(self, me: ir.Expr, active: ir.Expr | None = None) -> Iterator[None]:
        """Let another seat act for a while, or be `active` too."""
        before, self.me, self.active = (self.me, self.active), me, active or self.active
        try:
            yield
        finally:
            self.me, self.active = before

    def begin_question(self) -> None:
        """Count sizes from 0 again: a query is not part of the machine."""
        self.expressions.found = self.table_words.found = 0

    # ---- coverage

    def cover(self, numbered: tuple[Numbered, ...]) -> None:
        """Record coverage in all code that is lowered from here on."""
        self.points = {id(part): i for i, (part, _) in enumerate(numbered) if part is not None}
        self.first_cell = len(numbered) - len(self.rules.cells)

    def covered(self, part: object, value: ir.Expr, yes: int = ir.RAN, no: int = ir.RAN) -> ir.Expr:
        """An expression that records its outcome at the point of a part, if there is one."""
        point = self.points.get(id(part))
        return value if point is None else ir.Covered(point, value, yes, no)

    def asked(self, part: object, condition: r.Expr) -> ir.Expr:
        """A condition that records its outcome at the point of a part."""
        return self.covered(part, self.expr(condition), ir.HELD, ir.FAILED)

    # ---- expressions

    def raw(self, node: r.Expr) -> ir.Expr:
        """An expression that may be none; whatever uses it tests or reports that."""
        found = self._raw(node)
        if self.places is not None and not isinstance(found, ATOMS):
            self.places.note(found, node.span)
        return found

    def _raw(self, node: r.Expr) -> ir.Expr:
        self.expressions.add(1, node.span)
        match node:
            case r.Const(value=value):
                return ir.Const(value)
            case r.Read(var=var):
                return self.single(var)
            case r.Special():
                return self._special(node)
            case r.Setting(name=name):
                if name in self.options:
                    return ir.Const(self.options[name])
                return ir.Const(self.rules.constants[name].values[self.seats])
            case r.ReadStateVar(name=name, of=of, at=at) if name in self.layout.excluded:
                return excluded.variable(self.layout.excluded_words[name], self.address(name, of, at))
            case r.ReadStateVar(name=name, of=of, at=at):
                return ir.Load(self.address(name, of, at))
            case r.SlotPiece(zone=zone) if zone.zone in self.layout.excluded:
                return excluded.piece(self.layout, zone.zone, self.classes(zone.item), self.place(zone))
            case r.SlotPiece(zone=zone, top=top):
                first, _ = self.layout.zone_places[zone.zone]
                ordered = top and self.layout.places[first].kind == ir.ORDERED
                return ir.PieceAt(self.place(zone), self.classes(zone.item), ordered)
            case r.OnlyDie(component=component):
                first, _ = self.layout.zone_places[component]
                return ir.PieceAt(ir.Const(first), len(self.layout.classes(component)))
            case r.ColumnOf():
                return self._column(node)
            case r.ClassOf(piece=piece):
                return self._class(piece)
            case r.PlaceOf(piece=piece, index=index):
                return ir.PlaceIndex(
                    self.expr(piece),
                    self.classes(piece.type),
                    self.once(index, node.span, lambda: self._index_table(index)),
                )
            case r.Arith(op=op, left=left, right=right):
                return operation(op, self.expr(left), self.expr(right))
            case r.Cmp(op="is" | "is not" as op, left=left, right=right):
                with_none = isinstance(right.type, NoneType) or isinstance(left.type, NoneType)
                lower = self.raw if with_none else self.expr
                return operation("==" if op == "is" else "!=", lower(left), lower(right))
            case r.Cmp(op=op, left=left, right=right):
                order: Any = op
                return operation(order, self.expr(left), self.expr(right))
            case r.Both(op=op, left=left, right=right):
                return operation(op, self.expr(left), self.expr(right))
            case r.Neg(operand=operand):
                return negation(self.expr(operand))
            case r.Cond(condition=condition, then=then, otherwise=otherwise):
                return choice(self.expr(condition), self.expr(then), self.expr(otherwise))
            case r.Empty(collection=collection):
                return operation("==", size(self.collection(collection)), ir.Const(0))
            case r.SizeOf(collection=collection):
                return size(self.collection(collection))
            case r.IsIn(item=item, collection=collection):
                return contains(self.expr(item), self.collection(collection))
            case r.CanDo(target=target):
                return ir.Can(self.doing(target))
            case r.AnyOf(kind=kind, binder=binder):
                return self._fold(kind, binder, None)
            case r.FoldOf(kind="min" | "max" as kind, binder=binder, body=body, type=EnumType(name)):
                return self._extreme_value(kind, binder, body, self.rules.types[name].lo)
            case r.FoldOf(kind=kind, binder=binder, body=body):
                return self._fold(kind, binder, body)
            case r.Extreme(kind=kind, items=items):
                least = self.expr(items[0])
                for item in items[1:]:
                    least = operation(kind, least, self.expr(item))
                return least
            case r.PickOf():
                return self._best(node)
            case r.LookUp():
                return self._look_up(node)
            case r.TimesRecorded(history=name, values=values):
                return self._times(name, values)
            case r.UseValue(value=name, arguments=arguments):
                return self.inlined(self.rules.values[name], arguments)
            case r.Successor():
                return stepping.step(self, node)
            case r.Ordinal():
                return stepping.ordinal(self, node)
            case r.Numeral(decl=name, operand=operand):
                decl = self.rules.types[name]
                return pick(decl.numerals, self.expr(operand), decl.lo)
            case r.Combined():
                return stepping.combined(self, node)
            case r.DirectedStep():
                return stepping.toward(self, node)
            case r.Gathered():
                raise InternalError("a set is not a number")
        assert_never(node)

    def single(self, var: r.Var) -> ir.Expr:
        """What a variable stands for that is not a set."""
        found = self.env[var]
        assert not isinstance(found, ir.Bits)
        return found

    # ---- sets

    def domain_of(self, kind: SetType) -> tuple[int, int]:
        """The least value that a set can hold, and how many from there on."""
        match kind.item:
            case IntType(lo, hi):
                return lo, hi - lo + 1
            case EnumType(name):
                return self.layout.axis(self.rules.types[name].base or name if name != "seat" else name)
        raise InternalError("pieces are not held as a set")

    def bounds(self, kind: Type) -> tuple[int, int] | None:
        """The least and the greatest value of a type; none for pieces and for classes of them."""
        match kind:
            case IntType(lo, hi):
                return lo, hi
            case EnumType(name) if name == "seat" or name in self.rules.types:
                lo, size = self.domain_of(SetType(EnumType(name)))
                return lo, lo + size - 1
        return None

    def words_in(self, kind: Type) -> int:
        """How many words of a frame a value of a type takes."""
        return (self.domain_of(kind)[1] + 31) // 32 if isinstance(kind, SetType) else 1

    def words(self, node: r.Expr) -> tuple[ir.Expr, ...]:
        """The words of a value: one, but for a set."""
        if not isinstance(node, r.Gathered):
            return (self.expr(node),)
        assert isinstance(node.type, SetType)
        self.expressions.add(1, node.span)
        lo, size = self.domain_of(node.type)
        before = self.reg
        self.reg += self.words_in(node.type) - 1
        source, self.reg = self.collection(node.collection), before
        if isinstance(source, ir.Bits) and (source.lo, source.size) == (lo, size):
            return source.words
        return tuple(ir.Mask(source, first) for first in range(lo, lo + size, 32))

    def arguments(self, nodes: tuple[r.Expr, ...]) -> tuple[ir.Expr, ...]:
        """The words of some values, one after another."""
        return tuple(word for node in nodes for word in self.words(node))

    # ---- histories

    def _times(self, name: str, values: tuple[r.Expr, ...]) -> ir.Expr:
        if name in self.layout.excluded:
            return ir.Const(0)
        return ir.Times(self.history(name), self.recorded(name, values))

    def history(self, name: str) -> int:
        """The number of a history."""
        return [x.name for x in self.layout.histories].index(name)

    def recorded(self, name: str, values: tuple[r.Expr, ...]) -> tuple[ir.Expr, ...]:
        """The values of a record that are worked out: variables without index, and values of rules."""
        found: list[ir.Expr] = []
        rest = iter(values)
        for part in self.rules.histories[name].parts:
            if part in self.layout.words or part in self.layout.scratch:
                words = self.layout.var(part)
                found += [ir.Load(ir.Address(words.base, ()))] if words.size == 1 else []
            elif part not in self.layout.excluded and part not in self.layout.zone_places:
                found.append(self.raw(next(rest)))
        return tuple(found)

    # ---- checks against none

    def expr(self, node: r.Expr) -> ir.Expr:
        """An expression, checked at run time if it may be none although its type excludes that."""
        value = self.raw(node)
        if isinstance(node, r.PlaceOf) and isinstance(value, ir.PlaceIndex):
            if is_optional(node.type) or not may_lack_index(self.rules, self.layout, node, value.table):
                return value
            return self._within(value, *self.layout.axis(_name_of(node.type)))
        if isinstance(node, r.PickOf) and isinstance(node.type, IntType):
            lo, hi = node.type.lo, node.type.hi
            return pick(self.numbers(lo, hi, node.span), value, lo) if hi - lo < MOST_LISTED else value
        if isinstance(value, ir.Const) or not is_narrowed(self.rules, node):
            return value
        assert isinstance(node.type, EnumType)
        decl = self.rules.types[node.type.type]
        return self._within(value, decl.lo, decl.size)

    def if_any(self, node: r.Expr | None) -> ir.Expr | None:
        return self.expr(node) if node is not None else None

    def _within(self, value: ir.Expr, lo: int, size: int) -> ir.Expr:
        """The same value; a fault if it is outside of its bounds."""
        return pick(tuple(range(lo, lo + size)), value, lo)

    def _special(self, node: r.Special) -> ir.Expr:
        match node.what:
            case "me":
                return self.me
            case "active":
                return self.active
            case "self":
                return ir.Local(ir.SELF)
            case "opponent":
                return operation("-", ir.Const(1), self.me)
            case "seats_playing":
                return ir.Const(self.seats)

    def classes(self, kind: Any) -> int:
        """How many classes the pieces of a type have."""
        if not isinstance(kind, PieceType):
            raise InternalError(f"{kind} is not a piece")
        return len(self.layout.classes(kind.component))

    def _class(self, piece: r.Expr) -> ir.Expr:
        kind: Any = piece.type
        classes, lowest = self.classes(kind), self.lowest_face(kind.component)
        found: ir.Expr = ir.ClassOf(self.expr(piece), classes)
        if is_optional(kind) or not lowest or not may_be_none(self.rules, piece):
            return operation("+", found, ir.Const(lowest))
        return pick(tuple(range(lowest, lowest + classes)), found, 0)

    def lowest_face(self, component: str) -> int:
        """The value of a die's first face; classes count from 0."""
        match self.rules.components[component].die:
            case IntType(lo):
                return lo
            case EnumType(name):
                return self.rules.types[name].lo
        return 0

    def _column(self, node: r.ColumnOf) -> ir.Expr:
        owner: ir.Expr
        low = 0
        if isinstance(node.owner.type, PieceType):
            owner = ir.ClassOf(self.expr(node.owner), self.classes(node.owner.type))
        else:
            assert isinstance(node.owner.type, EnumType)
            owner, low = self.expr(node.owner), self.rules.types[node.owner.type.type].lo
        if node.key is None:
            return pick(node.column.values, owner, low)
        decl = self.rules.types[node.column.keyed_by or ""]
        flat = tuple(v for row in node.column.groups for v in row)
        row = operation("*", operation("-", owner, ir.Const(low)), ir.Const(decl.size))
        column = operation("-", self.key(node.key, decl), ir.Const(decl.lo))
        return pick(flat, operation("+", row, column), 0)

    def key(self, key: r.Expr | None, decl: r.TypeDecl) -> ir.Expr:
        """A key, checked against its type: past the end of one row of the table begins the next."""
        assert key is not None
        lowered = self.expr(key)
        if key.type == EnumType(decl.name) or isinstance(lowered, ir.Const):
            return lowered
        return self._within(lowered, decl.lo, decl.size)

    def once(self, key: object, span: Span, build: Callable[[], T]) -> T:
        """A table by its key, built and counted at the first use."""
        if key not in self._tables:
            self._tables[key] = build()
            self.table_words.add(_words(self._tables[key]), span)
        table: T = self._tables[key]
        return table

    def _index_table(self, index: str) -> tuple[int, ...]:
        """For each place its index of that type, or none."""
        table = []
        for place in self.layout.places:
            zone = self.rules.zones.get(place.zone)
            value = None
            if zone is not None:
                value = place.of if zone.var.of == index else place.at if zone.var.at == index else None
                value = self._part_of_index(zone.var.at, place.at, index) if value is None else value
            table.append(NONE if value is None else value)
        return tuple(table)

    def _part_of_index(self, declared: str | None, value: int | None, part: str) -> int | None:
        """One of several indices of a place; none if there is none of that name."""
        decl = self.rules.types.get(declared or "")
        if decl is None or value is None or not decl.name.startswith("(") or part not in decl.columns:
            return None
        return decl.columns[part].values[value - decl.lo]

    def _fold(self, kind: Any, binder: r.Binder, body: r.Expr | None) -> ir.Expr:
        source = self.collection(binder.collection)
        with self.register() as reg, self.bound(binder.var, ir.Reg(reg)):
            where, value = self.if_any(binder.where), self.if_any(body)
        if kind == "count" and where is None:
            return size(source)
        return ir.Fold(kind, reg, source, where, value)

    def _extreme_value(self, kind: Any, binder: r.Binder, body: r.Expr, low: int) -> ir.Expr:
        """The least or greatest of some values of a type, or none: they are counted from 1, so 0 is none."""
        source = self.collection(binder.collection)
        with self.register() as reg, self.bound(binder.var, ir.Reg(reg)):
            where = self.if_any(binder.where)
            value = operation("-", self.expr(body), ir.Const(low - 1))
        with self.register() as found:
            chosen = operation("+", ir.Reg(found), ir.Const(low - 1))
            none = operation("==", ir.Reg(found), ir.Const(0))
            result = choice(none, ir.Const(NONE), chosen)
        return ir.Let(found, ir.Fold(kind, reg, source, where, value), result)

    def _best(self, node: r.PickOf) -> ir.Expr:
        source = self.collection(node.binder.collection)
        with self.register() as reg, self.bound(node.binder.var, ir.Reg(reg)):
            where = self.if_any(node.binder.where)
            keys = tuple(self.expr(k) for k in node.keys)
        if not keys and node.kind != "first":
            keys = (ir.Const(0),)
        return ir.Best(node.kind == "highest", reg, source, where, keys, node.kind == "first")

    def _look_up(self, node: r.LookUp) -> ir.Expr:
        table = self.rules.tables[node.table]
        index: ir.Expr = ir.Const(0)
        for key, (lo, hi) in zip(node.keys, table.over, strict=True):
            checked = pick(self.numbers(0, hi - lo, node.span), self.expr(key), lo)
            index = operation("+", operation("*", index, ir.Const(hi - lo + 1)), checked)
        return self.covered(table, pick(table.values, index, 0))

    def numbers(self, low: int, high: int, span: Span) -> tuple[int, ...]:
        return self.once((low, high), span, lambda: tuple(range(low, high + 1)))

    def inlined(self, value: r.Value, arguments: tuple[r.Expr, ...]) -> ir.Expr:
        """The body of a value with its arguments; each that is not an atom is evaluated once, by a `Let`."""
        lets: list[tuple[int, ir.Expr]] = []
        before = self.reg
        lowered = []
        for argument in arguments:
            lowered.append(self.words(argument))
            self.reg += sum(not isinstance(word, ATOMS) for word in lowered[-1])
        self.reg = before
        before_env = dict(self.env)
        for var, words in zip(value.parameters, lowered, strict=True):
            self.bind_once(var, words, lets)
        body = modifiers.modified(self, value)
        self.reg, self.env = before, before_env
        return modifiers.within_lets(lets, body)

    def bind_once(self, var: r.Var, words: tuple[ir.Expr, ...], lets: list[tuple[int, ir.Expr]]) -> None:
        """Bind a variable: to the value if it is an atom, else to a new register, for a `Let`."""
        atoms = tuple(self._atom(word, lets) for word in words)
        self.env[var] = (
            ir.Bits(atoms, *self.domain_of(var.type)) if isinstance(var.type, SetType) else atoms[0]
        )

    def _atom(self, value: ir.Expr, lets: list[tuple[int, ir.Expr]]) -> ir.Expr:
        if isinstance(value, ATOMS):
            return value
        lets.append((self.reg, value))
        self.reg += 1
        self.registers = max(self.registers, self.reg)
        return ir.Reg(self.reg - 1)

    # ---- addresses

    def address(self, name: str, of: r.Expr | None, at: r.Expr | None) -> ir.Address:
        """The address of a word of a counter, mark or pointer."""
        words = self.layout.var(name)
        return self._address(words.base, (words.of, words.at), (of, at))

    def mask(self, name: str, of: r.Expr | None, at: r.Expr | None) -> ir.Address:
        """The address of the word that says who was shown a hidden value."""
        words = self.layout.words[name]
        return self._address(self.layout.told[name], (words.of, words.at), (of, at))

    def _address(
        self, base: int, declared: tuple[str | None, str | None], indices: tuple[r.Expr | None, r.Expr | None]
    ) -> ir.Address:
        """An address by the types of its indices `of` and `at`; constant indices are folded into the base."""
        _, at_size = self.layout.axis(declared[1])
        terms = []
        for name, index, stride in zip(declared, indices, (at_size, 1), strict=True):
            if name is None or index is None:
                continue
            lo, size = self.layout.axis(name)
            value = self.index(index, name)
            if isinstance(value, ir.Const) and lo <= value.value < lo + size:
                base += (value.value - lo) * stride
            else:
                terms.append(ir.Term(value, lo, lo + size - 1, stride, value == self.me))
        return ir.Address(base, tuple(terms))

    def index(self, index: r.Expr, declared: str) -> ir.Expr:
        """An index of a declared type; a piece is the index of its class."""
        if declared in self.rules.types or isinstance(index.type, EnumType):
            return self.raw(index)
        return ir.ClassOf(self.expr(index), len(self.layout.classes(declared)))

    def place(self, zone: r.InZone) -> ir.Expr:
        """The number of the single place that an address names."""
        var = self.rules.zones[zone.zone].var
        of = self._single(zone, var.of, zone.of)
        at = self._single(zone, var.at, zone.at)
        first, _ = self.layout.zone_places[zone.zone]
        address = self._address(first, (var.of, var.at), (of, at))
        return ir.Spot(address) if address.terms else ir.Const(address.base)

    def _single(
        self, zone: r.InZone, declared: str | None, index: r.Expr | r.Collection | None
    ) -> r.Expr | None:
        """An index of a single place, if the zone has one."""
        if declared is None:
            return None
        if index is None or isinstance(index, r.Collection):
            raise InternalError(f"`{zone.zone}` is not a single place")
        return index

    # ---- collections

    def collection(self, node: r.Collection) -> ir.Source:
        """Several values, in the order of the collection."""
        found = source_of(self, node)
        if self.places is not None:
            self.places.note(found, node.span)
        return found

    def candidates(self, binder: r.Binder) -> tuple[ir.Source, int, ir.Expr | None]:
        """The collection of a binder, the register of its variable, and its condition."""
        source = self.collection(binder.collection)
        with self.register() as reg, self.bound(binder.var, ir.Reg(reg)):
            return source, reg, self.if_any(binder.where)

    def members(self, decl: str) -> tuple[int, ...]:
        """The values of a type that exist with this number of seats."""
        if decl == "seat":
            return tuple(range(self.seats))
        return self.rules.types[decl].present(self.seats)

    def _cell(self, cell: r.Expr, calls: bool) -> ir.Expr:
        number = self.expr(cell)
        return number if self.first_cell is None else ir.CoveredCell(self.first_cell, number, calls)

    def doing(self, target: r.Target, calls: bool = False) -> ir.Doing:
        """A routine or cell that can run. `calls`: it runs at once, and is not only offered or tested."""
        match target:
            case r.DoRoutine(routine=routine, arguments=arguments):
                return ir.DoRoutine(self.routine_numbers[routine], self.arguments(arguments))
            case r.DoCell(cell=cell, actor=actor):
                lowered = self._cell(cell, calls)
                known = _known_cells(lowered)
                cells = tuple(x for x in effect_cells(self.rules, cell) if known is None or x in known)
                return ir.DoCell(lowered, self.expr(actor) if actor is not None else ir.Const(NONE), cells)
        assert_never(target)


def _known_cells(cell: ir.Expr) -> frozenset[int] | None:
    """The values that an expression for a cell has in this configuration; none if they are not known."""
    match cell:
        case ir.Const(value=value):
            return frozenset({value})
        case ir.Pick(table=table):
            return frozenset(table)
        case ir.CoveredCell(value=body) | ir.Let(body=body):
            return _known_cells(body)
        case ir.If(then=then, otherwise=otherwise):
            one, other = _known_cells(then), _known_cells(otherwise)
            return one | other if one is not None and other is not None else None
    return None


def _name_of(kind: Any) -> str:
    """The name of a type, or of the component of a piece."""
    return kind.type if isinstance(kind, EnumType) else kind.component


def _words(table: Any) -> int:
    """How many numbers a table holds, flat or in rows."""
    return sum(len(row) if isinstance(row, tuple) else 1 for row in table)
