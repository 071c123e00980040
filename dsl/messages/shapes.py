"""D009 to D015: keys and values of `game.yaml` and tables that do not fit."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, Label
from dsl.source import Span


@dataclass(frozen=True)
class UnknownKey(Diagnostic):
    """A mapping has a key that has no meaning there.

    Usually a typo, a key on the wrong level, or a key of another kind of declaration. A key that is
    ignored would be a rule that silently does not hold.

    Example:

        zones:
          hand: {holds: card, of: seat, seen_bye: owner}

    Correct the key, or remove it.
    """

    code = "D009"
    slug = "unknown-key"
    title = "unknown key `{key}` in {where}"
    advice = "{hint}"
    key: str
    where: str
    hint: str


@dataclass(frozen=True)
class MissingKey(Diagnostic):
    """A mapping lacks a required key.

    What could mean two things if left out is required: who sees a zone, what range a counter has, what
    comes after a phase.

    Example:

        zones:
          hand: {holds: card, of: seat}

    Add the key: `seen_by: owner`.
    """

    code = "D010"
    slug = "missing-key"
    title = "{where} lacks {keys}"
    advice = "{hint}"
    where: str
    keys: str
    hint: str = ""


@dataclass(frozen=True)
class WrongShape(Diagnostic):
    """A value has the wrong shape for its key: a list where one word is expected, and so on.

    Every key of `game.yaml` takes one word, one whole number, a range `0..6`, a list `[a, b]` or a mapping
    `{key: value}`, and some accept only certain words.

    Example:

        counters:
          gold: {range: [0, 9]}

    Write it in the shape given by the message: `range: 0..9`.
    """

    code = "D011"
    slug = "wrong-shape"
    title = "{where} must be {wanted}"
    advice = "{hint}"
    where: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class NotANumber(Diagnostic):
    """A name in a number of `game.yaml` is not that of a number which is fixed when a match begins.

    A whole number or a range may be computed from constants, options that are numbers, and `seats`, with
    `+`, `-` and `*`. What changes in play, such as a counter, cannot decide how large a thing is.

    Example:

        counters:
          stack: {range: 0..500}
          pot: {range: 0..stack * 4}

    Declare a constant, and use it in both: `stack: {range: 0..most}`.
    """

    code = "D094"
    slug = "not-a-number"
    title = "`{name}` is {what}, not a number that is fixed when a match begins"
    advice = "use constants, options with a `range`, or `seats`"
    name: str
    what: str


@dataclass(frozen=True)
class WrongProduct(Diagnostic):
    """A product of types, or several indices, are not made of two or more different types.

    A product has one value for each combination of values of its types, and a column for each of them.
    Several indices of a zone, counter, mark or pointer are a product, too. If a type occurs twice, its
    columns need names of their own.

    Example:

        counters:
          distance: {at: [town, town], range: 0..99}

    Name them: `at: {here: town, there: town}`.
    """

    code = "D105"
    slug = "wrong-product"
    title = "{where} is a product of {found}"
    advice = "{hint}"
    where: str
    found: str
    hint: str


@dataclass(frozen=True)
class BadTable(Diagnostic):
    """A table does not match the columns that are declared for it.

    The header of a table names the columns; the first column names the rows. Each row has as many cells as
    the header, each row has its own name, and every column is declared or listed under `ignored`, so that no
    cell is ignored unnoticed.

    Example:

        card,cost
        smith,3
        guard,2,1

    Correct the row, or declare the column under `columns`.
    """

    code = "D012"
    slug = "bad-table"
    title = "{why}"
    advice = "{hint}"
    why: str
    hint: str = ""
    other: Span | None = None
    note: str = "the first one"

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.other, self.note),) if self.other is not None else ()


@dataclass(frozen=True)
class BadCell(Diagnostic):
    """A cell of a table contains something that its column does not allow.

    A column declares a range, a type, `flag`, or `effect`; an effect cell is the name of an effect and its
    arguments, separated by blanks.

    Example:

        card,cost
        smith,many

    Correct the cell, or widen the column's declaration.
    """

    code = "D013"
    slug = "bad-cell"
    title = "`{cell}` does not fit column `{column}`: {why}"
    advice = "{hint}"
    cell: str
    column: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class TableNotTotal(Diagnostic):
    """A table has no row for a value of its domain.

    Tables are total, so that a lookup can never fail in play.

    Example:

        tables:
          price: {over: 0..7, gives: 0..9, rows: {0..5: 1, 6: 2}}

    Add the row, or widen the keys of another one: `6..7: 2`.
    """

    code = "D014"
    slug = "table-not-total"
    title = "table `{table}` has no row for {missing}"
    advice = "add a row, or widen the keys of another one"
    table: str
    missing: str


@dataclass(frozen=True)
class RowTwice(Diagnostic):
    """Two rows of a table cover the same value, so one of them would never be used for it.

    Rows have no priorities or exceptions: each value of the domain has exactly one.

    Example:

        tables:
          price: {over: 0..7, gives: 0..9, rows: {0..5: 1, 5..7: 2}}

    Remove the overlap: `0..4` and `5..7`.
    """

    code = "D015"
    slug = "row-twice"
    title = "`{key}` is covered by an earlier row of `{table}`"
    advice = "change the keys so that they do not overlap"
    table: str
    key: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "the earlier row"),)
