"""Which decisions a page may answer by itself: the last of several, where all know that it is the last."""

from __future__ import annotations

import pytest

from rulewright.presentation.description import describe
from tests.games import game_of


@pytest.mark.parametrize(
    ("name", "seats", "forced", "asked"),
    [
        ("trajan", 2, {"marker"}, {"tray", "good", "side", "build.lot"}),
        ("hearts", 4, set(), {"card", "play.card"}),
        ("chess", 2, set(), {"go.piece", "go.there"}),
    ],
)
def test_only_what_is_asked_again_in_sight_of_all_is_forced(
    name: str, seats: int, forced: set[str], asked: set[str]
) -> None:
    decisions = describe(game_of(name, seats))["decisions"].values()
    found = {one["name"] for one in decisions if one.get("forced")}
    assert forced <= found
    assert not asked & found
    assert all(not one["offers"] and not one["passing"] for one in decisions if one.get("forced"))
