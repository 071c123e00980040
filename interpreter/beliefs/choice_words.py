"""The words of choices as a viewer reads them, worked out once where no state changes them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from dsl.domains import PieceType
from interpreter.beliefs.bounded import Bounded
from interpreter.executor_protocol import Option, Waiting
from interpreter.formatting import UNSEEN, open_words
from interpreter.game import Game


class ChoiceWords:
    """Reads choices for the viewers of one game.

    Whether a viewer may read a choice depends on the state only where it can have been shown a piece that the
    choice names.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.views = game, game.views
        self._written = Bounded[tuple[object, ...], str]()
        self._texts = Bounded[tuple[object, ...], str | None]()
        self._fits = Bounded[tuple[object, ...], list[bool] | None]()

    def text(self, state: array[int], waiting: Waiting, option: Option, viewer: int) -> str:
        """An option that was chosen in a state, in words, as a viewer may read it."""
        key = (waiting.node, option, waiting.what, viewer)
        if key not in self._texts:
            fixed = self._is_fixed(waiting, option, viewer)
            self._texts[key] = self._read(state, waiting, option, viewer) if fixed else None
        known = self._texts[key]
        return known if known is not None else self._read(state, waiting, option, viewer)

    def offered(self, state: array[int], waiting: Waiting, option: Option) -> tuple[str, ...]:
        """An option as the seat reads it that is asked, without the numbers of hidden pieces."""
        node = self.game.machine.decision(waiting.node)
        words = self.game.names.choice(node, option, waiting.what)
        hidden = self.views.hides_option(state, waiting, option)
        return open_words(words, node) if hidden else words

    def fitting(self, state: array[int], waiting: Waiting, text: str | None, viewer: int) -> Sequence[bool]:
        """For each option whether it reads as a text; all do if there is none."""
        if text is None:
            return [True] * len(waiting.options)
        key = (waiting.node, waiting.options, waiting.what, text, viewer)
        if key not in self._fits:
            fixed = all(self._is_fixed(waiting, option, viewer) for option in waiting.options)
            self._fits[key] = self._fitting(state, waiting, text, viewer) if fixed else None
        known = self._fits[key]
        return known if known is not None else self._fitting(state, waiting, text, viewer)

    def _fitting(self, state: array[int], waiting: Waiting, text: str, viewer: int) -> list[bool]:
        hidden = text.endswith(UNSEEN)
        return [
            (hidden or self._words(waiting, option) == text)
            and self.text(state, waiting, option, viewer) == text
            for option in waiting.options
        ]

    def _words(self, waiting: Waiting, option: Option) -> str:
        """All words of an option."""
        key = (waiting.node, option, waiting.what)
        if key not in self._written:
            node = self.game.machine.decision(waiting.node)
            self._written[key] = " ".join(self.game.names.choice(node, option, waiting.what))
        return self._written[key]

    def _read(self, state: array[int], waiting: Waiting, option: Option, viewer: int) -> str:
        return self.views.choice_text(state, waiting, option, viewer)

    def _is_fixed(self, waiting: Waiting, option: Option, viewer: int) -> bool:
        """Whether a viewer reads an option alike in all states."""
        if viewer < 0:
            return True
        machine = self.game.machine
        named = self.game.names.named(machine.decision(waiting.node), option, waiting.what)
        places = (v // machine.component_classes[k.component] for k, v in named if isinstance(k, PieceType))
        return all(place not in machine.shown or self.views.may_see(place, viewer) for place in places)
