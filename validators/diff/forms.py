"""Forms of what is written: without places and spacing, with numbers for variables and names for values."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass

from dsl import rules as r
from dsl.domains import EffectType, EnumType, FlagType, IntType, NoneType, PieceType, row_type
from dsl.rules.names import REFERENCES
from validators.diff.names import Form
from validators.diff.version_view import VersionView

DERIVED = frozenset({"span", "clauses", "type", "captured"})
"""What is a place, is said elsewhere, or follows from the rest; so do types as such."""
BLOCKS = frozenset({"block", "otherwise"})


@dataclass
class Reader:
    """Reads forms; `vars` are the variables that came up, in order of their first mention."""

    side: VersionView
    vars: dict[r.Var, int] = field(default_factory=dict)

    def read(self, node: object) -> Form:
        """The form of a part of the rules; of a statement without its blocks."""
        match node:
            case None | bool() | int() | str():
                return node
            case IntType() | FlagType() | EnumType() | PieceType() | EffectType() | NoneType():
                return None
            case tuple():
                return tuple(self.read(part) for part in node)
            case r.Var():
                return ("variable", self.vars.setdefault(node, len(self.vars)))
            case r.Const(type=kind, value=value):
                return self.side.value(kind, value)
            case r.ColumnOf():
                return ("column", self._column(node), self.read(node.owner), self.read(node.key))
            case r.UseCollection(value=name, arguments=arguments):
                return ("use", ("name", self.side.names.name(name)), self.read(arguments))
        assert is_dataclass(node), node
        skipped = DERIVED | BLOCKS if isinstance(node, r.Line) else DERIVED
        parts = [self._field(f.name, node) for f in fields(node) if f.name not in skipped]
        return (type(node).__name__, *parts)

    def _field(self, name: str, node: object) -> Form:
        value = getattr(node, name)
        if name in REFERENCES[type(node)] and isinstance(value, str):
            return ("name", self.side.names.name(value))
        return self.read(value)

    def _column(self, node: r.ColumnOf) -> Form:
        match node.owner.type:
            case PieceType(component):
                owner = row_type(component)
            case EnumType(name):
                decl = self.side.rules.types.get(name)
                owner = decl.base or name if decl is not None else name
            case _:
                owner = ""
        names = self.side.names
        return (names.name(owner), names.column(owner, node.column.name))


def mentioned(form: Form) -> set[str]:
    """Every name that stands in a form."""
    if not isinstance(form, tuple):
        return set()
    if len(form) == 2 and form[0] == "name" and isinstance(form[1], str):
        return {form[1]}
    return {name for part in form for name in mentioned(part)}
