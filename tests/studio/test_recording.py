"""Scenarios that are recorded from play."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from dsl.document import Mapping, Scalar, read
from dsl.source import Source
from interpreter.chance import Choosing
from rulewright.library import find
from rulewright.studio.loading import loaded
from rulewright.studio.playing import begun
from rulewright.studio.recording import Recorder, scalar
from tests.studio.rulesets import ruleset


def recorder(game: Path, seed: int, choices: int, options: dict[str, str] | None = None) -> Recorder:
    """A recorder of a match with so many random choices."""
    rules, questions = loaded(ruleset(game))
    played = begun(rules, None, options or {}, seed)
    below = Choosing(seed).below
    for _ in range(choices):
        if played.match.over:
            break
        waiting = played.match.waiting()
        one = waiting[below(len(waiting))]
        played.match.take(one, one.options[below(len(one.options))])
    return Recorder(played, questions)


def test_a_scenario_has_choices_chance_and_what_has_changed(game: Path) -> None:
    found = recorder(game, 4, 3, {"goal": "30"}).record(0, "Three choices", None)
    (scenario,) = yaml.safe_load(found.text)
    assert scenario["scenario"] == "Three choices"
    assert scenario["given"] == {"seats": 2, "options": {"goal": 30}}
    assert len(scenario["when"]) == 3
    assert scenario["cites"]
    assert found.result["holds"]
    assert found.whole
    assert any(claim.startswith("asked: ") for claim in found.offered)


def test_only_what_is_chosen_is_asserted(game: Path) -> None:
    own = recorder(game, 4, 3)
    offered = own.record(0, "x", None).offered
    found = own.record(0, "x", [offered[0]])
    assert yaml.safe_load(found.text)[0]["then"] == yaml.safe_load(offered[0])
    wrong = own.record(0, "x", ["pot: 99"])
    assert not wrong.result["holds"]
    assert "wanted 99" in wrong.result["failed"][0]["text"]


def test_a_scenario_begins_in_the_middle_with_a_position(game: Path) -> None:
    found = recorder(game, 4, 6).record(4, "From the middle", None)
    (scenario,) = yaml.safe_load(found.text)
    assert not found.whole
    assert scenario["given"]["at"] == "turn.throw_or_hold"
    assert len(scenario["when"]) == 2
    assert found.result["holds"]


def test_the_end_is_offered(game: Path) -> None:
    found = recorder(game, 4, 500, {"goal": "10"}).record(0, "To the end", None)
    assert "over: true" in found.offered
    assert any(claim.startswith("winner: ") for claim in found.offered)
    assert found.result["holds"]


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker", "yacht", "kalah", "hearts"])
def test_what_is_recorded_holds_in_games_of_all_kinds(name: str) -> None:
    own = recorder(find(name), 3, 12)
    for since in (0, len(own.match.history) // 2):
        found = own.record(since, "Recorded", None)
        assert found.result["holds"], (found.text, found.result)


@pytest.mark.parametrize(
    "text",
    [
        "lay forum",
        "3",
        "a: b",
        "yes",
        "No",
        "null",
        "a, b",
        "[x]",
        "",
        " x",
        "x #y",
        "A's",
        '"q"',
        "hand of A at 3",
        "-1",
        "5..7",
    ],
)
def test_texts_are_written_so_that_they_are_read_again(text: str) -> None:
    found = read(Source("x", f"key: {scalar(text)}\n"))
    assert isinstance(found, Mapping)
    ((_, value),) = found.pairs
    assert isinstance(value, Scalar)
    assert value.text == text


@pytest.mark.parametrize("seed", range(3))
def test_hands_are_told_in_the_order_of_their_seats(seed: int) -> None:
    offered = recorder(find("oh_hell"), seed, 9).record(0, "x", None).offered
    hands = [claim.split(":")[0] for claim in offered if claim.startswith("hand of ")]
    assert len(hands) > 2
    assert hands == sorted(hands)


def test_the_clauses_of_all_rules_that_ran_may_be_cited(game: Path) -> None:
    own = recorder(game, 4, 500, {"goal": "10"})
    found = own.record(0, "x", None)
    assert set(found.cites) < set(found.clauses)
    assert "§3.1" in set(found.clauses) - set(found.cites)  # the score line, which nobody chooses
    chosen = own.record(0, "x", None, ["§3.1"])
    assert yaml.safe_load(chosen.text)[0]["cites"] == ["§3.1"]
    assert chosen.clauses == found.clauses
    assert "cites" not in yaml.safe_load(own.record(0, "x", None, []).text)[0]
