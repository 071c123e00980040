"""What the fields of nodes and expressions are for. Traversals are derived from it."""

from __future__ import annotations

from dataclasses import fields
from enum import Flag, auto
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

T = TypeVar("T")


class Role(Flag):
    """What a field holds."""

    CHILD = auto()
    """An expression, a collection, or several."""
    WORD = auto()
    """Words of the state: an address, or the number of one word."""
    TARGET = auto()
    """A node that may follow in the same frame."""
    BINDER = auto()
    """The register that the children may read."""
    REGISTER = auto()
    """A register that is read."""
    SLOT_READ = auto()
    """A word of the frame that is read."""
    SLOT_WRITE = auto()
    """A word of the frame that is written, or the first of several."""
    DATA = auto()
    """Anything else: constants, names, what only messages show."""


Child: TypeAlias = Annotated[T, Role.CHILD]
Word: TypeAlias = Annotated[T, Role.WORD]
Data: TypeAlias = Annotated[T, Role.DATA]
Target: TypeAlias = Annotated[int, Role.TARGET]
Binder: TypeAlias = Annotated[int, Role.BINDER]
Register: TypeAlias = Annotated[int, Role.REGISTER]
SlotRead: TypeAlias = Annotated[int, Role.SLOT_READ]
SlotWrite: TypeAlias = Annotated[int, Role.SLOT_WRITE]
SlotUpdate: TypeAlias = Annotated[int, Role.SLOT_READ | Role.SLOT_WRITE]


def roles_of(kind: type) -> dict[str, Role]:
    """The role of each field of a class of nodes or expressions; a field without one is left out."""
    hints = get_type_hints(kind, include_extras=True)
    found = {f.name: _declared(hints[f.name]) for f in fields(kind)}
    return {name: role for name, role in found.items() if role is not None}


def _declared(hint: Any) -> Role | None:
    """The role in an annotation, which may also be a union with None."""
    for part in getattr(hint, "__metadata__", ()):
        if isinstance(part, Role):
            return part
    return next((role for inner in get_args(hint) if (role := _declared(inner)) is not None), None)


class FieldsWith(dict[type, tuple[str, ...]]):
    """For each class its fields that have one of some roles, in their order."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self.role = role

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(name for name, declared in roles_of(kind).items() if declared & self.role)
        return self[kind]
