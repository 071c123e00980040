"""One of two versions of a ruleset: its rules, with values and types as forms and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from dsl.domains import (
    NONE,
    EffectType,
    EnumType,
    FlagType,
    IntType,
    NoneType,
    PieceType,
    SetType,
    Type,
    row_type,
)
from dsl.rules import Component, Rules, TypeDecl
from validators.diff.names import SAME, Form, RenameMap


@dataclass(frozen=True)
class VersionView:
    """The rules of a version. Forms use the names of the new version, texts its own."""

    rules: Rules
    names: RenameMap = SAME

    # ---- values

    def value(self, kind: Type, value: int) -> Form:
        """The form of a value: without its number."""
        if value == NONE:
            return None
        match kind:
            case IntType() | SetType():
                return value
            case FlagType():
                return bool(value)
            case EnumType(name):
                return self.element(name, value)
            case PieceType(component):
                return self.element(row_type(component), value)
            case EffectType():
                return self._cell(value)
            case NoneType():
                return None
        assert_never(kind)

    def element(self, name: str, value: int) -> Form:
        """The form of a value of a type: its name, or the number of a numeric type."""
        decl = self.rules.types.get(name)
        if decl is None or decl.numeric or not decl.lo <= value <= decl.hi:
            return value
        if decl.parts and decl.base is None:
            return ("product", *self._parts(decl, value))
        owner = decl.base or name
        return ("value", self.names.name(owner), self.names.value(owner, decl.label(value)))

    def _parts(self, decl: TypeDecl, value: int) -> Iterator[Form]:
        """The forms of the parts of a value of a product, so that it is the same if one has a new name."""
        for column, kind in decl.parts:
            yield self.element(kind, decl.columns[column].values[value - decl.lo])

    def _cell(self, number: int) -> Form:
        name, arguments = self.rules.cells[number]
        kinds = self._kinds(name)
        given = (self.value(k, v) for k, v in zip(kinds, arguments, strict=False))
        return ("cell", self.names.name(name), *given)

    def _kinds(self, routine: str) -> tuple[Type, ...]:
        return tuple(p.var.type for p in self.rules.routines[routine].parameters)

    def text(self, kind: Type, value: int) -> str:
        """A value as the ruleset writes it."""
        if value == NONE:
            return "none"
        match kind:
            case FlagType():
                return "true" if value else "false"
            case EnumType(name):
                return self.label(name, value)
            case PieceType(component):
                return self.label(row_type(component), value)
            case EffectType():
                name, arguments = self.rules.cells[value]
                given = (self.text(k, v) for k, v in zip(self._kinds(name), arguments, strict=False))
                return " ".join((name, *given))
            case IntType() | SetType() | NoneType():
                return str(value)
        assert_never(kind)

    def label(self, index: str, value: int) -> str:
        """A value of a type, or a class of a component that indexes a place."""
        if index in self.rules.components:
            return self.rules.components[index].classes[value]
        decl = self.rules.types.get(index)
        return decl.label(value) if decl is not None and decl.lo <= value <= decl.hi else str(value)

    def labels(self, index: str) -> tuple[str, ...]:
        """All values of an index, in order."""
        if index in self.rules.components:
            return self.rules.components[index].classes
        return self.rules.types[index].names

    def new_label(self, index: str, label: str) -> str:
        """What a value of an index is called in the new version."""
        if index in self.rules.components:
            return self.names.value(row_type(index), label)
        decl = self.rules.types[index]
        if decl.parts and label in decl.names:
            value = decl.names.index(label)
            parts = ((kind, decl.columns[column].values[value]) for column, kind in decl.parts)
            shown = [self.new_label(kind, self.rules.types[kind].label(part)) for kind, part in parts]
            return f"({', '.join(shown)})"
        return self.names.value(decl.base or index, label)

    # ---- types

    def type(self, kind: Type) -> Form:
        match kind:
            case IntType(lo, hi):
                return ("number", lo, hi)
            case FlagType():
                return "flag"
            case EnumType(name, optional):
                return ("type", self.names.name(name), optional)
            case PieceType(component, optional):
                return ("piece", self.names.name(component), optional)
            case EffectType(optional):
                return ("effect", optional)
            case SetType(item):
                return ("set", self.type(item))
            case NoneType():
                return None
        assert_never(kind)

    def type_text(self, kind: Type) -> str:
        match kind:
            case IntType(lo, hi):
                return f"{lo}..{hi}"
            case FlagType():
                return "flag"
            case EnumType(name, optional) | PieceType(name, optional):
                return name + (" or none" if optional else "")
            case EffectType(optional):
                return "effect" + (" or none" if optional else "")
            case SetType(item):
                return f"set of {self.type_text(item)}"
            case NoneType():
                return "none"
        assert_never(kind)

    def owner(self, decl: TypeDecl | Component) -> str:
        """The name of the type that has a type's or component's values."""
        if isinstance(decl, Component):
            return row_type(decl.name)
        return decl.base or decl.name
