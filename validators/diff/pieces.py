"""Comparison of types, boards and components, and of their rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl import rules as r
from dsl.domains import NONE, EffectType, row_type
from dsl.rules import Column, Component, Rules, TypeDecl
from dsl.source import Span
from validators.diff.boards import links, ways, written_links
from validators.diff.changes import FactChange
from validators.diff.kinds import DeclKind, Facet, WrittenKind, facet
from validators.diff.version_view import VersionView

Owner = TypeDecl | Component


def labels(owner: Owner) -> tuple[str, ...]:
    """The labels of the values that belong to a type or component, in order."""
    if isinstance(owner, Component):
        return owner.classes
    return tuple(owner.label(v) for v in owner.members)


def new_labels(side: VersionView, owner: Owner) -> tuple[str, ...]:
    """The same in the new version; pieces without classes have the name of their component."""
    if isinstance(owner, Component) and owner.classes == (owner.name,):
        return (side.names.name(owner.name),)
    return tuple(side.names.value(side.owner(owner), label) for label in labels(owner))


# ---- columns


def _columns(side: VersionView, owner: Owner) -> Iterator[Facet]:
    """The declared columns and their types."""
    for column in _own(side.rules, owner):
        name = side.names.column(side.owner(owner), column.name)
        keyed = f" for each {column.keyed_by}" if column.keyed_by else ""
        form = (side.type(column.type), column.keyed_by and side.names.name(column.keyed_by))
        yield Facet(f"column {name}", form, side.type_text(column.type) + keyed)


def _own(rules: Rules, owner: Owner) -> tuple[Column, ...]:
    """The declared columns: not those of a board's shape, nor those that pieces have from a type."""
    if isinstance(owner, TypeDecl):
        made = ("row", "column") if owner.sides else ()
        return tuple(c for c in owner.columns.values() if c.name not in made and owner.base is None)
    return () if _by_kind(rules, owner) else tuple(owner.columns.values())


def _by_kind(rules: Rules, component: Component) -> bool:
    """Whether the classes are the values of a type: with its columns, and one for the value itself."""
    *others, last = component.columns.values() or [None]
    kind = rules.types.get(last.name) if last is not None else None
    return kind is not None and kind.names == component.classes and others == [*kind.columns.values()]


def _shape(decl: TypeDecl) -> str:
    sides = " x ".join(map(str, decl.sides))
    return "" if decl.shape == "none" else f"{decl.shape} {sides}".strip()


# ---- changes between two versions


def _both(old: VersionView, a: Owner, new: VersionView, b: Owner) -> Iterator[FactChange]:
    """Renamed columns, values that are added, removed or renamed, and the order of the others."""
    yield from _columns_renamed(old, a)
    if not (_has_derived_classes(old.rules, a) and _has_derived_classes(new.rules, b)):
        yield from _values(old, a, new, b)


def _columns_renamed(old: VersionView, owner: Owner) -> Iterator[FactChange]:
    for column in _own(old.rules, owner):
        name = old.names.column(old.owner(owner), column.name)
        if name != column.name:
            yield FactChange("column", column.name, name)


def _has_derived_classes(rules: Rules, owner: Owner) -> bool:
    """Whether the classes of a component follow from its die, from a type or from the seats."""
    if isinstance(owner, TypeDecl):
        return False
    return owner.die is not None or owner.per_seat or _by_kind(rules, owner)


def _values(old: VersionView, a: Owner, new: VersionView, b: Owner) -> Iterator[FactChange]:
    before, now = new_labels(old, a), new_labels(new, b)
    numeric = isinstance(a, TypeDecl) and a.numeric
    if not numeric and not _listed(old.rules, a) and not _listed(new.rules, b):
        yield from (
            FactChange("value", x, y) for x, y in zip(labels(a), before, strict=True) if x != y and y in now
        )
        gone = [label for label, name in zip(labels(a), before, strict=True) if name not in now]
        more = [label for label in now if label not in before]
        if gone or more:
            yield FactChange("values", ", ".join(gone), ", ".join(more), parts=True)
    stay = [[n for n in names if n in before and n in now] for names in (before, now)]
    if stay[0] != stay[1]:
        yield FactChange("order", ", ".join(stay[0]), ", ".join(stay[1]))


def _listed(rules: Rules, owner: Owner) -> bool:
    """Whether its values are reported as rows, one by one."""
    return bool(_own(rules, owner)) or (isinstance(owner, Component) and len(set(owner.copies)) > 1)


# ---- rows


@dataclass(frozen=True)
class TableRow:
    """A value with columns or a number of pieces: a card, a ware, a place."""

    owner: Owner
    number: int

    @property
    def label(self) -> str:
        owner = self.owner
        return owner.classes[self.number] if isinstance(owner, Component) else owner.names[self.number]


def rows(rules: Rules) -> dict[tuple[str, str], TableRow]:
    """Every row of every table, by its owner and name."""
    owners: list[Owner] = [*rules.components.values()]
    owners += [t for t in rules.types.values() if " " not in t.name and t.base is None]
    return {
        (row_type(o.name) if isinstance(o, Component) else o.name, label): TableRow(o, i)
        for o in owners
        if _listed(rules, o)
        for i, label in enumerate(o.classes if isinstance(o, Component) else o.names)
    }


def cells(side: VersionView, row: TableRow) -> Iterator[Facet]:
    """The cells of a row; and the number of pieces, unless a column has it."""
    owner, number = row.owner, row.number
    for column in _own(side.rules, owner):
        name = side.names.column(side.owner(owner), column.name)
        if column.keyed_by is None:
            value = column.values[number]
            yield Facet(name, side.value(column.type, value), side.text(column.type, value))
        else:
            yield from _group(side, name, column, number)
    if isinstance(owner, Component) and _counted_apart(owner):
        yield facet("copies", owner.copies[number])


def _counted_apart(component: Component) -> bool:
    """Whether no column has the number of pieces of each row."""
    return not any(column.values == component.copies for column in component.columns.values())


def _group(side: VersionView, name: str, column: Column, number: int) -> Iterator[Facet]:
    assert column.keyed_by is not None
    for label, value in zip(side.labels(column.keyed_by), column.groups[number], strict=False):
        what = f"{name}({side.new_label(column.keyed_by, label)})"
        yield Facet(what, side.value(column.type, value), side.text(column.type, value))


def _written(rules: Rules, row: TableRow) -> r.Row | None:
    """The row as it is declared, if it cites clauses."""
    owner = f"`{row.owner.name}`"
    return next((x for x in rules.rows if x.name == row.label and x.owner.endswith(owner)), None)


# ---- kinds


class Types(WrittenKind[TypeDecl]):
    section = "pieces"

    def noun(self, decl: TypeDecl) -> str:
        return "type" if decl.shape == "none" else "board"

    def found(self, rules: Rules) -> dict[str, TypeDecl]:
        """The declared types: not those of rows, readings and directions."""
        own = {way for decl in rules.types.values() for way in decl.directions}
        return {n: t for n, t in rules.types.items() if " " not in n and n != "seat" and n not in own}

    def facets(self, side: VersionView, decl: TypeDecl) -> Iterator[Facet]:
        yield facet("shape", _shape(decl), (decl.shape, decl.sides))
        if decl.numeric and decl.base is None:
            yield facet("values", f"{decl.lo}..{decl.hi}")
        yield facet("order", "rising" if decl.ordered and not decl.numerals else "")
        if decl.parts and decl.base is None:
            kinds = [kind for _, kind in decl.parts]
            yield Facet("product of", tuple(map(side.names.name, kinds)), ", ".join(kinds))
        if decl.base is not None:
            yield Facet("part of", side.names.name(decl.base), decl.base)
        for seats, gone in sorted(decl.without.items()):
            names = [decl.label(v) for v in gone]
            form = tuple(sorted(side.names.value(side.owner(decl), n) for n in names))
            yield Facet(f"without, for {seats} seats", form, ", ".join(names))
        yield from _columns(side, decl)

    def facts(self, old: VersionView, a: TypeDecl, new: VersionView, b: TypeDecl) -> Iterator[FactChange]:
        yield from _both(old, a, new, b)
        yield from links(old, a, new, b)
        yield from ways(old, a, new, b)

    def alone(self, side: VersionView, decl: TypeDecl) -> Iterator[Facet]:
        """The values, and the links of a graph."""
        numeric = decl.numeric
        values = "" if numeric else ", ".join(labels(decl))
        yield Facet("" if numeric else "values", new_labels(side, decl), values)
        yield Facet("links", decl.links, written_links(side, decl) if decl.shape == "graph" else "")


class Components(WrittenKind[Component]):
    section = "pieces"
    word = "component"

    def found(self, rules: Rules) -> Mapping[str, Component]:
        return rules.components

    def facets(self, side: VersionView, decl: Component) -> Iterator[Facet]:
        if decl.die is not None:
            yield Facet("die", side.type(decl.die), side.type_text(decl.die))
        if not _listed(side.rules, decl):
            yield facet("pieces", decl.copies[0])
        yield facet("of", "seat" if decl.per_seat else "")
        if _by_kind(side.rules, decl):
            kind = list(decl.columns)[-1]
            yield Facet("kinds", side.names.name(kind), kind)
        yield from _columns(side, decl)

    def facts(self, old: VersionView, a: Component, new: VersionView, b: Component) -> Iterator[FactChange]:
        return _both(old, a, new, b)

    def alone(self, side: VersionView, decl: Component) -> Iterator[Facet]:
        yield Facet("values", new_labels(side, decl), ", ".join(labels(decl)))
        yield Facet("copies", decl.copies, "")


class Rows(DeclKind[TableRow]):
    section = "pieces"
    named = False

    def noun(self, decl: TableRow) -> str:
        return decl.owner.name

    def found(self, rules: Rules) -> dict[str, TableRow]:
        return {f"{owner}:{label}": row for (owner, label), row in rows(rules).items()}

    def new_key(self, side: VersionView, key: str) -> str:
        owner, _, label = key.partition(":")
        return f"{side.names.name(owner)}:{side.names.value(owner, label)}"

    def name(self, key: str, decl: TableRow) -> str:
        return decl.label

    def owner(self, decl: TableRow) -> str:
        return decl.owner.name

    def span(self, decl: TableRow) -> Span | None:
        return decl.owner.span

    def clauses(self, side: VersionView, decl: TableRow) -> tuple[str, ...]:
        """The clauses of the row, or else those of its table and of the effects in its cells."""
        own = _written(side.rules, decl)
        if own is not None:
            return own.clauses
        found = dict.fromkeys(decl.owner.clauses)
        for column in _own(side.rules, decl.owner):
            if isinstance(column.type, EffectType) and column.keyed_by is None:
                value = column.values[decl.number]
                if value != NONE:
                    effect, _ = side.rules.cells[value]
                    found.update(dict.fromkeys(side.rules.routines[effect].clauses))
        return tuple(found)

    def facets(self, side: VersionView, decl: TableRow) -> Iterator[Facet]:
        return cells(side, decl)
