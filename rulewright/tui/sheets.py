"""Tables of types and components for display: some columns as cells, the rest as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from dsl import rules as r
from dsl.domains import NONE, EffectType, EnumType, FlagType, IntType, NoneType, PieceType, SetType, Type
from interpreter.formatting import Formatter
from rulewright.i18n.messages import Messages, messages_of

AmountAt = Callable[[r.Column, int], int | None]
"""The number of pieces on a row at a key of a column; None if the row has no pieces at all."""


def no_amount(column: r.Column, key: int) -> int | None:
    """For tables that are shown without the pieces on them."""
    return None


def is_shown(rules: r.Rules, name: str) -> bool:
    """Whether a name is shown to players; an empty label marks internal bookkeeping of the rules."""
    return rules.labels.get(name) != ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table for display.

    `plain` columns have a value in most rows and become cells. The `others` are groups of columns, effects
    and columns that few rows use; their values become text, where a row has one.
    """

    names: Formatter
    words: tuple[str, ...]
    plain: tuple[r.Column, ...] = ()
    others: tuple[r.Column, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(self.names.label(column.name) for column in self.plain)

    @property
    def lead(self) -> r.Column | None:
        """The group that nearly all rows use, if there is one; its label is the title of the text."""
        first = self.others[0] if self.others else None
        return first if first is not None and first.keyed_by and not _is_rare(first) else None

    @property
    def title(self) -> str:
        return self.names.label(self.lead.name) if self.lead is not None else ""

    def row(self, word: str) -> int | None:
        return self.words.index(word) if word in self.words else None

    def cells(self, row: int) -> tuple[str, ...]:
        return tuple(self._cell(column, row) for column in self.plain)

    def rest(self, row: int, amount_at: AmountAt = no_amount) -> str:
        """The columns without a cell: `4 wood, 1 stone; when sold: gain 2`.

        The lead group is shown without its label, and with the pieces on the row.
        """
        return "; ".join(self._parts(row, amount_at, self.lead))

    def details(self, row: int) -> str:
        """All columns of a row with their labels: `sort building, price 5; takes 4 wood, 1 stone`."""
        cells = zip(self.titles, self.cells(row), strict=True)
        plain = ", ".join(f"{title} {cell}" for title, cell in cells)
        return "; ".join(part for part in (plain, *self._parts(row, no_amount, None)) if part)

    def _parts(self, row: int, amount_at: AmountAt, lead: r.Column | None) -> Iterator[str]:
        for column in self.others:
            text = self._text(column, row, amount_at if column is lead else no_amount)
            if text:
                yield text if column is lead else self._with_label(column, text)

    def _with_label(self, column: r.Column, text: str) -> str:
        label = self.names.label(column.name)
        if isinstance(column.type, FlagType) and column.keyed_by is None:
            return label
        return f"{label}: {text}" if isinstance(column.type, EffectType) else f"{label} {text}"

    # ---- one column of one row

    def _cell(self, column: r.Column, row: int) -> str:
        value = column.values[row]
        if value == NONE:
            return "–"
        if isinstance(column.type, FlagType):
            return self._say("table-yes" if value else "table-no")
        return self._value(column, value)

    def _text(self, column: r.Column, row: int, amount_at: AmountAt) -> str:
        """Empty if the row has no value in the column."""
        if column.keyed_by is not None:
            return ", ".join(self._group(column, row, amount_at))
        value = column.values[row]
        if column.is_blank(value):
            return ""
        if isinstance(column.type, EffectType):
            return self._effect(value, self.words[row])
        return self._value(column, value)

    def _group(self, column: r.Column, row: int, amount_at: AmountAt) -> Iterator[str]:
        """`4 wood`, or `1/4 wood` with one piece there; `wood 4` if nearly all keys have a number."""
        keys, full = self.names.rules.types[column.keyed_by or ""], _is_full(column)
        for key, value in zip(keys.members, column.groups[row], strict=False):
            name, there = self.names.label(keys.label(key)), amount_at(column, key)
            if column.is_blank(value) and not there:
                continue
            match column.type:
                case FlagType():
                    yield name
                case IntType() if there is not None:
                    yield f"{there}/{value} {name}"
                case IntType() if not full:
                    yield f"{value} {name}"
                case _:
                    yield f"{name} {self._value(column, value)}"

    def _effect(self, cell: int, word: str) -> str:
        """`gain 2`; empty for an effect that has the same name as its row."""
        name, arguments = self.names.rules.cells[cell]
        parameters = self.names.rules.routines[name].parameters
        given = [
            self.names.label(self.names.keys.value(parameter.var.type, value))
            for parameter, value in zip(parameters, arguments, strict=False)
        ]
        return "" if name == word else f"{self.names.label(name)} {self._say.list(given)}".strip()

    @property
    def _say(self) -> Messages:
        return messages_of(self.names.rules.language, "table")

    def _value(self, column: r.Column, value: int) -> str:
        return self.names.label(self.names.keys.value(column.type, value))


# ---- construction


def sheet_of(names: Formatter, kind: Type) -> Sheet:
    """The table of a type, without columns that are not shown; empty if it has none.

    Not shown are numbers of copies, columns that repeat the name of their row, the row and column of a grid's
    places, and columns with an empty label.
    """
    found, words, copies = _table(names.rules, kind)
    shown = [
        c for c in found.values()
        if is_shown(names.rules, c.name) and c.values != copies and not _repeats_name(c, words)
    ]  # fmt: skip
    plain = [c for c in shown if not (c.keyed_by or isinstance(c.type, EffectType) or _is_rare(c))]
    others = sorted((c for c in shown if c not in plain), key=lambda c: not c.keyed_by or _is_rare(c))
    return Sheet(names, words, tuple(plain), tuple(others))


def _table(rules: r.Rules, kind: Type) -> tuple[dict[str, r.Column], tuple[str, ...], tuple[int, ...]]:
    """The columns, the names of the rows, and the number of pieces of each."""
    match kind:
        case EnumType(name):
            decl = rules.types[name]
            named = ("row", "column") if decl.sides or rules.types[decl.base or name].sides else ()
            return {n: c for n, c in decl.columns.items() if n not in named}, decl.names, ()
        case PieceType(component):
            found = rules.components[component]
            return found.columns, found.classes, found.copies
        case IntType() | FlagType() | EffectType() | SetType() | NoneType():
            return {}, (), ()
    assert_never(kind)


def _repeats_name(column: r.Column, words: tuple[str, ...]) -> bool:
    """Whether a column only repeats which row it is."""
    kind = isinstance(column.type, EnumType) and column.type.type == column.name
    return kind and not column.keyed_by and len(set(column.values)) == len(words)


def _is_rare(column: r.Column) -> bool:
    """Whether most rows have no value in a column."""
    rows = len(column.groups or column.values)
    return 2 * sum(map(column.says_nothing, range(rows))) > rows


def _is_full(column: r.Column) -> bool:
    """Whether a group has values for nearly all its keys, rather than amounts of a few of them."""
    cells = [value for row in column.groups for value in row]
    return 4 * sum(column.is_blank(value) for value in cells) < len(cells)
