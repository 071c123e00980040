"""`refused` by a value alone has its own reason, and that of the only action that is offered."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.library import find
from tests.rulewright.conftest import Run, run as run

SCENARIO = """\
- scenario: A place that is taken
  given: {{seats: 2, set: {{"stone at b2": A}}}}
  when:
    - refused: {{A: {words}, because: {reason}}}
"""


@pytest.mark.parametrize(
    ("words", "reason", "holds"),
    [
        ("place b2", "§2.2", True),
        ("b2", "§2.2", True),
        ("b2", "stone at cell is none", True),
        ("b2", "not here", True),
        ("b2", "§3.1", False),
    ],
)
def test_a_value_alone(run: Run, tmp_path: Path, words: str, reason: str, holds: bool) -> None:
    game = Path(shutil.copytree(find("tic_tac_toe"), tmp_path / "tic_tac_toe"))
    shutil.rmtree(game / "scenarios")
    (game / "scenarios").mkdir()
    (game / "scenarios" / "taken.yaml").write_text(SCENARIO.format(words=words, reason=reason), "utf-8")
    result = run("test", str(game))
    assert (result.exit_code == 0) is holds, result.output
