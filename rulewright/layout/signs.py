"""Short signs for the classes of a component."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

LONGEST = 3


def signs(names: Sequence[str]) -> dict[str, str]:
    """A sign for each name, different from the others where three letters do: `GM` for `gold_mine`.

    Numbers and single letters are signs themselves.
    """
    found: dict[str, str] = {}
    for name in names:
        ways = [way for way in _ways(name) if way]
        found[name] = next((way for way in ways if way not in found.values()), ways[0] if ways else name)
    return found


def _ways(name: str) -> list[str]:
    words = [word for word in name.split("_") if word]
    if len(name) <= 2 or name.isdigit():
        return [name.upper() if len(name) == 1 else name]
    initials = "".join(word[0] for word in words).upper()[:LONGEST]
    first, rest = words[0], words[0][1:]
    ways = [initials, *(initials + letter for letter in words[-1][1:])] if len(words) == 2 else []
    ways += [initials] if len(words) > 2 else []
    ways += [first[0].upper()] if len(words) == 1 else []
    ways += [first[0].upper() + letter for letter in rest]
    ways += [first[0].upper() + a + b for a, b in pairwise(rest)]
    return ways
