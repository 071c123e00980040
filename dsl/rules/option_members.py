"""The values that the set of an option has."""

from __future__ import annotations

from dsl.domains import EnumType, SetType
from dsl.rules.game import Rules


def members_of(rules: Rules, name: str, chosen: int) -> tuple[int, ...]:
    """The values of the type of an option that are in a set of it, ascending."""
    kind = rules.options[name].type
    assert isinstance(kind, SetType)
    assert isinstance(kind.item, EnumType)
    members = rules.types[kind.item.type].members
    return tuple(value for i, value in enumerate(members) if chosen >> i & 1)
