"""What conditions read, as far as secrecy goes: who may be told that one does not hold."""

from __future__ import annotations

from enum import IntEnum

from dsl import rules as r
from interpreter import ir
from interpreter.ir.effects import accesses
from interpreter.ir.simultaneous import changed_together
from interpreter.ir.visit import walk


class Audience(IntEnum):
    """Who may be told of a condition, as the declarations of what it reads say."""

    NOBODY = 0
    ALL = 1
    ACTING_SEAT = 2


def audience(rules: r.Rules, reads: tuple[tuple[str, bool], ...]) -> Audience:
    """Who sees all that a condition reads: zones, and counters, marks and pointers that are hidden.

    "" is a local that was made from what not everybody sees.
    """
    found = Audience.ALL
    hidden = rules.hidden_words
    for name, mine in reads:
        seen = rules.zones[name].seen_by if name in rules.zones else hidden.get(name, "nobody")
        if not name:
            seen = "owner"
        if seen not in ("all", "owner", "team", "others"):
            return Audience.NOBODY
        if seen != "all":
            if not mine:
                return Audience.NOBODY
            found = Audience.ACTING_SEAT
    return found


def source_audience(rules: r.Rules, node: ir.Decide) -> Audience:
    """Who may know which values a decision is about, however it was come to."""
    return audience(rules, (*node.behind, *node.reads))


def hides_source(rules: r.Rules, node: ir.Decide) -> bool:
    """Whether nobody may know which values a parameter has: not even that one is not among them."""
    return node.trial and source_audience(rules, node) is Audience.NOBODY


def pieces_of_payment(node: ir.Transfer) -> tuple[tuple[ir.Expr, int], ...]:
    """The pieces that say how much is to be paid, and of what."""
    indices = (term.index for term in node.address.terms)
    return tuple(dict.fromkeys(found for expr in (node.amount, *indices) for found in pieces_of(expr)))


def pieces_of(expr: ir.Expr) -> tuple[tuple[ir.Expr, int], ...]:
    """The pieces whose class or place an expression reads, each with its number of classes.

    Pieces in registers are left out: for them, their zones are checked instead of their values.
    """
    parts = (part for part in walk(expr) if isinstance(part, ir.ClassOf | ir.PlaceIndex))
    return tuple(dict.fromkeys((part.piece, part.classes) for part in parts if not _in_register(part.piece)))


def _in_register(expr: ir.Expr) -> bool:
    return any(isinstance(part, ir.Reg) for part in walk(expr))


def is_mine_alone(mc: ir.Machine, changed: frozenset[str], condition: ir.Expr) -> bool:
    """Whether a condition reads nothing of other seats among what the branches of `together` may change."""
    return all(
        name not in changed or ir.Local(ir.ME) in indices for name, indices in accesses(mc, condition)
    ) and not any(_is_changed(mc, changed, part) for part in walk(condition))


def changed_in_secret(mc: ir.Machine, rules: r.Rules) -> frozenset[str]:
    """What the branches of `together` may change that the others do not read before it is over."""
    return changed_together(mc) - rules.shared


def _is_changed(mc: ir.Machine, changed: frozenset[str], part: object) -> bool:
    """Whether a part is the address of a place of another seat that may change."""
    match part:
        case ir.Spot(address=address):
            indices = [t.index for t in address.terms]
            return mc.places[address.base].zone in changed and ir.Local(ir.ME) not in indices
    return False
