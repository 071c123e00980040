"""The pieces of a game: of which kinds how many there are, and what stands on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dsl import rules as r
from interpreter.game import Game
from rulewright.layout.colours import INK, NEUTRAL
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


# ---- what marks, pointers and heaps on boards are shown with


def markers_of(game: Game, scene: Scene) -> Iterator[Piece]:
    """Pieces for the marks and pointers on boards, which no component declares: stones, pawns, markers.

    There are as many as there are places, divided among those whose they may be.
    """
    for name, drawn in scene.variables.items():
        if drawn.area != "board" or drawn.kind == "hidden" or name in game.machine.excluded:
            continue
        if name in game.rules.marks:
            yield from _marks(game, scene, name)
        elif name in game.rules.pointers:
            yield from _pointers(game, scene, name)


def _marks(game: Game, scene: Scene, name: str) -> Iterator[Piece]:
    var = game.rules.marks[name].var
    places = _size(game, var.at if var.at is not None else var.of)
    if var.of == "seat":
        yield from _of_seats(game, scene, name, -(-places // game.machine.seats))
    else:
        yield _marker(scene, name, game.names.label(name), places)


def _pointers(game: Game, scene: Scene, name: str) -> Iterator[Piece]:
    pointer = game.rules.pointers[name]
    var = pointer.var
    if var.of == "seat":
        yield from _of_seats(game, scene, name, _size(game, var.at) if var.at is not None else 1)
    elif var.of is None and var.at is None:
        yield _marker(scene, name, game.names.label(name), 1)
    elif pointer.to == "seat":
        places = _size(game, var.at if var.at is not None else var.of)
        yield from _of_seats(game, scene, name, -(-places // game.machine.seats))
    elif pointer.to in game.rules.types and pointer.to not in scene.boards:
        values = _present(game, pointer.to)
        each = -(-_size(game, var.at if var.at is not None else var.of) // len(values))
        for value in values:
            yield replace(_marker(scene, name, game.names.label(value), each), name=value)


def _present(game: Game, kind: str) -> list[str]:
    decl = game.rules.types[kind]
    return [decl.names[value - decl.lo] for value in decl.present(game.machine.seats)]


def _size(game: Game, index: str | None) -> int:
    """How many values an index has."""
    if index is None:
        return 1
    if index in game.rules.types:
        return len(_present(game, index))
    return len(game.rules.components[index].classes)


def _of_seats(game: Game, scene: Scene, name: str, each: int) -> Iterator[Piece]:
    for seat in range(game.machine.seats):
        fill, ink = scene.seats.colours[seat], scene.seats.ink[seat]
        sign = scene.variables[name].icon or game.names.seat(seat)
        yield Piece("", name, each, fill, ink, {}, sign, game.names.seat(seat))


def _marker(scene: Scene, name: str, label: str, number: int) -> Piece:
    return Piece("", name, number, NEUTRAL.light, INK, {}, scene.variables[name].icon or label, label)
