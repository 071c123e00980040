"""Every mistake that a command can be given with, and the whole of what is said about it."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

import pytest

import rulewright.assistants.messages
import rulewright.messages
import rulewright.printing.messages
import validators.records.messages
from dsl.diagnostics import REGISTER
from interpreter import log
from interpreter.match import Match
from rulewright.commands.list import list_games
from rulewright.library import open_game
from rulewright.pages import rendering

STANDS_IN = (
    "standard input is not a terminal, so A and B cannot be asked: "
    "bots take all seats, `random` plays for A and B"
)
CASES: dict[str, tuple[str, str]] = {
    "C401": (
        "graph dice -o nowhere/flow.svg",
        """\
        error[C401]: `nowhere/flow.svg` cannot be written: no such file or directory
          --> command line:1:26
           |
         1 | rulewright graph dice -o nowhere/flow.svg
           |                          ^^^^^^^^^^^^^^^^
          help: name a file in a folder that exists, has room, and lets you write
        """,
    ),
    "C402": (
        "new dice",
        """\
        error[C402]: `dice` already exists
          --> command line:1:16
           |
         1 | rulewright new dice
           |                ^^^^
          help: choose another name, or another place with `--into DIR`
        """,
    ),
    "C403": (
        "explain C4100",
        """\
        error[C403]: unknown code `C4100`
          --> command line:1:20
           |
         1 | rulewright explain C4100
           |                    ^^^^^
          help: did you mean `C410`?
        """,
    ),
    "C404": (
        "simulate dice --option goal:20",
        """\
        error[C404]: `goal:20` is not of the form `NAME=VALUE`
          --> command line:1:35
           |
         1 | rulewright simulate dice --option goal:20
           |                                   ^^^^^^^
          help: write `--option NAME=VALUE`; `rulewright list` shows the options of each game
        """,
    ),
    "C465": (
        "records dice dice/game.yaml",
        """\
        error[C465]: `dice/game.yaml` does not say in which notation it is
          --> command line:1:25
           |
         1 | rulewright records dice dice/game.yaml
           |                         ^^^^^^^^^^^^^^
          help: describe one in the folder `records` of the game
        """,
    ),
    "C405": (
        "replay match.log --game dice --seat Q",
        """\
        error[C405]: unknown seat `Q`
          --> command line:1:48
           |
         1 | rulewright replay match.log --game dice --seat Q
           |                                                ^
          help: the seats are A, B, spectator
        """,
    ),
    "C406": (
        "replay match.log --game dice --step 9999",
        """\
        error[C406]: unknown step `9999`
          --> command line:1:48
           |
         1 | rulewright replay match.log --game dice --step 9999
           |                                                ^^^^
          help: the log has {steps} steps
        """,
    ),
    "C407": (
        "new 2nd-Game",
        """\
        error[C407]: a ruleset cannot be called `2nd-Game`
          --> command line:1:16
           |
         1 | rulewright new 2nd-Game
           |                ^^^^^^^^
          help: for example `nd_game`: small letters, digits and `_`
        """,
    ),
    "C408": (
        "test dice -k nonsense",
        """\
        error[C408]: no scenario to run with `nonsense` in it
          --> command line:1:25
           |
         1 | rulewright test dice -k nonsense
           |                         ^^^^^^^^
          help: leave out `-k` to run all
        """,
    ),
    "C409": (
        "replay match.log",
        """\
        error[C409]: the log is of game `dice`, which is not bundled
          --> command line:1:1
           |
         1 | rulewright replay match.log
           | ^^^^^^^^^^^^^^^^^^^^^^^^^^^
          help: name its ruleset: `--game PATH`
        """,
    ),
    "C411": (
        "explore dice --depth 0",
        """\
        error[C411]: `--depth` cannot be 0
          --> command line:1:25
           |
         1 | rulewright explore dice --depth 0
           |                         ^^^^^^^
          help: it must be at least 1
        """,
    ),
    "C412": (
        "check dice\u202e",
        """\
        error[C412]: the character U+202E is not allowed in an argument
          --> command line:1:18
           |
         1 | rulewright check 'dice\ufffd'
           |                  ^^^^^^^
          help: use another name; rename the file or folder
        """,
    ),
    "C418": (
        "play dice --log kept.log",
        """\
        {stands_in}
        error[C418]: `kept.log` contains another match, which is not over
          --> command line:1:28
           |
         1 | rulewright play dice --log kept.log
           |                            ^^^^^^^^
          help: resume it with `--resume kept.log`, name another file for this match, or delete that one
        """,
    ),
    "C430": (
        "rules dice --language hu",
        """\
        error[C430]: no labels in `hu`
          --> command line:1:34
           |
         1 | rulewright rules dice --language hu
           |                                  ^^
          help: the languages are `en`
        """,
    ),
    "C480": (
        "export dice --into dice/game.yaml",
        """\
        error[C480]: `dice/game.yaml` already exists
          --> command line:1:31
           |
         1 | rulewright export dice --into dice/game.yaml
           |                               ^^^^^^^^^^^^^^
          help: choose another name, or replace it with `--overwrite`
        """,
    ),
    "C491": (
        "arena --game dice --bots random",
        """\
        error[C491]: the bots `random` are only one
          --> command line:1:37
           |
         1 | rulewright arena --game dice --bots random
           |                                     ^^^^^^
          help: name two or more, separated by commas
        """,
    ),
    "C492": (
        "tune dice --target beauty --numbers goal",
        """\
        error[C492]: the target `beauty` is not of a known form
          --> command line:1:31
           |
         1 | rulewright tune dice --target beauty --numbers goal
           |                               ^^^^^^
          help: write it as `share of B in 48..52`, `length in 20..30` or `total of A in 30..40`
        """,
    ),
}


def _keep_a_match(path: Path) -> None:
    """A match of people that is not over, with a choice in it."""
    match = Match(open_game("dice", 2), seed=1).start()
    match.take(match.waiting()[0], match.waiting()[0].options[0])
    path.write_text(log.write(match, {}, ["human", "random"]), encoding="utf-8")


ELSEWHERE = {"C410", "C413", "C414", "C415", "C416", "C417", "C420", "C421", "C422", "C440"}
ELSEWHERE |= (
    {f"C45{number}" for number in range(10)}
    | {"C490", "C493", "C494", "C495", "C496"}
    | {f"C47{number}" for number in range(5)}
    | {"C460", "C461", "C462", "C463", "C464", "C510", "C511", "C520", "C521"}
    | {f"C53{number}" for number in range(9)}
    | {"C540", "C553", "C554"}
    | {"C466", "C467", "C468", "C469", "C475"}
)
"""Codes that no single command shows; C414 is shown in tests/bounds, C416 and C417 in test_log_file.py,
C462 in test_export.py, C463 in test_sheets.py, C464 in test_update.py, C466 and C467 in tests/records,
C468 and C469 in tests/tabletops,
C510 and C511 in test_format.py, those of the studio in
tests/studio, of printing in tests/printing, of assistants in tests/assistants, of datasets in tests/learn,
those of experiments in tests/experiments/test_commands.py, those of matches at a server in
tests/serve/test_messages.py, of servers and playtests in test_serve_command.py there."""


@pytest.mark.parametrize("code", CASES)
def test_golden(code: str, run, log: Path) -> None:
    command, expected = CASES[code]
    _keep_a_match(Path("kept.log"))
    steps = sum('"seat"' in line or '"chance"' in line for line in log.read_text().splitlines())
    result = run(*command.split())
    assert result.output == dedent(expected).replace("{steps}", str(steps)).replace("{stands_in}", STANDS_IN)
    assert result.exit_code == 2


def test_a_scenario_that_does_not_hold(run, game: Path) -> None:
    """C410 points into the scenario, so it is a finding and no wrong usage."""
    file = game / "scenarios" / "turns.yaml"
    file.write_text(file.read_text().replace("points of A: 9", "points of A: 8"))
    result = run("test", "dice")
    assert result.exit_code == 1
    assert result.output.startswith(
        dedent(
            """\
            dice: The pot is banked when the player stops
            error[C410]: `points of A` is 9, not 8
              --> dice/scenarios/turns.yaml:16:5
                |
             16 |     points of A: 8
                |     ^^^^^^^^^^^^^^ does not hold
              help: compare the rules and the scenario with the clauses that it cites

            dice: 1 of 3 scenarios failed
            3 scenarios in """
        )
    )


def test_no_more_memory(run, monkeypatch: pytest.MonkeyPatch) -> None:
    """C415 is about the machine, and points to the command."""

    def callback(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(list_games, "callback", callback)
    result = run("list")
    assert result.exit_code == 2
    assert result.output == dedent(
        """\
        error[C415]: out of memory
          --> command line:1:1
           |
         1 | rulewright list
           | ^^^^^^^^^^^^^^^
          help: allow the process more (`ulimit -v`), or reduce the work
        """
    )


@pytest.mark.parametrize(
    "words",
    [
        ("check", "dice", "--fast", "--html", "x.html"),
        ("trace", "dice", "--html", "x.html"),
        ("diff", "dice", "dice", "--html", "x.html"),
        ("rules", "dice", "--into", "x.html"),
    ],
)
def test_no_library_for_pages(
    run, game: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """C440 is about the installation, and comes before anything else is done."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    rendering.environment.cache_clear()
    result = run(*words)
    assert result.exit_code == 2
    command = " ".join(("rulewright", *words))
    assert result.output == dedent(
        f"""\
        error[C440]: the library `jinja2` is not installed
          --> command line:1:1
           |
         1 | {command}
           | {"^" * len(command)}
          help: install it with `pip install "rulewright[pages]"`
        """
    )
    assert not Path("x.html").exists()


def test_every_code_is_shown() -> None:
    assert rulewright.messages
    assert rulewright.assistants.messages
    assert rulewright.printing.messages
    assert validators.records.messages
    assert {code for code in REGISTER if code.startswith("C")} == {*CASES, *ELSEWHERE}
