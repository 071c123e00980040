"""What a referee says at each stop, and what it says at the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ask:
    """A seat must choose one of these words; the answer is the word.

    `likely` are some of them that are mostly chosen, so that random play comes to all of the game's ends.
    """

    seat: str
    words: Collection[str]
    likely: Collection[str] = ()


@dataclass(frozen=True)
class Draw:
    """Chance must give one of these outcomes; the answer is the outcome."""

    possible: Collection[str]


@dataclass(frozen=True)
class Together:
    """Each of these seats follows its own branch, independently of the others."""

    branches: Mapping[str, Play]


@dataclass(frozen=True)
class End:
    """Who has won, what each seat counts, what the end is called."""

    winners: Collection[str]
    totals: Mapping[str, int] = field(default_factory=dict)
    name: str | None = None


Play = Generator[Ask | Draw | Together, str, End | None]
"""A referee: it stops at every choice and every outcome, and ends with the result."""

Referee = Callable[[list[str]], Play]
