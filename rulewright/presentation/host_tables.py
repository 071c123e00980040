"""What a host without Python needs of a game besides its description: a module, and tables of its numbers."""

from __future__ import annotations

from typing import Any

from dsl.source import Span
from interpreter import ir
from interpreter.computed import expressions
from interpreter.game import Game
from interpreter.wasm.batches.observe import observed
from interpreter.wasm.build_config import PAGE, PLAIN_PAGE
from interpreter.wasm.standalone import standalone
from interpreter.wording import place_of
from rulewright.presentation.piece_words import piece_words


def host_tables(game: Game, observes: bool = False, companion: bool = True) -> tuple[bytes, dict[str, Any]]:
    """The module of a game that plays without Python, and its tables, a value for JSON.

    To the tables of the module come `classes`, how many classes each component declares, used or not, and for
    each chance node whether it draws from a place and whether all may know what can come, and which words
    refer to pieces that may be hidden. Conditions that refuse are said in the words of players. With
    `observes`, the module also writes what a seat observes, for players that were trained; with `companion`,
    it supposes what may lie hidden at a physical table.
    """
    seen = observed(game.views) if observes else None
    data, tables = standalone(
        game.machine, game.rules, expressions(game), seen, PAGE if companion else PLAIN_PAGE
    )
    for number, chance in tables["chance"].items():
        node = game.machine.node(int(number), ir.Chance)
        chance += [0] * (4 - len(chance))
        chance += [int(node.place is not None), int(node.faces is not None or node.open)]
    _say_conditions(game, tables)
    classes = {name: len(decl.classes) for name, decl in game.rules.components.items()}
    return data, tables | {"classes": classes} | piece_words(game)


def _say_conditions(game: Game, tables: dict[str, Any]) -> None:
    """Replaces the texts of conditions and of their sides by their words."""
    for number, reason in tables["reasons"].items():
        node = game.machine.nodes[int(number)]
        if isinstance(node, ir.Precondition) and reason[0] == "need":
            _say(game, node.asked, reason[3])
    for number, decision in tables["decisions"].items():
        node = game.machine.nodes[int(number)]
        if isinstance(node, ir.Decide):
            _say(game, node.asked, decision["wants"])


def _say(game: Game, asked: Span, written: list[Any]) -> None:
    for words, condition in zip(game.condition_words.get(place_of(asked), ()), written, strict=False):
        condition[0] = words.said
        for side, said in zip(condition[1], words.sides, strict=True):
            side[0] = said.noun
