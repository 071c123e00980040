"""What one viewer may know of a match now, as JSON.

A viewer is the number of a seat, `SPECTATOR` or `REFEREE`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from dsl.domains import Type
from interpreter import events as ev, ir
from interpreter.carrying import goes_on
from interpreter.computed import computed
from interpreter.game import Choice, Decision, RangeOfChoices
from interpreter.match import Match
from interpreter.pools import Pool
from interpreter.redacted_log import Entry, entries as told
from interpreter.undo import way_back
from rulewright.presentation.description import takes_turns
from rulewright.presentation.scores import scores
from rulewright.presentation.values import value_json


def position(match: Match, viewer: int, seq: int | None = None) -> dict[str, Any]:
    """What a viewer may know of a match now: pieces, values, who is asked, own choices, scores, undo.

    `seq` is the number of entries that it has been told, for a caller who has counted them. `undo` is as if
    people played all seats.
    """
    game, s = match.game, match.state
    decisions = [] if match.over or not match.steps else match.decisions()
    forked = bool(s[ir.FORKED])
    winners = [game.seat_number(name) for name in match.winners()] if match.over else None
    return {
        "seq": len(told(match, viewer)) if seq is None else seq,
        "seat": viewer,
        "over": match.over,
        "winners": winners,
        "outcome": match.outcome() if match.over else None,
        "ended_by": list(match.ended_by()),
        "ranking": match.places(),
        "phase": s[ir.PHASE],
        "active": s[ir.ACTIVE],
        "turns": not forked and takes_turns(game.rules.phases[game.machine.phases[s[ir.PHASE]]]),
        "together": forked,
        "places": game.views.pieces(s, viewer),
        "words": game.views.words(s, viewer),
        "computed": computed(game, s, viewer),
        "waiting": game.views.awaited(s, viewer, (w.waiting.seat for w in decisions)),
        "decisions": [decision_json(match, d) for d in match.offered_to(viewer)] if viewer >= 0 else [],
        "scores": scores(match, viewer),
        "undo": undo(match, viewer),
        **({"next": True} if match.over and goes_on(game, s) else {}),
    }


def entries(match: Match, viewer: int, since: int = 0) -> list[dict[str, Any]]:
    """What a viewer has been told, from entry number `since` on."""
    return [entry_json(match, entry) for entry in told(match, viewer)[since:]]


# ---- decisions


def decision_json(match: Match, decision: Decision) -> dict[str, Any]:
    """A decision with its choices, as it is offered."""
    waiting = decision.waiting
    return {
        "name": decision.name,
        "node": waiting.node,
        "self": _acting_piece(match, decision),
        "clauses": list(decision.clauses),
        "passing": any(choice.option[0] < 0 for choice in decision.choices),
        "choices": [_choice(match, decision, choice) for choice in decision.choices],
        **({"ranges": [_range(match, decision, one) for one in decision.ranges]} if decision.ranges else {}),
    }


def _range(match: Match, decision: Decision, one: RangeOfChoices) -> dict[str, Any]:
    """Choices that differ in a number alone: the words in front of it, the action, and the numbers."""
    offer = isinstance(match.game.machine.decision(decision.waiting.node), ir.Offer)
    numbers = one.numbers
    return {
        "words": " ".join(one.words),
        "action": one.words[0] if offer else None,
        "numbers": [numbers.first, numbers.last, numbers.step],
    }


def _choice(match: Match, decision: Decision, choice: Choice) -> dict[str, Any]:
    """A choice: its words, the action that it offers, the arguments that this has, and the chosen value."""
    game, waiting, option = match.game, decision.waiting, choice.option
    node = game.machine.decision(waiting.node)
    if option[0] < 0:
        return {"words": choice.text, "action": None, "arguments": [], "value": None, "pass": True}
    views, seat = game.views, waiting.seat
    doing = waiting.what[option[0]] if isinstance(node, ir.Offer) else None

    def json(kind: Type | None, value: int) -> list[Any] | None:
        seen = not views.hides(match.state, seat, ((kind, value),))
        return value_json(game.machine, kind, value, seen)

    return {
        "words": choice.text,
        "action": game.machine.routines[doing[0]].name if doing is not None else None,
        "arguments": [json(*given) for given in game.names.arguments(doing)] if doing is not None else [],
        "value": json(game.names.value_type(node, option, waiting.what), option[1]),
    }


def _acting_piece(match: Match, decision: Decision) -> list[Any] | None:
    """The piece whose effect asks, if the seat sees it: `["piece", place, class]`."""
    s, machine = match.state, match.game.machine
    if s[ir.FORKED]:
        return None
    piece = s[s[ir.FP] + ir.SELF]
    component = match.game.rules.effect_component
    if piece < 0 or component is None:
        return None
    place, class_ = divmod(piece, machine.component_classes[component])
    return ["piece", place, class_] if match.game.views.sees(s, place, decision.waiting.seat) else None


def undo(match: Match, viewer: int, people: Collection[int] | None = None) -> dict[str, Any]:
    """How many choices the viewer may take back freely; else how many to ask for, and who has to agree."""
    way = way_back(match, viewer, people)
    why = way.why.code if way.why else ""
    return {"free": way.free, "ask": way.ask, "why": why, "consent": list(way.consent)}


# ---- entries


def entry_json(match: Match, entry: Entry) -> dict[str, Any]:
    """An entry as JSON."""
    return {
        "seat": match.game.seat_number(entry.seat) if entry.seat is not None else None,
        "words": entry.text or None,
        "node": entry.node,
        "stream": entry.stream,
        "odds": [list(pair) for pair in entry.odds] or None,
        "pool": _pool(entry.pool),
        "events": [_event(match, event) for event in entry.events],
    }


def _pool(pool: Pool | None) -> list[Any] | None:
    """The pieces among which one was drawn: component, number of each class, and whether all lay there."""
    return None if pool is None else [pool.component, list(pool.numbers), pool.exact]


def _event(match: Match, event: ev.Event) -> list[Any]:
    """A redacted event as a list: its kind, then its fields."""
    return [ev.KINDS[type(event)].name, *(_field(match, *field) for field in ev.by_role(event))]


def _field(played: Match, role: ev.FieldRole, value: Any) -> Any:
    match role:
        case ev.FieldRole.WORD:
            return played.game.views.word_number(value)
        case ev.FieldRole.PIECES if value is not None:
            return [list(piece) for piece in value]
    return value
