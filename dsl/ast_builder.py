"""Lark's parse trees to syntax nodes: for each rule of the grammar, a function of a span and parts.

Trees are built bottom-up. A token becomes a `Word`; an optional part that is missing is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from lark import Token, Tree

from dsl import operators, syntax as s
from dsl.declare.nodes import LONGEST_WORD, bounded
from dsl.diagnostics import DiagnosticError
from dsl.domains import HIGHEST_WRITTEN
from dsl.messages.text import NotAllowedHere
from dsl.messages.types import NotInRange
from dsl.source import Source, Span

DIGITS = len(str(HIGHEST_WRITTEN))
DEEPEST_CALLS = 100

Make = Callable[..., Any]


class Marks(tuple[s.Word, ...]):
    """The clause marks of a line, a type of its own so that they are found among the parts."""


def definitions(source: Source, tree: Tree[Token], offset: int = 0) -> tuple[s.Definition, ...]:
    """The definitions of a tree, whose places are counted from an offset of the source."""
    return cast(tuple[s.Definition, ...], _built(source, tree, offset))


def question(source: Source, tree: Tree[Token]) -> s.Expr:
    return cast(s.Expr, _built(source, tree, 0))


def round_of_seats(source: Source, tree: Tree[Token]) -> s.EachTurn:
    return cast(s.EachTurn, _built(source, tree, 0))


def _built(source: Source, tree: Any, offset: int) -> Any:
    if tree is None:
        return None
    if isinstance(tree, Token):
        start, end = (tree.start_pos or 0) + offset, (tree.end_pos or 0) + offset
        span = Span(source, start, end)
        return s.Word(span, bounded(str(tree), span, "this name", LONGEST_WORD))
    parts = [_built(source, child, offset) for child in tree.children]
    return NODES[str(tree.data)](_span(source, tree, offset), *parts)


# ---- spans


def _span(source: Source, tree: Tree[Token], offset: int) -> Span:
    """The span of a tree, without trailing line ends."""
    if tree.meta.empty:
        return Span(source, 0, 0)
    start, end = tree.meta.start_pos + offset, tree.meta.end_pos + offset
    while end > start and source.text[end - 1].isspace():
        end -= 1
    return Span(source, start, end)


def _header(span: Span) -> Span:
    """The first line of a header: errors do not point at the block under it."""
    text = span.first_line().text.split("§", 1)[0].split("#", 1)[0]
    return Span(span.source, span.start, span.start + len(text.rstrip()))


# ---- numbers


def _number(digits: s.Word) -> int:
    """A number as written. Raises `DiagnosticError` if it is too large or has leading zeros."""
    span, text = digits.span, digits.text
    shown = text if len(text) <= 40 else text[:37] + "..."
    if len(text) > 1 and text.startswith("0"):
        raise DiagnosticError(
            NotAllowedHere(span, f"`{shown}` has a leading zero", "write the number without leading zeros")
        )
    if len(text) > DIGITS or int(text) > HIGHEST_WRITTEN:
        raise DiagnosticError(NotInRange(span, shown, f"the numbers up to {HIGHEST_WRITTEN}"))
    return int(text)


def _depth(digits: s.Word) -> int:
    depth = _number(digits)
    if not 1 <= depth <= DEEPEST_CALLS:
        raise DiagnosticError(NotInRange(digits.span, digits.text, f"1..{DEEPEST_CALLS}"))
    return depth


# ---- forms of nodes


def _tuple(span: Span, *parts: Any) -> tuple[Any, ...]:
    """A list of parts; an empty list has one part, which is none."""
    return tuple(part for part in parts if part is not None)


def _operator(op: operators.Arithmetic) -> Make:
    return lambda span, left, right: s.Arithmetic(span, op, left, right)


def _simple(make: Make) -> Make:
    """A statement of one line. Its clause marks follow later; without tokens it has the span of its line."""
    return lambda span, *parts: lambda line, marks: make(span if span.end else line, tuple(marks), *parts)


def _marked(make: Make) -> Make:
    """A line with its clause marks among its parts."""

    def build(span: Span, *parts: Any) -> Any:
        marks = next(part for part in parts if isinstance(part, Marks))
        return make(span, tuple(marks), *(part for part in parts if part is not marks))

    return build


def _headed(make: Make) -> Make:
    """A line with a block under it: its span is that of the header."""
    return _marked(lambda span, *parts: make(_header(span), *parts))


def _loses(span: Span, marks: Any, seat: s.Expr, verb: s.Word, outcome: s.Word | None) -> s.Loses:
    """`seat loses`. Raises `DiagnosticError` for the other verbs, which need an amount and a counter."""
    if verb.text != "loses":
        hint = f"give the amount and the counter: `{seat.span.text} {verb.text} 2 gold`"
        raise DiagnosticError(NotAllowedHere(verb.span, f"`{verb.text}` without an amount", hint))
    return s.Loses(span, marks, seat, outcome)


def _offer_of_some(span: Span, marks: Any, verb: Any, targets: Any, *rest: Any) -> s.Offer:
    return s.Offer(span, marks, *(*verb, targets[0], *rest, targets[1]))


def _value_line(span: Span, marks: Any, name: s.Word, params: Any, value: s.Expr) -> s.Value:
    return s.Value(_header(span), marks, name, params or (), (), (s.Case(span, marks, value, None),))


def _value_block(span: Span, marks: Any, name: s.Word, params: Any, *lines: s.Let | s.Case) -> s.Value:
    lets = tuple(line for line in lines if isinstance(line, s.Let))
    cases = tuple(line for line in lines if isinstance(line, s.Case))
    return s.Value(span, marks, name, params or (), lets, cases)


def _routine(
    span: Span, marks: Any, kind: s.Word, name: s.Word, params: Any, nests: int | None, block: Any
) -> s.Routine:
    return s.Routine(span, marks, cast(Any, kind.text), name, params or (), nests, block or ())


# ---- the rules of the grammar

LISTS: dict[str, Make] = dict.fromkeys(("start", "arguments", "block", "keys", "params"), _tuple)

EXPRESSIONS: dict[str, Make] = {
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
    "in_": lambda span, item, collection: s.Member(span, item, collection, False),
    "not_in": lambda span, item, collection: s.Member(span, item, collection, True),
    "can": s.Can,
    "interval": s.Interval,
    "plus": lambda span, left, _, right: s.Arithmetic(span, "+", left, right),
    "minus": lambda span, left, _, right: s.Arithmetic(span, "-", left, right),
    "times": _operator("*"),
    "div": _operator("div"),
    "mod": _operator("mod"),
    "negative": lambda span, _, operand: s.Negative(span, operand),
    "of": s.Address,
    "at": lambda span, head, at: s.Address(span, head, None, at),
    "attribute": lambda span, owner, name: s.Attribute(span, owner, name, ()),
    "attribute_call": s.Attribute,
    "name": lambda span, name: s.Name(span, name.text),
    "number": lambda span, digits: s.Number(span, _number(digits)),
    "none": lambda span, _: s.Constant(span, "none"),
    "true": lambda span, _: s.Constant(span, "true"),
    "false": lambda span, _: s.Constant(span, "false"),
    "call": lambda span, name, arguments: s.Call(span, name, arguments or ()),
    "times_recorded": s.TimesRecorded,
    "bracket": lambda span, inner: inner,
    "pair": lambda span, first, rest: s.Pair(span, (first, *rest)),
    "list": lambda span, items: s.ListOf(span, items or ()),
    "quantifier": lambda span, kind, binder: s.Quantifier(span, kind.text, binder),
    "prefix": lambda span, kind, binder, lasting: s.Prefix(span, kind.text, binder, lasting, False),
    "until": lambda span, kind, binder, _, last: s.Prefix(span, kind.text, binder, last, True),
    "first": lambda span, _, binder: s.Pick(span, "first", binder, ()),
    "ranked": lambda span, _, number, kind, binder, keys: s.Ranked(span, number, kind.text, binder, keys),
    "fold": lambda span, kind, body, binder: s.Fold(span, kind.text, body, binder),
    "extreme": lambda span, kind, items: s.Extreme(span, kind.text, items),
    "pick": lambda span, kind, binder, keys: s.Pick(span, kind.text, binder, keys),
    "binder": s.Binder,
    "question": lambda span, inner: inner,
    "round": lambda span, who, start, keys, where: s.EachTurn(span, (), who, start, keys or (), where, ()),
}

SIMPLE: dict[str, Make] = {
    "let": s.Let,
    "assign": lambda span, marks, to, op, value: s.Assign(span, marks, op.text, to, value),
    "call_line": s.CallLine,
    "gain": lambda span, marks, verb, *rest: s.Gain(span, marks, verb.text, None, *rest),
    "gains": lambda span, marks, who, verb, *rest: s.Gain(span, marks, verb.text[:-1], who, *rest),
    "move_all": s.MoveAll,
    "move_piece": s.MovePiece,
    "move_count": lambda span, marks, number, source, to: s.MoveCount(span, marks, number, source, to, False),
    "move_up_to": lambda span, marks, number, source, to: s.MoveCount(span, marks, number, source, to, True),
    "draw": s.Draw,
    "roll_all": lambda span, marks, source, to: s.RollOver(span, marks, None, source, to, False),
    "roll_count": lambda span, marks, number, source, to: s.RollOver(span, marks, number, source, to, False),
    "roll_up_to": lambda span, marks, number, source, to: s.RollOver(span, marks, number, source, to, True),
    "roll": s.Roll,
    "shuffle": s.Shuffle,
    "chance_chooses": lambda span, marks, chance, name, collection, where, by, weight: s.ChanceChooses(
        span, marks, name, collection, where, weight
    ),
    "show": lambda span, marks, zone, to, openly: s.Show(span, marks, zone, to, openly is not None),
    "show_to_all": lambda span, marks, zone: s.Show(span, marks, zone, None, True),
    "swap": s.Swap,
    "set_mark": s.SetMark,
    "clear": lambda span, marks, target: s.Clear(span, marks, target, False),
    "clear_all": lambda span, marks, target: s.Clear(span, marks, target, True),
    "record": lambda span, marks, _, name: s.Record(span, marks, name),
    "needs": s.Needs,
    "end_game": s.EndGame,
    "wins": s.Wins,
    "win_together": s.WinTogether,
    "loses": lambda span, marks, seat, verb, outcome: _loses(span, marks, seat, verb, outcome),
    "nothing": s.Nothing,
}

VERBS: dict[str, s.Strength] = {
    "choose": "must",
    "may_choose": "may",
    "keep_choosing": "keep",
    "do": "must",
    "do_one": "must",
    "may_do": "may",
    "keep_doing": "keep",
}
"""The rules of verbs, for the acting seat with the prefix `i_`, for a named one with `they_`."""


def _asked(word: s.Word | None) -> s.Asked:
    return "always" if word is None else "if any" if word.text == "any" else "if several"


def _verb(strength: s.Strength, span: Span, subject: s.Expr | None = None) -> tuple[Any, ...]:
    return strength, subject


STATEMENTS: dict[str, Make] = {
    **{name: _simple(make) for name, make in SIMPLE.items()},
    **{f"{who}_{verb}": partial(_verb, how) for who in ("i", "they") for verb, how in VERBS.items()},
    "line": lambda span, simple, marks: simple(span, marks),
    "place": lambda span, end, zone: s.Place(span, end.text if end is not None else None, zone),
    "origin": lambda span, end, zone: s.Origin(span, end.text if end is not None else None, zone),
    "choice": lambda span, name, collection, where, asked, secretly: (
        *(name, collection, where),
        *(_asked(asked), secretly is not None, None),
    ),
    "choice_several": lambda span, several, where, asked, secretly: (
        *(several[0], several[1], where),
        *(_asked(asked), secretly is not None, several[2]),
    ),
    "several": lambda span, number, name, collection, group: (
        *(name, collection),
        replace(number, group=group),
    ),
    "how_often": lambda span, number: s.Several(span, number, False, None),
    "up_to": lambda span, _, number: s.Several(span, number, True, None),
    "choose": _headed(lambda span, marks, verb, choice, *rest: s.Choose(span, marks, *verb, *choice, *rest)),
    "offer_one": _headed(lambda span, marks, verb, one, *rest: s.Offer(span, marks, *(*verb, (one,), *rest))),
    "offer_some": _headed(_offer_of_some),
    "targets": lambda span, *parts: (parts[:-2], parts[-1]),
    "if_": _headed(s.If),
    "else_block": lambda span, marks, block: block,
    "else_if": lambda span, line: (line,),
    "while_": _headed(s.While),
    "recall": _headed(lambda span, marks, _, __, *rest: s.Recall(span, marks, *rest)),
    "repeat": _headed(s.Repeat),
    "repeat_until": _headed(
        lambda span, marks, _, condition, __, most, block: s.RepeatUntil(span, marks, condition, most, block)
    ),
    "repeat_settling": _headed(
        lambda span, marks, _, __, ___, most, block: s.RepeatUntil(span, marks, None, most, block)
    ),
    "for_": _headed(lambda span, marks, binder, keys, block: s.For(span, marks, binder, keys or (), block)),
    "each_turn": _headed(
        lambda span, marks, who, start, keys, *rest: s.EachTurn(span, marks, who, start, keys or (), *rest)
    ),
    "each_together": _headed(s.EachTogether),
}

DEFINITIONS: dict[str, Make] = {
    "routine": _headed(_routine),
    "nests": lambda span, digits: _depth(digits),
    "param": s.Parameter,
    "param_several": lambda span, several, where: s.Parameter(
        span, several[0], None, several[1], where, several[2]
    ),
    "domain": lambda span, collection, none: s.Domain(span, collection, none is not None, False),
    "domain_set": lambda span, collection: s.Domain(span, collection, False, True),
    "value_line": _marked(_value_line),
    "value_block": _headed(_value_block),
    "value_let": _marked(s.Let),
    "case_when": _marked(s.Case),
    "case_otherwise": _marked(lambda span, marks, value: s.Case(span, marks, value, None)),
    "case_only": _marked(lambda span, marks, value: s.Case(span, marks, value, None)),
    "modify": _marked(
        lambda span, marks, name, params, mode, *rest: s.Modify(
            span, marks, name, params or (), mode.text, *rest
        )
    ),
    "when": _headed(s.When),
    "when_moves": _headed(
        lambda span, marks, name, event, *rest: s.WhenMoves(span, marks, name, event.text, *rest)
    ),
    "score": _marked(lambda span, marks, kind, *rest: s.Score(span, marks, kind.text, *rest)),
    "lowest_tiebreak": _marked(
        lambda span, marks, kind, best, name, value: s.Score(span, marks, kind.text, name, value, best.text)
    ),
    "always": _marked(lambda span, marks, condition: s.Always(span, marks, "always", condition)),
    "never": _marked(lambda span, marks, condition: s.Always(span, marks, "never", condition)),
    "eventually": _marked(lambda span, marks, condition: s.Always(span, marks, "eventually", condition)),
    "clauses": lambda span, *marks: Marks(marks),
}

NODES: dict[str, Make] = {**LISTS, **EXPRESSIONS, **STATEMENTS, **DEFINITIONS}
