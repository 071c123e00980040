"""What is known when a match begins is put in: options, rulings, numbers of seats, arguments of effects.

What remains says only what holds for those who play; a branch that they cannot come to is gone. Where the
number of seats is not known, what depends on it stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from dsl import rules as r
from dsl.domains import IntType
from dsl.rules.fold import simplify
from dsl.rules.visit import map_children
from rulewright.rulebook.document import merge_clauses

Tree = TypeVar("Tree")
DEEP = 3
"""How many values within values are looked into."""


@dataclass(frozen=True)
class Configuration:
    """The number of seats, if one is chosen, and the value of each option.

    Constants that are `kept` are spoken of by their name: the bar, not 25.
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

    @property
    def playing(self) -> int | None:
        low, high = self.rules.seats
        return low if low == high else self.seats

    @property
    def counts(self) -> range:
        """The numbers of seats that the book is for."""
        low, high = self.rules.seats
        return range(low, high + 1) if self.seats is None else range(self.seats, self.seats + 1)


@dataclass(frozen=True)
class PartialEval:
    """Puts in what a configuration fixes, and the arguments `given` for variables."""

    config: Configuration
    given: Mapping[r.Var, r.Expr] = field(default_factory=dict)
    inside: tuple[str, ...] = ()

    def having(self, given: Mapping[r.Var, r.Expr]) -> PartialEval:
        return replace(self, given={**self.given, **given})

    def expr(self, node: r.Expr) -> r.Expr:
        return cast(r.Expr, self._folded(node))

    def collection(self, node: r.Collection) -> r.Collection:
        return cast(r.Collection, self._folded(node))

    def block(self, block: r.Block) -> r.Block:
        """Statements without the branches that nobody comes to; what is left of a branch keeps its marks."""
        found: list[r.Statement] = []
        waiting: tuple[str, ...] = ()
        for line in block:
            made = self._line(line)
            if not made and isinstance(line, r.Precondition):
                waiting = (*waiting, *line.clauses)
            found += _marked(made, waiting)
            waiting = () if made else waiting
        return tuple(found)

    def cases(self, value: r.Value) -> tuple[r.ValueCase, ...]:
        """The cases of a value that can come to count."""
        found: list[r.ValueCase] = []
        for case in value.cases:
            asked = self.expr(case.condition) if case.condition is not None else None
            if isinstance(asked, r.Const) and not asked.value:
                continue
            always = asked is None or isinstance(asked, r.Const)
            found.append(replace(case, condition=None) if always else case)
            if always:
                break
        return tuple(found)

    def is_closed(self, routine: r.Routine) -> bool:
        """Whether a routine can never be done, since one of its needs never holds."""
        lines = (line for line in self.block(routine.block) if isinstance(line, r.Precondition))
        return any(isinstance(line.condition, r.Const) and not line.condition.value for line in lines)

    def tree(self, node: Tree) -> Tree:
        """Any part of the rules that holds no statements."""
        return cast(Tree, self._folded(node))

    # ---- statements

    def _line(self, line: r.Statement) -> r.Block:
        made = cast(r.Statement, map_children(line, self._folded))
        match made:
            case r.If(condition=r.Const(value=value), block=block, otherwise=otherwise):
                return _marked(block if value else otherwise, made.clauses)
            case r.If(block=(), otherwise=()) | r.Precondition(condition=r.Const(value=1)):
                return ()
            case r.For(binder=r.Binder(collection=r.Either() | r.Items())):
                return self._known_round(made)
            case r.While(condition=r.Const(value=0)) | r.Repeat(number=r.Const(value=0)):
                return ()
        return (made,)

    def _known_round(self, line: r.For) -> r.Block:
        """A loop over one of two collections is a choice of loops; over one value it is no loop."""
        binder = line.binder
        match binder.collection:
            case r.Either(condition=condition, then=then, otherwise=otherwise):
                ways = (
                    self._line(replace(line, binder=replace(binder, collection=g))) for g in (then, otherwise)
                )
                return (r.If(line.span, line.clauses, condition, *ways),)
            case r.Items(items=(one,)):
                inner = self.having({binder.var: one})
                block = inner.block(line.block)
                if binder.where is None:
                    return _marked(block, line.clauses)
                return self._line(r.If(line.span, line.clauses, inner.expr(binder.where), block, ()))
        return (line,)

    # ---- expressions

    def _folded(self, node: Any) -> Any:
        if isinstance(node, tuple):
            return self._many(node)
        match node:
            case r.Read(var=var) if var in self.given:
                return self.given[var]
            case r.Setting(name=name) if (value := self.config.value(name)) is not None:
                return r.Const(node.type, node.span, value)
            case r.Special(what="seats_playing") if (number := self.config.playing) is not None:
                return r.Const(IntType(number, number), node.span, number)
            case r.UseValue() if (known := self._known_value(node)) is not None:
                return known
        return simplify(map_children(node, self._folded))

    def _known_value(self, node: r.UseValue) -> r.Const | None:
        """A value that is the same whatever it is asked about."""
        value = self.config.rules.values[node.value]
        if value.modifiers or len(self.inside) > DEEP:
            return None
        inner = replace(self, inside=(*self.inside, node.value))
        cases = inner.cases(value)
        found = inner.expr(cases[0].value) if len(cases) == 1 else None
        return found if isinstance(found, r.Const) else None

    def _many(self, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
        if nodes and isinstance(nodes[0], r.Line):
            return self.block(nodes)
        return cast(tuple[Any, ...], map_children(nodes, self._folded))


def _marked(block: r.Block, clauses: tuple[str, ...]) -> r.Block:
    """The marks of a line that is gone go to the first line that stays."""
    if not block or not clauses:
        return block
    return (also_citing(block[0], clauses), *block[1:])


def also_citing(line: r.Statement, clauses: tuple[str, ...]) -> r.Statement:
    """A statement that cites clauses before its own."""
    return replace(line, clauses=merge_clauses(clauses, line.clauses))
