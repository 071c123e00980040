"""Roles of the fields of nodes and expressions, from which traversals are derived."""

from __future__ import annotations

from dataclasses import fields
from enum import Flag, auto
from typing import Annotated, Any, TypeAlias, TypeVar, get_args

from dsl.annotations import annotations_of

T = TypeVar("T")


class Role(Flag):
    """What a field contains."""

    CHILD = auto()
    """Expressions or collections."""
    WORD = auto()
    """Words of the state: addresses, or the number of a word."""
    TARGET = auto()
    """A successor in the same frame."""
    BINDER = auto()
    """The register that is bound in the children."""
    REGISTER = auto()
    """A register that is read."""
    SLOT_READ = auto()
    """A slot of the frame that is read."""
    SLOT_WRITE = auto()
    """A slot of the frame that is written, or the first of several."""
    DATA = auto()
    """Anything else: constants, names, data for messages."""


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
    """The role of each field of a class; fields without a role are left out."""
    hints = annotations_of(kind)
    found = {f.name: _declared(hints[f.name]) for f in fields(kind)}
    return {name: role for name, role in found.items() if role is not None}


def _declared(hint: Any) -> Role | None:
    """The role in an annotation, which may also be a union with None."""
    for part in getattr(hint, "__metadata__", ()):
        if isinstance(part, Role):
            return part
    return next((role for inner in get_args(hint) if (role := _declared(inner)) is not None), None)


class FieldsWith(dict[type, tuple[str, ...]]):
    """A cache: for each class the fields that have one of some roles, in order."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self.role = role

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(name for name, declared in roles_of(kind).items() if declared & self.role)
        return self[kind]
