"""`docs/language-codes.md` lists every code of commands, language and referee; `--bless` writes the rows."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import dsl
import interpreter
import rulewright
import validators
from dsl.diagnostics import REGISTER

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language-codes.md"
ROW = re.compile(r"\| [CDR][0-9]{3} \|")

for package in (dsl, interpreter, validators, rulewright):
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if module.name.endswith(".messages"):
            import_module(module.name)


def row(code: str) -> str:
    """The line of the table: code, name, and the explanation's first sentence."""
    kind = REGISTER[code]
    first = " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())
    return f"| {code} | {kind.slug} | {first.removesuffix('.')} |"


def test_the_table_of_codes_is_complete(request: pytest.FixtureRequest) -> None:
    lines = PAGE.read_text("utf-8").splitlines()
    at = [number for number, line in enumerate(lines) if ROW.match(line)]
    rows = [row(code) for code in sorted(REGISTER) if code[0] in "CDR"]
    if request.config.getoption("--bless"):
        lines[at[0] : at[-1] + 1] = rows
        PAGE.write_text("\n".join(lines) + "\n", "utf-8")
    assert [line for line in PAGE.read_text("utf-8").splitlines() if ROW.match(line)] == rows
