"""What assertions ask of a match: where it stands, how it began, and what has happened."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from dsl.diagnostics import DiagnosticError
from dsl.domains import Type
from dsl.elaborate.scratch import reads
from dsl.load import Questions
from dsl.rules import Collection, Expr
from dsl.source import NOWHERE, Span
from interpreter import events as ev, ir
from interpreter.executor_protocol import Waiting
from interpreter.game import Choice, Decision, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.position import CannotPlace, Position, parse_address
from interpreter.queries import QueryEvaluator
from interpreter.seat_words import seat_help
from interpreter.sights import REFEREE, SPECTATOR
from interpreter.views import View
from validators.scenarios.scenario import bad_scenario
from validators.scenarios.steps import FlowSteps
from validators.scenarios.vocabulary import FIELD, choice_words, event_words, unknown_word

T = TypeVar("T")
Seen = list[str] | int | bool | str | None


@dataclass
class Table:
    """What scenarios of one compiled game share."""

    game: Game
    answers: QueryEvaluator
    questions: Questions

    @cached_property
    def steps(self) -> FlowSteps:
        return FlowSteps(self.game)

    @cached_property
    def choice_words(self) -> frozenset[str]:
        return choice_words(self.game)

    @cached_property
    def action_words(self) -> frozenset[str]:
        """The names of routines that are not also the name of a value, zone or component."""
        rules = self.game.rules
        values = {name for decl in rules.types.values() for name in decl.names}
        values |= {name for component in rules.components.values() for name in component.classes}
        return frozenset(rules.routines) - values - set(rules.zones) - set(rules.components)

    @cached_property
    def event_words(self) -> frozenset[str]:
        return event_words(self.game)


@dataclass
class Look:
    """A match, the position in which it began, the clauses that the scenario cites, and a place for errors.

    Its methods raise `DiagnosticError` with `BadScenario` for what cannot be asked, and `Fault`.
    """

    table: Table
    match: Match
    before: array[int]
    cites: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE)

    @property
    def game(self) -> Game:
        return self.table.game

    def bad(self, why: str, hint: str = "") -> DiagnosticError:
        return bad_scenario(self.span, why, hint)

    # ---- who is asked

    def seat(self, name: str) -> int:
        try:
            return self.game.seat_number(name)
        except KeyError:
            hint = seat_help(self.game.rules, self.game.machine.seats, name)
            raise self.bad(f"unknown seat `{name}`", hint) from None

    def decisions(self, seat: str | None = None, written: str = "") -> list[Decision]:
        if seat is not None:
            self.seat(seat)
        return [d for d in self.match.decisions(written) if seat in (None, d.seat)]

    def asked(self) -> list[str]:
        """The seats that are asked, each once."""
        return sorted({decision.seat for decision in self.decisions()})

    def choices(self, seat: str | None = None, written: str = "") -> list[Choice]:
        return [choice for decision in self.decisions(seat, written) for choice in decision.choices]

    def check_choices(self, texts: tuple[str, ...]) -> None:
        self._check_words(texts, self.table.choice_words, "is not a word of this game's choices")
        for text in texts:
            words = text.replace(",", " ").split()
            if "pass" in words and len(words) > 1:
                raise self.bad(f"`{text}` is not a choice", "write `pass` alone")
            late = next((word for word in words[1:] if word in self.table.action_words), None)
            if late is not None:
                raise self.bad(f"`{text}` is not a choice", f"put the action `{late}` first, then the value")

    def check_events(self, texts: tuple[str, ...]) -> None:
        self._check_words(texts, self.table.event_words, "is not a word of this game's events")
        for text in texts:
            if not self._is_event(" ".join(text.split())):
                hint = "write `coins of A`, `coins of A: 3 -> 1`, `card: hand of A -> heap`, `A: lay card`"
                raise self.bad(f"no event reads `{text}`", hint)

    def _names(self, role: ev.FieldRole, text: str) -> bool:
        """Whether a text names something that a field of an event with a role can name."""
        match role:
            case ev.FieldRole.SEAT:
                return text in {self.game.names.seat(i) for i in range(self.game.machine.seats)}
            case ev.FieldRole.PHASE:
                return text in self.game.machine.phases
            case ev.FieldRole.PLACE:
                return self.place(text) is not None
        return True

    def _is_event(self, text: str) -> bool:
        """Whether a text has the form of an event, or of an event up to its colon."""
        names = {self.game.names.seat(i) for i in range(self.game.machine.seats)}
        head, colon, rest = text.partition(": ")
        if head in names and (colon or text in names):
            return bool(colon)
        if text in ("the game is over", "phase"):
            return True
        for kind in ev.KINDS.values():
            if kind.notation and (parts := re.fullmatch(FIELD.sub(r"(?P<\1>.+)", kind.notation), text)):
                return all(self._names(kind.fields[field], part) for field, part in parts.groupdict().items())
        if text.partition(" is shown ")[0] in names or " shows " in text or text.endswith(" is thrown"):
            return True
        return self._is_change(head, rest, bool(colon)) or self._is_move(head, rest, bool(colon))

    def _is_change(self, head: str, rest: str, valued: bool) -> bool:
        try:
            words, _ = Position(self.game, self.match.state).word(head)
        except CannotPlace:
            return False
        if words.kind == "counter":
            return not valued or re.fullmatch(r"-?[0-9]+ -> -?[0-9]+", rest) is not None
        return not valued or (rest in ("true", "false") if words.kind == "mark" else len(rest.split()) == 1)

    def _is_move(self, head: str, rest: str, valued: bool) -> bool:
        name = re.sub(r"^[0-9]+ ", "", head)
        known = any(name == c.name or name in c.classes for c in self.game.rules.components.values())
        source, arrow, to = rest.partition(" -> ")
        places = bool(arrow) and all(self.place(end) is not None for end in (source, to))
        return known and (places or not valued)

    def _check_words(self, texts: tuple[str, ...], known: frozenset[str], what: str) -> None:
        wrong = unknown_word(texts, known)
        if wrong is not None:
            raise self.bad(f"`{wrong[0]}` {what}", wrong[1])

    # ---- where it stands

    @property
    def phase(self) -> str:
        return self.game.machine.phases[self.match.state[ir.PHASE]]

    def steps(self) -> set[str]:
        waiting: tuple[Waiting, ...] = self.match.waiting()
        return self.table.steps.standing(self.match.state, waiting[0] if waiting else None)

    def happened(self) -> list[str]:
        """Choices and events since the position was set, in the words of the rules."""
        return [texts[0] for texts in self.all_happened() if texts]

    def all_happened(self) -> list[tuple[str, ...]]:
        """The same, of what is shown openly to one seat also in the words in which the others learn of it."""
        found: list[tuple[str, ...]] = []
        views = self.game.views
        for step in self.match.steps:
            if step.seat is not None:
                found.append((f"{step.seat}: {step.text}",))
            for event in step.events:
                viewers = (REFEREE, SPECTATOR) if ev.KINDS[type(event)].openly else (REFEREE,)
                known = (views.redact(event, viewer) for viewer in viewers)
                found.append(tuple(views.notated(seen for seen in known if seen is not None)))
        return found

    # ---- addresses

    def placed(self, act: Callable[[Position], T]) -> T:
        try:
            return act(Position(self.game, self.match.state))
        except CannotPlace as error:
            raise self.bad(str(error)) from None

    def place(self, text: str) -> int | None:
        """The number of the place that a text addresses, if it addresses one."""
        try:
            if parse_address(text).name in self.game.machine.zone_places:
                return Position(self.game, self.match.state).place(text)
        except CannotPlace:
            return None
        return None

    def order(self, place: int) -> str:
        zone = self.game.rules.zones.get(self.game.machine.places[place].zone)
        return zone.order if zone is not None else "open"

    def pile(self, place: int) -> list[str]:
        """The pieces of an ordered place, from bottom to top."""
        held = Position(self.game, self.match.state).held(place)
        names = self.game.rules.components[self.game.reference.component_of[place]].classes
        return [names[class_] for class_ in held]

    def seen(self, view: View) -> dict[str, Seen]:
        """Everything that a view shows, by address."""
        zones = {k: sorted(v) if isinstance(v, list) else v for k, v in view.zones.items()}
        return {**zones, **view.counters, **view.marks, **view.pointers}

    def sight(self, seat: str, address: str) -> Seen:
        """What a seat sees at an address."""
        return self.seen(self.match.view(self.seat(seat)))[self._full(address)]

    def _full(self, address: str) -> str:
        """An address as views write it."""
        name = address.split()[0] if address.split() else ""
        if name in self.game.machine.stores:
            words, at = self.placed(lambda position: position.word(address))
            return self.game.names.word(words, at - words.base)
        if name not in self.game.machine.zone_places:
            hint = "name a place, a counter, a mark or a pointer: `hand of A`"
            raise self.bad(f"unknown zone, counter, mark or pointer `{name}`", hint)
        return self.game.names.place(self.placed(lambda position: position.place(address)))

    # ---- questions

    def answer(self, text: str, state: array[int] | None = None) -> str | list[str]:
        """The value of an expression, or the sorted values of a collection, now or in another state."""
        question = self._question(text)
        try:
            return self.table.answers.answer(self.match.state if state is None else state, question)
        except Fault as fault:
            raise Fault(replace(fault.diagnostic, span=self.span)) from None

    def type_of(self, text: str) -> tuple[Type, bool]:
        """The type of an expression, or of the items of a collection; and whether it is a collection."""
        question = self._question(text)
        return (question.item, True) if isinstance(question, Collection) else (question.type, False)

    def _question(self, text: str) -> Expr | Collection:
        try:
            question = self.table.questions.ask(text)
        except DiagnosticError as failed:
            why = failed.diagnostic.message
            raise self.bad(f"`{text}` cannot be evaluated: {why}", failed.diagnostic.help) from None
        names = frozenset(self.game.machine.scratch)
        for name, _ in reads(self.game.rules, names, question) if names else ():
            hint = "ask for what the rules keep: it has its start value wherever they wait"
            raise self.bad(f"`{text}` reads `{name}`, which lasts a moment", hint)
        return question
