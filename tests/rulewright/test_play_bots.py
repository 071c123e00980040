"""`rulewright play` with bots that search, and hints for people."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import pytest

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
    screens = table.says_all("a1", "b1", "a2", "hint 600", "hint", "hint soon")
    said = after(screens, "hint 600")
    assert said.index("a3") < said.index("lost for sure, in 4 choices") < said.index("in 2 choices")
    iterations = re.search(r"after (\d+) iterations", said)
    assert iterations is not None
    assert int(iterations[1]) < 100, "the search has ended with the proof"
    assert "for instance B: place on a3" in said
    assert f"after {iterations[1]} iterations" in after(screens, "hint")
    assert "`soon` is no budget of a bot" in after(screens, "hint soon")
    assert table.match.state[5] == 3, "a hint chooses nothing"


def test_a_hint_knows_what_the_person_knows() -> None:
    table = Table("leduc_poker", "human,human")
    said = after(table.says_all("", "hint 300"), "hint 300")
    assert "positions that you cannot tell apart" in said
