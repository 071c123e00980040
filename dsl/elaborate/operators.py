"""Operators: arithmetic, comparisons, membership, logic, and one of two values."""

from __future__ import annotations

from dsl import rules as r
from dsl import syntax as s
from dsl.diagnostics import Failed
from dsl.domains import (
    FLAG,
    NONE,
    Elem,
    Flag,
    Int,
    Nothing,
    Piece,
    Type,
    arithmetic,
    certain,
    is_optional,
    row_type,
    several,
)
from dsl.elaborate.naming import SPECIAL, Naming
from dsl.elaborate.scope import facts, key_of
from dsl.messages.types import CannotCompare, WrongType


class Operators(Naming):
    """The part of the typing that deals with operators. `Expressions` completes it."""

    # ---- numbers

    def arithmetic(self, node: s.Arithmetic) -> r.Expr:
        left, right = self.number(node.left), self.number(node.right)
        found = arithmetic(node.op, self.range_of(left), self.range_of(right))
        return r.Arith(found, node.span, node.op, left, right)

    def negative(self, node: s.Negative) -> r.Expr:
        inner = self.number(node.operand)
        found = self.range_of(inner)
        return r.Arith(Int(-found.hi, -found.lo), node.span, "-", r.Const(Int(0, 0), node.span, 0), inner)

    def extreme(self, node: s.Extreme) -> r.Expr:
        made = tuple(self.number(item) for item in node.items)
        ranges = [self.range_of(m) for m in made]
        pick = min if node.kind == "min" else max
        return r.Extreme(
            Int(pick(x.lo for x in ranges), pick(x.hi for x in ranges)), node.span, node.kind, made
        )

    # ---- comparisons

    def compare(self, node: s.Compare) -> r.Expr:
        left, right = self._sides(node)
        if node.op not in ("is", "is not"):
            self.as_number(left, node.left)
            self.as_number(right, node.right)
        elif isinstance(left.type, Nothing) or isinstance(right.type, Nothing):
            self._with_none(node, left, right)
        else:
            left, right = self._by_class(left, right)
            self._comparable(node, left, right)
        return r.Cmp(FLAG, node.span, node.op, left, right)

    def _sides(self, node: s.Compare) -> tuple[r.Expr, r.Expr]:
        """Both sides, the one that says what it is first: in `red is card.colour` that is the right one."""
        if isinstance(node.left, s.Name) and self._is_bare(node.left):
            right = self.expr(node.right)
            return self.expr(node.left, right.type), right
        left = self.expr(node.left)
        return left, self.expr(node.right, left.type)

    def _is_bare(self, node: s.Name) -> bool:
        """A name that only another side can explain: a value of some type, or a row."""
        name, world = node.text, self.world
        if name in self.scope.locals or name in SPECIAL or name in world.zones or name in world.options:
            return False
        if name in world.constants or self.stored(name) is not None:
            return False
        if self.scope.signatures.value(name, node.span) is not None:
            return False
        return bool(world.owners(name)) or any(name in c.classes for c in world.components.values())

    def _with_none(self, node: s.Compare, left: r.Expr, right: r.Expr) -> None:
        if isinstance(left.type, Nothing) and isinstance(right.type, Nothing):
            raise Failed(CannotCompare(node.span, "none is always none", "test something that may be none"))
        if is_optional(left.type) and is_optional(right.type):
            return
        if key_of(node.left) not in self.scope.known:
            shown = node.right if isinstance(left.type, Nothing) else node.left
            why = f"`{key_of(shown)}` can never be none"
            raise Failed(CannotCompare(node.span, why, "remove the test"))

    def _by_class(self, left: r.Expr, right: r.Expr) -> tuple[r.Expr, r.Expr]:
        """A piece compared with a row is compared by its class."""
        if isinstance(left.type, Piece) and self._is_row(right, left.type):
            return r.ClassOf(Elem(row_type(left.type.component), left.type.optional), left.span, left), right
        if isinstance(right.type, Piece) and self._is_row(left, right.type):
            return left, r.ClassOf(
                Elem(row_type(right.type.component), right.type.optional), right.span, right
            )
        return left, right

    def _is_row(self, value: r.Expr, piece: Piece) -> bool:
        return isinstance(value, r.Const) and value.type == Elem(row_type(piece.component))

    def _comparable(self, node: s.Compare, left: r.Expr, right: r.Expr) -> None:
        if not self.related(left.type, right.type):
            why = f"{left.type} and {right.type} cannot be compared"
            raise Failed(CannotCompare(node.span, why, _meant(left.type, right.type)))
        a, b = self.as_int(certain(left.type)), self.as_int(certain(right.type))
        if a is not None and b is not None and (a.hi < b.lo or b.hi < a.lo):
            raise Failed(
                CannotCompare(node.span, f"{a} and {b} are never equal", "their ranges do not overlap")
            )
        if is_optional(right.type):
            self.certain(left, node.left)

    # ---- being there, being in

    def exists(self, node: s.Exists) -> r.Expr:
        value = self.expr(node.operand)
        sure = not is_optional(value.type) and not self._is_lost_somewhere(value)
        if sure and key_of(node.operand) not in self.scope.known:
            raise Failed(
                CannotCompare(node.span, f"`{key_of(node.operand)}` always exists", "remove the test")
            )
        return r.Cmp(FLAG, node.span, "is not", value, r.Const(Nothing(), node.span, NONE))

    def _is_lost_somewhere(self, value: r.Expr) -> bool:
        """Whether it is the index of a piece that some zone lacks: asking for it is no idle question."""
        if not isinstance(value, r.PlaceOf) or not isinstance(value.piece.type, Piece):
            return False
        component = value.piece.type.component
        stores = [z.store for z in self.world.zones.values() if z.component == component]
        return any(value.index not in (store.of, store.at) for store in stores)

    def is_empty(self, node: s.IsEmpty) -> r.Expr:
        empty = r.Empty(FLAG, node.span, self.group(node.operand))
        return r.Neg(FLAG, node.span, empty) if node.negated else empty

    def member(self, node: s.Member) -> r.Expr:
        value = self.expr(node.item)
        group = self.group(node.group, value.type)
        if isinstance(value.type, Piece) and group.item == Elem(row_type(value.type.component)):
            value = r.ClassOf(Elem(row_type(value.type.component), value.type.optional), value.span, value)
        elif not self.related(value.type, group.item):
            why = f"{value.type} can never be among {several(group.item)}"
            raise Failed(CannotCompare(node.span, why, _meant(value.type, group.item)))
        found = r.IsIn(FLAG, node.span, value, group)
        return r.Neg(FLAG, node.span, found) if node.negated else found

    # ---- logic

    def condition(self, node: s.Expr) -> r.Expr:
        """Something true or false. Raises `Failed` for any other value."""
        value = self.expr(node)
        if not isinstance(value.type, Flag):
            hint = "test whether it `exists`" if is_optional(value.type) else "compare it with something"
            raise Failed(WrongType(node.span, "a condition", str(value.type), hint))
        return value

    def logic(self, node: s.Logic) -> r.Expr:
        left = self.condition(node.left)
        with self.scope.knowing(facts(node.left, node.op == "and")):
            right = self.condition(node.right)
        return r.Both(FLAG, node.span, node.op, left, right)

    def ternary(self, node: s.Ternary, expected: Type | None) -> r.Expr:
        condition = self.condition(node.condition)
        with self.scope.knowing(facts(node.condition)):
            then = self.expr(node.then, expected)
        with self.scope.knowing(facts(node.condition, False)):
            otherwise = self.expr(node.otherwise, expected or then.type)
        return r.Cond(
            self.joined(then.type, otherwise.type, node.otherwise), node.span, condition, then, otherwise
        )


def _meant(left: Type, right: Type) -> str:
    """A hint where a piece or place is compared with something of its own."""
    kinds = (left, right)
    if any(isinstance(k, Piece) for k in kinds) and any(isinstance(k, Int) for k in kinds):
        return "compare a column of it, or the face of a die"
    return ""
