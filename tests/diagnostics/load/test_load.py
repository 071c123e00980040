"""Every mistake that a ruleset can have, as the smallest ruleset that has it, with what is said of it.

A folder is named after its code and the mistake. `expected.txt` is what people read; `options.txt` holds the
configuration that a case is compiled with. `pytest tests/diagnostics/load --bless` records the expected
output again.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import pytest

import dsl.messages
from dsl.diagnostics import REGISTER, Diagnostic, DiagnosticError, ErrorsReported, Report, Severity
from dsl.folder import MOST_BYTES, MOST_FILES, NotRegular, Outside
from dsl.load import LARGEST_FILE, ChosenPreset, Folder, load
from dsl.pictures import LARGEST_PICTURE
from dsl.render import snippets
from interpreter.compile.program import compile_rules
from rulewright.library import find
from rulewright.records import mistakes

HERE = Path(__file__).parent
CASES = sorted(path.name for path in HERE.glob("D*") if path.is_dir())
CODES = {code: diagnostic for code, diagnostic in REGISTER.items() if code.startswith("D")}
LONG = b"""game: demo
seats: 2
rules: [a.rules, b.rules]
flow:
  final: {score: highest}
"""
WITH_RULES = "game: demo\nseats: 2\nrules: [{}]\nflow:\n  final: {{score: highest}}\n"
GENERATED: dict[str, dict[str, bytes | OSError]] = {
    "D002-latin-1-encoding": {"game.yaml": b"game: caf\xe9\n"},
    "D002-zero-byte": {"game.yaml": b"game: demo\0\n"},
    "D002-utf-16-encoding": {"game.yaml": "game: demo\n".encode("utf-16")},
    "D003-too-large": {"game.yaml": b"#" * (LARGEST_FILE + 1)},
    "D071-leads-outside": {
        "game.yaml": WITH_RULES.format("demo.rules").encode(),
        "demo.rules": Outside(1, "it is outside the folder"),
    },
    "D072-not-a-file": {
        "game.yaml": WITH_RULES.format("demo.rules").encode(),
        "demo.rules": NotRegular(1, "a named pipe"),
    },
    "D073-too-many-files": {
        "game.yaml": WITH_RULES.format("\n  demo.rules," * (MOST_FILES + 1)).encode(),
        "demo.rules": b"",
    },
    "D073-too-many-bytes": {
        "game.yaml": WITH_RULES.format("demo.rules, " * (MOST_BYTES // LARGEST_FILE + 1)).encode(),
        "demo.rules": b" " * LARGEST_FILE,
    },
    "D089-large-picture": {
        "game.yaml": WITH_RULES.format("demo.rules").encode() + b"look: look.yaml\nboards:\n  a: {line: 2}\n",
        "demo.rules": b"",
        "look.yaml": b"boards:\n  a: {picture: a.png}\n",
        "a.png": b"\x89PNG\r\n\x1a\n" + b" " * LARGEST_PICTURE,
    },
    "D085-too-much-text": {"game.yaml": LONG, "a.rules": b"#" * 150_000, "b.rules": b"#" * 150_000},
}
"""Rulesets that are not text, too long to keep, or whose files are no files."""


def folder(name: str) -> Folder:
    """The files of a case, generated or from its folder."""

    def fetch(path: str) -> bytes:
        found = GENERATED[name][path] if name in GENERATED else (HERE / name / path).read_bytes()
        if isinstance(found, OSError):
            raise found
        return found

    return Folder("demo", fetch)


def settings(name: str) -> dict[str, str]:
    """What `options.txt` of a case says it is compiled with: `seats: 7`, `small: tiny`, options by name."""
    path = HERE / name / "options.txt"
    lines = path.read_text().splitlines() if path.is_file() else []
    return {key: value for key, _, value in (line.partition(": ") for line in lines)}


@pytest.fixture(autouse=True)
def no_sheet_reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library that reads workbooks, where that is what is said."""
    if "D137" in request.node.name:
        monkeypatch.setitem(sys.modules, "python_calamine", None)


def diagnostics(name: str) -> Report:
    """What is said of a case, by the first stage that says something."""
    options = settings(name)
    small = options.pop("small", None)
    seats = int(options.pop("seats")) if "seats" in options else None
    try:
        if name.startswith("D062"):
            find("no_such_game")
        rules, report = load(folder(name), ChosenPreset(small) if small else None)
        compile_rules(rules, seats, options)
        if (HERE / name / "records").is_dir():
            return Report([*report, *mistakes(HERE / name, rules, shown="demo")])
    except ErrorsReported as stop:
        return stop.report
    except DiagnosticError as failed:
        return Report([failed.diagnostic])
    return report


@pytest.mark.parametrize("name", sorted({*CASES, *GENERATED}))
def test_golden(name: str, golden) -> None:
    """One mistake is one error, in lower case and without a full stop."""
    report = diagnostics(name)
    assert {m.code for m in report} == {name[:4]}
    golden(HERE / name / "expected.txt", snippets(report) + "\n")
    if name in CASES:
        (diagnostic,) = report
        for text in (diagnostic.message, diagnostic.help, diagnostic.pointer):
            assert not text.endswith("."), text
            assert text[:1] == text[:1].lower() or text.startswith("YAML"), text


@pytest.mark.parametrize("name", CASES)
def test_folders_are_named_after_their_mistake(name: str) -> None:
    code, _, diagnostic = name.partition("-")
    assert code in CODES
    assert diagnostic
    assert not diagnostic[-1].isdigit()


def test_every_code_has_a_folder() -> None:
    assert dsl.messages
    assert {name[:4] for name in CASES} == set(CODES)


# ---- explanations


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_explained(code: str) -> None:
    """A sentence, why it matters, an example, and the way out."""
    diagnostic: type[Diagnostic] = CODES[code]
    assert diagnostic.slug
    text = inspect.cleandoc(diagnostic.__doc__ or "")
    paragraphs = text.split("\n\n")
    assert paragraphs[0].endswith(".")
    assert len(paragraphs) >= 4
    assert "\n\nExample:" in text
    assert any(p.startswith("    ") for p in paragraphs), "no example"


def test_slugs_are_different() -> None:
    slugs = [diagnostic.slug for diagnostic in CODES.values()]
    assert len(set(slugs)) == len(slugs)


def test_only_what_changes_nothing_is_a_warning() -> None:
    assert {code for code, m in CODES.items() if m.severity is Severity.WARNING} == {"D057", "D135"}
