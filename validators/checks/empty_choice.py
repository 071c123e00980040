"""Decisions at which somebody must choose and has nothing to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import machine as m
from interpreter.messages import NothingToChoose
from validators.check import Check
from validators.findings import Finding
from validators.subject import Subject
from validators.witness import Witness, played


@dataclass(frozen=True)
class EmptyChoice(Finding):
    """Somebody has to choose, has nothing to choose from, and there is no way out: a match comes to it.

    The match stops there with R202. The seed that is shown replays it.

    Example:

        procedure discard
            choose card from hand of me          # the hand may be empty
                move card to discard

    Say what then: `choose … if any`, with an `else` block, `may choose`; or make sure before that there is
    something.
    """

    code = "V307"
    slug = "empty-choice"
    severity = Severity.ERROR
    title = "`{about}` must be chosen and may have nothing to choose from"
    label = "a match stops here: {match}"
    mend = "say `if any`, with an `else` if something else is to be done, or say `may`"

    match: str = ""


def find(subject: Subject) -> Iterator[Finding]:
    for witness in played(subject).witnesses:
        if isinstance(witness.mistake, NothingToChoose):
            hops = witness.last_choices()
            yield EmptyChoice(witness.mistake.span, _about(witness), hops, match=witness.match)


def _about(witness: Witness) -> str:
    """What should be chosen; of several things to do the first."""
    nodes = witness.machine.nodes
    offered = (n.names[0] for n in nodes if isinstance(n, m.Offer) and n.span == witness.mistake.span)
    return next(offered, getattr(witness.mistake, "name", ""))


CHECK = Check(EmptyChoice, find, plays=True)
