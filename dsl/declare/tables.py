"""Look-up tables: total functions over finite domains; `tables` of `game.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from dsl.declare.arithmetic import computed_if_known
from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range, mapping, number, word
from dsl.declare.rows import effect_cell
from dsl.declare.sheets import Sheet, sheet_of_csv
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import NONE, EffectType, EnumType, IntType, Type
from dsl.messages.shapes import RowTwice, TableNotTotal, WrongShape
from dsl.rules import Table, TypeDecl
from dsl.source import Span
from dsl.wording import plural, shortened

MOST_CELLS = 65_536
TABLE = ("over", "gives", "order", "rows", "table", "clause")
ORDERS = ("rising", "falling", "never falling", "never rising")
"""How the cells of a table may be declared to change along its last key."""


@dataclass(frozen=True)
class Domain:
    """The values of one key of a table: numbers, or the values of the type `decl`."""

    lo: int
    hi: int
    type: Type
    decl: TypeDecl | None

    @property
    def values(self) -> range | tuple[int, ...]:
        return range(self.lo, self.hi + 1) if self.decl is None else self.decl.members

    def shown(self, value: int) -> str:
        return str(value) if self.decl is None else self.decl.label(value)


def declare_table(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{over: 0..7, gives: effect or none, rows: {0..1: none, 2: drought}}`; `over` may be a list."""
    reader = entry(symbols, node, f"table `{name.text}`", TABLE)
    reader.only_one(("rows", "table"))
    symbols.declare(name.text, "a table", name.span)
    domains = _domains(reader)
    gives, decl = _result(symbols, reader.word("gives"))
    cells = _Rows(symbols, name.text, gives, decl).read(_written(reader, domains), domains)
    bounds, types = tuple((d.lo, d.hi) for d in domains), tuple(d.type for d in domains)
    order = reader.one_of("order", ORDERS) or ""
    marks = reader.marks()
    symbols.tables[name.text] = Table(name.text, bounds, types, gives, tuple(cells), name.span, marks, order)


def _domains(reader: MappingReader) -> list[Domain]:
    over = reader.needed("over")
    where = reader.of("over")
    written, what = (over.items, f"an item of {where}") if isinstance(over, Sequence) else ((over,), where)
    nodes = tuple(word(computed_if_known(reader.symbols, node), what) for node in written)
    domains = [_domain(reader.symbols, node, where) for node in nodes]
    if not domains or prod(d.hi - d.lo + 1 for d in domains) > MOST_CELLS:
        wanted = f"a domain, or several, of at most {MOST_CELLS} cells together"
        raise DiagnosticError(WrongShape(over.span, where, wanted))
    return domains


def _domain(symbols: SymbolTable, node: Scalar, where: str) -> Domain:
    if is_range(node.text):
        low, high = interval(node, where)
        return Domain(low, high, IntType(low, high), None)
    decl = symbols.type_named(node)
    return Domain(decl.lo, decl.hi, EnumType(decl.name), decl)


def _written(reader: MappingReader, domains: list[Domain]) -> Node:
    """The rows of a table: as written, or as mappings in each other from a CSV file.

    The first cell of a row has its keys but the last, with blanks between; the titles of the other columns
    are the last keys. Over one domain a row has its key and its value.
    """
    if not reader.has("table"):
        return reader.needed("rows")
    sheet = sheet_of_csv(reader.symbols.open(reader.word("table")))
    if len(domains) == 1:
        if len(sheet.titles) != 2:
            wanted = "a table with two columns, one of keys and one of values"
            raise reader.wrong("table", wanted)
        return Mapping(tuple((key, value) for key, value in sheet.rows), sheet.span)
    return _nested([_keyed(reader, row, sheet, len(domains) - 1) for row in sheet.rows], sheet.span)


Keyed = tuple[tuple[Scalar, ...], Mapping]
"""The first keys of a row, and its cells by the last key."""


def _keyed(reader: MappingReader, row: tuple[Scalar, ...], sheet: Sheet, number: int) -> Keyed:
    keys = tuple(Scalar(text, row[0].span) for text in row[0].text.split())
    if len(keys) != number:
        wanted = f"{plural(number, 'key')}, with blanks between"
        raise DiagnosticError(WrongShape(row[0].span, f"the first cell of a row of {reader.where}", wanted))
    return keys, Mapping(tuple(zip(sheet.titles[1:], row[1:], strict=True)), row[0].span)


def _nested(rows: list[Keyed], span: Span) -> Mapping:
    """Rows by their first keys, in the order of the file."""
    if len(rows[0][0]) == 1:
        return Mapping(tuple((keys[0], cells) for keys, cells in rows), span)
    by_key: dict[str, list[Keyed]] = {}
    for keys, cells in rows:
        by_key.setdefault(keys[0].text, []).append((keys, cells))
    inner = ((some[0][0][0], [(keys[1:], cells) for keys, cells in some]) for some in by_key.values())
    return Mapping(tuple((key, _nested(some, span)) for key, some in inner), span)


def _result(symbols: SymbolTable, node: Scalar) -> tuple[Type, TypeDecl | None]:
    if is_range(node.text):
        return IntType(*interval(node, "`gives`")), None
    optional = node.text.endswith(" or none")
    text = node.text.removesuffix(" or none").strip()
    if text == "effect":
        return EffectType(optional), None
    decl = symbols.type_named(Scalar(text, node.span))
    return EnumType(decl.name, optional), decl


@dataclass(frozen=True)
class _Rows:
    """The context of reading the rows of one table, one domain after the other."""

    symbols: SymbolTable
    table: str
    gives: Type
    decl: TypeDecl | None

    def read(self, node: Node, domains: list[Domain]) -> list[int]:
        """The cells in the order of the domains; 0 for values of a type that are not in its part."""
        domain, rest = domains[0], domains[1:]
        parts: dict[int, list[int]] = {}
        spans: dict[int, Span] = {}
        for key, value in self._pairs(node, domain):
            cells = self.read(value, rest) if rest else [self._cell(value)]
            for at in self._values(key, domain):
                if at in parts:
                    raise DiagnosticError(RowTwice(key.span, self.table, key.text, spans[at]))
                parts[at], spans[at] = cells, key.span
        missing = [v for v in domain.values if v not in parts]
        if missing:
            shown = f"`{domain.shown(missing[0])}`"
            raise DiagnosticError(TableNotTotal(node.span.first_line(), self.table, shown))
        empty = [0] * prod(d.hi - d.lo + 1 for d in rest)
        return [cell for v in range(domain.lo, domain.hi + 1) for cell in parts.get(v, empty)]

    def _pairs(self, node: Node, domain: Domain) -> tuple[tuple[Scalar, Node], ...]:
        """The rows as pairs; a list has one for each value, in order."""
        if not isinstance(node, Sequence):
            return mapping(node, f"the rows of `{self.table}`").pairs
        values = domain.values
        if len(node.items) > len(values):
            extra = node.items[len(values)]
            raise DiagnosticError(
                WrongShape(extra.span, f"the rows of `{self.table}`", f"at most {len(values)}")
            )
        keys = (Scalar(domain.shown(v), item.span) for v, item in zip(values, node.items, strict=False))
        return tuple(zip(keys, node.items, strict=True))

    def _values(self, key: Scalar, domain: Domain) -> range:
        if domain.decl is not None and not (domain.decl.numeric and is_range(key.text)):
            value = value_of(domain.decl, key)
            return range(value, value + 1)
        low, high = interval(key, "a key")
        if low < domain.lo or high > domain.hi:
            where = f"the key `{shortened(key.text)}`"
            raise DiagnosticError(WrongShape(key.span, where, f"within {domain.lo}..{domain.hi}"))
        return range(low, high + 1)

    def _cell(self, node: Node) -> int:
        where = f"a cell of `{self.table}`"
        match self.gives:
            case IntType(lo, hi):
                value = 0 if _is_blank(node) else number(node, where)
                if not lo <= value <= hi:
                    raise DiagnosticError(WrongShape(node.span, where, f"within {lo}..{hi}"))
                return value
            case EffectType(optional):
                return effect_cell(self.symbols, word(node, where), self.table, optional)
            case EnumType(_, optional) if self.decl is not None:
                cell = word(node, where)
                return NONE if optional and cell.text in ("", "none") else value_of(self.decl, cell)
        raise DiagnosticError(WrongShape(node.span, where, str(self.gives)))


def _is_blank(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.text
