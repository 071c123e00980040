"""Partial evaluation of typed rules for one configuration: options, rulings, seats, and arguments.

Branches that cannot be reached are removed. If the number of seats is not fixed, what depends on it stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from dsl import rules as r
from dsl.domains import IntType
from dsl.rules.fold import simplify
from dsl.rules.option_members import members_of
from dsl.rules.visit import map_children, walk
from rulewright.sentences.text import merge_clauses

Tree = TypeVar("Tree")
DEEP = 3
"""How many values within values are evaluated."""


@dataclass(frozen=True)
class Configuration:
    """The number of seats, if one is chosen, and the value of each option.

    Constants in `kept` are not evaluated, so that the book uses their names: `the bar`, not `25`.
    """

    rules: r.Rules
    seats: int | None
    options: Mapping[str, int]
    kept: frozenset[str] = frozenset()

    def value(self, name: str) -> int | None:
        """An option, ruling or constant, if it is known."""
        if name in self.options:
            return self.options[name]
        if name in self.kept:
            return None
        values = self.rules.constants[name].values
        if self.seats is not None:
            return values[self.seats]
        return next(iter(values.values())) if len(set(values.values())) == 1 else None

    def is_fixed(self, option: r.Option) -> bool:
        """Whether the value of an option is known; its default set may depend on the number of seats."""
        return self.seats is not None or len(set(option.sets.values())) <= 1

    def members(self, name: str) -> tuple[int, ...] | None:
        """The values in the set of an option, if they are known."""
        if not self.is_fixed(self.rules.options[name]):
            return None
        return members_of(self.rules, name, self.options[name])

    @property
    def playing(self) -> int | None:
        low, high = self.rules.seats
        return low if low == high else self.seats

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of seats that the book covers."""
        return self.rules.seat_counts if self.seats is None else (self.seats,)


@dataclass(frozen=True)
class PartialEval:
    """Evaluates what a configuration fixes, and replaces variables by the arguments `given`.

    `fixed` are counters and marks that keep the value with which they begin.
    """

    config: Configuration
    fixed: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[r.Var, r.Expr] = field(default_factory=dict)
    inside: tuple[str, ...] = ()

    def having(self, given: Mapping[r.Var, r.Expr]) -> PartialEval:
        return replace(self, given={**self.given, **given})

    def expr(self, node: r.Expr) -> r.Expr:
        return cast(r.Expr, self._folded(node))

    def collection(self, node: r.Collection) -> r.Collection:
        return cast(r.Collection, self._folded(node))

    def block(self, block: r.Block) -> r.Block:
        """The statements without unreachable branches; the clauses of what is removed go to what stays."""
        lines: list[r.Statement] = []
        clauses: tuple[str, ...] = ()
        for line in block:
            folded = self._line(line)
            if not folded and isinstance(line, r.Precondition):
                clauses = (*clauses, *line.clauses)
            lines += _also_citing(folded, clauses)
            clauses = () if folded else clauses
        return tuple(lines)

    def within(self, value: r.Value) -> PartialEval:
        """The same for what is inside a value: locals that are plain, or read once, are replaced."""
        inner = self
        for number, let in enumerate(value.lets):
            known = inner.expr(let.value)
            rest = (value.lets[number + 1 :], value.cases)
            reads = sum(isinstance(part, r.Read | r.HeldSet) and part.var is let.var for part in walk(rest))
            if reads == 1 or isinstance(known, r.Const | r.Read | r.Special):
                inner = inner.having({let.var: known})
        return inner

    def cases(self, value: r.Value) -> tuple[r.ValueCase, ...]:
        """The cases of a value that can apply; the last one has no condition."""
        inner = self.within(value)
        cases: list[r.ValueCase] = []
        for case in value.cases:
            asked = inner.expr(case.condition) if case.condition is not None else None
            if asked is None or (isinstance(asked, r.Const) and asked.value):
                return (*cases, replace(case, condition=None))
            if not isinstance(asked, r.Const):
                cases.append(case)
        return tuple(cases)

    def is_closed(self, routine: r.Routine) -> bool:
        """Whether a routine can never be offered: one of its preconditions never holds."""
        lines = (line for line in self.block(routine.block) if isinstance(line, r.Precondition))
        return any(isinstance(line.condition, r.Const) and not line.condition.value for line in lines)

    def tree(self, node: Tree) -> Tree:
        """Any part of the rules without statements."""
        return cast(Tree, self._folded(node))

    # ---- statements

    def _line(self, line: r.Statement) -> r.Block:
        folded = cast(r.Statement, map_children(line, self._folded))
        match folded:
            case r.If(condition=r.Const(value=value), block=block, otherwise=otherwise):
                return _also_citing(block if value else otherwise, folded.clauses)
            case r.If(block=(), otherwise=()) | r.Precondition(condition=r.Const(value=1)):
                return ()
            case r.For(binder=r.Binder(collection=r.Either() | r.Items())):
                return self._unrolled(folded)
            case r.While(condition=r.Const(value=0)) | r.Repeat(number=r.Const(value=0)):
                return ()
            case r.Repeat(number=r.Const(value=1), block=block):
                return _also_citing(block, folded.clauses)
        return (folded,)

    def _unrolled(self, line: r.For) -> r.Block:
        """A loop over one of two collections becomes a branch with two loops, one over one value its body."""
        binder = line.binder
        match binder.collection:
            case r.Either(condition=condition, then=then, otherwise=otherwise):
                loops = (replace(line, binder=replace(binder, collection=c)) for c in (then, otherwise))
                return (r.If(line.span, line.clauses, condition, *map(self._line, loops)),)
            case r.Items(items=(item,)):
                inner = self.having({binder.var: item})
                block = inner.block(line.block)
                if binder.where is None:
                    return _also_citing(block, line.clauses)
                return self._line(r.If(line.span, line.clauses, inner.expr(binder.where), block, ()))
        return (line,)

    # ---- expressions

    def _folded(self, node: Any) -> Any:
        if isinstance(node, tuple):
            return self._many(node)
        match node:
            case r.Read(var=var) if var in self.given:
                return self.given[var]
            case r.HeldSet(var=var) if isinstance(held := self.given.get(var), r.Gathered):
                return held.collection
            case r.Setting(name=name) if (value := self.config.value(name)) is not None:
                return r.Const(node.type, node.span, value)
            case r.ReadStateVar(name=name) if name in self.fixed:
                return r.Const(node.type, node.span, self.fixed[name])
            case r.Special(what="seats_playing") if (number := self.config.playing) is not None:
                return r.Const(IntType(number, number), node.span, number)
            case r.LookUp() if (cell := self._cell(node)) is not None:
                return r.Const(node.type, node.span, cell)
            case r.UseValue() if (known := self._known_value(node)) is not None:
                return known
        return self._of_set(simplify(map_children(node, self._folded)))

    def _cell(self, node: r.LookUp) -> int | None:
        """The number in a table for keys that are known, unless its author has a phrase for it."""
        table, keys = self.config.rules.tables[node.table], map_children(node.keys, self._folded)
        if not isinstance(table.type, IntType) or node.table in self.config.rules.phrases:
            return None
        index = 0
        for key, (low, high) in zip(keys, table.over, strict=True):
            if not isinstance(key, r.Const) or not low <= key.value <= high:
                return None
            index = index * (high - low + 1) + key.value - low
        return table.values[index]

    def _of_set(self, node: Any) -> Any:
        """A node; what the set of an option decides is its result."""
        match node:
            case r.IsIn(collection=r.OptionSet(name=name), item=r.Const(value=value)):
                known = self.config.members(name)
                return node if known is None else r.Const(node.type, node.span, int(value in known))
            case r.SizeOf(collection=r.OptionSet(name=name)):
                known = self.config.members(name)
                return node if known is None else r.Const(node.type, node.span, len(known))
            case r.Empty(collection=r.OptionSet(name=name)):
                known = self.config.members(name)
                return node if known is None else r.Const(node.type, node.span, int(not known))
        return node

    def _known_value(self, node: r.UseValue) -> r.Const | None:
        """The constant that a value is for all arguments, if it is one."""
        value = self.config.rules.values[node.value]
        if value.modifiers or len(self.inside) > DEEP:
            return None
        inner = replace(self, inside=(*self.inside, node.value)).within(value)
        cases = inner.cases(value)
        result = inner.expr(cases[0].value) if len(cases) == 1 else None
        return result if isinstance(result, r.Const) else None

    def _many(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        if nodes and isinstance(nodes[0], r.Line):
            return self.block(nodes)
        return cast(tuple[Any, ...], map_children(nodes, self._folded))


def _also_citing(block: r.Block, clauses: tuple[str, ...]) -> r.Block:
    return (also_citing(block[0], clauses), *block[1:]) if block and clauses else block


def also_citing(line: r.Statement, clauses: tuple[str, ...]) -> r.Statement:
    """A statement that cites clauses before its own."""
    return replace(line, clauses=merge_clauses(clauses, line.clauses))
