"""The pieces of a game: of which kinds how many there are, and what stands on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl import rules as r
from interpreter.game import Game
from rulewright.layout.colours import INK
from rulewright.layout.faces_text import face_texts, sign_of
from rulewright.layout.scene import Face, Scene


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of pieces with the number of them.

    `texts` are the parts of its face, `sign` is what stands on a small piece, `rules` what it does.
    """

    component: str
    name: str
    number: int
    fill: str
    ink: str
    texts: Mapping[str, str]
    sign: str
    plain_sign: str
    rules: str = ""


def pieces_of(game: Game, scene: Scene, component: r.Component, told: Mapping[str, str]) -> Iterator[Piece]:
    """The pieces of a component, but dice. `told` has what pieces do, by class.

    Pieces that are alike and belong to seats have the colours of the seats, as many for each.
    """
    face = scene.faces[component.name]
    for row, name in enumerate(component.classes):
        number = component.copies[row]
        if face.owned:
            yield from _owned(game, scene, component, number)
        elif number:
            texts = face_texts(game, component, row, face)
            yield _piece(component.name, name, number, face, texts, told.get(name, ""))


def _piece(component: str, name: str, number: int, face: Face, texts: Mapping[str, str], rules: str) -> Piece:
    sign = face.icons.get(name) or sign_of(face, name)
    fill, ink = face.colours.get(name, "#ffffff"), face.ink.get(name, INK)
    return Piece(component, name, number, fill, ink, texts, sign, sign_of(face, name), rules)


def _owned(game: Game, scene: Scene, component: r.Component, number: int) -> Iterator[Piece]:
    seats = game.machine.seats
    each = number if component.per_seat else -(-number // seats)
    face, name = scene.faces[component.name], component.classes[0]
    texts = face_texts(game, component, 0, face)
    sign = face.icons.get(name) or sign_of(face, name)
    for seat in range(seats if each else 0):
        fill, ink = scene.seats.colours[seat], scene.seats.ink[seat]
        yield Piece(component.name, name, each, fill, ink, texts, sign, sign_of(face, name))
