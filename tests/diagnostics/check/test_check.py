"""Every finding that a game can have, as the smallest ruleset that has it, with what is said of it.

A folder is named after its code and slug, a number follows for further wordings. `expected.txt` is what
people read. `pytest tests/diagnostics/check --bless` records anew.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from dsl.diagnostics import REGISTER, Report
from dsl.load import Folder, load
from dsl.render import snippets
from interpreter.compile.program import compile_rules
from tests.diagnostics.check.seeded import CODES
from validators.check import CheckContext, Finding
from validators.checks import CHECKS
from validators.run_checks import CheckRun, run_checks

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("V*/game.yaml"))
NO_WAY = {
    "V300",
    "V301",
    "V302",
    "V311",
    "V315",
    "V316",
    "V321",
    "V322",
    "V323",
    "V324",
    "V325",
    "V332",
    "V333",
    "V339",
    "V342",
    "V345",
    "V346",
    "V348",
    "V349",
}
"""Findings about one place, which no way leads to."""
AT_ONCE = {"V303-phase-leads-to-itself"}
"""Cases that are lost from the start."""


def said(name: str) -> CheckRun:
    """What the checks say of a case, which has no mistakes of the language."""
    rules, report = load(Folder("demo", lambda path: (HERE / name / path).read_bytes()))
    assert not report.has_errors
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        compile_rules(rules, seats)
    return run_checks(CheckContext(rules), seconds=600)


@pytest.mark.parametrize("name", CASES)
def test_one_fault_is_one_finding(name: str, golden) -> None:
    """Worded as recorded, with the way that leads to it, and in the tone of all findings."""
    found = said(name)
    golden(HERE / name / "expected.txt", snippets(Report(found.findings)) + "\n")
    assert [finding.code for finding in found.findings] == [name[:4]]
    assert not found.allowed
    assert not found.left
    (finding,) = found.findings
    assert finding.about
    assert finding.path or finding.code in NO_WAY or name in AT_ONCE
    for text in (finding.message, finding.help, finding.pointer, *(step.text for step in finding.path)):
        assert text
        assert not text.endswith("."), "only the help says how to mend it"
        assert text[:1] == text[:1].lower() or text[1:2] in (" ", ""), text


@pytest.mark.parametrize("name", CASES)
def test_folders_are_named_after_their_finding(name: str) -> None:
    code, _, finding = name.partition("-")
    assert code in REGISTER
    assert finding
    assert not finding[-1].isdigit()


def test_files_are_named_after_what_they_find() -> None:
    for check in CHECKS:
        assert check.finding.__module__.rpartition(".")[2] == check.finding.slug.replace("-", "_")


def test_every_code_has_a_folder() -> None:
    assert {name[:4] for name in CASES} == set(CODES)


# ---- explanations


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code: str) -> None:
    """A sentence, why it matters, an example, and the way out."""
    kind = REGISTER[code]
    assert issubclass(kind, Finding)
    text = inspect.cleandoc(kind.__doc__ or "")
    paragraphs = text.split("\n\n")
    assert paragraphs[0].endswith(".")
    assert len(paragraphs) >= 4
    assert "\n\nExample:" in text
    assert any(p.startswith("    ") for p in paragraphs), "no example"
    assert not paragraphs[-1].startswith("    "), "no way out"


def test_slugs_are_different() -> None:
    slugs = [REGISTER[code].slug for code in CODES]
    assert len(set(slugs)) == len(slugs)
