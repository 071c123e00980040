"""Piles that are filled from a shuffled zone as a whole, and so lie in a known order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Label
from dsl.rules.reads import zones_in
from dsl.rules.visit import sources, walk
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class UnshuffledPile(Finding):
    """Pieces come onto a pile from a shuffled zone by `move all`, and are drawn from there without a shuffle.

    A shuffled zone or a bag has no order: each draw is random. `move all` draws nothing, and lays the pieces
    down in the order of their classes. Everybody knows then what comes next.

    Example:

        zones:
          deck: {holds: card, order: shuffled, seen_by: count, start: all}
          stock: {holds: card, order: pile, seen_by: count}

        procedure deal
            move all from deck to stock

    Draw them, `move size(deck) from deck to stock`, or `shuffle stock` afterwards.
    """

    code = "V351"
    slug = "unshuffled-pile"
    title = "the pieces come onto `{about}` in the order of their classes, not at random"
    label = "this draws nothing: it moves the pieces in the order of their classes"
    advice = "draw them, as in `move size(deck) from deck to stock`, or `shuffle` the pile afterwards"


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    lines = list(walk((*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))))
    shuffled = {line.zone.zone for line in lines if isinstance(line, r.Shuffle)}
    drawn = {zone: line.span for line in lines for zone in _drawn_from(line)}
    for line in lines:
        if isinstance(line, r.MoveAll) and line.to.zone in drawn.keys() - shuffled and _mixes(rules, line):
            label = Label(drawn[line.to.zone], "drawn from it here")
            yield UnshuffledPile(line.span, line.to.zone, (label,))


def _drawn_from(line: Any) -> frozenset[str]:
    """The zone from which a line takes pieces in their order."""
    return zones_in(line.source) if isinstance(line, r.MoveCount) else frozenset()


def _mixes(rules: r.Rules, line: r.MoveAll) -> bool:
    """Whether different pieces come from a zone without an order onto one with an order."""
    component = rules.components[rules.zones[line.to.zone].component]
    froms = [part.zone for part in sources(line.source) if isinstance(part, r.InZone)]
    has_order = rules.zones[line.to.zone].order in ("pile", "stack", "row")
    return (
        has_order
        and len(component.classes) > 1
        and any(rules.zones[zone].order in ("shuffled", "bag") for zone in froms)
    )


CHECK = Check(UnshuffledPile, find)
