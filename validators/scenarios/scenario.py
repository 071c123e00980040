"""The data model of scenarios: what is given, what happens, and what is asserted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar
from dsl.source import Span
from interpreter.messages import BadScenario

Order = Literal["any", "unsaid", "from top", "from bottom"]
"""In which order the pieces of a pile, stack or row are written; `unsaid`: it is not stated."""
Allowance = Literal["impossible position", "unused outcomes", "spare pieces"]
ALLOWANCES: tuple[Allowance, ...] = ("impossible position", "unused outcomes", "spare pieces")


def bad_scenario(span: Span, why: str, hint: str = "") -> DiagnosticError:
    """The error for a mistake in a scenario, to be raised."""
    return DiagnosticError(BadScenario(span, why, hint))


# ---- what is asserted


@dataclass(frozen=True, slots=True)
class Over:
    """`over: true`: whether the game has ended; `over: stalemate`: and how."""

    wanted: bool
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Winner:
    """`winner: A`: the seats that have won; empty: nobody."""

    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Active:
    """`active: A`: whose turn it is."""

    seat: str


@dataclass(frozen=True, slots=True)
class InPhase:
    """`phase: turn`"""

    phase: str


@dataclass(frozen=True, slots=True)
class InStep:
    """`step: turn.actions`: the current step of the flow."""

    step: str


@dataclass(frozen=True, slots=True)
class Asked:
    """`asked: A`, `asked: {A: activate.die}`: who has to choose, and what. An empty name matches all."""

    decisions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """`offered: [...]`, `offered to A: [...]`: exactly these choices are offered."""

    seat: str | None
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotOffered:
    """`not offered: [...]`, `not offered to A: [...]`: none of these choices is offered."""

    seat: str | None
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreClaim:
    """`score of A: 13`, `score NAME of A: 4`, `tiebreak NAME of A: 2`. An empty name: the total."""

    kind: Literal["score", "tiebreak"]
    line: str
    seat: str
    amount: str


@dataclass(frozen=True, slots=True)
class Sees:
    """`A sees hand of B: 3`: what a seat sees of a place, counter, mark or pointer."""

    seat: str
    address: str
    items: tuple[str, ...]
    order: Order


@dataclass(frozen=True, slots=True)
class Value:
    """`money of A: 5`, `hand of A: [ash]`: an expression or collection, and its value."""

    question: str
    items: tuple[str, ...]
    single: bool
    order: Order


@dataclass(frozen=True, slots=True)
class ChangedBy:
    """`vp of A: +6`, `gold of B: down 3`: by how much a number has changed since the given position."""

    question: str
    amount: int


@dataclass(frozen=True, slots=True)
class Unchanged:
    """`hand of A: unchanged`, `unchanged: [hand of A]`: what is as in the given position."""

    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RestUnchanged:
    """`rest: unchanged`: everything on the table except `named` is as in the given position."""

    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Only:
    """`slot of A: {3: oak}`: of all places or variables under an address, exactly these are filled."""

    address: str
    items: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """`events: [...]`: these events have happened, in this order, perhaps with others between them."""

    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotHappened:
    """`no events: [...]`: none of these events has happened, nor one that begins like them."""

    events: tuple[str, ...]


Claim = (
    Over
    | Winner
    | Active
    | InPhase
    | InStep
    | Asked
    | Offered
    | NotOffered
    | ScoreClaim
    | Sees
    | Value
    | ChangedBy
    | Unchanged
    | RestUnchanged
    | Only
    | Happened
    | NotHappened
)


@dataclass(frozen=True, slots=True)
class Assertion:
    """A claim with its key and its place."""

    key: str
    claim: Claim
    span: Span


# ---- what happens


@dataclass(frozen=True, slots=True)
class Choose:
    """`A: lay oak`"""

    seat: str
    written: str
    span: Span


@dataclass(frozen=True, slots=True)
class Refused:
    """`refused: {A: activate 2, because: §4.10}`: what must not be offered, and for which reasons."""

    seat: str
    written: str
    because: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Expect:
    """`expect: {...}`: assertions between choices."""

    assertions: tuple[Assertion, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Possible:
    """`impossible: {die: [0, 7]}`, `possible: {die: [1, 2]}`: at the next outcome of a stream after this
    line, none of these is possible, or exactly these are."""

    stream: str
    outcomes: tuple[str, ...]
    exactly: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Repeat:
    """`{times: 3, lines: [...]}`"""

    times: int
    lines: tuple[Line, ...]
    span: Span


Line = Choose | Refused | Expect | Possible | Repeat

# ---- the whole


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. `name` is what it shows; `cites` are the clauses that it asserts.

    `seat` has the turn, and `turn` is where that is written; without it, whoever begins there has it.
    `position` is what is set, or what has `carried` over from the match before; `prepared` says whether the
    game is set up first, and `chance` has the outcomes by stream.
    """

    name: str
    cites: tuple[str, ...]
    seats: int | None
    options: dict[str, str]
    at: Scalar | None
    seat: str | None
    turn: Span | None
    prepared: bool
    carried: bool
    position: tuple[tuple[Scalar, Node], ...]
    allow: frozenset[Allowance]
    chance: dict[str, list[str]]
    lines: tuple[Line, ...]
    then: tuple[Assertion, ...]
    span: Span
    node: Node = field(repr=False)

    @property
    def asserts(self) -> bool:
        """Whether it asserts anything, at its end or before."""
        return bool(self.then) or any(not isinstance(line, Choose) for line in flat(self.lines))


def flat(lines: tuple[Line, ...]) -> Iterator[Choose | Refused | Expect | Possible]:
    """The lines, with repeated ones once."""
    for line in lines:
        if isinstance(line, Repeat):
            yield from flat(line.lines)
        else:
            yield line


# ---- in words


def written(claim: Claim) -> str:
    """A claim as a scenario writes it."""
    match claim:
        case Over(wanted, outcome):
            return f"over: {outcome or str(wanted).lower()}"
        case Winner(seats):
            return f"winner: {_list(seats)}"
        case Active(seat):
            return f"active: {seat}"
        case InPhase(phase):
            return f"phase: {phase}"
        case InStep(step):
            return f"step: {step}"
        case Asked(decisions):
            return f"asked: {_list(tuple(f'{seat}: {name}' if name else seat for seat, name in decisions))}"
        case Offered(seat, choices):
            return f"offered{_to(seat)}: {_list(choices)}"
        case NotOffered(seat, choices):
            return f"not offered{_to(seat)}: {_list(choices)}"
        case ScoreClaim(kind, line, seat, amount):
            return f"{kind}{f' {line}' if line else ''} of {seat}: {amount}"
        case Sees(seat, address, items, order):
            return f"{seat} sees {address}{_in_order(order)}: {_items(items)}"
        case Value(question, items, single, order):
            return f"{question}{_in_order(order)}: {_items(items) if single else _list(items)}"
        case ChangedBy(question, amount):
            return f"{question}: {amount:+d}"
        case Unchanged(questions):
            return f"unchanged: {_list(questions)}"
        case RestUnchanged():
            return "rest: unchanged"
        case Only(address, only):
            return f"{address}: {{{', '.join(f'{index}: {_items(texts)}' for index, texts in only)}}}"
        case Happened(events):
            return f"events: {_list(events)}"
        case NotHappened(events):
            return f"no events: {_list(events)}"
    assert_never(claim)


def _to(seat: str | None) -> str:
    return f" to {seat}" if seat is not None else ""


def _in_order(order: Order) -> str:
    return {"any": " in any order", "unsaid": ""}.get(order, f" {order}")


def _list(items: tuple[str, ...]) -> str:
    return f"[{', '.join(items)}]"


def _items(items: tuple[str, ...]) -> str:
    return items[0] if len(items) == 1 else _list(items)
