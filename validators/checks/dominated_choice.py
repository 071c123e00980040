"""Choices that only lose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dsl.rules import Rules
from interpreter import ir
from validators.check import Check, CheckContext, Finding
from validators.dominance import Dominance
from validators.endless_play import EndlessPlay, PlayedStop
from validators.explore.stepping import WORLD, Move
from validators.stops_in_words import StopsInWords

MOST = 400
"""How many positions of a decision are tried with one number of seats."""


@dataclass(frozen=True)
class DominatedChoice(Finding):
    """A seat may choose what can only be worse than everything else that it may choose.

    Nobody could want it, whatever the hidden pieces are and whatever chance brings: all choices come to the
    same, or to the end, before anybody decides anything else, and with this one the seat never has more of
    anything, and sometimes less in the account. Usually the question is put once too often, such as where a
    payment fell short and the other choice costs nothing.

    Example:

        action fold                             # asked even if `call` costs nothing
            opponent gains pot chips

    Ask only where something speaks for it: a `needs`, or a condition before the decision. Allow it where the
    rules let a seat throw something away. Values of one action are not compared, so a bad last move is none.
    """

    code = "V622"
    slug = "dominated-choice"
    title = "of `{about}`, {lesser} can only lose"
    label = "asked here, {match}: {choices}"
    advice = "ask only where something speaks for it, or `allow` it with the reason why the rules ask"

    lesser: str = ""
    match: str = ""
    choices: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    told: set[str] = set()
    for play in dict.fromkeys((*subject.endless[:1], *subject.endless[-1:])):
        for number, (stops, lesser) in _dominated(subject.rules, play).items():
            node = play.machine.decision(number)
            name = node.name.rpartition(".")[2]
            if name not in told:
                told.add(name)
                words = StopsInWords(subject.rules, play)
                yield DominatedChoice(
                    node.span,
                    name,
                    words.before(stops),
                    lesser=words.choices(stops[-1], lesser),
                    match=words.match(stops),
                    choices=words.choices(stops[-1]),
                )


def _dominated(rules: Rules, play: EndlessPlay) -> dict[int, tuple[Sequence[PlayedStop], Sequence[Move]]]:
    """For each decision with choices that once only lose, the shortest match that leads to it, and they."""
    dominance, tried = Dominance(rules, play), Counter[int]()
    found: dict[int, tuple[Sequence[PlayedStop], Sequence[Move]]] = {}
    for match in (*play.at_ends, *play.matches):
        for number, stop in enumerate(match, 1):
            play.flow.tick()
            moves = play.steps.moves(stop.state)
            together = memoryview(stop.state).cast("i")[ir.FORKED]
            if len(moves) < 2 or moves[0].branch == WORLD or together:
                continue
            node = moves[0].node
            tried[node] += 1
            shorter = node not in found or number < len(found[node][0])
            if tried[node] <= MOST and shorter and (lesser := dominance.lesser(stop.state, moves)):
                found[node] = match[:number], lesser
    return found


CHECK = Check(DominatedChoice, find, plays=True)
