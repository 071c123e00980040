"""Findings of rulesets with errors: those that are there are told, and a mistake makes none."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.commands.check import check
from rulewright.library import bundled
from tests.games import EACH_TIME
from tests.workspace.edited import analysed, files_of, rules_files, some
from validators.early_findings import early_findings

WRONG = "\nvalue unheard_of = nowhere_said\n"
LABELS = "labels/en.yaml"


def told(name: str, changed: dict[str, str]) -> list[str]:
    analysis = analysed(name, changed)
    assert analysis.report.has_errors
    return [found.about for found in early_findings(analysis)]


def without_lines(name: str) -> list[str]:
    """`game.yaml` with some of its entries cut short, one at a time."""
    lines = files_of(name)["game.yaml"].decode().split("\n")
    entries = [n for n, line in enumerate(lines) if re.match(r" {2,4}\w+: .*\}$", line)]
    chosen = random.Random(name).sample(entries, min(4, len(entries)))
    return ["\n".join([*lines[:n], lines[n].rstrip("}"), *lines[n + 1 :]]) for n in chosen]


def check_game(name: str, cuts: int) -> None:
    """The bundled labels name what there is, so that no mistake elsewhere may make a finding of them."""
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        assert told(name, {path: text + WRONG}) == []
        for _, cut in some(name, text, cuts):
            assert told(name, {path: cut + WRONG}) == [], cut
    first = rules_files(name)[0]
    for game in without_lines(name):
        assert told(name, {"game.yaml": game, first: files_of(name)[first].decode() + WRONG}) == [], game


@pytest.mark.parametrize("name", EACH_TIME)
def test_a_mistake_makes_no_label_unknown(name: str) -> None:
    check_game(name, 3)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_no_mistake_makes_a_label_unknown(name: str) -> None:
    check_game(name, 40)


@pytest.mark.parametrize("name", ["pig", "roma"])
def test_a_label_of_nothing_is_told_beside_errors(name: str) -> None:
    path = rules_files(name)[0]
    labels = files_of(name)[LABELS].decode() + "\nnot_in_the_game: nothing\n"
    rules = files_of(name)[path].decode() + WRONG
    assert told(name, {path: rules, LABELS: labels}) == ["not_in_the_game"]


def test_what_is_allowed_is_not_told() -> None:
    path = rules_files("pig")[0]
    game = files_of("pig")["game.yaml"].decode()
    allow = "\nallow:\n  - {finding: V324, about: not_in_the_game, why: it comes later}\n"
    assert "\nallow:\n" in game
    changed = {
        path: files_of("pig")[path].decode() + WRONG,
        LABELS: files_of("pig")[LABELS].decode() + "\nnot_in_the_game: nothing\n",
        "game.yaml": game.replace("\nallow:\n", allow),
    }
    assert told("pig", changed) == []


def test_a_label_of_what_does_not_parse_is_none_of_nothing() -> None:
    path = rules_files("pig")[0]
    labels = files_of("pig")[LABELS].decode() + "\ndoubled: twice as much\nelsewhere: not at all\n"
    rules = files_of("pig")[path].decode() + "\nvalue doubled = 2 *\n"
    assert told("pig", {path: rules, LABELS: labels}) == ["elsewhere"]


def test_check_shows_both(tmp_path: Path) -> None:
    for path, data in files_of("pig").items():
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / path).write_bytes(data)
    with (tmp_path / LABELS).open("a") as file:
        file.write("\nthow: throw the die\n")
    with (tmp_path / "pig.rules").open("a") as file:
        file.write(WRONG)
    result = CliRunner().invoke(check, [str(tmp_path), "--format", "line"])
    assert result.exit_code == 1
    assert "[V324]" in result.output
    assert "[D030]" in result.output


def test_a_placeholder_is_checked_beside_errors() -> None:
    path = rules_files("pig")[0]
    labels = files_of("pig")[LABELS].decode() + "  points: '{seat} has {thing}'\n"
    analysis = analysed("pig", {path: files_of("pig")[path].decode() + WRONG, LABELS: labels})
    assert any("thing" in found.message for found in analysis.report)
