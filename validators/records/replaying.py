"""Records followed under the rules: to their end, or to the first play that is not offered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.domains import Type
from dsl.load import Questions
from dsl.numbers import whole
from dsl.source import Source, Span
from interpreter.game import Game
from interpreter.match import Match, prepared
from interpreter.messages import Fault
from interpreter.opening import Opening, begin
from interpreter.position import CannotPlace
from validators.records.checking import check_notation
from validators.records.conditions import Conditions
from validators.records.mapping import PART, bad
from validators.records.matching import ChoiceMade, Cursor, Drawn, Matcher
from validators.records.messages import RecordRefused
from validators.records.notation import Condition, Given, Notation, Step, Text, ValueOf
from validators.records.parts import Parts, RecordText, TooMany, Wording, name_of, parts_of

Tables = dict[int, tuple[list[Type], dict[tuple[int | None, ...], str]]]
"""The words of values by what conditions are of them, by the identity of their meaning."""

Compiled = Callable[[int | None, dict[str, str]], Game]
"""The game for a number of seats and some options. Raises `ErrorsReported` if there is none."""
MANY_WAYS, EXACT = "could be meant in too many ways", "make the notation exact"
MOST_GAMES = 64
"""Configurations that are kept."""


@dataclass(eq=False)
class Setting:
    """A game in one configuration, with what a notation asks of it."""

    game: Game
    options: dict[str, str]
    conditions: Conditions
    matcher: Matcher


@dataclass(frozen=True)
class Followed:
    """What has become of a record: how many plays were followed, and what did not agree.

    `setting`, `opening` and `cursor` are there as far as it was followed.
    """

    span: Span
    plays: int
    diagnostic: Diagnostic | None
    setting: Setting | None = None
    opening: Opening | None = None
    cursor: Cursor | None = None

    @property
    def agreed(self) -> bool:
        return self.diagnostic is None

    def match(self, keep_history: bool = True) -> Match:
        """The match up to where it was followed, with what chance has brought."""
        assert self.setting is not None
        assert self.cursor is not None
        steps: list[ChoiceMade | Drawn] = []
        path = self.cursor.path
        while path is not None:
            path, step = path
            steps.append(step)
        outcomes: dict[str, list[str | None]] = {}
        for step in reversed(steps):
            if isinstance(step, Drawn):
                outcomes.setdefault(step.stream, []).append(step.outcome if step.told else None)
        game = self.setting.game
        match = Match(game, 0, outcomes, opening=self.opening, keep_history=keep_history).start()
        for step in reversed(steps):
            if isinstance(step, ChoiceMade):
                match.take(step.waiting, step.option)
        return match


def records_in(source: Source, notation: Notation) -> Iterator[RecordText]:
    """The records of a file: each begins with a line that begins as the notation says. None is blank."""
    text, begins = source.text, notation.begins
    if begins is None:
        if text.strip():
            yield RecordText(source, 0, text)
        return
    starts = [0] if text.startswith(begins) else []
    at = text.find(f"\n{begins}")
    while at >= 0:
        starts.append(at + 1)
        at = text.find(f"\n{begins}", at + 1)
    for start, end in pairwise([*starts, len(text)]):
        if text[start:end].strip():
            yield RecordText(source, start, text[start:end])


@dataclass(eq=False)
class RecordReplayer:
    """Follows the records of one notation."""

    notation: Notation
    questions: Questions
    compiled: Compiled
    _settings: dict[tuple[int | None, tuple[tuple[str, str], ...]], Setting] = field(default_factory=dict)

    def check(self) -> None:
        """Raises `DiagnosticError` if the notation does not fit the rules."""
        given = self.notation.given
        plain = {name: text.text for name, text in given.options if not PART.search(text.text)}
        seats = whole(given.seats.text) if given.seats is not None else None
        if given.seats is not None and seats is None and not PART.search(given.seats.text):
            raise bad(given.seats.span, "`seats` must be a number, or a part of the record that says it")
        try:
            setting = self.setting(seats, plain)
        except _Refused as refused:
            raise bad(self.notation.span, refused.why, refused.hint) from None
        check_notation(self.notation, setting.conditions)

    def follow(self, record: RecordText) -> Followed:
        """A record under the rules. Raises `DiagnosticError` if the notation does not fit the rules."""
        span = record.source.span_of_line(record.source.position(record.start)[0])
        try:
            tree = self.notation.grammar.parse(record.source, record.start, record.text)
        except DiagnosticError as failed:
            return Followed(span, 0, failed.diagnostic)
        parts = list(parts_of(record, tree, self.notation))
        whole_record = Parts(record, tree, self.notation)
        try:
            setting, opening, cursor = self._begin(parts, whole_record)
        except _Refused as refused:
            return Followed(span, 0, RecordRefused(span, refused.why, refused.hint))
        except TooMany:
            return Followed(span, 0, RecordRefused(span, f"its beginning {MANY_WAYS}", EXACT))
        return self._plays(span, parts, setting, opening, cursor)

    def _plays(
        self, span: Span, parts: list[Parts], setting: Setting, opening: Opening | None, cursor: Cursor
    ) -> Followed:
        plays, diagnostic = 0, None
        for part in parts:
            steps = self.notation.play.get(_name(part))
            if steps is None:
                continue
            result = self._play(steps, cursor, part, setting)
            if isinstance(result, Diagnostic):
                diagnostic = result
                break
            cursor, plays = result, plays + 1
        if diagnostic is None:
            try:
                diagnostic = next(self._ends(parts, cursor, setting), None)
            except TooMany:
                diagnostic = RecordRefused(span, f"its end {MANY_WAYS}", EXACT)
        return Followed(span, plays, diagnostic, setting, opening, cursor)

    def _play(
        self, steps: Sequence[Step], cursor: Cursor, part: Parts, setting: Setting
    ) -> Cursor | Diagnostic:
        """Where a play leads, or why it does not."""
        matcher, span = setting.matcher, part.record.span(part.item)
        written = " ".join(part.record.text_of(part.item).split())[:60]
        named = cursor.named
        try:
            found = matcher.play(steps, cursor, part)
        except TooMany:
            return RecordRefused(span, f"`{written}` {MANY_WAYS}", EXACT)
        except Fault as fault:
            return RecordRefused(span, f"`{written}`: the rules fail: {fault.diagnostic.message}")
        if len(found) == 1:
            found[0].named = {
                n: v for n, v in found[0].named.items() if n in self.notation.kept or n in named
            }
            return found[0]
        if found:
            words = " or ".join(f"`{_words(setting.game, one, cursor) or 'nothing'}`" for one in found)
            return RecordRefused(span, f"`{written}` may mean {words}", "the record must tell them apart")
        if matcher.stuck is None:
            return RecordRefused(span, f"`{written}` does not fit what is offered")
        why, hint = matcher.why(matcher.stuck)
        return RecordRefused(span, f"`{written}`: {why}", hint)

    # ---- how it begins

    def _begin(self, parts: list[Parts], record: Parts) -> tuple[Setting, Opening | None, Cursor]:
        """The configuration, the opening, and the first stop. Raises `_Refused`."""
        plain = Wording(self.notation.words, _no_value)
        seats: int | None = None
        options: dict[str, str] = {}
        given = [(self.notation.given, record)]
        given += [(self.notation.set_up[_name(p)], p) for p in parts if _name(p) in self.notation.set_up]
        for one, part in given:
            if one.seats is not None and (text := plain.one(one.seats, part)) is not None:
                seats = whole(text)
            for name, value in one.options:
                if (text := plain.one(value, part)) is not None:
                    options[name] = text
        setting = self.setting(seats, options)
        opening = self._opening(given, setting)
        try:
            return setting, opening, started(setting.game, opening)
        except CannotPlace as error:
            raise _Refused(f"the record begins with what cannot be: {error}", error.hint) from None
        except Fault as fault:
            raise _Refused(f"the record begins with what cannot be: {fault.diagnostic.message}") from None

    def setting(self, seats: int | None, options: dict[str, str]) -> Setting:
        """The game in a configuration. Raises `_Refused` if there is none."""
        key = seats, tuple(sorted(options.items()))
        if key not in self._settings:
            if len(self._settings) >= MOST_GAMES:
                self._settings.clear()
            self._settings[key] = self._compiled(seats, options)
        return self._settings[key]

    def _compiled(self, seats: int | None, options: dict[str, str]) -> Setting:
        try:
            game = self.compiled(seats, options)
        except ErrorsReported as stop:
            first = next(iter(stop.report))
            raise _Refused(first.message, first.help) from None
        machine = game.machine
        conditions = Conditions(game, self.questions.configured(machine.seats, dict(machine.options)))
        tables: Tables = {}
        wording = Wording(self.notation.words, partial(_value_word, conditions, self.notation, tables))
        return Setting(game, options, conditions, Matcher(game, conditions, wording))

    def _opening(self, given: list[tuple[Given, Parts]], setting: Setting) -> Opening | None:
        values: dict[str, list[str]] = {}
        at = seat = None
        is_prepared = spare = False
        wording = setting.matcher.wording
        for one, part in given:
            at = wording.one(one.at, part) if one.at is not None else at
            seat = (wording.one(one.seat, part) or seat) if one.seat is not None else seat
            is_prepared, spare = is_prepared or one.prepared, spare or one.spare
            for address, texts in one.set:
                said = [text for item in texts for text in wording.texts(item, part)]
                for name in wording.texts(address, part):
                    if said:
                        values[name] = said
        if at is None and not values:
            return None
        try:
            return Opening.of(values, at, seat, prepared=is_prepared, spare=spare)
        except CannotPlace as error:
            raise _Refused(str(error), error.hint) from None

    # ---- how it ends

    def _ends(self, parts: list[Parts], cursor: Cursor, setting: Setting) -> Iterator[Diagnostic]:
        """What must hold after the last play and does not."""
        for part in parts:
            for condition in self.notation.end.get(_name(part), ()):
                wanted = setting.matcher.wording.one(condition.wanted, part)
                if wanted is None:
                    continue
                found = _found(setting, condition, cursor, part)
                if found is not None and found != wanted:
                    said = condition.question
                    why = f"`{said}` is `{wanted}` in the record, but `{found}` under the rules"
                    yield RecordRefused(part.record.span(part.item), why)


class _Refused(Exception):
    """Why a record cannot begin."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(why)
        self.why, self.hint = why, hint


def _name(part: Parts) -> str:
    return name_of(part.item)


def _no_value(_: ValueOf, __: Parts) -> str | None:
    return None


def started(game: Game, opening: Opening | None) -> Cursor:
    """The first stop of a match. Raises `CannotPlace`, and `Fault` if the rules fail."""
    if opening is None:
        state, node = game.executor.initial_state(), game.machine.start
    else:
        state, node = begin(game, opening, lambda at: prepared(game, at, 0))
    return Cursor(state, game.executor.advance(state, node))


def _found(setting: Setting, condition: Condition, cursor: Cursor, part: Parts) -> str | None:
    """What an expression is at the end; none while the match is not over, if it is of its end."""
    match = Match(setting.game, keep_history=False)
    match.state = cursor.state
    texts = setting.matcher.wording.texts(Text(condition.question, condition.span), part)
    question = texts[0] if texts else condition.question
    if question == "winner":
        return " ".join(match.winners()) or "none" if match.over else None
    if question == "over":
        return (match.outcome() or "true") if match.over else "false"
    if question.startswith("over: "):
        if not match.over:
            return None
        question = question.removeprefix("over: ")
    types: dict[str, Type] = {name: kind for name, (kind, _) in cursor.named.items()}
    asked = setting.conditions.ask(question, types, condition.span)
    value = setting.conditions.value(asked, cursor.state, cursor.named)
    return setting.game.names.value(asked.type, value) if value is not None else "none"


def _words(game: Game, cursor: Cursor, before: Cursor) -> str:
    """The choices of a play, in the words of the rules."""
    found: list[str] = []
    path = cursor.path
    while path is not None and path is not before.path:
        path, step = path
        if isinstance(step, ChoiceMade):
            node = game.machine.decision(step.waiting.node)
            found.append(" ".join(game.names.choice(node, step.option, step.waiting.what)))
    return ", ".join(reversed(found))


def _value_word(
    conditions: Conditions, notation: Notation, tables: Tables, meaning: ValueOf, parts: Parts
) -> str | None:
    """The word of the one value of a type that fits what the parts say."""
    wording = Wording(notation.words, _no_value)
    if id(meaning) not in tables:
        tables[id(meaning)] = _table(conditions, meaning)
    kinds, rows = tables[id(meaning)]
    numbers = []
    for kind, condition in zip(kinds, meaning.where, strict=True):
        word = wording.one(condition.wanted, parts)
        numbers.append(conditions.number(kind, word) if word is not None else None)
    return rows.get(tuple(numbers))


def _table(conditions: Conditions, meaning: ValueOf) -> tuple[list[Type], dict[tuple[int | None, ...], str]]:
    """The types of the conditions, and the word of each value by what they are of it; not of equal ones."""
    try:
        kind, values = conditions.values(meaning.type)
    except KeyError:
        raise bad(meaning.span, f"unknown type `{meaning.type}`") from None
    blank = conditions.game.executor.initial_state()
    asked = [conditions.ask(one.question, {meaning.type: kind}, one.span) for one in meaning.where]
    found: dict[tuple[int | None, ...], list[int]] = {}
    for value in values:
        key = tuple(conditions.value(one, blank, {meaning.type: (kind, value)}) for one in asked)
        found.setdefault(key, []).append(value)
    names = conditions.game.names
    rows = {key: names.value(kind, same[0]) for key, same in found.items() if len(same) == 1}
    return [one.type for one in asked], rows
