"""Faults put into bundled games are found, and the games as they are have nothing that they do not allow."""

from __future__ import annotations

from collections import Counter

import pytest

from rulewright.library import bundled
from tests.diagnostics.check.seeded import CODES, Fault, examined, faults, found, rules_of
from tests.games import sample

FEWEST = 5
FAULTS = faults()
LARGE = ("augustus", "constantinopolis", "roll_through_the_ages", "trajan")
"""Games in which the checks that play take long; `test_check.py` has the other checks of them each time."""
SLOW = {("V341", "augustus")}
"""Checks that take longest of all in a game."""


def two_of_each() -> list[Fault]:
    """Two faults for each check, in different games if there are some; the small games come first."""
    found: dict[str, dict[str, Fault]] = {}
    for fault in sorted(FAULTS, key=lambda fault: (fault.game in LARGE, (fault.check, fault.game) in SLOW)):
        found.setdefault(fault.check, {}).setdefault(fault.game, fault)
    return [fault for by_game in found.values() for fault in list(by_game.values())[:2]]


@pytest.mark.parametrize("fault", sample(FAULTS, two_of_each()), ids=str)
def test_a_seeded_fault_is_found(fault: Fault) -> None:
    assert found(fault)


@pytest.mark.parametrize("game", sample(bundled(), [game for game in bundled() if game not in LARGE]))
def test_bundled_games_allow_all_that_is_found(game: str) -> None:
    said = examined(rules_of(game))
    assert [f"{f.code} {f.about}: {f.message}" for f in said.findings] == []
    assert not said.left


def test_every_check_has_seeded_faults() -> None:
    seeded = Counter(fault.check for fault in FAULTS)
    assert {code: seeded[code] for code in CODES if seeded[code] < FEWEST} == {}
    assert set(seeded) == set(CODES)
