"""Incremental is fresh: after any edits, what is known is what a cold reading finds."""

from __future__ import annotations

import random

import pytest

from dsl.workspace.snapshot import Snapshot, Workspace
from tests.workspace.edited import TOKEN, files_of
from tests.workspace.test_index import workspace

EDITED = ("pig", "roma", "kuhn_poker")


def known(snapshot: Snapshot) -> tuple[object, ...]:
    """What is known of a ruleset, without the identity of its sources."""
    findings = [(found.span.place, found.code, found.message, found.help) for found in snapshot.findings]
    names = sorted(
        (each.span.place, each.span.text, each.symbols, each.declares)
        for each in snapshot.whole_index.found.values()
    )
    rules = snapshot.analysis.rules
    return findings, names, rules.digest if rules is not None else None


def edit(text: str, rng: random.Random) -> str:
    """A text with a line cut, doubled, left out, or with a word less."""
    lines = text.split("\n")
    number = rng.randrange(len(lines))
    tokens = list(TOKEN.finditer(lines[number]))
    kind = rng.choice(["cut", "double", "drop", "word"])
    if kind == "double":
        lines.insert(number, lines[number])
    elif kind == "drop":
        del lines[number]
    elif tokens:
        token = rng.choice(tokens)
        rest = "" if kind == "cut" else lines[number][token.end() :]
        lines[number] = lines[number][: token.start()] + rest
    return "\n".join(lines)


def play(name: str, seed: int, steps: int) -> None:
    rng, space = random.Random(f"{name} {seed}"), workspace(name)
    texts = {
        path: data.decode() for path, data in files_of(name).items() if path.endswith((".rules", ".csv"))
    }
    texts["game.yaml"] = files_of(name)["game.yaml"].decode()
    for step in range(steps):
        path = rng.choice(sorted(texts))
        texts[path] = edit(texts[path], rng) if rng.random() < 0.8 else files_of(name)[path].decode()
        space.edit(path, texts[path])
        if step % 3 == 2:
            fresh = workspace(name)
            for changed, text in texts.items():
                fresh.edit(changed, text)
            assert known(space.snapshot()) == known(fresh.snapshot())


@pytest.mark.parametrize("name", EDITED)
def test_edits_leave_what_a_cold_reading_finds(name: str) -> None:
    play(name, 1, 9)


@pytest.mark.long
@pytest.mark.parametrize("name", EDITED)
@pytest.mark.parametrize("seed", range(20))
def test_long_edits_leave_what_a_cold_reading_finds(name: str, seed: int) -> None:
    play(name, seed, 60)


def test_a_text_that_did_not_change_keeps_its_source() -> None:
    space = workspace("pig")
    first = space.snapshot()
    space.edit("pig.rules", files_of("pig")["pig.rules"].decode() + "\n")
    second = space.snapshot()
    assert first.source("game.yaml") is second.source("game.yaml")
    assert first.source("pig.rules") is not second.source("pig.rules")


def test_a_file_as_it_was_saved_comes_back() -> None:
    space = workspace("pig")
    space.edit("pig.rules", "action")
    assert space.snapshot().findings
    space.edit("pig.rules", None)
    assert not space.snapshot().findings


def test_a_new_scenario_is_known_before_it_is_saved() -> None:
    space = workspace("pig")
    space.edit("scenarios/new.yaml", "- scenario: New\n  then: {pot: 0}\n")
    found = space.snapshot()
    source = found.source("scenarios/new.yaml")
    assert source is not None
    assert [each.span.text for each in found.index_for(source).within(source)] == ["pot"]


def test_an_empty_folder_is_a_finding() -> None:
    def nothing(path: str) -> bytes:
        raise FileNotFoundError(2, "no such file")

    (found,) = Workspace("demo", nothing).snapshot().findings
    assert found.code == "D001"
