"""The scene of a game, from its rules and a number of seats."""

from __future__ import annotations

from typing import Any

from dsl import rules as r
from interpreter import ir
from rulewright.layout.areas import default_variables, default_zones
from rulewright.layout.colours import seat_tones
from rulewright.layout.faces import default_faces
from rulewright.layout.pictures import drawn_boards, grouped, together
from rulewright.layout.scene import Scene, Seats, as_json


def scene(rules: r.Rules, seats: int) -> Scene:
    """How a game looks with a number of seats."""
    boards = drawn_boards(rules)
    groups = grouped(rules, boards, seats)
    tones = seat_tones(seats)
    return Scene(
        boards={name: board for group in groups for name, board in together(rules, group, seats).items()},
        groups=groups,
        zones=default_zones(rules, boards),
        variables=default_variables(rules, boards),
        faces=default_faces(rules, tones),
        seats=Seats(tuple(t.light for t in tones), tuple(t.dark for t in tones), tuple(t.ink for t in tones)),
    )


def scene_json(rules: r.Rules, machine: ir.Machine) -> dict[str, Any]:
    """The scene of a compiled game as plain JSON values."""
    return as_json(scene(rules, machine.seats))
