"""The companion of a physical table in JavaScript says what Python's says, act by act."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games import Table
from tests.web.companions import recording
from tests.web.in_node import run_in_node

COMPARE = """
import { compareCompanions } from "./tests/web/companions.js";
console.log(JSON.stringify(await compareCompanions(given)));
"""
QUICK: list[Table] = [("roma", 2, ()), ("kuhn_poker", 2, ()), ("roll_through_the_ages", 2, ())]
OTHERS: list[Table] = [
    ("augustus", 3, ()),
    ("trajan", 2, ()),
    ("leduc_poker", 2, ()),
    ("backgammon", 2, ()),
    ("constantinopolis", 2, ()),
    ("pig", 3, ()),
]


@pytest.mark.parametrize(
    "table", [*QUICK, *(pytest.param(table, marks=pytest.mark.long) for table in OTHERS)], ids=str
)
def test_a_companion_in_javascript_is_the_companion_in_python(table: Table, tmp_path: Path) -> None:
    seeds = [7, 8, 9] if table[0].endswith("poker") else [7]
    found = recording(table, seeds, 40 if table in QUICK else 60)
    report = run_in_node(COMPARE, tmp_path, found)
    assert report["wrong"] == []
    assert report["compared"] > 60
    if table[0] == "roma":
        assert report["refused"] > 0


def test_a_difference_is_found(tmp_path: Path) -> None:
    found = recording(("kuhn_poker", 2, ()), [7], 12)
    found["companions"][0]["acts"][3]["entries"] = "[]"
    assert len(run_in_node(COMPARE, tmp_path, found)["wrong"]) == 1
