"""What a bundled game declares has a label in each of its languages."""

from __future__ import annotations

import pytest
import yaml

from rulewright.library import bundled, find
from tests.games import rules_of

IN_SEVERAL = [(game, tag) for game in bundled() for tag in rules_of(game).languages[1:]]


def declared(game: str) -> set[str]:
    """The names that people read: of pieces, their columns, places, numbers, values and actions."""
    rules = rules_of(game)
    kinds = (rules.components, rules.zones, rules.counters, rules.marks, rules.pointers, rules.phases)
    found = {name for kind in kinds for name in kind}
    found |= {name for name, routine in rules.routines.items() if routine.kind == "action"}
    found |= {score.name for score in rules.scores}
    for kind in rules.types.values():
        if not kind.numeric and kind.base is None and kind.shape == "none" and " " not in kind.name:
            found |= set(kind.names)
    for component in rules.components.values():
        found |= {*component.classes, *component.columns}
    seats = set(rules.types["seat"].names)
    return {name for name in found if not name.isdigit()} - seats


@pytest.mark.parametrize(("game", "tag"), IN_SEVERAL)
def test_everything_that_is_read_has_a_label_in_each_language(game: str, tag: str) -> None:
    written = set(yaml.safe_load((find(game) / "labels" / f"{tag}.yaml").read_text("utf-8")))
    assert declared(game) - written == set()


@pytest.mark.parametrize(("tag", "said"), [("en", "without exchanges"), ("hu", "átváltás nélkül")])
@pytest.mark.parametrize("action", ["call_up", "call_up_two"])
def test_what_a_ruling_takes_away_is_said_in_the_help(action: str, tag: str, said: str) -> None:
    """A legion that an objective calls up (§R4) is not exchanged, unlike one that a token calls."""
    assert said in rules_of("augustus").in_language(tag).helps[action]
