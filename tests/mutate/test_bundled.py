"""The bundled games that list equivalent mutants: each entry means one, and scenarios notice the others."""

from __future__ import annotations

import random

import pytest

from rulewright.library import bundled, files_of, find, folder, scenario_sources, source_beside
from validators.mutate.equivalents import FILE, Equivalent, excused, mistaken, read_equivalents
from validators.mutate.running import MutationRunner
from validators.mutate.score import JudgedMutant, score

SAMPLE = 40


def entries(game: str) -> tuple[Equivalent, ...]:
    source = source_beside(find(game), FILE)
    return read_equivalents(source) if source is not None else ()


LISTED = [game for game in bundled() if entries(game)]


def runner(game: str) -> MutationRunner:
    path = find(game)
    return MutationRunner(folder(path).name, files_of(path), tuple(scenario_sources(path)), "wasm")


def test_some_are_listed() -> None:
    assert {"roma", "roll_through_the_ages"} <= set(LISTED)


@pytest.mark.parametrize("game", LISTED)
def test_every_entry_means_a_mutant(game: str) -> None:
    assert [m.message for m in mistaken(entries(game), runner(game).mutants, {})] == []


@pytest.mark.long
@pytest.mark.parametrize("game", LISTED)
def test_nine_of_ten_are_noticed(game: str) -> None:
    made = runner(game)
    numbers = random.Random(0).sample(range(len(made.mutants)), SAMPLE)
    verdicts = {i: made.judge(made.mutants[i]) for i in numbers}
    excuses = excused(entries(game), made.mutants)
    judged = [
        JudgedMutant(made.mutants[i], v, excuses[i].why if i in excuses else "") for i, v in verdicts.items()
    ]
    assert [m.message for m in mistaken(entries(game), made.mutants, verdicts)] == []
    assert score(judged) >= 90, [one.mutant.says for one in judged if one.survived]
