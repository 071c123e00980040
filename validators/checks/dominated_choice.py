"""Choices that only lose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.rules import Rules
from validators.check import Check, CheckContext, Finding
from validators.dominance import Dominance
from validators.endless_play import EndlessPlay, PlayedStop
from validators.explore.stepping import Move
from validators.stops_in_words import StopsInWords


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


def _dominated(rules: Rules, play: EndlessPlay) -> dict[int, tuple[list[PlayedStop], tuple[Move, ...]]]:
    """For each decision with choices that once only lose, the shortest match that leads to it, and they."""
    return play.first_found((*play.at_ends, *play.matches), Dominance(rules, play).lesser)


CHECK = Check(DominatedChoice, find, plays=True)
