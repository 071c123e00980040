"""How other seats choose: models that give each option of a decision its chance."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol
from weakref import WeakKeyDictionary

from dsl.domains import PieceType
from interpreter import ir
from interpreter.beliefs.bounded import Bounded
from interpreter.beliefs.record import PositionRecord
from interpreter.executor_protocol import Waiting
from interpreter.game import Game
from interpreter.unseen import shares


class OpponentModel(Protocol):
    """How likely another seat takes each option."""

    @property
    def name(self) -> str:
        """What the model is called in a statement of exactness."""
        ...

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        """A weight for each of the options, none negative; not all are 0. The state must stay as it is.

        They follow from what the seat that chooses sees: of states that it cannot tell apart a model is
        asked about one. `cost`, if a model has it, is how many steps such a question counts as, by default 1.
        `check`, if it has that, is given the game first, and raises an error if the model is none for it.
        """
        ...


@dataclass(slots=True)
class GameDecisions:
    """What is known of the decisions of one game: whether they name no piece, and which hidden places."""

    plain: dict[tuple[object, ...], bool] = field(default_factory=dict)
    places: Bounded[tuple[object, ...], list[int]] = field(default_factory=Bounded)


@dataclass(frozen=True, slots=True)
class Uniform:
    """All entries of the list that a seat reads are as likely: `? 1` and `? 2` are two of them."""

    name: str = "others choose uniformly among what they are offered"
    _known: WeakKeyDictionary[Game, GameDecisions] = field(
        default_factory=WeakKeyDictionary, compare=False, repr=False
    )
    """By game, as long as there is one: another may have its place in memory later."""

    def weights(self, game: Game, state: array[int], waiting: Waiting) -> Sequence[float]:
        if self.is_open(game, state, waiting):
            return (1.0,) * len(waiting.options)
        found = shares(PositionRecord(game, state), game.decision(waiting))
        return [found[option] for option in waiting.options]

    def is_open(self, game: Game, state: array[int], waiting: Waiting) -> bool:
        """Whether the seat that chooses sees every piece that its options name."""
        if not game.views.hides_pieces:
            return True
        known = self._known.setdefault(game, GameDecisions())
        if self._names_no_piece(game, known.plain, waiting):
            return True
        key = (waiting.node, waiting.what, waiting.options, waiting.seat)
        if key not in known.places:
            known.places[key] = self._undeclared(game, waiting)
        return all(game.views.sees(state, i, waiting.seat) for i in known.places[key])

    def _undeclared(self, game: Game, waiting: Waiting) -> list[int]:
        """The places of pieces that options name which the chooser does not see by their declaration."""
        node, classes = game.machine.decision(waiting.node), game.machine.component_classes
        places = {
            value // classes[kind.component]
            for option in waiting.options
            for kind, value in game.names.named(node, option, waiting.what)
            if isinstance(kind, PieceType)
        }
        return [i for i in sorted(places) if not game.views.may_see(i, waiting.seat)]

    def _names_no_piece(self, game: Game, plain: dict[tuple[object, ...], bool], waiting: Waiting) -> bool:
        """Whether no option of a decision is a piece, or has one among its words; `plain` keeps it."""
        key = (waiting.node, waiting.what)
        if key not in plain:
            node = game.machine.decision(waiting.node)
            kinds = [node.type] if isinstance(node, ir.Decide) else list(_kinds(game, waiting))
            plain[key] = not any(isinstance(kind, PieceType) for kind in kinds)
        return plain[key]


UNIFORM: Final = Uniform()


def mixed(plain: Sequence[float], wanted: Sequence[float], share: float) -> list[float]:
    """Chances of which a `share` is that of `plain`, which add up to 1, and the rest goes by weights."""
    total = sum(wanted)
    if total <= 0.0:
        return list(plain)
    return [share * p + (1 - share) * w / total for p, w in zip(plain, wanted, strict=True)]


def _kinds(game: Game, waiting: Waiting) -> Sequence[object]:
    found: list[object] = []
    for doing in waiting.what:
        if doing is not None:
            parameter = game.names.parameter(doing)
            found.append(parameter.type if parameter is not None else None)
            found += [kind for kind, _ in game.names.arguments(doing)]
    return found
