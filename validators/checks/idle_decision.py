"""Decisions that make no difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Label
from dsl.wording import plural
from interpreter import ir
from interpreter.executor_protocol import PASS
from interpreter.messages import Fault
from validators.check import Check, CheckContext, Finding
from validators.endless_play import EndlessPlay
from validators.explore.state_key import StateKey
from validators.explore.stepping import WORLD, Move

MOST = 400
"""How many positions of a decision are tried with so many seats."""


@dataclass(frozen=True)
class IdleDecision(Finding):
    """A seat is asked, but all its choices lead to the same position.

    Whoever sits at the table is kept waiting, or looks for a difference that there is not. Usually the
    question is put once too often: who could still do something is asked, though nothing that could be done
    has a use any more.

    Example:

        action give_back(number: 0..3)
            coins = max(0, coins - number)      # with no coins every number is the same

    Ask only where there is something to decide: a `needs`, a `where`, or a range that ends at what there is.
    Allow it where the rules ask for an answer that changes nothing.
    """

    code = "V621"
    slug = "idle-decision"
    title = "all choices of `{about}` lead to the same position"
    label = "asked here, {match}: {choices}"
    advice = "ask only where the choices differ, or `allow` it with the reason why the rules ask"

    match: str = ""
    choices: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    told: set[str] = set()
    for play in dict.fromkeys((subject.endless[0], subject.endless[-1])):
        for number, found in _idle(play).items():
            node = play.machine.decision(number)
            name = node.name.rpartition(".")[2]
            if name not in told:
                told.add(name)
                yield IdleDecision(node.span, name, match=found[0], choices=found[1])


def _idle(play: EndlessPlay) -> dict[int, tuple[str, str]]:
    """For each decision that makes no difference the shortest match to it, and its choices, in words."""
    packed, tried = StateKey(play.machine).pack, Counter[int]()
    found: dict[int, tuple[int, str, str]] = {}
    for match in play.matches:
        for number, stop in enumerate(match):
            play.flow.tick()
            moves = play.steps.moves(stop.state)
            if len(moves) < 2 or len({(m.node, m.branch) for m in moves}) > 1 or moves[0].branch == WORLD:
                continue
            node = moves[0].node
            tried[node] += 1
            if tried[node] > MOST or (node in found and found[node][0] <= number):
                continue
            try:
                first = packed(play.steps.after(stop.state, moves[0]))
                same = all(packed(play.steps.after(stop.state, move)) == first for move in moves[:0:-1])
            except Fault:
                continue
            if same:
                how = f"with {plural(play.machine.seats, 'seat')} after {plural(number, 'step')}"
                found[node] = number, how, ""
    return {node: (how, choices) for node, (_, how, choices) in found.items()}


CHECK = Check(IdleDecision, find, plays=True)
