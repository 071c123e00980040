"""Mandatory decisions without options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dsl import rules as r
from dsl.diagnostics import Severity
from dsl.rules.reads import reads
from dsl.rules.visit import walk
from interpreter import ir
from interpreter.messages import NothingToChoose
from interpreter.views import View
from validators.check import Check, CheckContext, Finding
from validators.witness import LEAST, Witness, witnesses

SHOWN = 4
"""How many addresses of a position are shown."""


@dataclass(frozen=True)
class EmptyChoice(Finding):
    """A match reaches a mandatory choice with nothing to choose from.

    The match stops there with R202. The given seed replays it; the help gives the values that the
    choice depends on.

    Example:

        procedure discard
            choose card from hand of me          # the hand may be empty
                move card to discard

    Use `choose … if any`, with an `else` block, or `may choose`; or make sure first that there is something
    to choose from. Where actions are offered, give the offer an `otherwise`, or offer them with `may`.
    """

    code = "V307"
    slug = "empty-choice"
    severity = Severity.ERROR
    title = "`{about}` must be chosen but may have nothing to choose from"
    label = "a match stops here: {match}"
    advice = "{there}{remedy}"

    match: str = ""
    there: str = ""
    remedy: str = "use `if any`, with an `else` for what to do instead, or use `may`"


def find(subject: CheckContext) -> Iterator[Finding]:
    for witness in witnesses(subject):
        if isinstance(witness.diagnostic, NothingToChoose):
            path, view = witness.replayed()
            there = _position(witness, view) if view is not None else ""
            empty = EmptyChoice(
                witness.diagnostic.span, _about(witness), path, match=witness.match, there=there
            )
            yield replace(empty, remedy=witness.diagnostic.help) if _offered(witness) else empty


def _offered(witness: Witness) -> tuple[str, ...]:
    """The actions that should be offered; none where a value should be chosen."""
    nodes = witness.machine.nodes
    offered = (n.names for n in nodes if isinstance(n, ir.Offer) and n.span == witness.diagnostic.span)
    return tuple(next(offered, ()))


def _about(witness: Witness) -> str:
    """The name of what should be chosen; of several actions the first."""
    return next(iter(_offered(witness)), getattr(witness.diagnostic, "name", ""))


def _position(witness: Witness, view: View) -> str:
    """How what a choice depends on stands: what it is made from, or what the actions ask for."""
    read = _read_by(witness.rules, _asking(witness))
    shown = [(a, v) for a, v in _standing(view) if a.partition(" ")[0] in read]
    if not shown:
        return ""
    more = f" (and {len(shown) - SHOWN} more)" if len(shown) > SHOWN + 1 else ""
    first = shown[:SHOWN] if more else shown
    return f"there {', '.join(f'{address} is {value}' for address, value in first)}{more}; "


def _asking(witness: Witness) -> list[r.Choose | r.Routine]:
    """The `choose` that has nothing to choose from, or the actions that are offered."""
    rules, span = witness.rules, witness.diagnostic.span
    blocks = [*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers)]
    chosen: list[r.Choose | r.Routine]
    chosen = [line for line in walk(tuple(blocks)) if isinstance(line, r.Choose) and line.span == span]
    if chosen:
        return chosen
    offers = (n for n in witness.machine.nodes if isinstance(n, ir.Offer) and n.span == span)
    named = {name for offer in offers for name in offer.names}
    return [rules.routines[name] for name in sorted(named) if name in rules.routines]


def _read_by(rules: r.Rules, asking: list[r.Choose | r.Routine]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for one in asking:
        if isinstance(one, r.Choose):
            found |= reads(rules, one.binder)
        else:
            lines = [line for line in walk(one.block) if isinstance(line, r.Precondition | r.Transfer)]
            found |= reads(rules, (one.parameters, *lines))
            found |= {line.counter for line in lines if isinstance(line, r.Transfer) and line.verb == "pay"}
    return found


def _standing(view: View) -> Iterator[tuple[str, str]]:
    """Everything in a position, by address, in words."""
    for address, found in view.zones.items():
        yield address, (", ".join(found) or "empty") if isinstance(found, list) else f"{found}"
    for address, number in view.counters.items():
        yield address, f"{number}"
    for address, mark in view.marks.items():
        yield address, "set" if mark else "not set"
    for address, pointer in view.pointers.items():
        yield address, pointer or "none"


CHECK = Check(EmptyChoice, find, plays=True, least=LEAST)
