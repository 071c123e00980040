"""The notation of a match: short, and played again to the same match."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, strategies as st

from dsl.source import Source
from interpreter import log
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.notation import is_notation, notation_of
from interpreter.replay import replay
from rulewright.library import open_game
from rulewright.main import main

GAMES = ("battleship", "kuhn_poker", "roma", "tic_tac_toe")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def in_short(text: str) -> str:
    return notation_of([json.loads(line) for line in text.splitlines()])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("supplied", [False, True])
def test_a_notation_is_played_again_to_the_same_match(name: str, supplied: bool) -> None:
    match = played(name, 4)
    text = log.write(match, {}, ["random"] * match.game.machine.seats)
    if supplied:
        text = text.replace('"outcome"', '"supplied": true, "outcome"')
    notation = in_short(text)
    assert is_notation(notation)
    assert len(notation) < len(text) / 4
    assert ("# seed" in notation) == ("> " in notation)
    read = log.read_notation(Source("n", notation))
    again = replay(match.game, read).match
    assert [(s.seat, s.stream, s.text) for s in again.steps] == [
        (s.seat, s.stream, s.text) for s in match.steps
    ]
    assert supplied or again.state == match.state


def played(name: str, seed: int) -> Match:
    """A match by random choices, or its beginning."""
    match, chooser = Match(open_game(name), seed), random.Random(seed)
    match.start()
    for _ in range(200):
        if match.over:
            break
        decision = chooser.choice(match.decisions())
        match.choose(decision.seat, chooser.choice(decision.choices).text)
    return match


def test_the_command_writes_it_and_takes_it_back(tmp_path: Path) -> None:
    match = played("tic_tac_toe", 3)
    path, short = tmp_path / "m.log", tmp_path / "m.txt"
    path.write_text(log.write(match, {}, ["random", "random"]))
    written = run("replay", str(path), "--notation")
    assert written.exit_code == 0
    short.write_text(written.output)
    told = [run("replay", str(file)).output for file in (short, path)]
    assert told[0] == told[1].replace("seed 3, ", "")
    assert run("replay", str(short), "--notation").output == written.output
    assert run("replay", str(path), "--notation", "--seat", "A").exit_code == 2


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("A: place", "A: plaice", "cannot be made"),
        ("A: place", "A place", "neither a choice"),
        ("# seats 2", "# seats two", "`seats` is malformed"),
        ("# seats 2", "# seats 2.5", "`seats`"),
        ("# seats 2", "# chairs 2", "unknown part `chairs`"),
        ("# options {}", '# options {"board": [1]}', "`options` is malformed"),
        ('"tic_tac_toe"', '"tic_tac_tow"', "tic_tac_tow"),
        ("A: place", "* die: 4\nA: place", "differs from the log"),
        ("A: place", "A: \u202eplace", "not allowed"),
    ],
)
def test_what_is_wrong_is_named_without_a_traceback(old: str, new: str, why: str, tmp_path: Path) -> None:
    notation = in_short(log.write(played("tic_tac_toe", 3), {}, ["random", "random"]))
    path = tmp_path / "m.txt"
    path.write_text(notation.replace(old, new, 1))
    found = run("replay", str(path))
    assert found.exit_code in (1, 2)
    assert why in found.output
    assert "Traceback" not in found.output


@given(st.text(max_size=200))
def test_any_text_is_a_notation_or_refused(text: str) -> None:
    with suppress(Fault):
        log.read_notation(Source("n", "# rulewright notation 1\n" + text))
