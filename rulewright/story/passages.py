"""Passages: a choice with what followed from it, each in sentences. `web/table/sentences.js` tells the same.

One entry of a log is what a viewer was told of one step. A passage is what people would say happened: moves
of the same pieces are one, what comes from a bank is told of whom it comes to, and with a turn that begins a
passage does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import assert_never

from dsl.domains import NONE, PieceType
from interpreter import events as ev, ir
from interpreter.redacted_log import Entry
from rulewright.story.names import TableNames

MANY_MOVES = 4
"""So many moves from places of one zone to places of another are told without the single places."""
MANY_KINDS = 12
"""Of more kinds of pieces only their number is told."""
SECRET = re.compile(r"\?( \d+)?")
"""The words of a choice of which only that it was made is known."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What somebody chose, or that a turn began, and what followed; `turn` is the seat whose turn begins."""

    seat: int | None = None
    head: str = ""
    facts: tuple[str, ...] = ()
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """A die that shows a face."""

    component: str
    face: str


@dataclass(frozen=True, slots=True)
class Move:
    """Pieces that moved. Of places that people do not hear of only the `end` is said that they do."""

    component: str
    class_: int
    number: int
    source: int
    to: int
    end: str


Fact = str | Throw | Move


def passages(names: TableNames, entries: Iterable[Entry]) -> list[Passage]:
    """The passages of some entries, those with nothing to say left out."""
    told: list[tuple[Passage, list[Fact]]] = []
    for entry in entries:
        if entry.text:
            seat = names.game.seat_number(entry.seat) if entry.seat is not None else None
            told.append((Passage(seat, _head(names, entry)), []))
        elif not told:
            told.append((Passage(), []))
        for turn, events in _by_turn(entry.events):
            if turn is not None:
                told.append((Passage(turn, turn=turn), []))
            shown = _without_banks(names, _merged(events))
            told[-1][1].extend(fact for event in shown if (fact := _fact(names, event)))
    return [
        replace(passage, facts=tuple(_sentences(names, facts)))
        for passage, facts in told
        if passage.head or facts
    ]


def _head(names: TableNames, entry: Entry) -> str:
    say = names.messages
    assert entry.seat is not None
    seat = names.seat(names.game.seat_number(entry.seat))
    if SECRET.fullmatch(entry.text):
        return say("table-story-chose-hidden", seat=seat)
    node = names.game.machine.decision(entry.node) if entry.node is not None else None
    words = names.spoken(node, entry.text)
    what = "" if node is None or entry.text == "pass" else _question(names, node)
    if what:
        return say("table-story-chose-for", seat=seat, what=what, words=words)
    return say("table-story-chose", seat=seat, words=words)


def _question(names: TableNames, node: ir.Decide | ir.Offer) -> str:
    """What a choice answers, where its words alone do not say it: not for actions and pieces."""
    if isinstance(node, ir.Offer) or isinstance(node.type, PieceType):
        return ""
    return "" if names.is_hidden(node.name.rpartition(".")[2]) else names.asked(node)


# ---- events


def _by_turn(events: Iterable[ev.Event]) -> Iterator[tuple[int | None, list[ev.Event]]]:
    """Events, split where a turn begins, each part with the seat of its turn."""
    turn: int | None = None
    part: list[ev.Event] = []
    for event in events:
        if isinstance(event, ev.Turned):
            yield turn, part
            turn, part = event.seat, []
        else:
            part.append(event)
    yield turn, part


def _merged(events: Iterable[ev.Event]) -> list[ev.Event]:
    """Moves of equal pieces between the same places are one, and so are changes of one word."""
    merged: dict[object, ev.Event] = {}
    for number, event in enumerate(events):
        match event:
            case ev.Moved(class_, count, source, to, component):
                key: object = ("moved", component, class_, source, to)
                before = merged.get(key)
                count += before.number if isinstance(before, ev.Moved) else 0
                merged[key] = replace(event, number=count)
            case ev.Changed(word=word):
                before = merged.get(("changed", word))
                old = before.old if isinstance(before, ev.Changed) else event.old
                merged["changed", word] = replace(event, old=old)
            case _:
                merged[number] = event
    return list(merged.values())


def _without_banks(names: TableNames, events: Sequence[ev.Event]) -> Iterator[ev.Event]:
    """What comes from a bank or goes there is told of whom it comes to, and not of the bank again."""
    changes = [event for event in events if isinstance(event, ev.Changed)]
    given = {(bank, e.new - e.old) for e in changes if (bank := names.bank_of(e.name)) is not None}
    for event in events:
        if not (isinstance(event, ev.Changed) and (event.name, event.old - event.new) in given):
            yield event


def _fact(names: TableNames, event: ev.Event) -> Fact | None:
    say = names.messages
    match event:
        case ev.Moved():
            return _moved(names, event)
        case ev.Changed(name=name, word=word, old=old, new=new):
            return _changed(names, name, word, old, new)
        case ev.Thrown(component=component, face=face):
            classes = names.game.rules.components[component].classes
            return Throw(component, "?" if face < 0 else names.label(classes[face]))
        case ev.Shown(seat=seat, pieces=pieces):
            return _shown(names, seat, pieces)
        case ev.Told(seat=seat, name=name, word=word, value=value):
            if names.is_hidden(name):
                return None
            fact = _thing(names, name, word) if value is None else _changed(names, name, word, None, value)
            if fact is None or seat == ev.EVERYBODY:
                return fact
            return say("table-story-shown", seat=names.seat(seat), pieces=fact)
        case ev.Shuffled(place=place):
            hidden = names.is_hidden_place(place)
            return None if hidden else say("table-story-shuffled", zone=names.place(place))
        case ev.Ended():
            return say("table-story-ended")
        case ev.Entered() | ev.Turned() | ev.Branched():
            return None
    assert_never(event)


def _moved(names: TableNames, event: ev.Moved) -> Move | None:
    source, to = names.is_hidden_place(event.source), names.is_hidden_place(event.to)
    if source and to:
        return None
    end = "to" if source else "from" if to else "both"
    return Move(event.component, event.class_, event.number, event.source, event.to, end)


def _changed(names: TableNames, name: str, word: int, old: int | None, now: int) -> str | None:
    """What has become of a word; without what it was before for those who hear of it first."""
    say, layout = names.messages, names.game.machine.variables[name]
    if names.is_hidden(name) or old == now:
        return None
    match layout.kind:
        case "mark":
            message = "table-story-marked" if now else "table-story-unmarked"
            return _thing(names, name, word, message)
        case "pointer" if now == NONE:
            return say("table-story-unmarked", thing=_thing(names, name, word))
        case "pointer":
            return say("table-pointing", thing=_thing(names, name, word), value=names.value(layout.type, now))
    if old is None:
        return say("table-counted", thing=_thing(names, name, word), number=now)
    return say("table-story-changed", thing=_thing(names, name, word), old=old, now=now)


def _thing(names: TableNames, name: str, word: int, message: str = "table-story-marked") -> str:
    """What a word is called: `coins of B`, `height b2`. A message may say more of it than its name."""
    layout = names.game.machine.variables[name]
    of, at = layout.indices(word)
    parts = [names.label(name)]
    if layout.of is not None and layout.of != "seat":
        parts.append(names.index(layout.of, of))
    if layout.at is not None:
        parts.append(names.index(layout.at, at))
    thing = names.messages(message, thing=" ".join(part for part in parts if part))
    return names.of_seat(layout.kind, thing, of) if layout.of == "seat" and of is not None else thing


def _shown(names: TableNames, seat: int, pieces: tuple[tuple[int, int, int], ...] | None) -> str | None:
    if pieces is None:
        return names.messages("table-story-shown-hidden", seat=names.seat(seat))
    if not pieces:
        return None
    machine = names.game.machine
    shown = [
        names.piece(machine.place_components[machine.places[at].zone], class_) for at, class_, _ in pieces
    ]
    if seat != ev.EVERYBODY:
        return names.messages("table-story-shown", seat=names.seat(seat), pieces=names.messages.list(shown))
    place = pieces[0][0]
    if names.is_hidden_place(place):
        return None
    return names.messages("table-story-on-top", zone=names.place(place), piece=names.messages.list(shown))


# ---- facts


def _sentences(names: TableNames, facts: Sequence[Fact]) -> Iterator[str]:
    """Throws of the same dice are one sentence, and so are moves between the same places."""
    say = names.messages
    for _, run in groupby(_gathered(names, facts), key=_topic):
        group = list(run)
        match group[0]:
            case str():
                yield from (fact for fact in group if isinstance(fact, str))
            case Throw(component=component):
                faces = say.list([fact.face for fact in group if isinstance(fact, Throw)], "unit")
                yield say("table-story-thrown", dice=names.label(component), faces=faces)
            case Move() as first:
                moves = [fact for fact in group if isinstance(fact, Move)]
                yield _move_sentence(
                    names, moves, first.end, names.place(first.source), names.place(first.to)
                )


def _topic(fact: Fact) -> object:
    match fact:
        case str():
            return None
        case Throw(component=component):
            return component
        case Move(source=source, to=to):
            return source, to


def _gathered(names: TableNames, facts: Sequence[Fact]) -> Iterator[Fact]:
    """Many moves between places of the same two zones are one sentence, without the single places."""
    zone = [place.zone for place in names.game.machine.places]

    def route(fact: Fact) -> object:
        match fact:
            case Move(component=component, source=source, to=to, end=end):
                return component, end, zone[source], zone[to]
        return None

    for shared, run in groupby(facts, key=route):
        group = list(run)
        moves = [fact for fact in group if isinstance(fact, Move)]
        if shared is None or len({(move.source, move.to) for move in moves}) < MANY_MOVES:
            yield from group
        else:
            source, to = (names.label(zone[place]) for place in (moves[0].source, moves[0].to))
            yield _move_sentence(names, moves, moves[0].end, source, to)


def _move_sentence(names: TableNames, moves: Sequence[Move], end: str, source: str, to: str) -> str:
    say = names.messages
    ends = {"from": source} if end == "from" else {"to": to} if end == "to" else {"from": source, "to": to}
    return say(f"table-story-moved-{end}", piece=say.list(_pieces(names, moves)), **ends)


def _pieces(names: TableNames, moves: Sequence[Move]) -> list[str]:
    """The pieces of several moves: equal ones counted."""
    say = names.messages
    numbers: dict[tuple[str, int], int] = {}
    for move in moves:
        kind = move.component, move.class_
        numbers[kind] = numbers.get(kind, 0) + move.number
    if len(numbers) > MANY_KINDS:
        return [say("table-several", number=sum(numbers.values()), thing=names.label(moves[0].component))]
    return [_counted(names, component, class_, number) for (component, class_), number in numbers.items()]


def _counted(names: TableNames, component: str, class_: int, number: int) -> str:
    if class_ < 0:
        return names.messages("table-story-unseen", number=number, piece=names.label(component))
    thing = names.piece(component, class_)
    return names.messages("table-several", number=number, thing=thing) if number > 1 else thing
