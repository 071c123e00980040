"""D137 and D138: tables in workbooks that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.diagnostics import Diagnostic


@dataclass(frozen=True)
class NeedsSheetReader(Diagnostic):
    """A table is in a workbook, and the library that reads workbooks is not installed.

    Tables in text, `.csv` and `.tsv`, need nothing. Workbooks, `.xlsx` and `.ods`, are read by
    python-calamine, which the extra `sheets` brings.

    Example:

        components:
          card: {table: cards.xlsx, columns: {cost: 0..9}}

    Install `rulewright[sheets]`, or export the sheet as CSV.
    """

    code = "D137"
    slug = "needs-sheet-reader"
    title = "reading a workbook needs python-calamine, which is not installed"
    advice = "install `rulewright[sheets]`, or export the sheet as CSV"


@dataclass(frozen=True)
class BadWorkbook(Diagnostic):
    """A workbook cannot be read, or does not say which of its sheets is meant.

    It is damaged, has a password, is in the format of old `.xls` files, has several sheets of which none is
    named, or is far larger than a table of a game. The sheet stands behind the file: `cards.xlsx#Cards`.

    Example:

        components:
          card: {table: game.xlsx, columns: {cost: 0..9}}

    Name a sheet: `table: game.xlsx#Cards`. Save the file anew as `.xlsx` or `.ods` if it is damaged.
    """

    code = "D138"
    slug = "bad-workbook"
    title = "the workbook cannot be used: {why}"
    advice = "{hint}"
    why: str
    hint: str
