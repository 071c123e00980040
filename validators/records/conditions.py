"""Expressions of the rules language over what is offered: typed once, evaluated in states."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import NONE, SEAT, EnumType, FlagType, IntType, PieceType, Type
from dsl.load import Questions
from dsl.messages.names import UnknownName
from dsl.numbers import whole
from dsl.rules import Collection
from dsl.source import Span
from dsl.wording import quoted
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.queries import Function, QueryEvaluator
from validators.records.mapping import bad

Named = Mapping[str, tuple[Type, int]]
"""What names stand for: chosen values, and those that are kept."""


@dataclass(frozen=True)
class TypedQuestion:
    """An expression that was typed: its type, the names that it reads, and its value in a state."""

    type: Type
    names: tuple[str, ...]
    value: Function


@dataclass(frozen=True, slots=True)
class Wanted:
    """An expression, and the value that it must have: a word of the rules and its number."""

    asked: TypedQuestion
    word: str
    number: int | None


@dataclass(eq=False)
class Conditions:
    """The expressions of one notation in one configuration of a game."""

    game: Game
    questions: Questions
    _asked: dict[tuple[str, tuple[Type, ...]], TypedQuestion] = field(default_factory=dict)
    _numbers: dict[tuple[Type, str], int | None] = field(default_factory=dict)
    _words: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.evaluator = QueryEvaluator(self.game)

    def ask(self, question: str, named: Mapping[str, Type], span: Span) -> TypedQuestion:
        """A typed expression. Raises `DiagnosticError` if it is wrong."""
        words = self._words.get(question)
        if words is None:
            words = self._words[question] = tuple(dict.fromkeys(re.findall(r"\w+", question)))
        names = tuple(word for word in words if word in named)
        key = question, tuple([named[name] for name in names])
        found = self._asked.get(key)
        if found is None:
            used = {name: named[name] for name in names}
            found = self._asked[key] = self._typed(question, used, tuple(named), span)
        return found

    def _typed(
        self, question: str, named: dict[str, Type], known: tuple[str, ...], span: Span
    ) -> TypedQuestion:
        try:
            found, variables = self.questions.ask_about(question, named)
        except DiagnosticError as failed:
            hint = failed.diagnostic.help
            if isinstance(failed.diagnostic, UnknownName) and known and not hint.startswith("did you mean"):
                hint = f"what is chosen or kept has the name {quoted(known, 'or')} here"
            raise bad(span, f"`{question}`: {failed.diagnostic.message}", hint) from None
        if isinstance(found, Collection):
            raise bad(
                span, f"`{question}` is several values", "compare one value: a number, a word, a condition"
            )
        return TypedQuestion(found.type, tuple(named), self.evaluator.function(found, variables))

    def value(self, asked: TypedQuestion, s: array[int], named: Named) -> int | None:
        """The value in a state; none if the evaluation fails, as that of what is not there."""
        try:
            return asked.value(s, [named[name][1] for name in asked.names])
        except Fault:
            return None

    def wanted(self, asked: TypedQuestion, word: str) -> Wanted:
        """An expression with the value that a word means."""
        return Wanted(asked, word, self.number(asked.type, word))

    def fits(self, wanted: Wanted, s: array[int], named: Named) -> bool:
        """Whether an expression has the value that is wanted."""
        value = self.value(wanted.asked, s, named)
        if value is None:
            return False
        if isinstance(wanted.asked.type, PieceType):
            return self.game.names.value(wanted.asked.type, value) == wanted.word
        return value == wanted.number

    def number(self, kind: Type, word: str) -> int | None:
        """The value that a word means; none if it means none."""
        key = kind, word
        if key not in self._numbers:
            self._numbers[key] = self._number(kind, word)
        return self._numbers[key]

    def _number(self, kind: Type, word: str) -> int | None:
        if word == "none":
            return NONE
        match kind:
            case FlagType():
                return {"true": 1, "false": 0}.get(word)
            case EnumType(name):
                decl = self.game.rules.types[name]
                return decl.lo + decl.names.index(word) if word in decl.names else None
            case IntType():
                return whole(word)
        return None

    def check_word(self, kind: Type, word: str, span: Span, parts: Iterable[str] = ()) -> None:
        """Raises `DiagnosticError` if a word means no value of a type; `parts` may be meant."""
        if self._number(kind, word) is None and not isinstance(kind, PieceType):
            known = (
                self.game.rules.types[kind.type].names if isinstance(kind, EnumType) else ("true", "false")
            )
            what = f"a `{kind.type}`" if isinstance(kind, EnumType) else "a value of it"
            raise bad(span, f"`{word}` is not {what}", did_you_mean(word, (*known, *parts)))

    def values(self, kind: str) -> tuple[Type, Sequence[int]]:
        """The values of a declared type in this configuration. Raises `KeyError` if there is none."""
        decl = self.game.rules.types[kind]
        return (SEAT if kind == "seat" else EnumType(kind)), decl.present(self.game.machine.seats)
