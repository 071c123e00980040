"""The suite is what the specification and the executors say; `--bless` writes it anew."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.game import ExecutorKind
from tests.conformance.__main__ import SUITE, by_command, difference, read_suite, without_answer
from tests.conformance.cases import GAMES, PAGES, cases_of, match_by_chance
from tests.conformance.observing import observed

Golden = Callable[[Path, str], None]
FILES = (*PAGES, "matches")


@pytest.mark.parametrize("name", FILES)
def test_the_suite_is_what_the_specification_says(name: str, golden: Golden) -> None:
    cases = [match_by_chance(game) for game in GAMES] if name == "matches" else list(cases_of(name))
    assert len({case["name"] for case in cases}) == len(cases)
    lines = [json.dumps(case | {"expected": observed(case)}, ensure_ascii=False) for case in map(dict, cases)]
    golden(SUITE / f"{name}.jsonl", "\n".join(lines) + "\n")


@pytest.mark.parametrize("executor", ["reference", "wasm"])
@pytest.mark.parametrize("name", FILES)
def test_executors_conform(name: str, executor: ExecutorKind) -> None:
    for kept in dict(read_suite())[name]:
        found = json.loads(json.dumps(observed(without_answer(kept), executor)))
        assert difference(kept["expected"], found) is None, kept["name"]


def test_matches_are_refused_and_end() -> None:
    matches = dict(read_suite())["matches"]
    assert any("refused" in stop for kept in matches for stop in kept["expected"])
    assert any("over" in stop for kept in matches for stop in kept["expected"])


def test_a_difference_is_named_by_its_path() -> None:
    wanted = [{"views": {"A": {"gold": 3}}}]
    assert difference(wanted, [{"views": {"A": {"gold": 3}}}]) is None
    assert difference(wanted, [{"views": {"A": {"gold": 4}}}]) == "/0/views/A/gold: 4, not 3"
    assert difference(wanted, [{"views": {"A": {}}}]) == "/0/views/A/gold: missing"
    assert difference([True], [1]) == "/0: 1, not true"


def test_a_command_answers_line_by_line() -> None:
    cases = [without_answer(kept) for kept in dict(read_suite())["histories"][:2]]
    program = "import sys\nfor line in sys.stdin: print('[]')"
    assert by_command(f'"{sys.executable}" -c "{program}"', cases) == [[], []]
    with pytest.raises(SystemExit, match="answers 0 of 2 cases"):
        by_command(f'"{sys.executable}" -c pass', cases)
