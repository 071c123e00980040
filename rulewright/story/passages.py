"""Passages: what people would say happened, each in sentences. `web/table/sentences.js` tells the same.

One entry of a log is what a viewer was told of one step. A passage is one thing that somebody did: the
decisions of a move are together, moves of the same pieces are one, what one loses and another gets is said
once, and what the words of a choice say is not said again. What hangs on the game is in `story/rules.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby, product
from typing import Literal, TypeVar

from dsl.diagnostics import InternalError
from dsl.domains import NONE, PieceType
from interpreter import events as ev, ir
from interpreter.redacted_log import Entry
from rulewright.story.names import TableNames

T = TypeVar("T")
SECRET = re.compile(r"\?( \d+)?")
"""The words of a choice of which only that it was made is known."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What somebody did, or that a `turn` began, and what followed; `first` is the number of its entry."""

    first: int
    seat: int | None
    head: str
    facts: tuple[str, ...]
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """A choice as text and word by word; of what is secret only that it was chosen is known."""

    text: str
    words: tuple[str, ...]
    kind: Literal["action", "answer", "pass", "secret"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence, or a part of one: what is `listed` of a thing or has `moved`, with what has its `ends`.

    `values` are the names that it tells. `wide` are the component, and the ends without positions. `routes`
    are what a word has lost or got, with where: by either of its indices.
    """

    text: str
    values: tuple[str, ...] = ()
    kind: Literal["said", "counted", "listed", "moved"] = "said"
    ends: tuple[str, str] = ("", "")
    wide: tuple[str, str, str] | None = None
    number: int = 1
    unseen: bool = False
    routes: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Draft:
    """A passage as it is read: choices, or a turn, or the end of the match, and the events that followed."""

    first: int
    seat: int | None = None
    said: list[Said] = field(default_factory=list)
    opening: str = ""
    events: list[ev.Event] = field(default_factory=list)


def passages(names: TableNames, entries: Iterable[Entry]) -> list[Passage]:
    """The passages of some entries, those with nothing to say left out."""
    say, begun = names.messages, [Draft(0)]
    for number, entry in enumerate(entries):
        if entry.text and entry.seat is not None:
            seat, said, last = names.game.seat_number(entry.seat), _said(names, entry), begun[-1]
            open_ = last.seat == seat and last.said and last.said[0].kind != "pass"
            if open_ and said.kind in ("answer", "secret") and not _facts(names, last):
                last.said.append(said)
            else:
                begun.append(Draft(number, seat, [said]))
        for event in entry.events:
            match event:
                case ev.Turned(seat):
                    begun.append(Draft(number, seat, opening=say("table-story-turn", seat=names.seat(seat))))
                case ev.Ended(outcome, node):
                    named = names.rules.endings[outcome - 1] if outcome else None
                    end = names.end(named, names.game.views.ends.get(node, ()))
                    opening = say("table-story-ended-by", end=end) if end else say("table-story-ended")
                    begun.append(Draft(number, opening=opening))
                case _:
                    begun[-1].events.append(event)
    told = [_passage(names, passage) for passage in begun]
    return [passage for passage in told if passage.facts or (passage.head and not passage.turn)]


def _said(names: TableNames, entry: Entry) -> Said:
    if SECRET.fullmatch(entry.text):
        return Said("", (), "secret")
    node = names.game.machine.decision(entry.node) if entry.node is not None else None
    hidden = names.messages("table-story-hidden")
    words = [hidden if word == "?" else word for word in names.words(node, entry.text)]
    text = " ".join(word for word in words if word)
    if isinstance(node, ir.Decide) and entry.text != "pass":
        question = "" if isinstance(node.type, PieceType) else names.label(node.name.rpartition(".")[2])
        text = names.messages("table-story-answer", what=question, words=text) if question else text
        return Said(text, tuple(words), "answer")
    return Said(text, tuple(words), "pass" if entry.text == "pass" else "action")


def _passage(names: TableNames, begun: Draft) -> Passage:
    """A passage in words. What facts and words both say is said once."""
    say, facts, said, head = names.messages, _facts(names, begun), begun.said, begun.opening
    if said and begun.seat is not None:
        seat, words = names.seat(begun.seat), [word for choice in said for word in choice.words]
        values = words[1:] if said[0].kind == "action" else words
        moves = len(said) > 1 and any(fact.kind == "moved" for fact in facts)
        asked = moves or said[0].kind in ("answer", "secret")
        if asked and facts and {value for fact in facts for value in fact.values}.issuperset(values):
            head = seat
        elif any(choice.kind == "secret" for choice in said):
            head = say("table-story-chose-hidden", seat=seat)
        else:
            head = say("table-story-chose", seat=seat, words=", ".join(choice.text for choice in said))
            facts = list(_unsaid(facts, words))
    turn = not said and begun.seat is not None
    return Passage(begun.first, begun.seat, head, tuple(_sentences(names, facts)), turn)


def _unsaid(facts: Iterable[Fact], words: Sequence[str]) -> Iterator[Fact]:
    """The facts that the words of a choice do not say already; each says one fact of a kind."""
    left = {kind: set(words) for kind in ("said", "counted", "listed", "moved")}
    for fact in facts:
        if fact.values and left[fact.kind].issuperset(fact.values):
            left[fact.kind] -= {*fact.values}
        else:
            yield fact


# ---- events


def _facts(names: TableNames, begun: Draft) -> list[Fact]:
    """What is told of the events of a passage.

    Moves of equal pieces between the same places are one, also by way of places that people do not hear of,
    and so are changes of one word, and what one word loses and another gets. What comes from a bank or goes
    there is told of whom it comes to.
    """
    rules, events = names.rules, _combined(begun.events, partial(_continued, names))
    changes = [event for event in events if isinstance(event, ev.Changed)]
    given = {(rules.banks.get(event.name), event.new - event.old) for event in changes}
    silent = [
        e for e in changes if e.old == e.new or e.name in rules.untold or (e.name, e.old - e.new) in given
    ]
    facts = (_fact(names, event, begun.seat) for event in events if event not in silent)
    return _combined((fact for fact in facts if fact is not None), _passed_on)


def _combined(events: Iterable[T], combine: Callable[[T, T], T | None]) -> list[T]:
    """Events, each put together with the first one before it with which it can be combined."""
    found: list[T] = []
    for event in events:
        for i, before in enumerate(found):
            if (both := combine(before, event)) is not None:
                found[i] = both
                break
        else:
            found.append(event)
    return found


def _continued(names: TableNames, one: ev.Event, other: ev.Event) -> ev.Event | None:
    match one, other:
        case ev.Moved(c, m, a, b, x), ev.Moved(d, n, e, f, y) if (c, x) == (d, y):
            if (a, b) == (e, f):
                return replace(one, number=m + n)
            hidden = names.game.machine.places[b].zone in names.rules.untold
            return replace(one, to=f) if (b, m) == (e, n) and hidden else None
        case ev.Changed(word=word), ev.Changed(word=again) if word == again:
            return replace(other, old=one.old)
    return None


def _passed_on(one: Fact, other: Fact) -> Fact | None:
    """What one of two words has lost and the other has got, where one of their indices differs."""
    if one.number + other.number or not one.routes:
        return None
    lost, got = (one, other) if one.number < 0 else (other, one)
    for (thing, start), (same, stop) in product(lost.routes, got.routes):
        if thing == same:
            return Fact(thing, (start, stop), "moved", (start, stop), number=got.number)
    return None


def _fact(names: TableNames, event: ev.Event, me: int | None) -> Fact | None:
    say, untold = names.messages, names.rules.untold
    match event:
        case ev.Moved():
            return _moved(names, event, me)
        case ev.Changed(name, word, old, new):
            return _changed(names, name, word, old, new, me)
        case ev.Thrown(component, face):
            shown = "?" if face < 0 else names.label(names.game.rules.components[component].classes[face])
            return Fact(shown, kind="listed", ends=(names.label(component), ""))
        case ev.Shown(seat, pieces):
            return _shown(names, seat, pieces, me)
        case ev.Told(seat, name, word, value) if name not in untold:
            layout = names.game.machine.variables[name]
            thing = names.thing(layout, *layout.indices(word), me)
            fact = Fact(thing) if value is None else _changed(names, name, word, None, value, me)
            shown = say("table-story-shown", seat=names.seat(seat), pieces=fact.text) if seat >= 0 else ""
            return Fact(shown) if shown else fact
        case _ if ev.KINDS[type(event)].said:
            return _by_message(names, event, me)
    return None


def _by_message(names: TableNames, event: ev.Event, me: int | None) -> Fact | None:
    """What the message of its kind says of an event; nothing of a place that people do not hear of."""
    arguments: dict[str, str | int] = {}
    for name, (role, value) in zip(ev.KINDS[type(event)].fields, ev.by_role(event), strict=True):
        match role:
            case ev.FieldRole.PLACE if names.game.machine.places[value].zone in names.rules.untold:
                return None
            case ev.FieldRole.PLACE:
                arguments[name] = names.place(value, me)
            case ev.FieldRole.SEAT:
                arguments[name] = names.seat(value)
            case ev.FieldRole.NUMBER:
                arguments[name] = value
            case _:
                raise InternalError(f"a message with a {role}")
    return Fact(names.messages(f"table-story-{ev.KINDS[type(event)].name}", **arguments))


def _moved(names: TableNames, event: ev.Moved, me: int | None) -> Fact | None:
    rules, component, unseen = names.rules, event.component, event.class_ < 0
    decl = names.game.rules.components[component]
    piece = names.label(component) if unseen else names.piece(component, event.class_)
    face = names.label(decl.classes[event.class_]) if decl.die is not None else piece
    values, ends, wide = [] if unseen else [face], [], []
    for number in (event.source, event.to):
        place = names.game.machine.places[number]
        told = place.zone not in rules.untold
        ends.append(names.place(number, me) if told else "")
        wide.append(names.label(place.zone) if told else "")
        if told and place.at is not None:
            values.append(names.index(names.game.rules.zones[place.zone].var.at, place.at))
    if ends[0] == ends[1]:
        return None
    pair, zones = (ends[0], ends[1]), (names.label(component), wide[0], wide[1])
    return Fact(piece, tuple(values), "moved", pair, zones, event.number, unseen)


def _changed(names: TableNames, name: str, word: int, old: int | None, now: int, me: int | None) -> Fact:
    """What has become of a word; without what it was before for those who hear of it first."""
    say, layout = names.messages, names.game.machine.variables[name]
    (of, at), pointer = layout.indices(word), layout.kind == "pointer"
    none = NONE if pointer else 0
    gone, passing = now == none, old is not None and (none in (old, now) or layout.kind == "counter")
    held = (old if gone else now) if pointer else None
    indices = ((layout.at, at, replace(layout, at=None)), (layout.of, of, replace(layout, of=None)))
    routes = tuple(
        (names.thing(without, of, at, me, held), names.index(kind, index))
        for kind, index, without in indices
        if kind is not None and passing
    )
    values = tuple(names.index(kind, index) for kind, index, _ in indices if kind not in (None, "seat"))
    if layout.kind == "counter":
        change, thing = now - (old or 0), names.thing(layout, of, at, me)
        text = say(
            "table-counted" if old is None else "table-story-changed",
            thing=thing,
            number=now,
            old=old or 0,
            now=now,
        )
        return Fact(
            text,
            (*values, names.label(name), say.number(abs(change))),
            "counted",
            number=change,
            routes=routes,
        )
    value = names.value(layout.type, held) if held is not None else ""
    values = (*values, value) if value not in ("", names.index("seat", me)) else values
    if at is not None:
        lead = names.thing(replace(layout, at=None), of, None, me, held, gone)
        text = names.index(layout.at, at)
        return Fact(text, values, "listed", (lead, ""), number=-1 if gone else 1, routes=routes)
    thing = names.thing(layout, of, at, me, None, gone)
    text = say("table-pointing", thing=thing, value=value) if pointer and not gone else thing
    return Fact(text, values, number=-1 if gone else 1, routes=routes)


def _shown(
    names: TableNames, seat: int, pieces: tuple[tuple[int, int, int], ...] | None, me: int | None
) -> Fact | None:
    say, machine = names.messages, names.game.machine
    if pieces is None:
        return Fact(say("table-story-shown-hidden", seat=names.seat(seat)))
    if not pieces or (seat == ev.EVERYBODY and machine.places[pieces[0][0]].zone in names.rules.untold):
        return None
    shown = say.list(
        [names.piece(machine.place_components[machine.places[at].zone], c) for at, c, _ in pieces]
    )
    if seat != ev.EVERYBODY:
        return Fact(say("table-story-shown", seat=names.seat(seat), pieces=shown))
    return Fact(say("table-story-on-top", zone=names.place(pieces[0][0], me), piece=shown))


# ---- sentences


def _sentences(names: TableNames, facts: Sequence[Fact]) -> Iterator[str]:
    """What is listed of the same thing is one sentence, and so are moves between the same places.

    Many moves between places of the same two zones are one, without the places in which they differ.
    """
    say = names.messages
    for (kind, wide), run in groupby(facts, key=lambda fact: (fact.kind, fact.wide)):
        group = list(run)
        if wide is not None and len({fact.ends for fact in group}) >= names.rules.many_moves:
            sides = zip(*(fact.ends for fact in group), strict=True)
            start, stop = (
                side[0] if len({*side}) == 1 else zone for side, zone in zip(sides, wide[1:], strict=True)
            )
            group = [replace(fact, ends=(start, stop)) for fact in group]
        for (start, stop), same in groupby(group, key=lambda fact: fact.ends):
            match kind:
                case "said" | "counted":
                    yield from (fact.text for fact in same)
                case "listed":
                    things = say.list([fact.text for fact in same], "unit")
                    yield say("table-story-listed", thing=start, things=things)
                case "moved":
                    pieces = {"piece": say.list(_pieces(names, list(same))), "from": start, "to": stop}
                    yield say(
                        f"table-story-moved-{'both' if start and stop else 'from' if start else 'to'}",
                        **pieces,
                    )


def _pieces(names: TableNames, moves: Sequence[Fact]) -> list[str]:
    """The pieces of several moves: equal ones counted."""
    say, kinds, wide = names.messages, _combined(moves, _counted), moves[0].wide
    if len(kinds) > names.rules.many_kinds and wide is not None:
        return [say("table-several", number=sum(move.number for move in moves), thing=wide[0])]
    messages = ["table-story-unseen" if kind.unseen else "table-several" for kind in kinds]
    return [say(id, number=k.number, thing=k.text) for id, k in zip(messages, kinds, strict=True)]


def _counted(one: Fact, other: Fact) -> Fact | None:
    alike = (one.text, one.unseen) == (other.text, other.unseen)
    return replace(one, number=one.number + other.number) if alike else None
