"""Which words of a state refer to pieces, for a host that deals anew what a seat does not see."""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.game import Game
from validators.secrecy.slots import Held, Slots


def piece_words(game: Game) -> dict[str, Any]:
    """Tables of the words that may refer to a hidden piece; empty if nothing is hidden.

    `held`: for each node at which a frame can wait, `[slot, 1 if it is a list, classes]`. `queues`: for each
    queue of pieces, `[address, classes]`.
    """
    machine = game.machine
    zones = [name for name, zone in game.rules.zones.items() if zone.seen_by != "all"]
    hidden = {machine.component_classes[machine.place_components[zone]] for zone in zones}
    if not hidden:
        return {}
    found = {node: _hidden(held, hidden) for node, held in Slots(machine).held.items()}
    held = {str(node): found[node] for node in sorted(_waiting(machine) & set(found)) if found[node]}
    queues = [[x.held, x.classes] for x in machine.triggers if x.condition is None and x.classes in hidden]
    return {"held": held, "queues": queues}


def _hidden(held: Held, classes: set[int]) -> list[list[int]]:
    return [[slot, int(listed), n] for slot, (listed, n) in sorted(held.items()) if n in classes]


def _waiting(machine: ir.Machine) -> set[int]:
    """The nodes at which a frame can wait: for a choice, or for what it has called."""
    found: set[int] = set()
    for number, node in enumerate(machine.nodes):
        if isinstance(node, ir.Decide | ir.Offer | ir.Fork):
            found.add(number)
        if isinstance(node, ir.Call | ir.CallCell | ir.Offer | ir.Fork):
            found.add(node.next)
    return found
