"""What lets a scenario hold by accident, as warnings with codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dsl.diagnostics import Mistake, Severity


@dataclass(frozen=True)
class Doubt(Mistake):
    """A scenario holds, and would hold too if it were wrong."""

    severity: ClassVar[Severity] = Severity.WARNING


@dataclass(frozen=True)
class NoReason(Doubt):
    """A scenario says that a choice is refused, and not why.

    It may be refused for another reason than the scenario shows: because the piece is not there, because a
    condition of another clause comes first. Say the reason with `because`: a clause, the condition as the
    rules write it, or one of `not asked`, `not here`, `no such value`, `cannot pass`, `cannot pay`,
    `nothing to choose`.

    Example:

        - refused: {A: lay ash, because: §4.3}
    """

    code = "V601"
    slug = "no-reason"
    title = "`{written}` is refused, and the scenario does not say why"
    label = "it is refused because: {why}"
    mend = "add `because: {reason}` if this is what is meant"
    written: str
    why: str
    reason: str


@dataclass(frozen=True)
class NobodyAsked(Doubt):
    """A scenario says that something is not offered to a seat that has nothing to decide.

    Whoever is not asked is offered nothing, whatever the rules say of the choice. Mostly the scenario stands
    at another moment than its author thought. If this is meant, say so: `because: not asked`, or `asked: B`.
    """

    code = "V602"
    slug = "nobody-asked-there"
    title = "nothing is asked of {who} here, so everything is refused"
    mend = "say `because: not asked` or `asked: ...` if this is meant; {asked}"
    who: str
    asked: str


@dataclass(frozen=True)
class ForcedFirst(Doubt):
    """A decision with a single choice stands before the one that a refusal speaks of.

    It is taken by itself only before a line that chooses. Write it as a line of its own before the refusal.
    """

    code = "V603"
    slug = "forced-decision-first"
    title = "`{written}` is refused only because {seat} has another decision to make first"
    mend = "write `- {seat}: {only}` before it"
    written: str
    seat: str
    only: str


@dataclass(frozen=True)
class OfferedOfSeveral(Doubt):
    """Several seats are asked at the same time, and `offered` lists the choices of all of them.

    What is offered to one would do for the other. Write a line for each seat.
    """

    code = "V604"
    slug = "offered-of-several"
    title = "{seats} are asked at the same time, and this lists what is offered to any of them"
    mend = "write `offered to {first}: [...]` for each"
    seats: str
    first: str


@dataclass(frozen=True)
class OrderUnsaid(Doubt):
    """The pieces of a pile, stack or row are listed, and their order is not compared.

    Pieces that lie in an order are compared in it if the key says which: `discard from top: [...]`, `row from
    bottom: [...]`. If the order does not matter, say `discard in any order: [...]`.
    """

    code = "V605"
    slug = "order-unsaid"
    title = "the pieces of `{zone}` have an order, and it is not compared"
    mend = "write `{key} from top:`, `{key} from bottom:` or `{key} in any order:`"
    zone: str
    key: str


@dataclass(frozen=True)
class NoTurn(Doubt):
    """A scenario says whose turn it is, in a phase that is nobody's turn.

    Outside of turns `active` is whoever acted last, or the first seat. Say who is `asked`.
    """

    code = "V606"
    slug = "no-turn"
    title = "in phase `{phase}` it is nobody's turn, so `active` says nothing"
    mend = "say who is asked: `asked: {asked}`"
    phase: str
    asked: str


@dataclass(frozen=True)
class AssertsNothing(Doubt):
    """A scenario plays and compares nothing.

    It holds whatever the rules do, as long as its choices are offered. Say what must be so: in `then`, in
    `expect`, or with `refused`.
    """

    code = "V607"
    slug = "asserts-nothing"
    title = "this scenario asserts nothing"
    mend = "add `then:` with what must be so"


@dataclass(frozen=True)
class StillHolds(Doubt):
    """An assertion was made false, and the scenario holds all the same.

    `rulewright test --falsify` changes each assertion, one at a time: another number, a piece less, another
    order, another reason. What still holds then asserts less than it seems to.
    """

    code = "V608"
    slug = "still-holds"
    title = "changed to `{changed}`, this still holds"
    mend = "assert it more exactly, or take it out"
    changed: str
