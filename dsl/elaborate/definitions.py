"""Definitions: their names, the signatures of routines, and values, elaborated when they are first used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dsl import rules as r, syntax as s
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import Diagnostic, DiagnosticError, Label, did_you_mean
from dsl.domains import ANY_INT, FLAG, IntType, NoneType, Type, arithmetic, hull, is_optional
from dsl.elaborate import collections
from dsl.elaborate.expressions import expression_typer
from dsl.elaborate.locals import local
from dsl.elaborate.poisoning import check_mentions
from dsl.elaborate.presence import ALWAYS, Pointers
from dsl.elaborate.scope import Scope, Signature
from dsl.elaborate.signatures import parameter, value_parameter
from dsl.elaborate.topological_sort import topological_sort
from dsl.elaborate.typer import Typer
from dsl.elaborate.unknown_names import all_unknown_told
from dsl.messages.names import CyclicDefinition, UnknownName
from dsl.messages.statements import NeverUsed, WrongStatement
from dsl.messages.types import WrongType
from dsl.overlays import LostDefinition
from dsl.rules.visit import instantiate
from dsl.source import Span
from dsl.wording import article

UNNAMED = ("modify", "score", "tiebreak")
"""Kinds of definitions whose names nothing uses as a value or routine."""


@dataclass
class Definitions:
    """All definitions of a ruleset, elaborated one after the other.

    `broken` are routines and values whose own definition has failed: using one fails with the same
    diagnostic, so each is reported once. `in_progress` are the values that are being elaborated, each with
    the place that uses it, `used` the names that something refers to, `read` the results of `reads`.
    """

    symbols: SymbolTable
    written: tuple[s.Definition, ...]
    routines: dict[str, s.Routine] = field(default_factory=dict)
    values: dict[str, s.Value] = field(default_factory=dict)
    modifiers: dict[str, list[s.Modify]] = field(default_factory=dict)
    signatures: dict[str, Signature] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    """The routines whose headers have been read, or are being read."""
    typed_values: dict[str, r.Value] = field(default_factory=dict)
    typed_collections: dict[str, r.NamedCollection] = field(default_factory=dict)
    in_progress: list[tuple[str, Span]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    broken: dict[str, Diagnostic] = field(default_factory=dict)
    lost: tuple[LostDefinition, ...] = ()
    unparsed: dict[str, Diagnostic] = field(default_factory=dict)
    """Routines and values of which only the header is known; using one fails with its syntax error."""
    read: dict[str, frozenset[str]] = field(default_factory=dict)
    always: dict[str, Pointers] = field(default_factory=dict)
    """The values that exist without a test, each with the pointers that must never be none for that."""

    # ---- signatures, for scopes

    def value(self, name: str, span: Span) -> tuple[tuple[r.Var, ...], Type] | None:
        """Parameters and type of a value; none if there is no such value.

        Raises `DiagnosticError` if its definition is broken or needs itself, or if it is a collection.
        """
        if not self._elaborated(name, span):
            return None
        if name in self.typed_collections:
            raise DiagnosticError(WrongType(span, "a single value", f"`{name}`, a collection"))
        value = self.typed_values[name]
        return value.parameters, value.type

    def collection(self, name: str, span: Span) -> r.NamedCollection | None:
        """A value that is a collection; none if there is no such value, or if it is a single one.

        Raises `DiagnosticError` if its definition is broken or needs itself.
        """
        return self.typed_collections.get(name) if self._elaborated(name, span) else None

    def _elaborated(self, name: str, span: Span) -> bool:
        """Whether there is such a value; if so, it is elaborated now."""
        self._check_parsed(name)
        if name not in self.values:
            return False
        self.used.add(name)
        if name in self.broken:
            raise DiagnosticError(self.broken[name])
        if any(name == n for n, _ in self.in_progress):
            raise DiagnosticError(self._cycle(name, span))
        if name not in self.typed_values and name not in self.typed_collections:
            self._elaborate_value(name, span)
        return True

    def _check_parsed(self, name: str) -> None:
        """Raises `DiagnosticError` if the definition of a name does not parse."""
        if name in self.unparsed:
            raise DiagnosticError(self.unparsed[name])

    def _elaborate_value(self, name: str, span: Span) -> None:
        self.in_progress.append((name, span))
        try:
            node = self.values[name]
            with all_unknown_told(Scope(self.symbols, self), node, *self.modifiers.get(name, ())):
                self._value(node)
        except DiagnosticError as failed:
            self.broken[name] = failed.diagnostic
            raise
        finally:
            self.in_progress.pop()

    def _cycle(self, name: str, span: Span) -> Diagnostic:
        """The cycle that closes here, each step with its place. All values in it become broken."""
        start = next(i for i, (n, _) in enumerate(self.in_progress) if n == name)
        loop = [*self.in_progress[start:], (name, span)]
        path = tuple(Label(at, f"needs `{n}`") for n, at in loop[2:])
        diagnostic = CyclicDefinition(loop[1][1], name, loop[1][0], path)
        self.broken.update((n, diagnostic) for n, _ in loop)
        return diagnostic

    def routine(self, name: str, tried: Span | None = None) -> Signature | None:
        """The signature of a routine, or none. Raises `DiagnosticError` if its header is broken.

        `tried`: where it is tried or offered; there a header that is still being read needs itself.
        """
        self._check_parsed(name)
        if name in self.routines:
            if tried is not None and any(name == n for n, _ in self.in_progress):
                raise DiagnosticError(self._cycle(name, tried))
            self._read_header(name, tried)
        if name in self.broken and name in self.routines:
            raise DiagnosticError(self.broken[name])
        found = self.signatures.get(name)
        if found is not None:
            self.used.add(name)
        return found

    def names(self) -> tuple[str, ...]:
        return (*self.routines, *self.values, *self.unparsed)

    def reads(self, name: str) -> frozenset[str]:
        """The words of a value, of its modifiers and of the values that it uses; none for other names."""
        if name not in self.values:
            return frozenset()
        if name not in self.read:
            found, waiting = {name}, [name]
            while waiting:
                new = self._words(waiting.pop()) - found
                found |= new
                waiting.extend(new & self.values.keys())
            self.read[name] = frozenset(found)
        return self.read[name]

    def condition(self, name: str) -> s.Value | None:
        """The definition of a value that is one expression and is not modified; none for other names."""
        value = self.values.get(name)
        alone = value is not None and len(value.cases) == 1 and name not in self.modifiers
        return value if alone else None

    def presence(self, name: str) -> Pointers | None:
        """The pointers that must never be none for a value to exist; none if it may be none all the same."""
        return self.always.get(name)

    def _words(self, value: str) -> set[str]:
        written = (self.values[value], *self.modifiers.get(value, ()))
        parts = (part for node in written for part in s.walk(node))
        return {part.text for part in parts if isinstance(part, s.Name | s.Word)}

    # ---- names and headers

    def gather(self) -> None:
        """Declare the names of all definitions, then read the headers of the routines."""
        for definition in self.written:
            self.symbols.attempt(self._declare, definition)
        for lost in self.lost:
            self.symbols.attempt(self._declare_lost, lost)
        for name in self.routines:
            self._read_header(name)

    def _read_header(self, name: str, tried: Span | None = None) -> None:
        """Reads the header of a routine, unless that is done or has begun."""
        if name in self.begun:
            return
        self.begun.add(name)
        self.in_progress.append((name, tried or self.routines[name].name.span))
        try:
            self.signatures[name] = self._signature(self.routines[name])
        except DiagnosticError as failed:
            self.broken[name] = failed.diagnostic
            self.symbols.fail(failed.diagnostic)
        finally:
            self.in_progress.pop()

    def _declare(self, definition: s.Definition) -> None:
        match definition:
            case s.Routine(name=word, kind=kind):
                self.symbols.declare(word.text, article(kind), word.span)
                self.routines[word.text] = definition
            case s.Value(name=word):
                self.symbols.declare(word.text, "a value", word.span)
                self.values[word.text] = definition
            case s.Modify(name=word):
                self.modifiers.setdefault(word.text, []).append(definition)

    def _declare_lost(self, lost: LostDefinition) -> None:
        if lost.kind in UNNAMED:
            return
        self.unparsed.setdefault(lost.name, lost.diagnostic)
        self.symbols.declare(lost.name, article(lost.kind), lost.span)

    def _signature(self, routine: s.Routine) -> Signature:
        check_mentions(self.symbols, *routine.parameters)
        typer = expression_typer(self.scope_of(routine))
        return routine.kind, tuple(parameter(typer, p, routine.kind) for p in routine.parameters)

    def scope_of(self, routine: s.Routine) -> Scope:
        """The scope of the parameters and the block of a routine."""
        return Scope(self.symbols, self, effect=routine.name.text if routine.kind == "effect" else None)

    def typer(self) -> Typer:
        """A typer of expressions outside of routines."""
        return expression_typer(Scope(self.symbols, self))

    # ---- values

    def all_values(self) -> dict[str, r.Value]:
        for name in topological_sort(self.values, self.modifiers):
            self.symbols.attempt(self._without_use, name)
        for name, written in self.modifiers.items():
            if name not in self.values and name not in self.unparsed:
                hint = did_you_mean(name, self.values) or "only values defined by `value` can be modified"
                self.symbols.fail(UnknownName(written[0].name.span, name, "value", hint))
        return self.typed_values

    def _without_use(self, name: str) -> None:
        """Elaborate a value, which does not count as a use of it."""
        used = name in self.used
        try:
            self._elaborated(name, self.values[name].name.span)
        finally:
            if not used:
                self.used.discard(name)

    def _value(self, node: s.Value) -> None:
        """Elaborate a value or a collection with a name."""
        marks = self.symbols.cite_all(node.clauses)
        written = self.modifiers.get(node.name.text, ())
        check_mentions(self.symbols, *node.parameters, *node.lets, *node.cases, *written)
        typer, name = self.typer(), node.name.text
        parameters = tuple(value_parameter(typer, p) for p in node.parameters)
        lets = tuple(self._let(typer, line) for line in node.lets)
        if collections.is_collection(typer, node.cases[0].value):
            known = {let.var: let.value for let in lets}
            found = self._collection(typer, node, known)
            inner = (mark for case in node.cases for mark in self.symbols.cite_all(case.clauses))
            lines = tuple(dict.fromkeys((*(mark for let in lets for mark in let.clauses), *inner)))
            self.typed_collections[name] = r.NamedCollection(name, parameters, found, node.span, marks, lines)
            return
        cases, kind, always = self._cases(typer, node)
        modifiers = tuple(self._modifier(m, node, parameters) for m in written)
        if always is not None and not any(is_optional(m.amount.type) for m in modifiers):
            self.always[name] = always
        for modifier in modifiers:
            kind = _modified(typer, kind, modifier, node)
        self.typed_values[name] = r.Value(name, parameters, kind, lets, cases, modifiers, node.span, marks)

    def _collection(self, typer: Typer, node: s.Value, lets: dict[r.Var, r.Expr]) -> r.Collection:
        """The cases of a collection as one: the first that holds, else the last."""
        if node.name.text in self.modifiers:
            span = self.modifiers[node.name.text][0].span
            why = f"`{node.name.text}` is a collection, and `modify` changes single values"
            raise DiagnosticError(WrongStatement(span, why, "add a case to it"))
        self._check_last(node)
        *earlier, last = node.cases
        cases: list[tuple[s.Case, r.Expr, r.Collection]] = []
        for case in earlier:
            condition = typer.maybe_condition(case.condition)
            assert condition is not None
            with typer.scope.given(case.condition):
                cases.append((case, condition, typer.collection(case.value)))
            typer.scope.learn_given(case.condition, False)
        found = typer.collection(last.value)
        for case, condition, then in reversed(cases):
            item = collections.common_item(typer, then, found, case.value)
            found = r.Either(item, case.span, condition, then, found)
        for let in reversed(lets):
            found = instantiate(found, {let: lets[let]})
        return found

    def _let(self, typer: Typer, line: s.Let) -> r.ValueLet:
        var, value = local(typer, line)
        return r.ValueLet(var, value, line.span, self.symbols.cite_all(line.clauses))

    def _cases(self, typer: Typer, node: s.Value) -> tuple[tuple[r.ValueCase, ...], Type, Pointers | None]:
        """The cases of a value, the type that holds all their results, and what they need to exist."""
        cases: list[r.ValueCase] = []
        always: Pointers | None = ALWAYS
        kind: Type = NoneType()
        self._check_last(node)
        for i, case in enumerate(node.cases):
            typed, sources = self._case(typer, case, kind)
            cases.append(typed)
            always = None if always is None or sources is None else always | sources
            if isinstance(cases[-1].value.type, IntType) and typer.is_listed(kind):
                cases, kind = self._as_numbers(typer, node, cases)
            elif isinstance(kind, IntType):
                cases[-1] = replace(cases[-1], value=typer.beside(cases[-1].value, kind, case.value))
            found = cases[-1].value.type
            kind = typer.joined(kind, found, case.value) if i else found
        if isinstance(kind, NoneType):
            raise DiagnosticError(WrongType(node.span, "a value with a known type", "none"))
        return tuple(cases), kind, always

    def _as_numbers(
        self, typer: Typer, node: s.Value, cases: list[r.ValueCase]
    ) -> tuple[list[r.ValueCase], Type]:
        """The cases so far as numbers, because one of them is a number."""
        numbers = ANY_INT
        values = [typer.beside(x.value, numbers, y.value) for x, y in zip(cases, node.cases, strict=False)]
        kind = values[0].type
        for value, case in zip(values[1:], node.cases[1:], strict=False):
            kind = typer.joined(kind, value.type, case.value)
        return [replace(x, value=value) for x, value in zip(cases, values, strict=True)], kind

    def _check_last(self, node: s.Value) -> None:
        """Raises `DiagnosticError` unless the last case, and no other, is without a condition."""
        for case in node.cases[:-1]:
            if case.condition is None:
                hint = "move it to the end, or give it a condition with `when`"
                raise DiagnosticError(
                    WrongStatement(case.span, "case without a condition before another one", hint)
                )
        if node.cases[-1].condition is not None:
            why = f"`{node.name.text}` has no value when no condition holds"
            raise DiagnosticError(WrongStatement(node.span, why, "end it with `otherwise`"))

    def _case(self, typer: Typer, case: s.Case, expected: Type) -> tuple[r.ValueCase, Pointers | None]:
        """A case, and the pointers that must never be none for its result to exist."""
        condition = typer.maybe_condition(case.condition)
        with typer.scope.given(case.condition):
            value = typer.expr(case.value, None if isinstance(expected, NoneType) else expected)
            always = typer.presence(value, case.value)
        typer.scope.learn_given(case.condition, False)
        return r.ValueCase(value, condition, case.span, self.symbols.cite_all(case.clauses)), always

    def _modifier(self, node: s.Modify, value: s.Value, parameters: tuple[r.Var, ...]) -> r.Modifier:
        typer = self.typer()
        own = tuple(value_parameter(typer, p) for p in node.parameters)
        fits = len(own) == len(parameters) and all(
            typer.related(a.type, b.type) for a, b in zip(own, parameters, strict=True)
        )
        if own and not fits:
            hint = "repeat the parameters of the value, or omit them all"
            raise DiagnosticError(
                WrongStatement(node.span, f"`{value.name.text}` has different parameters", hint)
            )
        condition = typer.maybe_condition(node.condition)
        with typer.scope.given(node.condition):
            amount = typer.expr(node.amount) if node.mode == "to" else typer.number(node.amount)
        return r.Modifier(node.mode, own, amount, condition, node.span, self.symbols.cite_all(node.clauses))

    # ---- warnings

    def warn_unused(self) -> None:
        for name, node in self.routines.items():
            if name not in self.used:
                self.symbols.fail(NeverUsed(node.name.span, node.kind, name))
        for name, value in self.values.items():
            if name not in self.used:
                self.symbols.fail(NeverUsed(value.name.span, "value", name))


def _modified(typer: Typer, kind: Type, modifier: r.Modifier, node: s.Value) -> Type:
    """The type of a value with a modifier. Raises `DiagnosticError` if the amount does not fit."""
    amount, place = modifier.amount.type, s.Node(modifier.amount.span)
    if modifier.mode == "to":
        if kind == FLAG and amount == FLAG:
            return kind
        return typer.joined(kind, amount, place)
    a, b = typer.as_int(kind), typer.as_int(amount)
    if a is None or b is None:
        raise DiagnosticError(
            WrongType(modifier.span, "a number", f"`{node.name.text}`, {kind}", "only numbers change `by`")
        )
    return hull(a, arithmetic("+", a, b)) if isinstance(kind, IntType) else kind
