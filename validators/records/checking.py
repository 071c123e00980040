"""Whether a notation fits the rules of its game: its choices, conditions, words and streams of chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import assert_never

from dsl.diagnostics import did_you_mean
from dsl.domains import Type
from interpreter import ir
from validators.records.conditions import Conditions
from validators.records.mapping import PART, bad
from validators.records.matching import own_name
from validators.records.notation import (
    ChooseStep,
    Condition,
    Each,
    Happens,
    Kept,
    Notation,
    OneOf,
    Step,
    Text,
    That,
    Times,
    ValueOf,
)

Types = dict[str, Type]
ENDS = ("winner", "over")
"""What `end` may ask beside expressions."""


def check_notation(notation: Notation, conditions: Conditions) -> None:
    """Raises `DiagnosticError` with the first mistake, for one configuration of the game."""
    checker = _Checker(notation, conditions)
    for meaning in notation.words.values():
        if isinstance(meaning, ValueOf):
            checker.value(meaning)
    kept: Types = {}
    for steps in notation.play.values():
        after = checker.steps(steps, kept)
        kept |= {name: kind for name, kind in after.items() if name in notation.kept}
    for condition in chain.from_iterable(notation.end.values()):
        question = condition.question.removeprefix("over: ")
        if question not in ENDS and not PART.search(question):
            checker.condition(Condition(question, condition.wanted, condition.span), kept)


class _Checker:
    def __init__(self, notation: Notation, conditions: Conditions) -> None:
        self.notation = notation
        self.conditions = conditions
        self.machine = conditions.game.machine
        self.choices: dict[str, list[tuple[str, Type] | None]] = {}
        for name, variable in self._choices():
            self.choices.setdefault(name, []).append(variable)

    def _choices(self) -> Iterator[tuple[str, tuple[str, Type] | None]]:
        """What can be chosen, by the name that a step calls it, with the name and type of its value.

        Of an action these are all of its parameters: how many are given where it is offered may differ.
        """
        offered = {name for node in self.machine.nodes if isinstance(node, ir.Offer) for name in node.names}
        for number, code in enumerate(self.machine.routines):
            if code.name in offered:
                for parameter in self.conditions.game.names.parameters(number) or (None,):
                    own = (own_name(parameter), parameter.type) if parameter is not None else None
                    yield code.name, own
        for node in self.machine.nodes:
            if isinstance(node, ir.Decide):
                yield own_name(node), (own_name(node), node.type)

    def steps(self, steps: Sequence[Step], named: Types) -> Types:
        """Check steps; what names stand for behind them."""
        for step in steps:
            named = self.step(step, named)
        return named

    def step(self, step: Step, named: Types) -> Types:
        match step:
            case ChooseStep():
                return self.choose(step, named)
            case Happens(stream=stream, span=span):
                if stream not in self.machine.streams:
                    hint = did_you_mean(stream, self.machine.streams)
                    raise bad(span, f"`{stream}` brings nothing by chance", hint)
                return named
            case That(where=where, keep=keep):
                for condition in where:
                    self.condition(condition, named)
                return self.keep(keep, named)
            case OneOf(ways=ways):
                found = named
                for way in ways:
                    found = found | self.steps(way, named)
                return found
            case Each(steps=steps) | Times(steps=steps):
                return self.steps(steps, named)
        assert_never(step)

    def choose(self, step: ChooseStep, named: Types) -> Types:
        if step.name == "pass":
            return self.keep(step.keep, named)
        if step.name not in self.choices:
            hint = did_you_mean(step.name, self.choices) or "name an action, a parameter, or what is chosen"
            raise bad(step.span, f"nothing is chosen as `{step.name}`", hint)
        found = named | dict(one for one in self.choices[step.name] if one is not None)
        for condition in step.where:
            self.condition(condition, found)
        return self.keep(step.keep, found)

    def keep(self, keep: Sequence[Kept], named: Types) -> Types:
        for kept in keep:
            named = named | {kept.name: self.conditions.ask(kept.question, named, kept.span).type}
        return named

    def condition(self, condition: Condition, named: Mapping[str, Type]) -> None:
        asked = self.conditions.ask(condition.question, named, condition.span)
        parts = self.notation.grammar.parts if "{" not in condition.wanted.text else ()
        for word in self._words(condition.wanted):
            self.conditions.check_word(asked.type, word, condition.wanted.span, parts)

    def _words(self, text: Text) -> Iterator[str]:
        """The words that a text can be, as far as a table says."""
        part = PART.fullmatch(text.text)
        table = self.notation.words.get(part[1]) if part else None
        if not PART.search(text.text):
            yield text.text
        elif isinstance(table, dict):
            yield from table.values()

    def value(self, meaning: ValueOf) -> None:
        types = self.conditions.game.rules.types
        if meaning.type not in types:
            raise bad(meaning.span, f"unknown type `{meaning.type}`", did_you_mean(meaning.type, types))
        kind, _ = self.conditions.values(meaning.type)
        for condition in meaning.where:
            self.condition(condition, {meaning.type: kind})
