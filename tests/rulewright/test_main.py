"""What becomes of mistakes, interrupts and closed pipes, whatever the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dsl.diagnostics import Diagnostic, InternalError
from dsl.source import NOWHERE
from interpreter.bots.messages import BadBudget, UnknownBot
from rulewright.commands import simulate
from rulewright.learn.messages import NotAModel
from rulewright.main import main
from rulewright.messages import CannotWrite
from rulewright.terminal import output
from rulewright.terminal.output import activity, located, painted, progress
from tests.processes import Process

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "rulewright"]


def start(*words: str) -> Process[bytes]:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return Process([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)


NAMES = main.list_commands(click.Context(main))


def test_help_names_every_command(run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert {"check", "play", "simulate"} <= set(NAMES)
    for name in NAMES:
        assert f"\n  {name} " in result.output


@pytest.mark.parametrize("name", NAMES)
def test_every_help_teaches_with_an_example(run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert f"rulewright {name}" in result.output
    assert "None" not in result.output


def test_a_command_that_does_not_exist(run) -> None:
    result = run("chek")
    assert result.exit_code == 2
    assert "chek" in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("check", "/nowhere"),
        ("check", ""),
        ("check", "a" * 5000),
        ("check", "a\0b"),
        ("check", "a\nb"),
        ("list", "nonsense"),
        ("test", "nonsense"),
        ("graph", "nonsense"),
        ("simulate", "nonsense"),
        ("simulate", "dice", "--seats", "17"),
        ("simulate", "dice", "--option", "goal=1000"),
        ("simulate", "dice", "--option", "gaol=20"),
        ("simulate", "dice", "-n", "0"),
        ("simulate", "dice", "-n", "1", "--log", "/"),
        ("graph", "dice", "-o", "."),
        ("graph", "dice", "-o", "a\0b"),
        ("replay", "nothing.log"),
        ("replay", "."),
        ("new", "x", "--into", "nowhere"),
        ("new", "x" * 300),
        ("new", ""),
    ],
)
def test_mistakes_of_the_user_are_told_and_never_a_traceback(run, game: Path, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code in (1, 2)
    assert isinstance(result.exception, SystemExit)
    assert "rror" in result.output
    assert "Traceback" not in result.output


def test_a_game_that_is_misspelt_is_marked_and_guessed(run) -> None:
    known = run("list").output.split()[0]
    result = run("check", known[:-1])
    assert result.exit_code == 2
    assert f"did you mean `{known}`?" in result.output
    assert "^" * len(known[:-1]) in result.output


def test_a_wrong_number_of_seats_is_marked(run, game: Path) -> None:
    result = run("simulate", "dice", "--seats", "17")
    marked = result.output.splitlines()[4]
    assert result.output.splitlines()[3][marked.index("^") :] == "17"


def test_our_own_bugs_are_not_dressed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise InternalError("a bug")

    monkeypatch.setattr(simulate, "run_playouts", fail)
    known = CliRunner().invoke(main, ["list"]).output.split()[0]
    result = CliRunner().invoke(main, ["simulate", known])
    assert isinstance(result.exception, InternalError)


def test_an_interrupt_is_said_in_a_word(run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "run_playouts", interrupt)
    result = run("simulate", "dice")
    assert (result.stdout, result.stderr, result.exit_code) == ("", "interrupted\n", 130)


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("words", ["explain --json", "play tic_tac_toe --seats random,random"])
def test_a_closed_pipe_is_quiet(words: str) -> None:
    process = start(*words.split())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
@pytest.mark.parametrize("word", ["--help", "--version"])
def test_an_output_that_cannot_be_written(word: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, word],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert done.returncode == 2
    assert b"error[C401]: `the output` cannot be written: no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_an_encoding_without_some_letters() -> None:
    done = subprocess.run(
        [*COMMAND, "rules", "tic_tac_toe"],
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "latin-1"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "§3.1".encode("latin-1") in done.stdout
    assert b"player?s" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("words", "closed", "code"), [("list pig", ">&-", 0), ("list pig", ">&- 2>&-", 0), ("replay -", "<&-", 2)]
)
def test_streams_that_are_closed(words: str, closed: str, code: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m rulewright {words} {closed}', sys.executable],
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, b"")
    assert b"Traceback" not in done.stderr


def test_colours_only_where_they_are_seen(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in run("check", "nonsense").output
    coloured = CliRunner().invoke(main, ["check", "nonsense"], color=True, prog_name="rulewright")
    assert "\x1b[31m" in coloured.output
    monkeypatch.setenv("NO_COLOR", "1")
    plain = CliRunner().invoke(main, ["check", "nonsense"], color=True, prog_name="rulewright")
    assert "\x1b" not in plain.output


def test_paint_keeps_the_words() -> None:
    text = "error[D001]: x\n  --> a:1:1\n   |\n 1 | error: y\n   | ^^^^^ here\n  help: z"
    assert click.unstyle(painted(text)) == text
    assert painted(text).count("\x1b[31m") == 2


def test_no_progress_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("working", 10) as done:
        done()
    assert capsys.readouterr() == ("", "")


def test_a_log_says_now_and_then_how_far_it_has_come(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 1000, 25))
    monkeypatch.setattr(output, "monotonic", lambda: next(clock))
    with progress("working", 9) as done:
        for _ in range(9):
            done()
    assert capsys.readouterr() == ("", "working: 3 of 9\nworking: 6 of 9\nworking: 9 of 9\n")


def test_a_program_that_reads_messages_is_not_told_how_far_it_has_come(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "RARELY", 0.0)
    monkeypatch.setenv(output.MESSAGES, "json")
    with progress("working", 2) as done:
        done()
    assert capsys.readouterr() == ("", "")


def test_no_activity_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with activity("working") as told:
        told("still")
    assert capsys.readouterr() == ("", "")


def test_a_mistake_with_a_place_keeps_it() -> None:
    from dsl.messages import NoSuchGame
    from dsl.source import NOWHERE, Source, Span

    there = NoSuchGame(Span(Source("x", "abc"), 0, 1), "x", "")
    assert located(there, ["rulewright", "x"]) is there
    placed = located(NoSuchGame(NOWHERE, "two words", ""), ["rulewright", "check", "two words"])
    assert placed.span.text == "'two words'"


@pytest.mark.parametrize(
    ("words", "mistake", "marked"),
    [
        (("arena", "--bots", "random,randm"), UnknownBot(NOWHERE, "randm", ""), "randm"),
        (("play", "roma", "--seats=human,serch:5"), UnknownBot(NOWHERE, "serch:5", ""), "serch:5"),
        (("arena", "--seed", "0", "--bots", "random,search:0"), BadBudget(NOWHERE, "0", "", ""), "search:0"),
        (("arena", "--bots", "search:0+beliefs"), BadBudget(NOWHERE, "0", "", ""), "search:0+beliefs"),
        (("arena", "--bots", "random,policy:x.onnx"), NotAModel(NOWHERE, "x.onnx", ""), "policy:x.onnx"),
        (("arena", "--bots", "a b,c"), UnknownBot(NOWHERE, "c", ""), "'a b,c'"),
        (("arena", "roma"), UnknownBot(NOWHERE, "elsewhere", ""), "rulewright arena roma"),
    ],
)
def test_a_mistake_points_to_its_part_of_a_list(
    words: tuple[str, ...], mistake: Diagnostic, marked: str
) -> None:
    assert located(mistake, ["rulewright", *words]).span.text == marked


def test_what_cannot_be_written_is_the_last_of_its_name() -> None:
    words = ["rulewright", "analyse", "roma", "--into", "roma"]
    assert located(CannotWrite(NOWHERE, "roma", "is a directory"), words).span.start == len(
        "rulewright analyse roma --into "
    )


def test_an_arena_says_that_a_bot_does_not_meet_itself(run) -> None:
    result = run("arena", "--game", "tic_tac_toe", "--bots", "random,random")
    assert result.exit_code == 2
    assert "the bots `random,random` are 2 times the same" in result.output
    assert "name another one, as `random,search:100`" in result.output


def test_an_arena_asks_for_the_names_of_bots(run) -> None:
    for bots in ("", ","):
        assert f"the bots `{bots}` have no name" in run("arena", "--game", "dice", "--bots", bots).output


def test_the_version_is_told(run) -> None:
    assert run("--version").output.startswith("rulewright, version ")
