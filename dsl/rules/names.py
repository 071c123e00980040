"""Which fields of typed rules hold the name of a declaration, and whether it is read or written."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum, auto
from typing import Annotated

from dsl.annotations import annotations_of


class Reference(Enum):
    """What a rule does with the declaration that a field names."""

    READS = auto()
    """A counter, mark, pointer or zone whose state is read."""
    WRITES = auto()
    """A counter, mark or pointer whose state is changed."""
    NAMES = auto()
    """Anything else: a type, a table, an option, a routine."""


Reads = Annotated[str, Reference.READS]
Writes = Annotated[str, Reference.WRITES]
Names = Annotated[str, Reference.NAMES]


class _References(dict[type, dict[str, Reference]]):
    """For each class of rules its fields that hold a name, worked out when they are first asked for."""

    def __missing__(self, kind: type) -> dict[str, Reference]:
        hints = annotations_of(kind)
        self[kind] = {
            field.name: part
            for field in fields(kind)
            for part in getattr(hints[field.name], "__metadata__", ())
            if isinstance(part, Reference)
        }
        return self[kind]


REFERENCES = _References()
