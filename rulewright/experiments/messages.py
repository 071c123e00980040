"""What can go wrong while an experiment is carried out; what was finished before is shown all the same."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NobodyToMeet(Diagnostic):
    """Bots are to play each other in a match with one seat.

    An arena rates bots by what they win against each other, so a match needs two seats or more. In a game for
    one, look at the totals that each bot reaches: `rulewright simulate` has them.
    """

    code = "R276"
    slug = "nobody-to-meet"
    title = "bots do not meet in `{game}` with one seat"
    advice = "{hint}"
    game: str
    hint: str
