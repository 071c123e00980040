"""Faces as data for the page: the same parts that are printed, as plain JSON values.

A part is a list: `["r", left, top, width, height, fill, edge, radius, opacity]` is a rectangle,
`["p", left, top, width, height, picture, cover]` a picture by its number, and
`["t", left, middle, width, size, ink, style, text]` a text, whose style is 1 for bold and 2 for italic.
Lengths are in mm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from dsl import rules as r
from dsl.rules.look import FaceBox
from interpreter.game import Game
from rulewright.layout.boxes import Filled, Lettered, Part, Pictured, lay_out
from rulewright.layout.compose import scene
from rulewright.layout.faces_text import box_texts, sign_of
from rulewright.layout.letters import MM, width_of
from rulewright.layout.scene import Face

CARD, TILE = (63.0, 88.0), (45.0, 45.0)
"""The sizes of cards and tiles of which the look says nothing, in mm."""


def with_drawn_faces(described: dict[str, Any], game: Game) -> dict[str, Any]:
    """The scene of a description, with the faces that a look has as data, by language and class."""
    drawn = {name: it for name, it in game.rules.look.pieces.items() if it.boxes or it.back}
    if not drawn:
        return described
    pictures: dict[str, int] = {}
    faces = scene(game.rules, game.machine.seats).faces
    for name in drawn:
        face = faces[name]
        size = face.measure or (TILE if face.shape == "tile" else CARD)
        found: dict[str, Any] = {"size": list(size), "outline": face.outline}
        if face.boxes:
            found["drawn"] = {tag: dict(_faces(game, tag, name, face, size, pictures)) for tag in _tags(game)}
        if face.back:
            found["back"] = _parts(game, game.rules.components[name], 0, face, face.back, size, pictures)
        described["faces"][name] |= found
    return described | {"pictures": list(pictures)}


def _tags(game: Game) -> Sequence[str]:
    return list(game.rules.languages) or [game.rules.language]


def _faces(
    game: Game, tag: str, name: str, face: Face, size: tuple[float, float], pictures: dict[str, int]
) -> Iterator[tuple[str, list[Any]]]:
    """The parts of each class in a language."""
    spoken = game if tag == game.rules.language else Game(game.rules.in_language(tag), game.machine, None)
    component = spoken.rules.components[name]
    for row, klass in enumerate(component.classes):
        yield klass, _parts(spoken, component, row, face, face.boxes, size, pictures)


def _parts(
    game: Game,
    component: r.Component,
    row: int,
    face: Face,
    boxes: Sequence[FaceBox],
    size: tuple[float, float],
    pictures: dict[str, int],
) -> list[Any]:
    name = component.classes[row]
    texts = list(box_texts(game, component, row, boxes))
    icons = {**game.rules.look.icons, "sign": face.icons.get(name) or sign_of(face, name)}
    laid = lay_out(boxes, name, texts, icons, (0.0, 0.0, *size), width_of)
    return [_json(part, pictures) for part in laid.parts]


def _json(part: Part, pictures: dict[str, int]) -> list[Any]:
    match part:
        case Filled(area=area, fill=fill, edge=edge, radius=radius, opacity=opacity):
            return ["r", *_rounded(area), fill, edge, radius, opacity]
        case Pictured(area=area, url=url, cover=cover):
            return ["p", *_rounded(area), pictures.setdefault(url, len(pictures)), int(cover)]
        case Lettered():
            style = part.bold + 2 * part.italic
            at = _rounded((part.x, part.y, part.width, part.size * MM))
            return ["t", *at, part.ink, style, part.text]
        case _:
            assert_never(part)


def _rounded(lengths: Sequence[float]) -> list[float]:
    return [round(length, 2) for length in lengths]
