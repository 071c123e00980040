"""Matches that are over before anybody has chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validators.check import Check, CheckContext, Finding, OutOfTime
from validators.witness import LEAST, match_in_words, played


@dataclass(frozen=True)
class NothingToDecide(Finding):
    """No match asks anybody anything: every one is over before the first choice.

    Something ends the game while it is set up. Often it is a trigger that is true for a moment, or a phase
    that leads to the end at once.

    Example:

        when count(seat where size(hand of seat) > 0) is 1      # true while the first hand is dealt
            end game

    Let the condition be true only after the set-up, or ask it at the end of a turn.
    """

    code = "V346"
    slug = "nothing-to-decide"
    title = "every match is over before anybody has chosen"
    label = "for example: {match}"
    advice = (
        "a trigger may be true during the set-up; `rulewright simulate GAME --log FILE` and `replay` show it"
    )

    match: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    search = played(subject)
    if search.undecided:
        rules = subject.rules
        yield NothingToDecide(rules.span, rules.name, match=match_in_words(search.undecided[0].seats, 0))
    if not search.complete:
        raise OutOfTime


CHECK = Check(NothingToDecide, find, plays=True, least=LEAST)
