"""The texts of a face, from its template and the table of its component."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dsl import rules as r
from dsl.domains import NONE, EffectType, FlagType
from dsl.rules.look import FaceBox
from interpreter.game import Game
from rulewright.layout.scene import Face

HOLE = re.compile(r"\{([^{}]*)\}")


def sign_of(face: Face, name: str) -> str:
    return face.signs.get(name, name)


def face_texts(game: Game, component: r.Component, row: int, face: Face) -> dict[str, str]:
    """The text of each part of the face of a class; columns that say nothing there are empty."""
    name = component.classes[row]

    def filled(match: re.Match[str]) -> str:
        if match[1] == "sign":
            return face.icons.get(name) or sign_of(face, name)
        return cell_of(game, component, row, match[1]) or ""

    return {part: " ".join(HOLE.sub(filled, text).split()) for part, text in face.template.items()}


def box_texts(game: Game, component: r.Component, row: int, boxes: Sequence[FaceBox]) -> Iterator[str | None]:
    """The texts of the boxes of a face, icons still in braces; none for a box that is not there."""

    def filled(match: re.Match[str]) -> str:
        found = cell_of(game, component, row, match[1])
        return match[0] if found is None else found

    for box in boxes:
        there = not box.column or _says(game, component, row, box.column)
        yield HOLE.sub(filled, box.text) if there else None


def _says(game: Game, component: r.Component, row: int, column: str) -> bool:
    """Whether a class has something in a column: a text, a value, a number other than 0."""
    return cell_of(game, component, row, column) not in (None, "", "0")


def cell_of(game: Game, component: r.Component, row: int, hole: str) -> str | None:
    """What stands for a name in braces, the label or a cell; none if it is neither."""
    name = component.classes[row]
    if hole == "label":
        return game.names.label(name)
    of_text = game.rules.text_columns.get(component.name, {}).get(hole)
    if of_text is not None:
        return game.rules.labels.get(r.key_of_text(of_text, name, hole), "")
    return cell_text(game, component.columns[hole], row) if hole in component.columns else None


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
