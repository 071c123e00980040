"""Why what a line of the rules is about is not offered in the position at the table, with the values."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.pieces import pieces
from interpreter import ir
from interpreter.executor_protocol import Waiting
from interpreter.refusal import Refusal
from rulewright.studio.playing import PlayedMatch
from rulewright.studio.rpc import Json

MOST_NAMED = 4
"""How many of the values that are refused for one reason are named."""


def refusals_at(played: PlayedMatch, file: str, line: int) -> Json:
    """What keeps the action around a line from being offered, to each seat that is asked.

    `action` is none outside of an action. `asked` is what the seats are asked instead, if it is not that
    action. `seats` has for each seat in how many ways it is offered, and its refusals: each with its text,
    its place, how many values it refuses, the `first` of them, and whether it is the line's own.
    """
    action = _action_at(played, file, line)
    found: Json = {"action": action, "asked": [], "seats": []}
    if action is None or played.match.over:
        return found
    for waiting in played.match.waiting():
        node = played.game.machine.decision(waiting.node)
        names = _offered_by(played, waiting) if isinstance(node, ir.Offer) else []
        if action in names:
            found["seats"].append(_of_seat(played, waiting, action, file, line))
        else:
            found["asked"] += [name for name in (names or [node.name]) if name not in found["asked"]]
    return found


def _action_at(played: PlayedMatch, file: str, line: int) -> str | None:
    """The routine whose definition a line belongs to."""
    for name, routine in played.rules.routines.items():
        span = routine.span
        if span.source.name != file:
            continue
        around = (piece.span for piece in pieces(span.source))
        whole = next((one for one in around if one.start <= span.start < one.end), span)
        if whole.line <= line <= whole.last_line:
            return name
    return None


def _offered_by(played: PlayedMatch, waiting: Waiting) -> list[str]:
    """The actions that a decision is about, offered or not."""
    routines = played.game.machine.routines
    return [routines[what[0]].name for what in waiting.what if what]


def _of_seat(played: PlayedMatch, waiting: Waiting, action: str, file: str, line: int) -> Json:
    match, names = played.match, played.game.names
    seat = names.seat(waiting.seat)
    offered = sum(
        choice.text.split()[0] == action
        for decision in match.offered_to(waiting.seat)
        for choice in decision.choices
    )
    refusal = match.game.refusals.explain_value(match.state[:], waiting, action, None, waiting.seat)
    alike: dict[str, list[Refusal]] = {}
    for one in _reasons(refusal):
        alike.setdefault(one.condition or one.text, []).append(one)
    shown = [_shown(some, (file, line)) for some in alike.values()]
    return {"seat": seat, "offered": offered, "refusals": sorted(shown, key=lambda one: not one["here"])}


def _shown(alike: list[Refusal], at: tuple[str, int]) -> Json:
    """Refusals for one reason; where each value has its own figures, the condition without them."""
    texts, span = {one.text for one in alike}, alike[0].span
    text = min(texts)
    return {
        "text": text if len(texts) == 1 else text.partition(", but ")[0],
        "place": span.place if span is not None else None,
        "values": sum(bool(one.value) for one in alike),
        "first": [one.value for one in alike if one.value][:MOST_NAMED],
        "here": span is not None and (span.source.name, span.line) == at,
    }


def _reasons(refusal: Refusal) -> Iterator[Refusal]:
    """The reasons for which an action, or the values of one, are refused; what is offered has none."""
    for one in refusal.parts or (refusal,):
        if one.kind != "words":
            yield one
