"""The page on checks names every one of them."""

from __future__ import annotations

import inspect
from pathlib import Path

from dsl.diagnostics import REGISTER
from tests.diagnostics.check.seeded import CODES
from validators.checks import CHECKS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "checks.md"


def row(code: str) -> str:
    """The line of the table: code, name, the explanation's first sentence, how grave, whether it plays."""
    kind = REGISTER[code]
    first = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    plays = ", plays" if any(check.code == code and check.plays for check in CHECKS) else ""
    return f"| {code} | {kind.slug} | {first} | {kind.severity}{plays} |"


def test_the_table_is_complete() -> None:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| V")]
    assert lines == [row(code) for code in sorted(CODES)]
