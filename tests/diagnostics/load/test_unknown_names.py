"""Every unknown name of a line is told, and no name that is known."""

from __future__ import annotations

import pytest

from dsl.diagnostics import ErrorsReported
from dsl.load import Folder, load
from dsl.messages.names import UnknownName

GAME = """
game: demo
seats: 2
rules: [demo.rules]
counters:
  gold: {of: seat, range: 0..9}
flow:
  play: {do: [p], then: final}
  final: {score: highest}
"""
REST = "procedure p\n    nothing\n"


def unknown(rules: str) -> list[str]:
    files = {"game.yaml": GAME.encode(), "demo.rules": rules.encode()}
    with pytest.raises(ErrorsReported) as reported:
        load(Folder("demo", files.__getitem__))
    errors = reported.value.report.errors
    assert all(isinstance(error, UnknownName) for error in errors)
    return sorted(error.name for error in errors if isinstance(error, UnknownName))


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        ("score a = gld + slver\n" + REST, ["gld", "slver"]),
        ("value v(seat) = gld of seat + copr\n" + REST, ["copr", "gld"]),
        ("always gld of me > 3 and copr < 2\n" + REST, ["copr", "gld"]),
        ("procedure p\n    gold of mee = gol of me\n", ["gol", "mee"]),
        (
            "procedure p\n    if gld of me > 1\n        let z = 3\n        gain z + copr gold\n",
            ["copr", "gld"],
        ),
        ("procedure p\n    for x in hoard\n        gain x gold\n", ["hoard"]),
        ("procedure p\n    let x = gld\n    gain x gold\n", ["gld"]),
        ("score a = gld + gld\n" + REST, ["gld"]),
    ],
)
def test_all_unknown_names_are_told(rules: str, names: list[str]) -> None:
    assert unknown(rules) == names
