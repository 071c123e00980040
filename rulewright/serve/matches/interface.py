"""What seats and lobbies ask of matches, and what they are answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulewright.serve.matches.clocks import NO_CLOCK, ClockRule
from rulewright.serve.store.storage import LogRow, SeatKind


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
    `set_up` is kept as it is: visibility, languages, whatever the lobby needs. If its `companion` is true,
    the match is played at a physical table, and the players tell what everybody sees there.
    """

    source: str
    seats: Sequence[SeatRequest]
    options: Mapping[str, str] = field(default_factory=dict)
    clock: ClockRule = NO_CLOCK
    committed: bool = False
    set_up: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CreatedMatch:
    """A new match: its id, and the secret of each human and invited seat by its number, told only now."""

    id: str
    secrets: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What was committed: the number of its row, and the version that its seat may know from then on.

    `former`: the same request had been committed before. `proposal` is the number of a proposal that was
    opened, if others have to agree first.
    """

    seq: int
    version: int
    former: bool = False
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What was committed: rows, in order; none if seats or players have changed.

    `gone`: the match was forgotten. Rows contain secrets: show nobody more than a rendering of the position.
    """

    match: str
    rows: tuple[LogRow, ...]
    gone: bool = False


Subscriber = Callable[[Change], None]
