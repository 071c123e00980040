"""What a host without Python needs of a game besides its description: a module, and tables of its numbers."""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.game import Game
from interpreter.wasm.standalone import standalone
from rulewright.presentation.piece_words import piece_words


def host_tables(game: Game) -> tuple[bytes, dict[str, Any]]:
    """The module of a game that plays without Python, and its tables, a value for JSON.

    To the tables of the module come `classes`, how many classes each component declares, used or not, and for
    each chance node whether it draws from a place, and which words refer to pieces that may be hidden.
    """
    data, tables = standalone(game.machine, game.rules)
    for number, chance in tables["chance"].items():
        node = game.machine.node(int(number), ir.Chance)
        chance.append(int(node.place is not None))
    classes = {name: len(decl.classes) for name, decl in game.rules.components.items()}
    return data, tables | {"classes": classes} | piece_words(game)
