"""What lets a scenario hold by accident, as warnings with codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Diagnostic, Severity


@dataclass(frozen=True)
class Doubt(Diagnostic):
    """A scenario holds, and would also hold if the rules were wrong."""

    severity: ClassVar[Severity] = Severity.WARNING


@dataclass(frozen=True)
class NoReason(Doubt):
    """A scenario asserts that a choice is refused, but not why.

    The choice may be refused for another reason than the scenario intends: the piece is not there, or a
    condition of another clause fails first. Give the reason with `because`: a clause, the condition as the
    rules write it, or one of `not asked`, `not here`, `no such value`, `cannot pass`, `cannot pay`,
    `nothing to choose`.

    Example:

        - refused: {A: lay ash, because: §4.3}
    """

    code = "V601"
    slug = "no-reason"
    title = "`{written}` is refused without a stated reason"
    label = "it is refused because: {why}"
    advice = "add `because: {reason}` if this is the intended reason"
    written: str
    why: str
    reason: str


@dataclass(frozen=True)
class SeatNotAsked(Doubt):
    """A scenario asserts that something is not offered to a seat that has nothing to decide.

    A seat that is not asked is offered nothing, whatever the rules say about the choice. Usually the
    scenario is at another point than its author thought. If it is intended, write `because: not asked`, or
    `asked: B`.
    """

    code = "V602"
    slug = "nobody-asked-there"
    title = "{who} has nothing to decide here, so everything is refused"
    advice = "add `because: not asked` or `asked: ...` if this is intended; {asked}"
    who: str
    asked: str


@dataclass(frozen=True)
class ForcedFirst(Doubt):
    """A decision with a single choice comes before the one that a refusal is about.

    It is made automatically only before a line that chooses. Write it on a line of its own before the
    refusal.
    """

    code = "V603"
    slug = "forced-decision-first"
    title = "`{written}` is refused only because {seat} has another decision to make first"
    advice = "write `- {seat}: {only}` before it"
    written: str
    seat: str
    only: str


@dataclass(frozen=True)
class OfferedOfSeveral(Doubt):
    """Several seats are asked at the same time, and `offered` lists the choices of all of them.

    An offer to one seat would satisfy an assertion about the other. Write a line for each seat.
    """

    code = "V604"
    slug = "offered-of-several"
    title = "{seats} are asked at the same time, but this lists what is offered to any of them"
    advice = "write `offered to {first}: [...]` for each"
    seats: str
    first: str


@dataclass(frozen=True)
class OrderUnsaid(Doubt):
    """The pieces of a pile, stack or row are listed, and their order is not compared.

    Ordered pieces are compared in their order if the key names it: `discard from top: [...]`, `row from
    bottom: [...]`. If the order does not matter, write `discard in any order: [...]`.
    """

    code = "V605"
    slug = "order-unsaid"
    title = "the pieces of `{zone}` have an order that is not compared"
    advice = "write `{key} from top:`, `{key} from bottom:` or `{key} in any order:`"
    zone: str
    key: str


@dataclass(frozen=True)
class NoTurn(Doubt):
    """A scenario asserts whose turn it is in a phase that is nobody's turn.

    Outside of turns, `active` is the seat that acted last, or the first seat. Assert who is `asked`.
    """

    code = "V606"
    slug = "no-turn"
    title = "phase `{phase}` is nobody's turn, so `active` asserts nothing"
    advice = "assert who is asked: `asked: {asked}`"
    phase: str
    asked: str


@dataclass(frozen=True)
class AssertsNothing(Doubt):
    """A scenario plays but compares nothing.

    It holds whatever the rules do, as long as its choices are offered. Assert something: in `then`, in
    `expect`, or with `refused`.
    """

    code = "V607"
    slug = "asserts-nothing"
    title = "this scenario asserts nothing"
    advice = "add `then:` with what must hold"


@dataclass(frozen=True)
class StillHolds(Doubt):
    """An assertion was made false, and the scenario still holds.

    `rulewright test --falsify` changes each assertion, one at a time: another number, a piece less, another
    order, another reason. An assertion that then still holds asserts less than it seems to.
    """

    code = "V608"
    slug = "still-holds"
    title = "changed to `{changed}`, this still holds"
    advice = "assert it more precisely, or remove it"
    changed: str
