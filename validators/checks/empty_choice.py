"""Mandatory decisions without options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import Severity
from interpreter import ir
from interpreter.messages import NothingToChoose
from validators.check import Check, CheckContext, Finding
from validators.witness import Witness, played


@dataclass(frozen=True)
class EmptyChoice(Finding):
    """A match reaches a mandatory choice with nothing to choose from.

    The match stops there with R202. The given seed replays it.

    Example:

        procedure discard
            choose card from hand of me          # the hand may be empty
                move card to discard

    Use `choose … if any`, with an `else` block, or `may choose`; or make sure first that there is something
    to choose from.
    """

    code = "V307"
    slug = "empty-choice"
    severity = Severity.ERROR
    title = "`{about}` must be chosen but may have nothing to choose from"
    label = "a match stops here: {match}"
    advice = "use `if any`, with an `else` for what to do instead, or use `may`"

    match: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for witness in played(subject).witnesses:
        if isinstance(witness.diagnostic, NothingToChoose):
            path = witness.last_choices()
            yield EmptyChoice(witness.diagnostic.span, _about(witness), path, match=witness.match)


def _about(witness: Witness) -> str:
    """The name of what should be chosen; of several actions the first."""
    nodes = witness.machine.nodes
    offered = (n.names[0] for n in nodes if isinstance(n, ir.Offer) and n.span == witness.diagnostic.span)
    return next(offered, getattr(witness.diagnostic, "name", ""))


CHECK = Check(EmptyChoice, find, plays=True)
