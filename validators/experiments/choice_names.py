"""Names of choices that do not depend on the position: the action with the class or value that is chosen."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dsl.domains import NONE, PieceType
from interpreter import ir
from interpreter.executor_protocol import Option
from interpreter.game import Game
from interpreter.wasm.batch_module import batch_module

UNNUMBERED = -1
"""Where a decision has no action of a number."""


class ChoiceNames:
    """The names of all choices of a game, numbered as they come. Pieces count by class, not by place."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._options: dict[tuple[int, Option], int] = {}
        self._tables: dict[int, npt.NDArray[np.int32]] = {}

    def number(self, node: int, option: Option) -> int:
        """The number of an option's name."""
        found = self._options.get((node, option))
        if found is None:
            name = self._name(self.game.machine.decision(node), option)
            found = self._numbers.setdefault(name, len(self.names))
            if found == len(self.names):
                self.names.append(name)
            self._options[node, option] = found
        return found

    def table(self, node: int) -> npt.NDArray[np.int32]:
        """[actions]: for each action of a decision of a batch the number of its name, or `UNNUMBERED`."""
        found = self._tables.get(node)
        if found is None:
            numbering = batch_module(self.game).numberings[node]
            found = np.full(numbering.total, UNNUMBERED, dtype=np.int32)
            for action in range(numbering.total):
                found[action] = self.number(node, numbering.option(action))
            self._tables[node] = found
        return found

    def _name(self, node: ir.Decide | ir.Offer, option: Option) -> str:
        part, value = option
        if part < 0:
            return f"pass {_spoken(node.name)}"
        if isinstance(node, ir.Decide):
            return f"{_spoken(node.name)} {self._value(node, value)}".rstrip()
        target, name = node.what[part], _spoken(node.names[part])
        if value == NONE or not isinstance(target, ir.DoRoutine):
            return name
        parameters = self.game.names.parameters(target.routine)
        first = parameters[min(len(target.arguments), len(parameters) - 1)]
        return f"{name} {self._value(first, value)}".rstrip() if first is not None else name

    def _value(self, node: ir.Decide, value: int) -> str:
        """A value; nothing for a piece of a component with one class."""
        kind, names = node.type, self.game.names
        if isinstance(kind, PieceType) and value != NONE:
            classes = self.game.rules.components[kind.component].classes
            return names.value(kind, value) if len(classes) > 1 else ""
        return names.value(kind, value)


def _spoken(name: str) -> str:
    return name.replace(".", " ")
