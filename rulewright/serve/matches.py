"""Live matches: every change is committed to the log before anybody is told of it.

All methods are to be called on one event loop; positions are computed on its thread. `LiveMatch.match` is
always a committed match: a change is made on a draft, and replaces it after the commit. So it can be read at
any time between two awaits, without a lock. Never keep it across an await.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from interpreter.chance import ChanceSource
from interpreter.match import Match
from rulewright.serve.storage import LogRow, MatchRow, SeatKind, SeatRow, Storage


@dataclass(frozen=True, slots=True)
class ClockRule:
    """How time is limited: not, per move, per match with an increment, or in days for correspondence.

    `seconds` are those of a move or of the match, `increment` the seconds added after each move. `expiry`
    is what happens when the time of a seat runs out: it forfeits, or its choice is made as if it were absent.
    """

    kind: Literal["none", "move", "match", "days"] = "none"
    seconds: int = 0
    increment: int = 0
    expiry: Literal["forfeit", "absent"] = "forfeit"


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """What a seat of a new match is to be; `strategy` is the name of a bot."""

    kind: SeatKind
    name: str = ""
    strategy: str | None = None


@dataclass(frozen=True, slots=True)
class TableRequest:
    """What a new match is to be. `source` is a bundled game or a path.

    With `committed`, chance comes from a seed whose commitment is shown at the start and opened at the end.
    `set_up` is kept as it is: visibility, languages, whatever the lobby needs.
    """

    source: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, str] = field(default_factory=dict)
    clock: ClockRule = ClockRule()
    committed: bool = False
    set_up: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A new match: its id, and the secret of each human, open or invited seat by its number, told only now."""

    id: str
    secrets: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was committed: the number of its row, and the version that its seat may know from then on.

    `former`: the same request had been committed before.
    """

    seq: int
    version: int
    former: bool = False
    proposal: int | None = None
    """The proposal that was opened, by the number of its row, if others have to agree first."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was committed: the rows, in order. They contain secrets: show nobody more than a rendering."""

    match: str
    rows: tuple[LogRow, ...]
    ended: bool


Subscriber = Callable[[Change], None]


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The clock of a seat: what is left in milliseconds, and the server's time at which it runs out, if it
    runs."""

    left: int | None
    deadline: int | None


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that waits for consent: its row's number, who made it, what it is (`undo`, `repair`,
    `abandon`), its data, the seats that have to agree, and those that have agreed."""

    id: int
    seat: int
    what: str
    data: Mapping[str, Any]
    needed: frozenset[int]
    agreed: frozenset[int]


class LiveMatch:
    """A match in memory, as it was committed last."""

    row: MatchRow
    seats: tuple[SeatRow, ...]
    match: Match

    def version(self, viewer: int) -> int:
        """The number of the last row that a viewer (seat, -1 spectator, -2 referee) may know of.

        It only grows. Rows of other branches of a running `together` are not counted until it ends, so a
        viewer to whom something is sent if and only if this number grows learns nothing from being sent it.
        """
        raise NotImplementedError

    def clocks(self) -> tuple[SeatClock, ...]:
        """The clock of each seat."""
        raise NotImplementedError

    def proposals(self) -> tuple[OpenProposal, ...]:
        """The proposals that wait for consent."""
        raise NotImplementedError

    def at(self, steps: int) -> Match:
        """The match after some of its steps, for a replay: the state after the decision of step `steps`."""
        raise NotImplementedError

    @property
    def opening(self) -> Mapping[str, str] | None:
        """Commitment, and after the end seed and nonce, where a committed seed was asked for."""
        raise NotImplementedError


class MatchService:
    """Creates matches, keeps those in memory that are in use, and carries out what seats ask for.

    What is not possible raises `Fault` (of the rules: R220 not offered) or `DiagnosticError` (a C-code of
    `rulewright/serve/messages_of_matches.py`), and has changed nothing. `client` is an id that the client
    made for the request: sent again, it gets the former answer, and nothing is done twice. `seq` is the
    version that the client has seen; None is not compared.
    """

    def __init__(
        self, storage: Storage, clock: Callable[[], int] | None = None, chance: ChanceSource | None = None
    ) -> None:
        """A service over a store; `clock` gives milliseconds since 1970, `chance` replaces the system's."""
        raise NotImplementedError

    async def start(self) -> None:
        """Listen to other processes, resume bots and clocks of running matches."""
        raise NotImplementedError

    async def close(self) -> None:
        """Stop bots and clocks, and close the store."""
        raise NotImplementedError

    async def create(self, table: TableRequest) -> CreatedMatch:
        """A new match, with its set-up played. Raises `DiagnosticError` or `ErrorsReported`."""
        raise NotImplementedError

    async def open(self, match: str) -> LiveMatch:
        """The match with an id. Raises `DiagnosticError` with `NoSuchMatch`."""
        raise NotImplementedError

    async def seat_of(self, secret: str) -> SeatRow | None:
        """The seat that a secret opens; an open or invited one is still to be taken."""
        raise NotImplementedError

    async def take_seat(self, match: str, seat: int, name: str, secret: str | None = None) -> str:
        """Sit down on an open seat, or with its secret on an invited one. Returns the new secret."""
        raise NotImplementedError

    async def rename(self, match: str, seat: int, name: str) -> None:
        """Change what people call the player of a seat."""
        raise NotImplementedError

    async def revoke(self, match: str, seat: int) -> str:
        """Replace the secret of a seat: the old one opens nothing any more. Returns the new one."""
        raise NotImplementedError

    async def choose(
        self, match: str, seat: int, client: str, seq: int | None, words: str, arrived: int | None = None
    ) -> Accepted:
        """Carry out a choice. `arrived` is the server's time when it came, for the clock."""
        raise NotImplementedError

    async def supply(self, match: str, seat: int, client: str, stream: str, text: str) -> Accepted:
        """The next outcome of a stream, from a physical table (`set_up["companion"]` is true)."""
        raise NotImplementedError

    async def undo(self, match: str, seat: int, client: str, seq: int | None, number: int = 1) -> Accepted:
        """Take back own last choices, freely if nobody has learned anything, else by a proposal."""
        raise NotImplementedError

    async def propose(
        self, match: str, seat: int, client: str, what: str, data: Mapping[str, Any]
    ) -> Accepted:
        """Propose `repair` (`{"steps": n}` to go back to the decision of step n; `{"step": n, "outcome": text}`
        to give a random outcome another value) or `abandon` (`{}`)."""
        raise NotImplementedError

    async def answer(self, match: str, seat: int, client: str, proposal: int, agree: bool) -> Accepted:
        """Agree to a proposal or not; when the last seat agrees, it is carried out."""
        raise NotImplementedError

    async def resign(self, match: str, seat: int, client: str) -> Accepted:
        """Give up: the last seat left wins; with more seats, this one is played as an absent one."""
        raise NotImplementedError

    async def rematch(self, match: str) -> CreatedMatch:
        """A new match with the same set-up and players, the first seat moved to the end; the same answer for
        each call."""
        raise NotImplementedError

    def subscribe(self, match: str, subscriber: Subscriber) -> Callable[[], None]:
        """Call a function on the loop after each commit to a match. Returns how to end that."""
        raise NotImplementedError

    async def export(self, match: str) -> str:
        """The log in JSON lines, as `play --log` writes it: the referee's full record."""
        raise NotImplementedError

    async def import_log(self, text: str, table: TableRequest) -> CreatedMatch:
        """A new match that continues a log. Raises `Fault` with `BrokenLog` or `OtherRules`."""
        raise NotImplementedError
