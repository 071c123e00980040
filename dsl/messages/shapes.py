"""D009 to D015: what stands in `game.yaml` and in tables, and what should."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Label, Mistake
from dsl.source import Span


@dataclass(frozen=True)
class UnknownKey(Mistake):
    """A mapping has a key that means nothing there.

    Usually a slip of the pen, a key on the wrong level, or a key of another kind of declaration. A key
    that nobody reads would be a rule that silently does not hold.

    Example:

        zones:
          hand: {holds: card, of: seat, seen_bye: owner}

    Correct the key, or remove it.
    """

    code = "D009"
    slug = "unknown-key"
    title = "`{key}` is no key of {where}"
    mend = "{hint}"
    key: str
    where: str
    hint: str


@dataclass(frozen=True)
class MissingKey(Mistake):
    """A mapping lacks a key that it cannot do without.

    Where leaving something out could mean two things, it has to be said: who sees a zone, what range a
    counter has, what comes after a phase.

    Example:

        zones:
          hand: {holds: card, of: seat}

    Add the key: `seen_by: owner`.
    """

    code = "D010"
    slug = "missing-key"
    title = "{where} lacks {keys}"
    mend = "{hint}"
    where: str
    keys: str
    hint: str = ""


@dataclass(frozen=True)
class WrongShape(Mistake):
    """A value has another shape than its key asks for: a list where one word is wanted, and so on.

    Every key of `game.yaml` takes one word, one whole number, a range `0..6`, a list `[a, b]` or a mapping
    `{key: value}`, and some take only certain words.

    Example:

        counters:
          gold: {range: [0, 9]}

    Write it in the shape that the message names: `range: 0..9`.
    """

    code = "D011"
    slug = "wrong-shape"
    title = "{where} must be {wanted}"
    mend = "{hint}"
    where: str
    wanted: str
    hint: str = ""


@dataclass(frozen=True)
class BadTable(Mistake):
    """A table of rows does not have the shape that its columns declare.

    The first line of a CSV file names the columns, the first column names the rows. Each row has as many
    cells as the first line, each row has a name of its own, and every column is declared, so that no cell
    is read by nobody.

    Example:

        card,cost
        smith,3
        guard,2,1

    Mend the row, or declare the column under `columns`.
    """

    code = "D012"
    slug = "bad-table"
    title = "{why}"
    mend = "{hint}"
    why: str
    hint: str = ""
    other: Span | None = None
    note: str = "the first one"

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.other, self.note),) if self.other is not None else ()


@dataclass(frozen=True)
class BadCell(Mistake):
    """A cell of a table holds something that its column does not allow.

    A column declares a range, a type, `flag`, or `effect`; an effect cell is the name of an effect and its
    arguments with blanks between.

    Example:

        card,cost
        smith,many

    Correct the cell, or widen the column's declaration.
    """

    code = "D013"
    slug = "bad-cell"
    title = "`{cell}` is no value for column `{column}`: {why}"
    mend = "{hint}"
    cell: str
    column: str
    why: str
    hint: str = ""


@dataclass(frozen=True)
class TableNotTotal(Mistake):
    """A table has no row for a value that its domain contains.

    Tables are total, so that looking something up can never fail in play.

    Example:

        tables:
          price: {over: 0..7, gives: 0..9, rows: {0..5: 1, 6: 2}}

    Add the row, or widen the keys of another one: `6..7: 2`.
    """

    code = "D014"
    slug = "table-not-total"
    title = "table `{table}` has no row for {missing}"
    mend = "add a row, or widen the keys of another one"
    table: str
    missing: str


@dataclass(frozen=True)
class RowTwice(Mistake):
    """Two rows of a table cover the same value, so one of them could never be used.

    Rows are no rules with exceptions: each value of the domain has exactly one.

    Example:

        tables:
          price: {over: 0..7, gives: 0..9, rows: {0..5: 1, 5..7: 2}}

    Let the keys not overlap: `0..4` and `5..7`.
    """

    code = "D015"
    slug = "row-twice"
    title = "`{key}` is covered by an earlier row of `{table}`"
    mend = "let the keys of the rows not overlap"
    table: str
    key: str
    first: Span

    @property
    def others(self) -> tuple[Label, ...]:
        return (Label(self.first, "the earlier row"),)
