"""Choices among pieces by name, by a seat that does not see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dsl import rules as r
from dsl.diagnostics import Severity
from dsl.domains import PieceType
from interpreter import ir
from interpreter.ir.effects import place_access
from interpreter.ir.visit import leaves
from validators.check import Check, CheckContext, Finding
from validators.checks.hidden_guard import name_of
from validators.flow.graph import Flow
from validators.flow.origins import pieces_in
from validators.flow.path_text import phase_or_routine
from validators.flow.shown import Fact, ShownPieces
from validators.flow.simultaneous import own_locals


@dataclass(frozen=True)
class OfferedUnseen(Finding):
    """A seat chooses by name among pieces that it does not see: the list of choices reveals them.

    A choice of a piece is written by its name. A seat that is offered a hidden hand, a face-down deck or any
    unseen zone would read it in the list. The referee writes `?` for such pieces, so that nothing is
    revealed; but then the choice is meaningless.

    Example:

        zones:
          hand: {holds: card, of: seat, seen_by: nobody, counted_by: all}

        action play(card from hand of me)
            move card to table

    Take a piece at random: `draw card from hand of opponent to hand of me`, with `order: shuffled`. Or offer
    places: `hand: {of: seat, at: slot, size: 1, ...}` and `play(slot where hand of me at slot is
    not empty)`. Or show the pieces first, to the seat that chooses: `show deck to me`.
    """

    code = "V339"
    slug = "offered-unseen"
    severity = Severity.ERROR
    title = "`{about}` offers pieces of `{zone}` by name to a seat that does not see them"
    label = "these pieces are named in the choices"
    advice = "`draw` one at random, offer places instead, or `show` them to that seat first"

    zone: str = ""

    @property
    def also(self) -> tuple[str, ...]:
        return (self.zone,)


Owned: TypeAlias = "set[tuple[int, int]]"
"""Parameters (routine, slot) that are the acting seat in every call."""


def find(subject: CheckContext) -> Iterator[Finding]:
    hidden = {zone.name for zone in subject.rules.zones.values() if zone.seen_by != "all"}
    if not hidden:
        return
    for flow in subject.plain:
        shown, owned = ShownPieces(flow), own_locals(flow, range(len(flow.machine.routines)))
        for number in sorted(flow.reached):
            node = flow.machine.nodes[number]
            if isinstance(node, ir.Decide) and isinstance(node.type, PieceType):
                for pieces in _named(flow, number, node.source):
                    if pieces.zone in hidden and not _sees(subject, flow, shown, owned, number, pieces):
                        yield OfferedUnseen(node.span, _name(subject, flow, number), zone=pieces.zone)


def _name(subject: CheckContext, flow: Flow, number: int) -> str:
    """The routine that contains a choice; a branch of `together` has no name of its own."""
    span, rules = flow.span(number), subject.rules
    owners: tuple[r.Routine | r.Trigger, ...] = (*rules.routines.values(), *rules.triggers)
    before = [o for o in owners if o.span.source is span.source and o.span.start <= span.start]
    if not before:
        return phase_or_routine(flow, number)
    return name_of(max(before, key=lambda owner: owner.span.start))


def _named(flow: Flow, number: int, source: ir.Source) -> Iterator[Fact]:
    """The places whose pieces a choice names, as facts without a seat."""
    nobody = ir.Const(-1)
    for pieces in pieces_in(source):
        yield Fact(flow.machine.places[pieces.first].zone, pieces.of.one, pieces.at.one, nobody)
    listed = [item for leaf in leaves(source) if isinstance(leaf, ir.Listed) for item in leaf.items]
    for part in (part for item in listed for part in _kept(flow, number, item)):
        for zone, indices in place_access(flow.machine, part.place):
            yield Fact(zone, indices[0] if indices else None, None, nobody)


def _kept(flow: Flow, number: int, item: ir.Expr) -> Iterator[ir.PieceAt]:
    """The place that an item reads; for a local, the places from which its routine sets it."""
    if isinstance(item, ir.PieceAt):
        yield item
    for other, node in enumerate(flow.machine.nodes):
        match node:
            case ir.SetLocal(slot=slot, value=ir.PieceAt() as value) if item == ir.Local(slot):
                if flow.owner[other] == flow.owner[number]:
                    yield value


def _sees(
    subject: CheckContext, flow: Flow, shown: ShownPieces, owned: Owned, number: int, pieces: Fact
) -> bool:
    """Whether the choosing seat certainly sees the pieces: by declaration, or because they were shown."""
    node, zone = flow.machine.nodes[number], subject.rules.zones[pieces.zone]
    assert isinstance(node, ir.Decide)
    if zone.seen_by in ("owner", "team") and _is_own(flow, owned, number, node.seat, pieces.of):
        return True
    return any(
        fact.zone == pieces.zone
        and fact.seat == node.seat
        and fact.of in (None, pieces.of)
        and (pieces.at is None or fact.at in (None, pieces.at))
        for fact in shown.zones_at(number)
    )


def _is_own(flow: Flow, owned: Owned, number: int, seat: ir.Expr, of: ir.Expr | None) -> bool:
    """Whether pieces belong to the choosing seat. The active seat is assumed to be that seat."""
    me = ir.Local(ir.ME)
    if of == seat or ir.Head(ir.ACTIVE) in (of, seat):
        return True
    return seat == me and isinstance(of, ir.Local) and (flow.owner[number], of.slot) in owned


CHECK = Check(OfferedUnseen, find)
