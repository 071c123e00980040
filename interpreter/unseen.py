"""Choices among hidden pieces: they are numbered, so that the list reveals nothing."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dsl.domains import NONE, PieceType
from interpreter.chance import stream_key
from interpreter.executor_protocol import Option
from interpreter.formatting import open_words
from interpreter.game import Choice, Decision, Game, MatchRecord
from interpreter.reference.pieces import count
from interpreter.wasm.host.codes import NO_PLACE

Group = tuple[tuple[str, ...], int]
"""Choices that their seat reads alike: their words, and the place of the piece."""


def as_offered(match: MatchRecord, decision: Decision) -> Decision:
    """A decision as the seat that makes it may read it.

    Hidden pieces become numbers, in an order that is independent of what they are: as many for each place as
    the host says.
    """
    unseen: list[Choice] = []
    passing: list[Choice] = []
    rest: list[Choice] = []
    for choice in decision.choices:
        if match.game.views.hides_option(match.state, decision.waiting, choice.option):
            unseen.append(choice)
        else:
            (passing if choice.option[0] < 0 else rest).append(choice)
    if not unseen:
        return decision
    return replace(decision, choices=(*rest, *_numbered(match, decision, unseen), *passing))


def _numbered(match: MatchRecord, decision: Decision, choices: list[Choice]) -> Iterator[Choice]:
    """The hidden pieces that can be chosen, numbered from 1 for each action."""
    numbers: dict[tuple[str, ...], int] = {}
    key, _ = stream_key(match.seed, str(len(match.steps)))
    for (words, place), found in _groups(match, decision, choices).items():
        classes = [_piece(match, decision, choice)[1] for choice in found]
        for i in numbers_of(match.game, match.state, decision.waiting.seat, key, place, classes):
            numbers[words] = numbers.get(words, 0) + 1
            numbered = (*words, str(numbers[words]))
            label = " ".join(match.game.names.label(word) for word in numbered)
            yield replace(found[i], words=numbered, label=label)


def numbers_of(
    game: Game, state: array[int], seat: int, key: int, place: int, classes: Sequence[int]
) -> array[int]:
    """For which of some pieces of a place, given by their classes, each number stands, under a key of chance.

    There are as many numbers as the host says.
    """
    most = len(classes) + (0 if place == NO_PLACE else count(state, game.machine.places[place]))
    return game.views.host.numbers(state, seat, place, key, array("i", classes), most)


def _groups(match: MatchRecord, decision: Decision, choices: list[Choice]) -> dict[Group, list[Choice]]:
    """The hidden pieces by the words that their seat reads and by place."""
    node = match.game.machine.decision(decision.waiting.node)
    groups: dict[Group, list[Choice]] = {}
    for choice in choices:
        place, _ = _piece(match, decision, choice)
        groups.setdefault((open_words(choice.words, node), place), []).append(choice)
    return groups


def shares(match: MatchRecord, decision: Decision) -> dict[Option, float]:
    """For each option how many entries of the list that its seat reads stand for it, on average.

    It is 1 for what the seat reads by name. The numbers of hidden pieces are shared among them.
    """
    waiting, views = decision.waiting, match.game.views
    found = dict.fromkeys(waiting.options, 1.0)
    unseen = [c for c in decision.choices if views.hides_option(match.state, waiting, c.option)]
    for (_, place), choices in _groups(match, decision, unseen).items():
        copies = [
            views.host.copies(match.state, place, _piece(match, decision, choice)[1]) for choice in choices
        ]
        each = views.host.unseen(match.state, waiting.seat, place, sum(copies)) / sum(copies)
        found.update((choice.option, each * n) for choice, n in zip(choices, copies, strict=True))
    return found


def _piece(match: MatchRecord, decision: Decision, choice: Choice) -> tuple[int, int]:
    """The place and the class of the piece that is chosen, if it is a piece."""
    game, waiting = match.game, decision.waiting
    kind = game.names.value_type(game.machine.decision(waiting.node), choice.option, waiting.what)
    if not isinstance(kind, PieceType) or choice.option[1] == NONE:
        return NO_PLACE, 0
    return divmod(choice.option[1], game.machine.component_classes[kind.component])
