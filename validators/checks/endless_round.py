"""Rounds of play on which nothing gets on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validators.check import Check
from validators.checks import pass_for_ever
from validators.findings import Finding
from validators.flow.progress import Rounds
from validators.flow.words import named_round, told
from validators.subject import Subject


@dataclass(frozen=True)
class EndlessRound(Finding):
    """Play can go round, and nothing moves one way on the round: no counter, no zone, no pointer.

    What makes a game end is something that is used up: a pile that is drawn from and never refilled, a
    counter of rounds, places that are filled and never emptied. On this round there is nothing of the
    kind, as far as can be seen; so nothing shows that a match ends, and two seats who want to can play
    for ever. Some games are like that, and end because players want to win. Where everybody may decline
    on the whole round, V305 says so instead.

    Example:

        action step(cell where token at cell is none)
            clear token at (here of me)
            token at cell = me                # back and forth

    Count rounds, or let something run out. If the game ends for a reason that the rules do not show in
    this way, say it: `allow: [{finding: V304, about: turn, why: every pawn moves forward}]`.
    """

    code = "V304"
    slug = "endless-round"
    title = "play can go round in `{about}` for ever: nothing on the way is used up"
    label = "one round"
    mend = "count rounds, let something run out, or `allow` it with its reason"


def find(subject: Subject) -> Iterator[Finding]:
    told_of = {finding.about for finding in pass_for_ever.find(subject)}
    for flow in subject.plain:
        for round_ in Rounds(flow).found():
            name = named_round(flow, round_)
            if name not in told_of and round_[0].source in flow.ending:
                told_of.add(name)
                yield EndlessRound(flow.span(round_[0].source), name, told(flow, round_))


CHECK = Check(EndlessRound, find)
