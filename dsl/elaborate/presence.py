"""What is known to exist without a test of its own: by a condition with a name, by construction, by a bound.

Types stay as they are declared, so a test of what is known to exist is allowed, and costs nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal, Protocol

from dsl import rules as r, syntax as s
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic
from dsl.domains import NONE, is_optional
from dsl.operators import NEGATED, Comparison

Pointers = frozenset[str]
"""The pointers that must never be none for something to exist."""
ALWAYS: Pointers = frozenset()

Cause = Literal["changed", "round", "call", "seat", "moment"]
"""Why something is not known any more: it was written, or may be in another round of a block or by what is
called, `me` is another seat, or it lasts a moment and the rules have waited."""
UPDATED = "; `rulewright update` shows how the test may be written"
"""Ends the help where a value that may be none is compared or stored."""
CHECK_FIRST = "check `{text} exists` first, in `needs`, `if` or `where`"
CHECK_AGAIN: Mapping[Cause, str] = {
    "changed": "`{name}` is changed after the check: use it before, or check `{text} exists` again,"
    " with `if`",
    "round": "the block changes `{name}`, so a check before its first round is not enough:"
    " check `{text} exists` inside the block, with `if`",
    "call": "what is called after the check may change `{name}`: check `{text} exists` again, with `if`",
    "moment": "`{name}` lasts a moment, and is as at the start again after a choice or chance: keep what is"
    " needed of it with `let` before",
    "seat": "`{name}` is another seat here than at the check: check `{text} exists` again, with `if`",
}


class NamedConditions(Protocol):
    """What a scope knows of values."""

    def condition(self, name: str) -> s.Value | None: ...

    def presence(self, name: str) -> Pointers | None: ...


class KnownFacts(Protocol):
    """What is known at a place of the rules."""

    symbols: SymbolTable
    locals: dict[str, r.Var]
    known: frozenset[str]
    present: dict[str, Pointers]

    @property
    def signatures(self) -> NamedConditions: ...


BOUND = re.compile(r"(.*) (above|below) (-?\d+)")


# ---- conditions


def facts(node: s.Expr | None, truth: bool = True) -> frozenset[str]:
    """The facts that follow from a condition being true, or false."""
    match node:
        case s.Exists(operand=operand) if truth:
            return _chain(operand)
        case s.Compare(op="is", left=left, right=right):
            nothing = isinstance(right, s.Constant) and right.value == "none"
            if nothing:
                return _chain(left) if not truth else frozenset()
            if truth:
                return frozenset({key_of(left)})
            return frozenset({other_than(key_of(left), key_of(right))})
        case s.Compare(op="is not", left=left, right=s.Constant(value="none")):
            return _chain(left) if truth else frozenset()
        case s.Compare(op="is not", left=left, right=right) if truth:
            return frozenset({other_than(key_of(left), key_of(right))})
        case s.IsEmpty(operand=operand, negated=negated):
            return frozenset({key_of(operand)}) if truth == negated else frozenset()
        case s.Not(operand=operand):
            return facts(operand, not truth)
        case s.Logic(op=op, left=left, right=right):
            if (op == "and") == truth:
                return facts(left, truth) | facts(right, truth)
    return frozenset()


def _chain(node: s.Expr) -> frozenset[str]:
    """The facts that follow from the existence of what a chain leads to."""
    return frozenset({key_of(node), *map(key_of, inner_parts(node))})


def inner_parts(node: s.Expr) -> Iterator[s.Expr]:
    """What a chain goes through, from the inside out: owners of attributes, indices, arguments of calls."""
    inner: tuple[s.Expr | None, ...] = ()
    match node:
        case s.Address(of=of, at=at):
            inner = (of, at)
        case s.Attribute(owner=owner, keys=keys):
            inner = (owner, *keys)
        case s.Call(arguments=arguments):
            inner = arguments
    for part in inner:
        if isinstance(part, s.Name | s.Address | s.Attribute | s.Call):
            yield from inner_parts(part)
            yield part


DEEPEST_FACT, LONGEST_FACT = 12, 500
"""Through how many values that name each other facts are looked for, and how long the text of one is."""


def implied(scope: KnownFacts, node: s.Expr | None, truth: bool = True) -> frozenset[str]:
    """The facts that follow from the values that a condition names, and from comparisons with numbers."""
    return _Implied(scope).by(node, truth, frozenset(scope.locals), 0)


class _Implied:
    """What follows from one condition; from each value that it names once, however often it is named."""

    def __init__(self, scope: KnownFacts) -> None:
        self.scope = scope
        self.named: dict[tuple[str, bool, frozenset[str]], frozenset[str]] = {}

    def by(self, node: s.Expr | None, truth: bool, hidden: frozenset[str], depth: int) -> frozenset[str]:
        """`hidden` are the names that are not values here."""
        match node:
            case s.Not(operand=operand):
                return self.by(operand, not truth, hidden, depth)
            case s.Logic(op=op, left=left, right=right):
                if (op == "and") == truth:
                    return self.by(left, truth, hidden, depth) | self.by(right, truth, hidden, depth)
            case s.Name(text=name) if name not in hidden:
                return self.of_named(name, (), truth, hidden, depth)
            case s.Call(name=word, arguments=arguments) if word.text not in hidden:
                return self.of_named(word.text, arguments, truth, hidden, depth)
            case s.IsEmpty(operand=operand, negated=negated) if truth == negated:
                return frozenset({key_of(operand)})
            case s.Compare(op="<" | "<=" | ">" | ">=" as op, left=left, right=s.Number(value=number)):
                return frozenset({_bound(key_of(left), op if truth else NEGATED[op], number)})
        return frozenset()

    def of_named(
        self, name: str, arguments: tuple[s.Expr, ...], truth: bool, hidden: frozenset[str], depth: int
    ) -> frozenset[str]:
        """The facts that follow from a value; its parameters are written as the arguments."""
        value = self.scope.signatures.condition(name)
        if value is None or len(value.parameters) != len(arguments) or depth == DEEPEST_FACT:
            return frozenset()
        key = name, truth, hidden
        if key not in self.named:
            body, own = value.cases[0].value, {p.name.text for p in value.parameters}
            inner = self.by(body, truth, hidden | own | {name}, depth + 1)
            self.named[key] = facts(body, truth) | inner
        given = {p.name.text: key_of(a) for p, a in zip(value.parameters, arguments, strict=True)}
        found = (re.sub(r"\w+", lambda word: given.get(word[0], word[0]), f) for f in self.named[key])
        return frozenset(fact for fact in found if len(fact) <= LONGEST_FACT)


def _bound(text: str, op: Comparison, number: int) -> str:
    """The fact that a number is above or below another one."""
    exclusive = number + {">=": -1, "<=": 1}.get(op, 0)
    return f"{text} {'above' if op in ('>', '>=') else 'below'} {exclusive}"


# ---- values


def presence(scope: KnownFacts, value: r.Expr, key: str) -> Pointers | None:
    """The pointers that must never be none for a value to exist; none if it may be none all the same."""
    if key in scope.present:
        return scope.present[key]
    match value:
        case r.PickOf(binder=r.Binder(where=None, collection=collection)):
            return ALWAYS if _is_some(scope, collection) else None
        case r.UseValue(value=name):
            return scope.signatures.presence(name)
        case r.ReadStateVar(kind="pointer", name=name) if scope.symbols.pointers[name].start != NONE:
            return frozenset({name})
        case r.Cond(then=then, otherwise=otherwise):
            return _of_both(scope, then, otherwise)
        case r.Successor(decl=decl, by=by, operand=operand):
            inside = _is_inside(scope, scope.symbols.types[decl], by, text_of(operand))
            return ALWAYS if inside else None
    return None


def _of_both(scope: KnownFacts, a: r.Expr, b: r.Expr) -> Pointers | None:
    found = [presence(scope, x, text_of(x)) if is_optional(x.type) else ALWAYS for x in (a, b)]
    return None if found[0] is None or found[1] is None else found[0] | found[1]


def _is_inside(scope: KnownFacts, decl: r.TypeDecl, by: int, operand: str) -> bool:
    """Whether a number is known not to be the last value of its type, or for `previous` the first one."""
    if not decl.numeric or any(decl.present(n) != decl.members for n in scope.symbols.seat_counts):
        return False
    end = decl.members[-1 if by > 0 else 0]
    if other_than(operand, str(end)) in scope.present:
        return True
    found = [match for fact in scope.present if (match := BOUND.fullmatch(fact)) and match[1] == operand]
    if by < 0:
        return any(match[2] == "above" and int(match[3]) >= end for match in found)
    return any(match[2] == "below" and int(match[3]) <= end for match in found)


def _is_some(scope: KnownFacts, collection: r.Collection) -> bool:
    """Whether a collection is known to hold a value."""
    match collection:
        case r.OfType(decl=decl):
            present = scope.symbols.types[decl].present
            return decl == "seat" or all(map(present, scope.symbols.seat_counts))
        case r.Interval(low=r.Const(value=first), high=r.Const(value=last)):
            return first <= last
        case r.Items():
            return True
        case r.OptionSet(name=name):
            return all(sets.least for sets in scope.symbols.options[name].sets.values())
        case r.Sum(parts=parts):
            return any(_is_some(scope, part) for part in parts)
        case r.Either(then=then, otherwise=otherwise):
            return _is_some(scope, then) and _is_some(scope, otherwise)
        case r.UseCollection(collection=inner) if _is_some(scope, inner):
            return True
    return text_of(collection) in scope.known | scope.present.keys()


def how_to_check(text: str, lost: tuple[Cause, str] | None) -> str:
    """The help for what may be none; `lost`: why an earlier check of it does not hold any more."""
    if lost is None:
        return CHECK_FIRST.format(text=text)
    cause, name = lost
    return CHECK_AGAIN[cause].format(text=text, name=name)


# ---- pointers that are never none


def note_assigned(symbols: SymbolTable, pointer: str, source: Pointers | None) -> None:
    """A pointer is assigned what exists if some pointers are never none; none: what may be none."""
    symbols.assigned_from.setdefault(pointer, set()).update({pointer} if source is None else source)
    if source is None:
        symbols.sometimes_none.add(pointer)


def report_assumed(symbols: SymbolTable) -> None:
    """Report the uses of pointers that were taken to be never none, and are cleared after all."""
    gone = set(symbols.sometimes_none)
    while more := {p for p, sources in symbols.assigned_from.items() if sources & gone} - gone:
        gone |= more
    for diagnostic, pointers in symbols.provisional.items():
        if pointers & gone:
            symbols.fail(diagnostic)


def assume(symbols: SymbolTable, pointers: Pointers, diagnostic: Diagnostic) -> None:
    """The diagnostic is reported in the end if one of the pointers can be none."""
    if pointers:
        symbols.provisional[diagnostic] = pointers | symbols.provisional.get(diagnostic, frozenset())


# ---- texts


def text_of(node: s.Node | r.Expr | r.Collection) -> str:
    """The text of an expression with single blanks."""
    return " ".join(node.span.text.split())


def key_of(node: s.Node) -> str:
    """The fact that an expression exists: its text with single blanks."""
    return text_of(node)


def other_than(left: str, right: str) -> str:
    """The fact that an expression is not a certain value."""
    return f"{left} is not {right}"
