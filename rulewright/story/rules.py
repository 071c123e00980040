"""What the story of a game leaves out, and how it names places: for Python and for the page.

Both compose the same passages. What hangs on the rules of a game is decided here; pages get it as the part
`story` of the description of the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl import rules as r
from interpreter import ir
from interpreter.events import KINDS, FieldRole

LARGE = 12
"""A counter up to this is worth telling: a round, a level, how many have passed."""


@dataclass(frozen=True, slots=True)
class StoryRules:
    """The rules by which a story is told.

    `untold` are the counters, marks, pointers and zones that people do not hear of. `by_position` are the
    zones on boards whose places are called by their positions alone. `banks` has the counter that each
    counter takes from. `endings` are the names of ends, `said` the kinds of events that a
    message tells, with their fields. So `many_moves` from places of one zone to places of
    another are told without the single places; of more than `many_kinds` of pieces only the number is told.
    """

    untold: tuple[str, ...]
    by_position: tuple[str, ...]
    banks: dict[str, str]
    endings: tuple[str, ...]
    said: dict[str, dict[str, FieldRole]]
    many_moves: int = 3
    many_kinds: int = 12


def story_rules(rules: r.Rules, machine: ir.Machine) -> StoryRules:
    """The rules by which the matches of a game are told.

    People do not hear of what has an empty label, or is hidden or put aside by the look, nor of what counts
    turns.
    """
    labels = [rules.in_language(tag).labels for tag in rules.languages]
    unlabelled = {name for found in labels for name, label in found.items() if label == ""}
    hidden = {
        name for name, look in rules.look.states.items() if look.kind == "hidden" or look.area == "aside"
    }
    boards = {name for name, decl in rules.types.items() if decl.shape in ("grid", "hex", "graph")}
    untold = (unlabelled & rules.zones.keys()) | ((unlabelled | hidden) & machine.variables.keys())
    return StoryRules(
        tuple(sorted(untold | {name for name in machine.variables if _counts_turns(machine, name)})),
        tuple(name for name, zone in rules.zones.items() if zone.var.at in boards),
        {name: decl.bank for name, decl in rules.counters.items() if decl.bank is not None},
        tuple(machine.endings),
        {kind.name: dict(kind.fields) for kind in KINDS.values() if kind.said},
    )


def _counts_turns(machine: ir.Machine, name: str) -> bool:
    """Whether a counter of all that may become large only ever goes up by one, or back to where it began."""
    layout = machine.variables[name]
    if layout.kind != "counter" or layout.of or layout.at or layout.ranges[0][1] <= LARGE:
        return False
    written = [node for node in machine.nodes if isinstance(node, ir.SetWord) and node.name == name]
    return all(
        isinstance(node.value, ir.Const) and (node.op == "=" or node.value.value == 1) for node in written
    )
