"""Decisions at which somebody must choose and has nothing to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter.messages import NothingToChoose
from validators.check import Check
from validators.findings import Finding
from validators.subject import Subject
from validators.witness import played


@dataclass(frozen=True)
class EmptyChoice(Finding):
    """Somebody has to choose, has nothing to choose from, and there is no way out: a match comes to it.

    The match stops there with R202. The seed that is shown replays it.

    Example:

        procedure discard
            choose card from hand of me          # the hand may be empty
                move card to discard

    Say what then: `choose … if any`, an `otherwise` block, `may choose`; or make sure before that there is
    something.
    """

    code = "V307"
    slug = "empty-choice"
    severity = Severity.ERROR
    title = "`{about}` must be chosen and may have nothing to choose from"
    label = "a match stops here: {match}"
    mend = "say `if any`, give it an `otherwise`, or say `may`"

    match: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    for witness in played(subject).witnesses:
        if isinstance(witness.mistake, NothingToChoose):
            yield EmptyChoice(witness.mistake.span, witness.mistake.name, match=witness.match)


CHECK = Check(EmptyChoice, find, plays=True)
