"""Choices among hidden pieces: they are numbered, so that the list reveals nothing."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice

from dsl.domains import NONE, PieceType
from interpreter import ir
from interpreter.executor_protocol import Option
from interpreter.formatting import open_words
from interpreter.game import Choice, Decision, MatchRecord
from interpreter.reference import pieces


def as_offered(match: MatchRecord, decision: Decision) -> Decision:
    """A decision as the seat that makes it may read it.

    Hidden pieces become numbers: one for each piece on a place, in an order that is independent of what
    they are. If the seat cannot count them, one number stands for all. There are as many if not each piece
    can be chosen, as of a set whose first values are chosen: how many can be says something about them.
    """
    game, waiting = match.game, decision.waiting
    node = game.machine.decision(waiting.node)
    unseen: list[Choice] = []
    passing: list[Choice] = []
    rest: list[Choice] = []
    for choice in decision.choices:
        if game.views.hides_words(match.state, node, choice.option, waiting.what, waiting.seat):
            unseen.append(choice)
        else:
            (passing if choice.option[0] < 0 else rest).append(choice)
    if not unseen:
        return decision
    return replace(decision, choices=(*rest, *_numbered(match, decision, unseen), *passing))


def _numbered(match: MatchRecord, decision: Decision, choices: list[Choice]) -> Iterator[Choice]:
    """The hidden pieces that can be chosen, numbered from 1 for each action."""
    numbers: dict[tuple[str, ...], int] = {}
    for (words, _), found in _groups(match, decision, choices).items():
        for choice in _shuffled(match, found, _seen_number(match, decision, found)):
            numbers[words] = numbers.get(words, 0) + 1
            numbered = (*words, str(numbers[words]))
            label = " ".join(match.game.names.label(word) for word in numbered)
            yield replace(choice, words=numbered, label=label)


def _groups(
    match: MatchRecord, decision: Decision, choices: list[Choice]
) -> dict[tuple[tuple[str, ...], str], list[Choice]]:
    """The hidden pieces by the words that their seat reads and by place, each as often as it is there."""
    node = match.game.machine.decision(decision.waiting.node)
    groups: dict[tuple[tuple[str, ...], str], list[Choice]] = {}
    for choice in choices:
        where = _where(match, decision, choice)
        groups.setdefault((open_words(choice.words, node), where), []).extend(
            [choice] * _copies(match, decision, choice)
        )
    return groups


def shares(match: MatchRecord, decision: Decision) -> dict[Option, float]:
    """For each option how many entries of the list that its seat reads stand for it, on average.

    It is 1 for what the seat reads by name. The numbers of hidden pieces are shared among them.
    """
    game, waiting = match.game, decision.waiting
    node = game.machine.decision(waiting.node)
    found = dict.fromkeys(waiting.options, 1.0)
    unseen = [
        choice
        for choice in decision.choices
        if game.views.hides_words(match.state, node, choice.option, waiting.what, waiting.seat)
    ]
    for pieces_there in _groups(match, decision, unseen).values():
        each = _seen_number(match, decision, pieces_there) / len(pieces_there)
        found.update((choice.option, each * pieces_there.count(choice)) for choice in pieces_there)
    return found


def _place(match: MatchRecord, decision: Decision, choice: Choice) -> int | None:
    """The place of the piece that is chosen, if it is a piece."""
    game, waiting = match.game, decision.waiting
    node = game.machine.decision(waiting.node)
    kind = game.names.value_type(node, choice.option, waiting.what)
    if not isinstance(kind, PieceType) or choice.option[1] == NONE:
        return None
    return choice.option[1] // game.machine.component_classes[kind.component]


def _where(match: MatchRecord, decision: Decision, choice: Choice) -> str:
    place = _place(match, decision, choice)
    return "" if place is None else match.game.names.place(place)


def _copies(match: MatchRecord, decision: Decision, choice: Choice) -> int:
    """How many equal pieces on one place a choice stands for."""
    place = _place(match, decision, choice)
    if place is None:
        return 1
    where = match.game.machine.places[place]
    return max(1, _number(match.state, where, choice.option))


def _number(s: array[int], where: ir.Place, option: Option) -> int:
    class_ = option[1] % where.classes
    match where.kind:
        case ir.COUNTS:
            return s[where.base + class_]
        case ir.ORDERED:
            return list(s[where.base + 1 : where.base + 1 + s[where.base]]).count(class_ + 1)
    return 1


def _seen_number(match: MatchRecord, decision: Decision, found: list[Choice]) -> int:
    """How many numbers are listed: one for each piece, or one if the seat cannot count them."""
    place, game = _place(match, decision, found[0]), match.game
    if place is None:
        return len(found)
    if not game.views.counts(match.state, place, decision.waiting.seat):
        return 1
    return max(len(found), pieces.count(match.state, game.machine.places[place]))


def _shuffled(match: MatchRecord, found: list[Choice], number: int) -> list[Choice]:
    """So many choices in an order that depends on seed and step, not on what the pieces are."""
    moment = f"{match.seed} {len(match.steps)}"

    def key(entry: tuple[int, Choice]) -> bytes:
        return hashlib.blake2b(f"{moment} {entry[0]} {entry[1].text}".encode(), digest_size=8).digest()

    return list(islice(cycle(choice for _, choice in sorted(enumerate(found), key=key)), number))
