"""The scene of a game, from its rules, their look, and a number of seats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from dsl import rules as r
from dsl.domains import EnumType
from dsl.rules.look import DrawnArea, DrawnVariable, DrawnZone
from interpreter import ir
from rulewright.layout.areas import default_variables, default_zones
from rulewright.layout.captions import captions
from rulewright.layout.colours import Tone, seat_tones, tone_of
from rulewright.layout.coordinates import STEP
from rulewright.layout.faces import default_faces
from rulewright.layout.figures import figures_of
from rulewright.layout.packs import PackCard, pack_cards, pack_of
from rulewright.layout.pictures import PLAIN, drawn_boards, grouped, is_own, together
from rulewright.layout.scene import (
    AREAS,
    BoardScene,
    Face,
    Point,
    Scene,
    Seats,
    VariableScene,
    ZoneScene,
    as_json,
    seats_json,
)

NOTHING = r.StateLook()
CHECKERED = ("#f0d9b5", "#b58863")


def scene(rules: r.Rules, seats: int) -> Scene:
    """How a game looks with a number of seats."""
    look = rules.look
    boards = drawn_boards(rules)
    groups = grouped(rules, boards, seats)
    tones = _tones(rules, seats)
    pictures = [together(rules.types, rules.tables, group, _looks(rules, group), seats) for group in groups]
    drawn = {name: _captioned(rules, name, board) for picture in pictures for name, board in picture.items()}
    zones, variables = default_zones(rules, boards), default_variables(rules, boards)
    faces = default_faces(rules, tones)
    return Scene(
        boards=drawn,
        groups=groups,
        zones={name: _zone(zone, look.states.get(name, NOTHING)) for name, zone in zones.items()},
        variables={name: _variable(v, look.states.get(name, NOTHING)) for name, v in variables.items()},
        faces={name: _face(rules, rules.components[name], face) for name, face in faces.items()},
        seats=_seats(tones),
        areas=look.areas or AREAS,
        icons=look.values,
    )


def seat_colours(rules: r.Rules, seats: int) -> dict[str, list[str]]:
    """The colours of seats as plain JSON values, as they are in the scene."""
    return seats_json(_seats(_tones(rules, seats)))


def _tones(rules: r.Rules, seats: int) -> tuple[Tone, ...]:
    look = rules.look
    given = look.seats | {seat: shade for (seat, number), shade in look.seats_of.items() if number == seats}
    return tuple(
        tone_of(given[seat]) if seat in given else tone for seat, tone in enumerate(seat_tones(seats))
    )


def _seats(tones: tuple[Tone, ...]) -> Seats:
    return Seats(tuple(t.light for t in tones), tuple(t.dark for t in tones), tuple(t.ink for t in tones))


def scene_json(rules: r.Rules, machine: ir.Machine) -> dict[str, Any]:
    """The scene of a compiled game as plain JSON values."""
    found = as_json(scene(rules, machine.seats))
    for name, board in found["boards"].items():
        if _is_told(rules, machine, name):
            board["told"] = True
    return found


def _is_told(rules: r.Rules, machine: ir.Machine, board: str) -> bool:
    """Whether a board only tells something: nothing lies on it, and nothing is chosen on it."""
    look = rules.look
    lying = any(
        board in (look.states.get(name, NOTHING).board, zone.var.of, zone.var.at)
        for name, zone in rules.zones.items()
    )
    asked = [node.type for node in machine.nodes if isinstance(node, ir.Decide)]
    asked += [it.var.type for routine in rules.routines.values() for it in routine.parameters]
    return not lying and not look.boards.get(board, PLAIN).stands and EnumType(board) not in asked


def _looks(rules: r.Rules, group: tuple[str, ...]) -> dict[str, r.BoardLook]:
    """The looks of boards, each with whether every seat has one."""
    return {
        name: replace(_coloured(rules, name), own=is_own(rules, name), reach=tuple(_reach(rules, name)))
        for name in group
    }


def _coloured(rules: r.Rules, board: str) -> r.BoardLook:
    """The look of a board; one on which men stand that are known by their outlines is checkered."""
    look = rules.look.boards.get(board, PLAIN)
    on = [z.component for z in rules.zones.values() if board in (z.var.of, z.var.at)]
    if look.colours or rules.types[board].shape != "grid":
        return look
    men = any(figures_of(rules.components[name]) for name in on)
    return replace(look, colours=CHECKERED) if men else look


def _captioned(rules: r.Rules, name: str, board: BoardScene) -> BoardScene:
    """A board with what the look shows in place of names."""
    look = rules.look.boards.get(name, PLAIN)
    return replace(board, captions=captions(rules, rules.types[name], look.caption))


def _reach(rules: r.Rules, board: str) -> Iterator[r.XY]:
    """The distances from the places of a board of the zones that lie on it with an offset."""
    for name, zone in rules.zones.items():
        look = rules.look.states.get(name, NOTHING)
        if board in (look.board, zone.var.of, zone.var.at):
            yield from look.offsets


# ---- what the look says instead


def _zone(drawn: ZoneScene, look: r.StateLook) -> ZoneScene:
    kind = cast("DrawnZone", look.kind or drawn.kind)
    area, board = _where(drawn, look)
    order = look.order if look.order is not None else drawn.order
    return ZoneScene(kind, area, board, _offsets(look), order, look.icon)


def _variable(drawn: VariableScene, look: r.StateLook) -> VariableScene:
    kind = cast("DrawnVariable", look.kind or drawn.kind)
    area, board = _where(drawn, look)
    order = look.order if look.order is not None else drawn.order
    offsets = _offsets(look) or drawn.offsets
    return VariableScene(kind, area, board, offsets, order, look.icon, look.colour, look.colours, look.icons)


def _where(drawn: ZoneScene | VariableScene, look: r.StateLook) -> tuple[DrawnArea, str | None]:
    """The area and the board.

    What lies on a board that is named lies in its area; what has none lies among what all share, or where it
    would lie anyhow if it has several places. What points to a board but stands elsewhere does not lie on it.
    """
    if look.board is not None:
        return look.area or "board", look.board
    if look.area == "board" != drawn.area:
        return ("shared" if drawn.board is None else drawn.area), drawn.board
    area = look.area or drawn.area
    return area, None if drawn.area == "board" != area else drawn.board


def _offsets(look: r.StateLook) -> tuple[Point, ...]:
    return tuple((x * STEP, y * STEP) for x, y in look.offsets)


def _face(rules: r.Rules, component: r.Component, face: Face) -> Face:
    look = rules.look.pieces.get(component.name)
    if look is None:
        return face
    tones = {name: tone_of(colour) for name, colour in look.colours.items()}
    cards = _cards(rules, component, look)
    return replace(
        face,
        shape=look.shape or face.shape,
        template=look.face or face.template,
        colours=face.colours | {name: tone.light for name, tone in tones.items()},
        dark=face.dark
        | {
            name: tone.light if cards or face.figures or name in look.ink else tone.dark
            for name, tone in tones.items()
        },
        ink=face.ink | {name: tone.ink for name, tone in tones.items()} | look.ink,
        icons=look.icons or face.icons,
        cards=cards,
        figures=face.figures if look.shape in (None, "figure") and not look.icons else {},
        boxes=look.boxes,
        back=look.back,
        measure=look.measure,
        outline=look.outline,
        ahead=look.ahead,
    )


def _cards(rules: r.Rules, component: r.Component, look: r.PieceLook) -> dict[str, PackCard]:
    """What playing cards show; a look that says another face or shape has none of them."""
    if look.pack is None and (look.face or look.boxes or look.shape not in (None, "card")):
        return {}
    pack = look.pack or pack_of(rules, component)
    return pack_cards(rules, component, pack, look.icons) if pack is not None else {}
