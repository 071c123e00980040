"""The set-up of a game alone: what is played before a position is set that is `prepared`."""

from __future__ import annotations

from dataclasses import replace

from dsl.cycles import post_order
from dsl.rules import Rules
from dsl.source import NOWHERE
from interpreter import ir
from interpreter.game import Game


def phases_of_set_up(rules: Rules) -> frozenset[str]:
    """The phases of the set-up: those that come once, before any that can come again or scores."""
    phases = rules.phases
    following = {p.name: [case.to for case in p.then] for p in phases.values()}
    found: set[str] = set()
    todo = [next(iter(phases))]
    while todo:
        name = todo.pop()
        later: set[str] = set()
        for after in following[name]:
            post_order(after, following, later)
        if name not in found and name not in later and phases[name].scores is None:
            found.add(name)
            todo += following[name]
    return frozenset(found)


def set_up_alone(game: Game, until: str | None) -> Game:
    """The game that ends where its set-up does, or where a phase begins.

    If its first phase can come again, the game has no phases of set-up: it ends where another one begins.
    """
    machine = game.machine
    first, once = machine.phases[0], phases_of_set_up(game.rules)
    stops = {
        n for n, name in enumerate(machine.phases) if (name not in once and name != first) or name == until
    }
    end = len(machine.nodes)
    nodes = (
        replace(node, next=end) if isinstance(node, ir.EnterPhase) and node.phase in stops else node
        for node in machine.nodes
    )
    ended = replace(machine, nodes=(*nodes, ir.End(span=NOWHERE)))
    return Game(game.ruleset, ended, wording=game.wording)
