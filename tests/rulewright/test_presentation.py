"""What a page shows: descriptions, positions, entries and refusals as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

import rulewright
from interpreter.match import Match
from interpreter.sights import REFEREE, SPECTATOR
from rulewright.presentation.description import describe, digest_of, encode
from rulewright.presentation.position import entries, position
from rulewright.presentation.why_not import why_not, why_not_value

GAMES = sorted(rulewright.bundled())


def played(name: str, choices: int, seed: int = 5) -> Iterator[Match]:
    """A match at each of its first decisions."""
    match, random = Match(rulewright.open_game(name), seed=seed).start(), Random(seed)
    for _ in range(choices):
        yield match
        if match.over:
            return
        decision = match.decisions()[0]
        match.take(decision.waiting, random.choice(decision.choices).option)


@pytest.mark.parametrize("name", GAMES)
def test_everything_is_json_and_positions_have_the_shape_of_the_description(name: str) -> None:
    game = rulewright.open_game(name)
    found = json.loads(encode(describe(game)))
    assert digest_of(encode(describe(game))) == digest_of(encode(found))
    for match in played(name, 12):
        for viewer in (REFEREE, SPECTATOR, *range(game.machine.seats)):
            seen = json.loads(json.dumps(position(match, viewer)))
            assert len(seen["places"]) == len(found["places"])
            assert len(seen["words"]) == sum(v["of_size"] * v["at_size"] for v in found["variables"])
            assert seen["seq"] == len(entries(match, viewer))
            assert all(str(d["node"]) in found["decisions"] for d in seen["decisions"])


@pytest.mark.parametrize("name", ["roma", "augustus", "leduc_poker", "trajan"])
def test_as_many_pieces_of_each_class_as_the_description_says(name: str) -> None:
    *_, match = played(name, 40)
    found = describe(match.game)
    lying: dict[str, Counter[int]] = {component: Counter() for component in found["components"]}
    for place, seen in zip(found["places"], position(match, REFEREE)["places"], strict=True):
        component = found["zones"].get(place["zone"], {"component": place["zone"]})["component"]
        lying[component].update(seen if isinstance(seen, list) else {0: seen})
    for component, decl in found["components"].items():
        wanted = [] if decl["die"] else [lying[component][i] for i in range(len(decl["classes"]))]
        assert decl["copies"] == wanted


def test_pieces_of_a_draw_are_told_by_class() -> None:
    match = Match(rulewright.open_game("leduc_poker"), seed=1).start()
    told = [entry["pool"] for entry in entries(match, 0)]
    assert [pool for pool in told if pool] == [["card", [2, 2, 2], True]]


@pytest.mark.parametrize("name", ["roma", "augustus", "kuhn_poker", "trajan"])
def test_what_was_told_is_never_told_otherwise(name: str) -> None:
    told: dict[int, list[dict[str, object]]] = {}
    for match in played(name, 60):
        for viewer in (SPECTATOR, *range(match.game.machine.seats)):
            now = entries(match, viewer)
            assert now[: len(told.get(viewer, []))] == told.get(viewer, [])
            told[viewer] = now


def test_words_of_a_choice_are_accepted_and_values_name_what_is_chosen() -> None:
    for match in played("roma", 60):
        for seat in range(2):
            for decision in position(match, seat)["decisions"]:
                for choice in decision["choices"]:
                    if choice["value"] is not None and choice["value"][0] == "piece":
                        _, place, class_ = choice["value"]
                        seen = position(match, seat)["places"][place]
                        assert class_ in seen if class_ >= 0 else not isinstance(seen, list)


def test_a_value_is_refused_as_its_words_are() -> None:
    match = Match(rulewright.open_game("breakthrough"), seed=1).start()
    piece = position(match, 0)["decisions"][0]["choices"][0]
    assert why_not(match, 1, piece["words"])["kind"] == "not here"
    refused = why_not_value(match, 0, piece["action"], ["piece", 10_000, 0])
    assert refused["kind"] == "no such value"
    with pytest.raises(ValueError, match="a list of a kind"):
        why_not_value(match, 0, piece["action"], ["piece", [1], 0])


def test_during_together_nothing_tells_what_others_do() -> None:
    checked = 0
    for match in played("roma", 20):
        if not position(match, 0)["together"]:
            continue
        for seat in range(2):
            seen = position(match, seat)
            assert set(seen["waiting"]) <= {seat}
            own = [entry for entry in entries(match, seat) if entry["seat"] == seat]
            assert seen["undo"] == {"free": len(own), "ask": 0, "why": "", "consent": []}
            checked += 1
        assert position(match, SPECTATOR)["waiting"] == []
    assert checked


def test_labels_of_all_languages_are_complete() -> None:
    found = describe(rulewright.open_game("roma", 2))
    assert found["languages"] == ["en", "ro"]
    assert found["labels"]["ro"]["money"] == "sesterți"
    assert found["labels"]["en"]["money"] == "sestertii"
    assert found["labels"]["ro"].keys() == found["labels"]["en"].keys()
    assert found["helps"]["ro"].keys() == found["helps"]["en"].keys()
