"""`rulewright explain`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.manual.codes import all_codes, shape


def test_every_code_can_be_explained(run) -> None:
    for code, kind in all_codes().items():
        result = run("explain", code)
        assert result.exit_code == 0
        assert result.output.startswith(f"{code} {kind.slug} ({kind.severity})\n\n")


def test_every_documented_code_is_known() -> None:
    """In a process of its own, in which nothing else has been imported."""
    pages = (Path(__file__).parents[2] / "docs").glob("*.md")
    documented = {
        code for page in pages for code in re.findall(r"^\| ([A-Z]\d{3}) \|", page.read_text("utf-8"), re.M)
    }
    command = [sys.executable, "-m", "rulewright", "explain", "--json"]
    known = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert {"V300", "V337", "V601"} <= documented <= {kind["code"] for kind in known}


def test_every_family_is_known(run) -> None:
    families = {code[0] for code in all_codes()}
    assert {"C", "D", "R"} <= families
    headings = [line for line in run("explain").output.splitlines() if line and line[0] != " "]
    assert len(headings) == len(families)
    assert all(len(heading) > 1 for heading in headings)


@pytest.mark.parametrize("name", ["D030", "d030", "unknown-name", "Unknown_Name"])
def test_by_code_or_name(run, name: str) -> None:
    assert run("explain", name).output.startswith("D030 unknown-name (error)")


@pytest.mark.parametrize(("name", "meant"), [("D0305", "D030"), ("unknown-nam", "unknown-name")])
def test_unknown_codes_are_guessed(run, name: str, meant: str) -> None:
    result = run("explain", name)
    assert result.exit_code == 2
    assert f"`{meant}`" in result.output


def test_nothing_like_it(run) -> None:
    assert "`rulewright explain` lists all codes" in run("explain", "?").output


def test_for_programs(run) -> None:
    found = json.loads(run("explain", "--json").output)
    assert [entry["code"] for entry in found] == list(all_codes())
    assert all(entry["explanation"] for entry in found)
    (one,) = json.loads(run("explain", "C402", "--json").output)
    assert one["message"] == "`PATH` already exists"


@pytest.mark.parametrize(
    ("template", "shown"),
    [("`{name}` is unknown", "`NAME` is unknown"), ("{why}", ""), ("", ""), ("say so", "say so")],
)
def test_templates_for_people(template: str, shown: str) -> None:
    assert shape(template) == shown
