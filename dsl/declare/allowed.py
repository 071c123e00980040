"""Findings that a game allows, each with its reason; `allow` of `game.yaml`."""

from __future__ import annotations

import re

from dsl.declare.entry import entry
from dsl.declare.world import World
from dsl.diagnostics import Failed
from dsl.document import Node, Sequence
from dsl.messages.shapes import WrongShape
from dsl.rules import Allowed

KEYS = ("finding", "about", "why")


def read_allowed(world: World, node: Node) -> tuple[Allowed, ...]:
    """`allow: [{finding: V304, about: turn, why: every pawn moves forward}]`."""
    if not isinstance(node, Sequence):
        raise Failed(WrongShape(node.span, "`allow`", "a list", "one entry for each finding"))
    found = (world.attempt(_one, world, item) for item in node.items)
    return tuple(one for one in found if one is not None)


def _one(world: World, node: Node) -> Allowed:
    found = entry(world, node, "an entry of `allow`", KEYS)
    code, about, why = (found.word(key) for key in KEYS)
    if not re.fullmatch(r"V[0-9]{3}", code.text):
        hint = "use the code that `rulewright check` prints"
        raise Failed(WrongShape(code.span, found.of("finding"), "a code such as `V304`", hint))
    if not about.text.strip():
        raise Failed(
            WrongShape(about.span, found.of("about"), "a name", "use the name that the finding gives")
        )
    if not why.text.strip():
        raise Failed(WrongShape(why.span, found.of("why"), "a reason"))
    return Allowed(code.text, about.text, why.text, code.span)
