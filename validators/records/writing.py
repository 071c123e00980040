"""Matches written as records, in a notation that a ruleset brings.

The choices of a match become plays, one after the other. For each play the texts are tried that the notation
has for it, and the first is taken that is read back as the same play (`matching`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from dsl.diagnostics import DiagnosticError
from dsl.domains import Type
from dsl.source import NOWHERE, Source
from interpreter.match import Match
from validators.records.conditions import Conditions
from validators.records.grammar import START
from validators.records.mapping import PART
from validators.records.matching import ChoiceMade, Cursor
from validators.records.messages import NoNotation
from validators.records.notation import ChooseStep, Condition, Notation, OneOf, Step, Text, That, ValueOf
from validators.records.parts import RecordText, TooMany, filled, name_of, parts_of
from validators.records.replaying import RecordReplayer, Setting, started

PLAYS = "plays"
Texts = dict[str, str]
"""The texts of parts by name."""


@dataclass(frozen=True)
class Reached:
    """Where some choices of a match have led, and what the parts of a play would have to say."""

    cursor: Cursor
    left: int
    texts: Texts


def written(replayer: RecordReplayer, match: Match, options: Mapping[str, str]) -> str:
    """The record of a match. Raises `DiagnosticError` if the notation cannot write it."""
    notation = replayer.notation
    if START not in notation.write:
        raise _unwritable(f"`{notation.name}` says not how a record is written", "add `write` to it")
    if match.opening is not None:
        raise _unwritable("this match begins from a position, which a record does not say")
    setting = replayer.setting(match.game.machine.seats, dict(options))
    choices = _choices(match)
    cursor, at, texts = started(setting.game, match.opening), 0, list[str]()
    frame = next(iter(_frames(notation, match, dict(options))), None)
    if frame is None:
        raise _unwritable(f"`{notation.name}` has no text for a record of this match")
    while at < len(choices):
        play = _next(replayer, setting, cursor, choices[at:], frame)
        if play is None:
            words = _words(setting, choices[at])
            why = f"`{notation.name}` has no text for `{words}`, choice {at + 1} of the match"
            raise _unwritable(why, "each part of a text must be what one condition is compared with")
        text, reached = play
        texts.append(text)
        cursor, at = reached.cursor, len(choices) - reached.left
    return frame.replace(f"{{{PLAYS}}}", " ".join(texts)) + "\n"


def _unwritable(why: str, hint: str = "") -> DiagnosticError:
    return DiagnosticError(NoNotation(NOWHERE, why, hint))


def _choices(match: Match) -> list[tuple[str, str]]:
    """The seat and the words of each choice; the outcomes of chance must be those that are drawn."""
    return [(step.seat, step.text) for step in match.steps if step.seat is not None]


def _words(setting: Setting, choice: tuple[str, str]) -> str:
    return f"{choice[0]}: {choice[1]}"


def _frames(notation: Notation, match: Match, options: Texts) -> Iterator[str]:
    """The texts around the plays of which everything is known: options, the number of seats, the result."""
    texts = {name: str(value) for name, value in match.game.machine.options.items()} | options
    texts |= {"seats": str(match.game.machine.seats), PLAYS: f"{{{PLAYS}}}"}
    if match.over:
        winner = " ".join(match.winners()) or "none"
        for condition in chain.from_iterable(notation.end.values()):
            part = PART.fullmatch(condition.wanted.text)
            table = notation.words.get(part[1]) if part else None
            if part and condition.question == "winner" and isinstance(table, dict):
                text = next((text for text, word in table.items() if word == winner), None)
                texts |= {} if text is None else {part[1]: text}
    for frame in notation.write[START]:
        text_around = _filled(frame, texts)
        if text_around is not None:
            yield text_around


def _filled(template: Text, texts: Texts) -> str | None:
    """A template with the texts of its parts; none if one of them has no text."""
    if all(name in texts for name in PART.findall(template.text)):
        return filled(template.text, texts)
    return None


def _next(
    replayer: RecordReplayer, setting: Setting, cursor: Cursor, choices: Sequence[tuple[str, str]], frame: str
) -> tuple[str, Reached] | None:
    """The text of the next play, and where it leads."""
    writer = _Writer(replayer.notation, setting)
    for name, templates in replayer.notation.write.items():
        if name == START:
            continue
        for reached in writer.ways(
            replayer.notation.play.get(name, ()), Reached(cursor, len(choices), {}), choices
        ):
            for template in templates:
                text = _filled(template, reached.texts)
                if text is not None and _reads_as(replayer, setting, cursor, frame, text, reached.cursor):
                    return text, reached
    return None


def _reads_as(
    replayer: RecordReplayer, setting: Setting, cursor: Cursor, frame: str, text: str, wanted: Cursor
) -> bool:
    """Whether a text is read as one play that leads to a state, and to no other."""
    notation = replayer.notation
    source = Source("record", frame.replace(f"{{{PLAYS}}}", text))
    record = RecordText(source, 0, source.text)
    try:
        tree = notation.grammar.parse(source, 0, source.text)
    except DiagnosticError:
        return False
    plays = [part for part in parts_of(record, tree, notation) if name_of(part.item) in notation.play]
    if len(plays) != 1:
        return False
    try:
        meanings = setting.matcher.play(notation.play[name_of(plays[0].item)], cursor, plays[0])
    except TooMany:
        return False
    return len(meanings) == 1 and meanings[0].state == wanted.state


@dataclass(frozen=True)
class _Writer:
    """What the parts of a play would say for choices that were made."""

    notation: Notation
    setting: Setting

    @property
    def conditions(self) -> Conditions:
        return self.setting.conditions

    def ways(
        self, steps: Sequence[Step], reached: Reached, choices: Sequence[tuple[str, str]]
    ) -> Iterator[Reached]:
        """Where some steps of a notation can lead, as far as the choices that were made go that way."""
        if not steps:
            yield reached
            return
        step, rest = steps[0], steps[1:]
        match step:
            case ChooseStep():
                after = self._chosen(step, reached, choices)
                if after is not None:
                    yield from self.ways(rest, after, choices)
                if step.given is not None or step.optional:
                    yield from self.ways(rest, reached, choices)
            case OneOf(ways=ways):
                for way in ways:
                    yield from self.ways((*way, *rest), reached, choices)
            case That(keep=()):
                yield from self.ways(rest, reached, choices)

    def _chosen(
        self, step: ChooseStep, reached: Reached, choices: Sequence[tuple[str, str]]
    ) -> Reached | None:
        """Behind the next choice of the match, if it is what a step means."""
        matcher, game = self.setting.matcher, self.setting.game
        if reached.left == 0:
            return None
        seat, text = choices[len(choices) - reached.left]
        cursor = matcher.settled(reached.cursor)
        for waiting in matcher.waiting(cursor):
            if game.names.seat(waiting.seat) != seat:
                continue
            node = game.machine.decision(waiting.node)
            for option in game.including(waiting, text).options:
                if " ".join(game.names.choice(node, option, waiting.what)) != text:
                    continue
                bound = ("pass", None) if option[0] < 0 else matcher.binding(node, option[0], waiting)
                if bound is None or bound[0] != step.name:
                    return None
                named = (
                    cursor.named
                    if bound[1] is None
                    else cursor.named | {bound[1][0]: (bound[1][1], option[1])}
                )
                texts = reached.texts | self._texts(step.where, cursor, named)
                if step.seat is not None:
                    texts |= dict(self._said(step.seat, seat))
                state = cursor.state[:]
                code = game.executor.choose(state, waiting, option)
                after = Cursor(
                    state, code, named, (cursor.path, ChoiceMade(waiting, option)), cursor.length + 1
                )
                return Reached(after, reached.left - 1, texts)
        return None

    def _texts(self, where: Sequence[Condition], cursor: Cursor, named: dict[str, tuple[Type, int]]) -> Texts:
        texts: Texts = {}
        types = {name: kind for name, (kind, _) in named.items()}
        for condition in where:
            asked = self.conditions.ask(condition.question, types, condition.span)
            value = self.conditions.value(asked, cursor.state, named)
            if value is not None:
                word = self.setting.game.names.value(asked.type, value)
                texts |= dict(self._said(condition.wanted, word))
        return texts

    def _said(self, text: Text, word: str) -> Iterator[tuple[str, str]]:
        """The texts of parts for which a text is a word."""
        part = PART.fullmatch(text.text)
        if part is None:
            return
        match self.notation.words.get(part[1]):
            case None:
                yield part[1], word
            case Text() as inner:
                for name, said in self._said(inner, word):
                    yield name, said
                    yield part[1], said
            case ValueOf() as meaning:
                yield from self._value(meaning, word)
            case table:
                yield from [(part[1], said) for said, means in table.items() if means == word][:1]

    def _value(self, meaning: ValueOf, word: str) -> Iterator[tuple[str, str]]:
        """The texts of the parts by which a value is said."""
        kind, _ = self.conditions.values(meaning.type)
        number = self.conditions.number(kind, word)
        if number is None:
            return
        blank = self.setting.game.executor.initial_state()
        for condition in meaning.where:
            asked = self.conditions.ask(condition.question, {meaning.type: kind}, condition.span)
            value = self.conditions.value(asked, blank, {meaning.type: (kind, number)})
            if value is not None:
                yield from self._said(condition.wanted, self.setting.game.names.value(asked.type, value))
