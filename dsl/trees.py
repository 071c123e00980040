"""Lark's trees to syntax nodes: one method a grammar rule."""

from __future__ import annotations

from typing import Any, cast

from lark import Token, Tree

from dsl import syntax as s
from dsl.source import Source, Span


class Builder:
    """Builds syntax from the trees of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def definitions(self, tree: Tree[Token]) -> tuple[s.Definition, ...]:
        return tuple(self.build(child) for child in tree.children if isinstance(child, Tree))

    def question(self, tree: Tree[Token]) -> s.Expr:
        return cast(s.Expr, self.build(tree.children[0]))

    def build(self, tree: Any) -> Any:
        """The node of one tree. Rules without a method of their own are a mistake of ours."""
        if tree is None:
            return None
        if isinstance(tree, Token):
            return s.Word(self.span(tree), str(tree))
        return getattr(self, tree.data)(self.span(tree), *tree.children)

    def span(self, tree: Any) -> Span:
        if isinstance(tree, Token):
            return Span(self.source, tree.start_pos or 0, tree.end_pos or 0)
        meta = tree.meta
        if meta.empty:
            return Span(self.source, 0, 0)
        text = self.source.text
        end = meta.end_pos
        while end > meta.start_pos and text[end - 1 : end].isspace():
            end -= 1
        return Span(self.source, meta.start_pos, end)

    def _tuple(self, tree: Any) -> tuple[Any, ...]:
        if tree is None:
            return ()
        return tuple(self.build(child) for child in tree.children if child is not None)

    # ---- definitions

    def routine(self, span: Span, kind: Token, name: Token, params: Any, nests: Any, clauses: Any,
                block: Any) -> s.Routine:  # fmt: skip
        depth = int(nests.children[-1]) if nests is not None else None
        header = self._header(span, clauses, kind)
        return s.Routine(header, self._tuple(clauses), cast(Any, str(kind)), self.build(name),
                         self._tuple(params), depth, self._block(block))  # fmt: skip

    def _header(self, span: Span, clauses: Any, first: Any) -> Span:
        """The header's first line only: a block under it is not what an error points at."""
        text = self.source.text[span.start : span.end].split("\n", 1)[0].split("§", 1)[0]
        return Span(self.source, span.start, span.start + len(text.rstrip()))

    def param(self, span: Span, name: Token, domain: Any, group: Any, where: Any) -> s.Parameter:
        return s.Parameter(span, self.build(name), self.build(domain), self.build(group), self.build(where))

    def domain(self, span: Span, group: Any, *rest: Any) -> s.Domain:
        return s.Domain(span, self.build(group), any(r is not None for r in rest))

    def value_line(self, span: Span, name: Token, params: Any, expr: Any, clauses: Any) -> s.Value:
        marks = self._tuple(clauses)
        case = s.Case(span, marks, self.build(expr), None)
        return s.Value(span, marks, self.build(name), self._tuple(params), (case,))

    def value_block(self, span: Span, name: Token, params: Any, clauses: Any, *cases: Any) -> s.Value:
        header = self._header(span, clauses, name)
        return s.Value(header, self._tuple(clauses), self.build(name), self._tuple(params),
                       tuple(self.build(c) for c in cases))  # fmt: skip

    def case_when(self, span: Span, expr: Any, condition: Any, clauses: Any) -> s.Case:
        return s.Case(span, self._tuple(clauses), self.build(expr), self.build(condition))

    def case_otherwise(self, span: Span, expr: Any, clauses: Any) -> s.Case:
        return s.Case(span, self._tuple(clauses), self.build(expr), None)

    def modify(self, span: Span, name: Token, params: Any, mode: Token, amount: Any, condition: Any,
               clauses: Any) -> s.Modify:  # fmt: skip
        return s.Modify(span, self._tuple(clauses), self.build(name), self._tuple(params),
                        cast(Any, str(mode)), self.build(amount), self.build(condition))  # fmt: skip

    def when(self, span: Span, condition: Any, clauses: Any, block: Any) -> s.When:
        return s.When(self._header(span, clauses, None), self._tuple(clauses), self.build(condition),
                      self._block(block))  # fmt: skip

    def when_moves(self, span: Span, name: Token, event: Token, zone: Any, clauses: Any,
                   block: Any) -> s.WhenMoves:  # fmt: skip
        return s.WhenMoves(self._header(span, clauses, None), self._tuple(clauses), self.build(name),
                           cast(Any, str(event)), self.build(zone), self._block(block))  # fmt: skip

    def score(self, span: Span, kind: Token, name: Token, value: Any, clauses: Any) -> s.Score:
        return s.Score(span, self._tuple(clauses), cast(Any, str(kind)), self.build(name), self.build(value))

    def always(self, span: Span, condition: Any, clauses: Any) -> s.Always:
        return s.Always(span, self._tuple(clauses), self.build(condition))

    # ---- statements

    def _block(self, tree: Any) -> s.Block:
        if tree is None:
            return ()
        return tuple(self._line(child) for child in tree.children)

    def _line(self, tree: Any) -> s.Line:
        if tree.data == "line":
            simple, clauses = tree.children
            marks = self._tuple(clauses)
            span = self.span(tree if simple.meta.empty else simple)
            return cast(s.Line, getattr(self, simple.data)(span, marks, *simple.children))
        return cast(s.Line, self.build(tree))

    def let(self, span: Span, marks: Any, name: Token, value: Any) -> s.Let:
        return s.Let(span, marks, self.build(name), self.build(value))

    def assign(self, span: Span, marks: Any, target: Any, op: Token, value: Any) -> s.Assign:
        return s.Assign(span, marks, cast(Any, str(op)), self.build(target), self.build(value))

    def call_line(self, span: Span, marks: Any, call: Any) -> s.CallLine:
        return s.CallLine(span, marks, self.build(call))

    def gain(self, span: Span, marks: Any, verb: Token, amount: Any, counter: Any, to: Any) -> s.Gain:
        return s.Gain(span, marks, cast(Any, str(verb)), None, self.build(amount), self.build(counter),
                      self.build(to))  # fmt: skip

    def gains(self, span: Span, marks: Any, subject: Any, verb: Token, amount: Any, counter: Any,
              to: Any) -> s.Gain:  # fmt: skip
        return s.Gain(span, marks, cast(Any, str(verb)[:-1]), self.build(subject), self.build(amount),
                      self.build(counter), self.build(to))  # fmt: skip

    def place(self, span: Span, end: Any, zone: Any) -> s.Place:
        return s.Place(span, cast(Any, str(end)) if end is not None else None, self.build(zone))

    def move_all(self, span: Span, marks: Any, *parts: Any) -> s.Move:
        source, to = parts[-2:]
        return s.Move(span, marks, "all", self.build(source), self.build(to))

    def move_piece(self, span: Span, marks: Any, what: Any, to: Any) -> s.Move:
        return s.Move(span, marks, self.build(what), None, self.build(to))

    def move_count(self, span: Span, marks: Any, what: Any, source: Any, to: Any) -> s.Move:
        return s.Move(span, marks, self.build(what), self.build(source), self.build(to))

    def draw(self, span: Span, marks: Any, name: Token, source: Any, to: Any) -> s.Draw:
        return s.Draw(span, marks, self.build(name), self.build(source), self.build(to))

    def roll_all(self, span: Span, marks: Any, *parts: Any) -> s.Roll:
        source, to = parts[-2:]
        return s.Roll(span, marks, "all", self.build(source), self.build(to))

    def roll_count(self, span: Span, marks: Any, what: Any, source: Any, to: Any) -> s.Roll:
        return s.Roll(span, marks, self.build(what), self.build(source), self.build(to))

    def roll(self, span: Span, marks: Any, what: Any) -> s.Roll:
        return s.Roll(span, marks, self.build(what), None, None)

    def shuffle(self, span: Span, marks: Any, zone: Any) -> s.Shuffle:
        return s.Shuffle(span, marks, self.build(zone))

    def show(self, span: Span, marks: Any, zone: Any, to: Any) -> s.Show:
        return s.Show(span, marks, self.build(zone), self.build(to))

    def set_mark(self, span: Span, marks: Any, mark: Any) -> s.SetMark:
        return s.SetMark(span, marks, self.build(mark))

    def clear(self, span: Span, marks: Any, target: Any) -> s.Clear:
        return s.Clear(span, marks, self.build(target))

    def needs(self, span: Span, marks: Any, condition: Any) -> s.Needs:
        return s.Needs(span, marks, self.build(condition))

    def end_game(self, span: Span, marks: Any, *_: Any) -> s.EndGame:
        return s.EndGame(span, marks)

    def wins(self, span: Span, marks: Any, seat: Any) -> s.Wins:
        return s.Wins(span, marks, self.build(seat))

    def nothing(self, span: Span, marks: Any) -> s.Nothing:
        return s.Nothing(span, marks)

    def choose(
        self, span: Span, verb: Any, choice: Any, clauses: Any, block: Any, otherwise: Any
    ) -> s.Choose:
        subject, strength = self._verb(verb)
        name, group, where, *if_any = choice.children
        return s.Choose(self._header(span, clauses, None), self._tuple(clauses), strength, subject,
                        self.build(name), self.build(group), self.build(where),
                        any(x is not None for x in if_any),
                        self._block(block) if block is not None else None, self._else(otherwise))  # fmt: skip

    def offer(self, span: Span, verb: Any, targets: Any, actor: Any, clauses: Any, block: Any,
              otherwise: Any) -> s.Offer:  # fmt: skip
        subject, strength = self._verb(verb)
        return s.Offer(self._header(span, clauses, None), self._tuple(clauses), strength, subject,
                       self._tuple(targets), self.build(actor),
                       self._block(block) if block is not None else None, self._else(otherwise))  # fmt: skip

    def _verb(self, verb: Any) -> tuple[Any, s.Strength]:
        kind: str = verb.data
        subject = self.build(verb.children[0]) if kind.startswith("they") else None
        return subject, "keep" if "keep" in kind else "may" if "may" in kind else "must"

    def _else(self, tree: Any) -> s.Block | None:
        if tree is None:
            return None
        if tree.data == "else_if":
            return (self.build(tree.children[0]),)
        return self._block(tree.children[-1])

    def if_(self, span: Span, *parts: Any) -> s.If:
        condition, clauses, block, otherwise = parts[-4:]
        return s.If(self._header(span, clauses, None), self._tuple(clauses), self.build(condition),
                    self._block(block), self._else(otherwise))  # fmt: skip

    def while_(self, span: Span, condition: Any, *rest: Any) -> s.While:
        clauses, block = rest[-2:]
        most = rest[-3]
        return s.While(self._header(span, clauses, None), self._tuple(clauses), self.build(condition),
                       self.build(most), self._block(block))  # fmt: skip

    def repeat(self, span: Span, number: Any, clauses: Any, block: Any) -> s.Repeat:
        return s.Repeat(self._header(span, clauses, None), self._tuple(clauses), self.build(number),
                        self._block(block))  # fmt: skip

    def for_(self, span: Span, binder: Any, *rest: Any) -> s.For:
        keys, clauses, block = rest[-3:]
        return s.For(self._header(span, clauses, None), self._tuple(clauses), self.build(binder),
                     self._tuple(keys), self._block(block))  # fmt: skip

    def each_turn(self, span: Span, who: Token, *rest: Any) -> s.EachTurn:
        start, keys, where, clauses, block = [r for r in rest if not _keyword(r)]
        return s.EachTurn(self._header(span, clauses, None), self._tuple(clauses), self.build(who),
                          self.build(start), self._tuple(keys), self.build(where),
                          self._block(block))  # fmt: skip

    def each_together(self, span: Span, who: Token, *rest: Any) -> s.EachTogether:
        keys, clauses, block = [r for r in rest if not _keyword(r)]
        return s.EachTogether(self._header(span, clauses, None), self._tuple(clauses), self.build(who),
                              self._tuple(keys), self._block(block))  # fmt: skip

    # ---- expressions

    def ternary(self, span: Span, *parts: Any) -> s.Ternary:
        then, condition, otherwise = (p for p in parts if not _keyword(p))
        return s.Ternary(span, self.build(then), self.build(condition), self.build(otherwise))

    def or_(self, span: Span, *parts: Any) -> s.Logic:
        return s.Logic(span, "or", self.build(parts[0]), self.build(parts[-1]))

    def and_(self, span: Span, left: Any, right: Any) -> s.Logic:
        return s.Logic(span, "and", self.build(left), self.build(right))

    def not_(self, span: Span, operand: Any) -> s.Not:
        return s.Not(span, self.build(operand))

    def compare(self, span: Span, left: Any, op: Token, right: Any) -> s.Compare:
        return s.Compare(span, cast(Any, str(op)), self.build(left), self.build(right))

    def is_(self, span: Span, left: Any, right: Any) -> s.Compare:
        return s.Compare(span, "is", self.build(left), self.build(right))

    def is_not(self, span: Span, left: Any, right: Any) -> s.Compare:
        return s.Compare(span, "is not", self.build(left), self.build(right))

    def is_empty(self, span: Span, operand: Any) -> s.IsEmpty:
        return s.IsEmpty(span, self.build(operand), False)

    def is_not_empty(self, span: Span, operand: Any) -> s.IsEmpty:
        return s.IsEmpty(span, self.build(operand), True)

    def exists(self, span: Span, operand: Any) -> s.Exists:
        return s.Exists(span, self.build(operand))

    def in_(self, span: Span, item: Any, group: Any) -> s.Member:
        return s.Member(span, self.build(item), self.build(group), False)

    def not_in(self, span: Span, item: Any, group: Any) -> s.Member:
        return s.Member(span, self.build(item), self.build(group), True)

    def can(self, span: Span, what: Any, actor: Any) -> s.Can:
        return s.Can(span, self.build(what), self.build(actor))

    def interval(self, span: Span, low: Any, high: Any) -> s.Interval:
        return s.Interval(span, self.build(low), self.build(high))

    def _arithmetic(self, op: Any, span: Span, parts: tuple[Any, ...]) -> s.Arithmetic:
        return s.Arithmetic(span, op, self.build(parts[0]), self.build(parts[-1]))

    def plus(self, span: Span, *parts: Any) -> s.Arithmetic:
        return self._arithmetic("+", span, parts)

    def minus(self, span: Span, *parts: Any) -> s.Arithmetic:
        return self._arithmetic("-", span, parts)

    def times(self, span: Span, *parts: Any) -> s.Arithmetic:
        return self._arithmetic("*", span, parts)

    def div(self, span: Span, *parts: Any) -> s.Arithmetic:
        return self._arithmetic("div", span, parts)

    def mod(self, span: Span, *parts: Any) -> s.Arithmetic:
        return self._arithmetic("mod", span, parts)

    def negative(self, span: Span, *parts: Any) -> s.Negative:
        return s.Negative(span, self.build(parts[-1]))

    def of(self, span: Span, head: Any, of: Any, at: Any) -> s.Address:
        return s.Address(span, self.build(head), self.build(of), self.build(at))

    def at(self, span: Span, head: Any, at: Any) -> s.Address:
        return s.Address(span, self.build(head), None, self.build(at))

    def attribute(self, span: Span, owner: Any, name: Token) -> s.Attribute:
        return s.Attribute(span, self.build(owner), self.build(name), ())

    def attribute_call(self, span: Span, owner: Any, name: Token, arguments: Any) -> s.Attribute:
        return s.Attribute(span, self.build(owner), self.build(name), self._tuple(arguments))

    def name(self, span: Span, name: Token) -> s.Name:
        return s.Name(span, str(name))

    def number(self, span: Span, digits: Token) -> s.Number:
        return s.Number(span, int(digits))

    def none(self, span: Span, *_: Any) -> s.Constant:
        return s.Constant(span, "none")

    def true(self, span: Span, *_: Any) -> s.Constant:
        return s.Constant(span, "true")

    def false(self, span: Span, *_: Any) -> s.Constant:
        return s.Constant(span, "false")

    def call(self, span: Span, name: Token, arguments: Any) -> s.Call:
        return s.Call(span, self.build(name), self._tuple(arguments))

    def bracket(self, span: Span, inner: Any) -> s.Expr:
        return cast(s.Expr, self.build(inner))

    def list(self, span: Span, arguments: Any) -> s.ListOf:
        return s.ListOf(span, self._tuple(arguments))

    def quantifier(self, span: Span, kind: Token, binder: Any) -> s.Quantifier:
        return s.Quantifier(span, cast(Any, str(kind)), self.build(binder))

    def fold(self, span: Span, kind: Token, body: Any, binder: Any) -> s.Fold:
        return s.Fold(span, cast(Any, str(kind)), self.build(body), self.build(binder))

    def extreme(self, span: Span, kind: Token, arguments: Any) -> s.Extreme:
        return s.Extreme(span, cast(Any, str(kind)), self._tuple(arguments))

    def pick(self, span: Span, kind: Token, binder: Any, *rest: Any) -> s.Pick:
        return s.Pick(span, cast(Any, str(kind)), self.build(binder), self._tuple(rest[-1]))

    def binder(self, span: Span, name: Token, group: Any, where: Any) -> s.Binder:
        return s.Binder(span, self.build(name), self.build(group), self.build(where))


def _keyword(tree: Any) -> bool:
    return isinstance(tree, Token) and tree.type not in ("NAME", "INT")
