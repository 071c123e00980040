"""What a game is to people who look for one: a line, other names, kinds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

Tag: TypeAlias = Literal[
    "abstract", "auction", "betting", "bluff", "board", "capture", "cards", "children", "classic",
    "connection", "cooperative", "deduction", "dice", "drafting", "economy", "hand", "hidden", "map",
    "puzzle", "race", "rows", "simultaneous", "solo", "sowing", "teams", "territory", "trading", "tricks",
    "workers",
]  # fmt: skip
"""A kind of game: what is at the table, what is done, what it is about."""
TAGS: tuple[Tag, ...] = get_args(Tag)


@dataclass(frozen=True, slots=True)
class About:
    """`says` has a line by language, `names` other names by language; both by tags of BCP 47."""

    says: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tags: tuple[Tag, ...] = ()
