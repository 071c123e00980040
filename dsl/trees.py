"""Lark's trees to syntax nodes, rule by rule of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from lark import Token, Tree

from dsl import syntax as s
from dsl.diagnostics import Failed, InternalError
from dsl.domains import HIGHEST_WRITTEN
from dsl.messages.text import NotAllowedHere
from dsl.messages.types import NotInRange
from dsl.source import Source, Span

DIGITS = len(str(HIGHEST_WRITTEN))
DEEPEST_CALLS = 100

EXPRESSIONS: dict[str, Callable[..., s.Expr]] = {
    "ternary": s.Ternary,
    "or_": lambda span, left, right: s.Logic(span, "or", left, right),
    "and_": lambda span, left, right: s.Logic(span, "and", left, right),
    "not_": s.Not,
    "compare": lambda span, left, op, right: s.Compare(span, op.text, left, right),
    "is_": lambda span, left, right: s.Compare(span, "is", left, right),
    "is_not": lambda span, left, right: s.Compare(span, "is not", left, right),
    "is_empty": lambda span, operand: s.IsEmpty(span, operand, False),
    "is_not_empty": lambda span, operand: s.IsEmpty(span, operand, True),
    "exists": s.Exists,
    "in_": lambda span, item, group: s.Member(span, item, group, False),
    "not_in": lambda span, item, group: s.Member(span, item, group, True),
    "can": s.Can,
    "interval": s.Interval,
    "plus": lambda span, left, _, right: s.Arithmetic(span, "+", left, right),
    "minus": lambda span, left, _, right: s.Arithmetic(span, "-", left, right),
    "times": lambda span, left, right: s.Arithmetic(span, "*", left, right),
    "div": lambda span, left, right: s.Arithmetic(span, "div", left, right),
    "mod": lambda span, left, right: s.Arithmetic(span, "mod", left, right),
    "negative": lambda span, _, operand: s.Negative(span, operand),
    "of": s.Address,
    "at": lambda span, head, at: s.Address(span, head, None, at),
    "attribute": lambda span, owner, name: s.Attribute(span, owner, name, ()),
    "attribute_call": s.Attribute,
    "name": lambda span, name: s.Name(span, name.text),
    "none": lambda span, _: s.Constant(span, "none"),
    "true": lambda span, _: s.Constant(span, "true"),
    "false": lambda span, _: s.Constant(span, "false"),
    "call": lambda span, name, arguments: s.Call(span, name, arguments or ()),
    "bracket": lambda span, inner: inner,
    "list": lambda span, items: s.ListOf(span, items or ()),
    "quantifier": lambda span, kind, binder: s.Quantifier(span, kind.text, binder),
    "prefix": lambda span, kind, binder, lasting: s.Prefix(span, kind.text, binder, lasting),
    "fold": lambda span, kind, body, binder: s.Fold(span, kind.text, body, binder),
    "extreme": lambda span, kind, items: s.Extreme(span, kind.text, items),
    "pick": lambda span, kind, binder, keys: s.Pick(span, kind.text, binder, keys),
}
"""How each expression is made from its place and its parts."""

LINES: dict[str, Callable[..., s.Line]] = {
    "let": s.Let,
    "assign": lambda span, marks, to, op, value: s.Assign(span, marks, op.text, to, value),
    "call_line": s.CallLine,
    "gain": lambda span, marks, verb, *rest: s.Gain(span, marks, verb.text, None, *rest),
    "gains": lambda span, marks, who, verb, *rest: s.Gain(span, marks, verb.text[:-1], who, *rest),
    "move_all": s.MoveAll,
    "move_piece": s.MovePiece,
    "move_count": s.MoveCount,
    "draw": s.Draw,
    "roll_all": lambda span, marks, source, to: s.RollOver(span, marks, None, source, to),
    "roll_count": s.RollOver,
    "roll": s.Roll,
    "shuffle": s.Shuffle,
    "show": s.Show,
    "set_mark": s.SetMark,
    "clear": s.Clear,
    "needs": s.Needs,
    "end_game": s.EndGame,
    "wins": s.Wins,
    "nothing": s.Nothing,
}
"""How each statement of one line is made from its place, its clause marks and its parts."""

TUPLES = frozenset({"arguments", "clauses", "keys", "params", "targets"})


class Builder:
    """Builds syntax from the trees of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def definitions(self, tree: Tree[Token]) -> tuple[s.Definition, ...]:
        return tuple(self.build(child) for child in tree.children if isinstance(child, Tree))

    def question(self, tree: Tree[Token]) -> s.Expr:
        return cast(s.Expr, self.build(tree.children[0]))

    def build(self, tree: Any) -> Any:
        """The node of one tree; a `Word` for a token, a tuple for a list, nothing for nothing."""
        if tree is None:
            return None
        if isinstance(tree, Token):
            return self._number(tree) if tree.type == "INT" else s.Word(self.span(tree), str(tree))
        name = str(tree.data)
        if name in TUPLES:
            return self._tuple(tree)
        if name in EXPRESSIONS:
            return EXPRESSIONS[name](self.span(tree), *(self.build(c) for c in tree.children))
        make = getattr(self, name, None)
        if make is None:
            raise InternalError(f"the grammar's rule `{name}` has no node")
        return make(self.span(tree), *tree.children)

    def _tuple(self, tree: Any) -> tuple[Any, ...]:
        """Nothing between brackets is a list without members."""
        return tuple(self.build(child) for child in tree.children if child is not None) if tree else ()

    # ---- places

    def span(self, tree: Tree[Token] | Token) -> Span:
        """Where a tree stands, without the line ends after it."""
        if isinstance(tree, Token):
            return Span(self.source, tree.start_pos or 0, tree.end_pos or 0)
        if tree.meta.empty:
            return Span(self.source, 0, 0)
        start, end = tree.meta.start_pos, tree.meta.end_pos
        text = self.source.text
        while end > start and text[end - 1 : end].isspace():
            end -= 1
        return Span(self.source, start, end)

    def _header(self, span: Span) -> Span:
        """The header's first line only: a block under it is not what an error points at."""
        text = span.first_line().text.split("§", 1)[0].split("#", 1)[0]
        return Span(self.source, span.start, span.start + len(text.rstrip()))

    # ---- numbers

    def _number(self, digits: Token) -> s.Number:
        return s.Number(self.span(digits), self._whole(digits))

    def number(self, span: Span, digits: Token) -> s.Number:
        return self._number(digits)

    def _whole(self, digits: Token) -> int:
        """A number as written. Raises `Failed` if it is too large or has leading zeros."""
        span = self.span(digits)
        shown = digits if len(digits) <= 40 else digits[:37] + "..."
        if len(digits) > 1 and digits.startswith("0"):
            raise Failed(
                NotAllowedHere(
                    span, f"`{shown}` has a leading zero", "write the number without leading zeros"
                )
            )
        if len(digits) > DIGITS or int(digits) > HIGHEST_WRITTEN:
            raise Failed(NotInRange(span, shown, f"the numbers up to {HIGHEST_WRITTEN}"))
        return int(digits)

    def nests(self, span: Span, digits: Token) -> int:
        depth = self._whole(digits)
        if not 1 <= depth <= DEEPEST_CALLS:
            raise Failed(NotInRange(self.span(digits), str(digits), f"1..{DEEPEST_CALLS}"))
        return depth

    # ---- definitions

    def routine(
        self, span: Span, kind: Token, name: Token, params: Any, nests: Any, clauses: Any, block: Any
    ) -> s.Routine:
        return s.Routine(
            self._header(span),
            self._tuple(clauses),
            cast(Any, str(kind)),
            self.build(name),
            self._tuple(params),
            self.build(nests),
            self._block(block),
        )

    def param(self, span: Span, name: Token, domain: Any, group: Any, where: Any) -> s.Parameter:
        return s.Parameter(span, self.build(name), self.build(domain), self.build(group), self.build(where))

    def domain(self, span: Span, group: Any, none: Any) -> s.Domain:
        return s.Domain(span, self.build(group), none is not None)

    def value_line(self, span: Span, name: Token, params: Any, expr: Any, clauses: Any) -> s.Value:
        marks = self._tuple(clauses)
        case = s.Case(span, marks, self.build(expr), None)
        return s.Value(self._header(span), marks, self.build(name), self._tuple(params), (case,))

    def value_block(self, span: Span, name: Token, params: Any, clauses: Any, *cases: Any) -> s.Value:
        made = tuple(self.build(c) for c in cases)
        return s.Value(self._header(span), self._tuple(clauses), self.build(name), self._tuple(params), made)

    def case_when(self, span: Span, expr: Any, condition: Any, clauses: Any) -> s.Case:
        return s.Case(span, self._tuple(clauses), self.build(expr), self.build(condition))

    def case_otherwise(self, span: Span, expr: Any, clauses: Any) -> s.Case:
        return s.Case(span, self._tuple(clauses), self.build(expr), None)

    def modify(
        self, span: Span, name: Token, params: Any, mode: Token, amount: Any, condition: Any, clauses: Any
    ) -> s.Modify:
        return s.Modify(
            span,
            self._tuple(clauses),
            self.build(name),
            self._tuple(params),
            cast(Any, str(mode)),
            self.build(amount),
            self.build(condition),
        )

    def when(self, span: Span, condition: Any, clauses: Any, block: Any) -> s.When:
        return s.When(self._header(span), self._tuple(clauses), self.build(condition), self._block(block))

    def when_moves(
        self, span: Span, name: Token, event: Token, zone: Any, clauses: Any, block: Any
    ) -> s.WhenMoves:
        return s.WhenMoves(
            self._header(span),
            self._tuple(clauses),
            self.build(name),
            cast(Any, str(event)),
            self.build(zone),
            self._block(block),
        )

    def score(self, span: Span, kind: Token, name: Token, value: Any, clauses: Any) -> s.Score:
        return s.Score(span, self._tuple(clauses), cast(Any, str(kind)), self.build(name), self.build(value))

    def always(self, span: Span, condition: Any, clauses: Any) -> s.Always:
        return s.Always(span, self._tuple(clauses), "always", self.build(condition))

    def never(self, span: Span, condition: Any, clauses: Any) -> s.Always:
        return s.Always(span, self._tuple(clauses), "never", self.build(condition))

    def eventually(self, span: Span, condition: Any, clauses: Any) -> s.Always:
        return s.Always(span, self._tuple(clauses), "eventually", self.build(condition))

    # ---- statements

    def _block(self, tree: Any) -> s.Block:
        return tuple(self.build(child) for child in tree.children) if tree is not None else ()

    def _perhaps(self, tree: Any) -> s.Block | None:
        return self._block(tree) if tree is not None else None

    def line(self, span: Span, simple: Any, clauses: Any) -> s.Line:
        place = span if simple.meta.empty else self.span(simple)
        parts = (self.build(c) for c in simple.children)
        return LINES[str(simple.data)](place, self._tuple(clauses), *parts)

    def place(self, span: Span, end: Any, zone: Any) -> s.Place:
        return s.Place(span, cast(Any, str(end)) if end is not None else None, self.build(zone))

    def choose(
        self, span: Span, verb: Any, choice: Any, clauses: Any, block: Any, otherwise: Any
    ) -> s.Choose:
        subject, strength = self._verb(verb)
        name, group, where, if_any = choice.children
        return s.Choose(
            self._header(span),
            self._tuple(clauses),
            strength,
            subject,
            self.build(name),
            self.build(group),
            self.build(where),
            if_any is not None,
            self._perhaps(block),
            self._else(otherwise),
        )

    def offer_one(
        self, span: Span, verb: Any, target: Any, actor: Any, clauses: Any, block: Any, otherwise: Any
    ) -> s.Offer:
        return self._offer(span, verb, (self.build(target),), actor, clauses, block, otherwise)

    def offer_some(
        self, span: Span, verb: Any, targets: Any, actor: Any, clauses: Any, block: Any, otherwise: Any
    ) -> s.Offer:
        return self._offer(span, verb, self._tuple(targets), actor, clauses, block, otherwise)

    def _offer(
        self,
        span: Span,
        verb: Any,
        targets: tuple[s.Expr, ...],
        actor: Any,
        clauses: Any,
        block: Any,
        otherwise: Any,
    ) -> s.Offer:
        subject, strength = self._verb(verb)
        return s.Offer(
            self._header(span),
            self._tuple(clauses),
            strength,
            subject,
            targets,
            self.build(actor),
            self._perhaps(block),
            self._else(otherwise),
        )

    def _verb(self, verb: Any) -> tuple[Any, s.Strength]:
        """Whose verb it is, and how strong."""
        kind = str(verb.data)
        subject = self.build(verb.children[0]) if kind.startswith("they") else None
        return subject, "keep" if "keep" in kind else "may" if "may" in kind else "must"

    def _else(self, tree: Any) -> s.Block | None:
        if tree is None:
            return None
        if tree.data == "else_if":
            return (self.build(tree.children[0]),)
        return self._block(tree.children[-1])

    def if_(self, span: Span, condition: Any, clauses: Any, block: Any, otherwise: Any) -> s.If:
        return s.If(
            self._header(span),
            self._tuple(clauses),
            self.build(condition),
            self._block(block),
            self._else(otherwise),
        )

    def while_(self, span: Span, condition: Any, most: Any, clauses: Any, block: Any) -> s.While:
        return s.While(
            self._header(span),
            self._tuple(clauses),
            self.build(condition),
            self.build(most),
            self._block(block),
        )

    def repeat(self, span: Span, number: Any, clauses: Any, block: Any) -> s.Repeat:
        return s.Repeat(self._header(span), self._tuple(clauses), self.build(number), self._block(block))

    def for_(self, span: Span, binder: Any, keys: Any, clauses: Any, block: Any) -> s.For:
        return s.For(
            self._header(span),
            self._tuple(clauses),
            self.build(binder),
            self._tuple(keys),
            self._block(block),
        )

    def each_turn(
        self, span: Span, who: Token, start: Any, keys: Any, where: Any, clauses: Any, block: Any
    ) -> s.EachTurn:
        return s.EachTurn(
            self._header(span),
            self._tuple(clauses),
            self.build(who),
            self.build(start),
            self._tuple(keys),
            self.build(where),
            self._block(block),
        )

    def each_together(self, span: Span, who: Token, clauses: Any, block: Any) -> s.EachTogether:
        return s.EachTogether(self._header(span), self._tuple(clauses), self.build(who), self._block(block))

    def binder(self, span: Span, name: Token, group: Any, where: Any) -> s.Binder:
        return s.Binder(span, self.build(name), self.build(group), self.build(where))
