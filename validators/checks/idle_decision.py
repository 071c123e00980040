"""Decisions that make no difference, found in the matches that show whether play can be endless."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from interpreter.messages import Fault
from validators.check import Check, CheckContext, Finding
from validators.endless_play import EndlessPlay
from validators.explore.state_key import StateKey
from validators.explore.stepping import Move
from validators.stops_in_words import StopsInWords


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
    reported: set[str] = set()
    for play in dict.fromkeys((*subject.endless[:1], *subject.endless[-1:])):
        same = partial(_same, play, StateKey(play.machine).pack)
        for number, (stops, _) in play.first_found(play.matches, same).items():
            node = play.machine.decision(number)
            name = node.name.rpartition(".")[2]
            if name not in reported:
                reported.add(name)
                words = StopsInWords(subject.rules, play)
                choices = words.choices(stops[-1])
                yield IdleDecision(
                    node.span, name, words.before(stops), match=words.match(stops), choices=choices
                )


def _same(play: EndlessPlay, packed: Callable[[bytes], bytes], state: bytes, moves: Sequence[Move]) -> bool:
    """Whether all moves lead to the same position at the next stop, none to a fault."""
    try:
        first = packed(play.steps.after(state, moves[0]))
        return all(packed(play.steps.after(state, move)) == first for move in moves[:0:-1])
    except Fault:
        return False


CHECK = Check(IdleDecision, find, plays=True)
