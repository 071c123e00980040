"""The sets that an option may hold, as JSON."""

from __future__ import annotations

from dsl.rules import Option


def sets_json(option: Option) -> dict[str, dict[str, object]]:
    """By number of seats the bounds of their size, the values in the game, and the default."""
    return {
        str(seats): {
            "size": [sets.least, sets.most],
            "values": list(option.members(sets.present)),
            "default": option.text(sets.default),
        }
        for seats, sets in option.sets.items()
    }
