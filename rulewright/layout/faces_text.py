"""The texts of a face, from its template and the table of its component."""

from __future__ import annotations

import re

from dsl import rules as r
from dsl.domains import NONE, EffectType, FlagType
from interpreter.game import Game
from rulewright.layout.scene import Face

HOLE = re.compile(r"\{([^{}]*)\}")


def sign_of(face: Face, name: str) -> str:
    return face.signs.get(name, name)


def face_texts(game: Game, component: r.Component, row: int, face: Face) -> dict[str, str]:
    """The text of each part of the face of a class; columns that say nothing there are empty."""

    def cell(match: re.Match[str]) -> str:
        name = component.classes[row]
        if match[1] == "label":
            return game.names.label(name)
        if match[1] == "sign":
            return face.icons.get(name) or sign_of(face, name)
        of_text = game.rules.text_columns.get(component.name, {}).get(match[1])
        if of_text is not None:
            return game.rules.labels.get(r.key_of_text(of_text, name, match[1]), "")
        return cell_text(game, component.columns[match[1]], row)

    return {part: " ".join(HOLE.sub(cell, text).split()) for part, text in face.template.items()}


def cell_text(game: Game, column: r.Column, row: int) -> str:
    """The value of a column; of a group those that are not blank, with their keys."""
    if column.keyed_by is None:
        return _value(game, column, column.values[row])
    some = [(key, v) for key, v in enumerate(column.groups[row]) if not column.is_blank(v)]
    decl = game.rules.types.get(column.keyed_by)
    names = decl.names if decl is not None else game.rules.components[column.keyed_by].classes
    return ", ".join(f"{_value(game, column, v)} {game.names.label(names[key])}".strip() for key, v in some)


def _value(game: Game, column: r.Column, value: int) -> str:
    if value == NONE or isinstance(column.type, EffectType):
        return ""
    if isinstance(column.type, FlagType):
        return game.names.label(column.name) if value and column.keyed_by is None else ""
    return game.names.label(game.names.keys.value(column.type, value))
