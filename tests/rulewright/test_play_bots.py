"""`rulewright play` with bots that search, and hints for people."""

from __future__ import annotations

import builtins
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from interpreter.bots.tree_search import TreeSearch
from rulewright.processes.interrupts import INTERRUPTED
from tests.rulewright.test_play import Table, after, run


def test_a_search_plays_against_another_bot_and_is_repeatable() -> None:
    words = ("connect_four", "--seats", "search:60,random", "--seed", "7")
    first, second = run(*words), run(*words)
    assert first.exit_code == 0, first.output
    assert first.stdout == second.stdout
    assert "A (search:60) wins" in first.stdout


@pytest.mark.parametrize(
    ("seats", "code", "says"),
    [
        ("human,search:99999999", "R251", "more memory than there may be"),
        ("human,search:soon", "R251", "write iterations, as `500`, or time, as `2s`"),
        ("human,serch", "C420", "did you mean `search`?"),
        ("human,wizard:3", "C420", "write human or random or search or easy"),
    ],
)
def test_what_is_no_bot_is_refused(seats: str, code: str, says: str) -> None:
    result = run("pig", "--seats", seats)
    assert result.exit_code != 0
    assert f"error[{code}]" in result.output
    assert says in " ".join(result.output.split())


def test_a_bot_needs_the_library_for_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "interpreter.bots.tree_search":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("connect_four", "--seats", "search,search")
    assert result.exit_code != 0
    assert "error[R252]" in result.output
    assert 'pip install "rulewright[arrays]"' in result.output


def test_a_kept_match_is_resumed_with_its_bots(tmp_path: Path) -> None:
    kept = tmp_path / "match.log"
    table = Table("connect_four", "human,search:40", log=kept)
    table.says_all("d", "quit")
    table.session.close()
    result = run("connect_four", "--resume", str(kept))
    assert result.exit_code == 0, result.output
    assert "B (search:40) wins" in result.stdout


def test_a_hint_ranks_the_choices_and_says_how_it_may_go_on() -> None:
    table = Table("tic_tac_toe", "human,human")
    screens = table.says_all("a1", "b1", "a2", "hint 600", "hint", "hint soon", "hint 2x")
    said = after(screens, "hint 600")
    assert said.index("a3") < said.index("lost for sure, in 4 choices") < said.index("in 2 choices")
    iterations = re.search(r"after (\d+) iterations", said)
    assert iterations is not None
    assert int(iterations[1]) < 100, "the search has ended with the proof"
    assert "for instance B: place on a3" in said
    assert f"after {iterations[1]} iterations" in after(screens, "hint")
    assert "there is no bot `soon`" in after(screens, "hint soon")
    assert "`2x` is no budget of a bot" in after(screens, "hint 2x")
    assert table.match.state[5] == 3, "a hint chooses nothing"


def test_a_hint_is_given_by_a_bot_of_a_name() -> None:
    table = Table("connect_four", "human,human")
    screens = table.says_all("hint easy", "hint search:70", "hint easy+beliefs", "hint random", "hint esy")
    for asked, iterations in (("hint easy", 50), ("hint search:70", 70), ("hint easy+beliefs", 50)):
        assert f"after {iterations} iterations" in after(screens, asked)
    assert "a hint comes from a bot that searches" in after(screens, "hint random")
    assert "did you mean `easy`?" in after(screens, "hint esy")


def test_a_hint_knows_what_the_person_knows() -> None:
    table = Table("leduc_poker", "human,human")
    said = after(table.says_all("", "hint 300"), "hint 300")
    assert "positions that you cannot tell apart" in said


def interrupted_at(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C comes at a call of a search, after what it does."""
    calls, run_search = count(1), TreeSearch.run

    def run_and_interrupt(self: TreeSearch, number: int) -> bool:
        more = run_search(self, number)
        if next(calls) == call:
            raise KeyboardInterrupt
        return more

    monkeypatch.setattr(TreeSearch, "run", run_and_interrupt)


def test_ctrl_c_ends_a_hint_with_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("connect_four", "human,human")
    interrupted_at(2, monkeypatch)
    said = after(table.says_all("hint 60s"), "hint 60s")
    assert "the search was stopped" in said
    assert "value" in said
    assert "iterations from one position" in said
    assert table.match.waiting()[0].seat == 0


def test_ctrl_c_ends_the_thinking_of_a_bot_and_not_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("connect_four", "human,search:60s")
    interrupted_at(2, monkeypatch)
    screens = table.says_all("d")
    assert "B was stopped while it thought" in screens
    assert [step.seat for step in table.match.steps if step.seat is not None] == ["A", "B"]


def test_ctrl_c_ends_a_match_of_bots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_at(3, monkeypatch)
    result = run("connect_four", "--seats", "search:60s,random")
    assert result.exit_code == INTERRUPTED


@pytest.mark.parametrize(
    ("seats", "says"),
    [
        (
            "human,search:10",
            "is not a terminal, so A cannot be asked: bots take all seats, `random` plays for A",
        ),
        ("human,human", "is not a terminal, so A and B cannot be asked"),
    ],
)
def test_without_a_terminal_it_is_said_who_plays(seats: str, says: str) -> None:
    result = run("tic_tac_toe", "--seats", seats)
    assert result.exit_code == 0
    assert says in result.stderr
    assert "no terminal" not in run("tic_tac_toe", "--seats", "random,search:10").stderr
