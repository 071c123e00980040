"""One change each of a small game, and the whole of what is reported of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import click
import pytest
import yaml

from dsl.folder import Folder
from dsl.load import load
from dsl.rules import Rules
from rulewright.commands.diff_text import report
from tests.conftest import Golden
from validators.diff.compare import Comparison, compare

HERE = Path(__file__).parent
FAIR = {p.name: p.read_text(encoding="utf-8") for p in sorted((HERE / "fair").iterdir())}
Edit = tuple[str, str, str]
EDITS: dict[str, dict[str, list[Edit]]] = yaml.safe_load((HERE / "edits.yaml").read_text(encoding="utf-8"))


def version(texts: dict[str, str]) -> Folder:
    return Folder("fair", lambda path: texts[path].encode())


def edited(edits: list[Edit]) -> dict[str, str]:
    texts = dict(FAIR)
    for file, old, new in edits:
        assert old in texts[file], (file, old)
        texts[file] = texts[file].replace(old, new)
    return texts


def compared(old: dict[str, str], new: dict[str, str]) -> Comparison:
    return compare(rules_of(old), rules_of(new))


def rules_of(texts: dict[str, str]) -> Rules:
    return _read(tuple(texts.items()))


@cache
def _read(texts: tuple[tuple[str, str], ...]) -> Rules:
    return load(version(dict(texts)))[0]


def test_a_version_is_itself() -> None:
    assert compare(rules_of(FAIR), load(version(FAIR))[0]).same


@pytest.mark.parametrize("name", EDITS["nothing"])
def test_what_changes_no_meaning(name: str) -> None:
    new = edited(EDITS["nothing"][name])
    assert new != FAIR
    assert compared(FAIR, new).changes == ()


@pytest.mark.parametrize("name", EDITS["something"])
def test_golden(name: str, golden: Golden) -> None:
    comparison = compared(FAIR, edited(EDITS["something"][name]))
    assert not comparison.same
    text = click.unstyle("\n".join(report(comparison, ("old", "new"), "section")))
    golden(HERE / "golden" / f"{name}.txt", text + "\n")


@pytest.mark.parametrize("name", EDITS["something"])
def test_the_way_back_says_the_same_in_reverse(name: str) -> None:
    """What is added one way is removed the other way; every other change stays one of the same thing."""
    new = edited(EDITS["something"][name])
    there, back = compared(FAIR, new), compared(new, FAIR)
    turned = {"added": "removed", "removed": "added"}
    assert sorted((c.section, turned.get(c.verb, c.verb)) for c in there.changes) == sorted(
        (c.section, c.verb) for c in back.changes
    )


def test_by_clause(golden: Golden) -> None:
    """Several edits at once, in both orders of a report."""
    names = (
        "card_cost",
        "need_dropped",
        "cites",
        "ruling_chosen",
        "clause_retold",
        "label",
        "block",
        "trigger_body",
    )
    comparison = compared(FAIR, edited([edit for name in names for edit in EDITS["something"][name]]))
    for by in ("section", "clause"):
        text = click.unstyle("\n".join(report(comparison, ("old", "new"), by)))
        golden(HERE / "golden" / f"several_by_{by}.txt", text + "\n")
