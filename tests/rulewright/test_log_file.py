"""The file of a match: each choice is in it before anybody is told. Full disks, cut files, two processes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from interpreter import log as logs
from interpreter.match import Match
from rulewright.files import durable
from rulewright.files.durable import GrowingFile
from rulewright.library import open_game
from rulewright.main import main
from rulewright.matches.saves import read_log
from tests.rulewright.test_durable import Failing, limit
from tests.rulewright.test_play import CARDS, ROOT, Table

OPEN_GAME = "pig"


def play(*words: str) -> Result:
    return CliRunner().invoke(main, ["play", *words])


def choices(log: Path) -> list[str]:
    return [entry.text for entry in read_log(log).entries if entry.seat]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A match of a person that has three choices and is not over."""
    match = Match(open_game(OPEN_GAME, 2), seed=4).start()
    for _ in range(3):
        match.take(match.waiting()[0], match.waiting()[0].options[0])
    path = tmp_path / "match.log"
    path.write_text(logs.write(match, {}, ["random", "random"], None, "5" * 32), encoding="utf-8")
    return path


# ---- kept as it is played


def test_each_choice_is_in_the_file_before_the_next_is_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    kept: list[tuple[list[str], list[str]]] = []

    def say() -> str:
        kept.append((choices(log), [step.text for step in table.match.steps if step.seat]))
        if len(kept) == 6:
            raise EOFError
        return "1"

    with pytest.raises(EOFError):
        table.plays_out(say)
    assert all(in_file == made for in_file, made in kept)
    assert len(kept[-1][0]) >= 5


def test_what_is_taken_back_leaves_the_file(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all("1")
    before = choices(log)
    table.says_all("undo")
    assert choices(log) == before[:-1]
    table.says_all("2")
    whole = logs.write(table.match, {}, ["human", "random"])
    assert log.read_text(encoding="utf-8") == whole


def test_the_file_is_what_would_be_written_at_once(tmp_path: Path) -> None:
    log, other = tmp_path / "x.log", tmp_path / "y.log"
    assert play(OPEN_GAME, "--seed", "3", "--log", str(log)).exit_code == 0
    read = read_log(log)
    match = Match(open_game(OPEN_GAME, 2), read.seed).start()
    for entry in read.entries:
        if entry.seat:
            match.choose(entry.seat, entry.text)
    other.write_text(logs.write(match, {}, read.players, None, read.nonce), encoding="utf-8")
    assert log.read_bytes() == other.read_bytes()


# ---- a disk that fails in the middle


def test_a_choice_that_cannot_be_kept_is_told_and_can_be_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all()
    before = log.read_bytes()
    monkeypatch.setattr(durable, "os", Failing("write", errno.ENOSPC))
    screens = " ".join(table.says_all("1", "").split())
    assert "the last change cannot be written to" in screens
    assert "no space left on device" in screens
    assert "Enter to try again" in screens
    assert log.read_bytes()[: len(before)] == before
    assert choices(log) == []
    monkeypatch.undo()


def test_the_match_goes_on_in_another_file(tmp_path: Path) -> None:
    log, other = tmp_path / "x.log", tmp_path / "y.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all()
    log.rename(tmp_path / "moved")
    table.says_all("1", str(other), "1")
    assert choices(other) == [step.text for step in table.match.steps if step.seat]
    assert len(choices(other)) > 1


def test_the_match_goes_on_without_a_file_if_the_players_say_so(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all()
    log.unlink()
    screens = " ".join(table.says_all("1", "none", "1").split())
    assert "from here on the match is not kept" in screens
    assert len([step for step in table.match.steps if step.seat]) >= 2
    assert not log.exists()


def test_leaving_when_a_choice_cannot_be_kept(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    table.says_all("1")
    with limit(log.stat().st_size):
        table.says_all("1", "quit")
    assert len(choices(log)) == 1


def test_bots_stop_when_their_match_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = Path("x.log")
    with limit(3000):
        result = play(OPEN_GAME, "--executor", "reference", "--log", str(log))
    assert result.exit_code == 2
    words = f"rulewright play {OPEN_GAME} --executor reference --log {log}"
    why = "standard input is not a terminal, so A and B cannot be asked"
    assert result.stderr == dedent(
        f"""\
        {why}: bots take all seats, `random` plays for A and B
        error[C416]: the last change cannot be written to `{log}`: file too large
          --> command line:1:{words.index(str(log)) + 1}
           |
         1 | {words}
           | {" " * words.index(str(log))}{"^" * len(str(log))}
          help: free space, or use another file; this one contains the match as it was before
        """
    )
    assert choices(log)
    told = [line for line in result.stdout.splitlines() if line[:3] in ("A: ", "B: ")]
    assert len(told) <= len(choices(log))
    assert play(OPEN_GAME, "--resume", str(log)).exit_code == 0


@pytest.mark.parametrize("command", ["simulate", "graph", "rules"])
def test_reports_do_not_destroy_what_was_there(command: str, tmp_path: Path, log: Path) -> None:
    words = {
        "simulate": ["simulate", OPEN_GAME, "-n", "1", "--executor", "reference", "--log"],
        "graph": ["graph", OPEN_GAME, "-o"],
        "rules": ["rules", OPEN_GAME, "--into"],
    }[command]
    file = tmp_path / "old"
    file.write_text("" if command == "simulate" else "precious", encoding="utf-8")
    if command == "simulate":
        assert CliRunner().invoke(main, [*words, str(file), "--seed", "9"]).exit_code == 0
    before = file.read_bytes()
    with limit(500):
        result = CliRunner().invoke(main, [*words, str(file)])
    assert result.exit_code == 2
    assert "error[C401]" in result.stderr
    assert file.read_bytes() == before


# ---- going on


def test_a_resumed_match_is_kept_in_its_file(log: Path) -> None:
    before = log.read_bytes()
    assert play(OPEN_GAME, "--resume", str(log)).exit_code == 0
    assert log.read_bytes().startswith(before)
    assert read_log(log).complete


def test_a_match_of_people_is_not_played_on_by_bots_in_its_file(log: Path) -> None:
    log.write_text(_of_people(log), encoding="utf-8")
    before = log.read_bytes()
    result = play(OPEN_GAME, "--resume", str(log))
    assert "bots take all seats" in result.stderr
    assert log.read_bytes() == before


def _of_people(log: Path) -> str:
    read = read_log(log)
    match = Match(open_game(OPEN_GAME, 2), read.seed).start()
    for text in choices(log):
        match.choose(match.decisions()[0].seat, text)
    return logs.write(match, {}, ["human", "random"], None, read.nonce)


@pytest.mark.parametrize("tail", [b"", b"\0" * 512, b'{"seat": "A", "cho', b"rubbish\n", b"\xff\xff"])
@pytest.mark.parametrize("cut", [0, 1, 40])
def test_a_torn_log_goes_on_from_its_last_whole_line(tail: bytes, cut: int, log: Path) -> None:
    data = log.read_bytes()
    log.write_bytes(data[: len(data) - cut] + tail)
    result = play(OPEN_GAME, "--resume", str(log))
    assert result.exit_code == 0, result.output
    torn = bool(tail) or cut == 40  # with a cut of 1 only the end of the line is missing
    assert ("warning[R233]" in result.stderr) == torn
    read = read_log(log)
    assert read.complete
    assert read.torn is None


def test_the_message_about_a_torn_log(log: Path) -> None:
    log.write_bytes(log.read_bytes() + b"\0" * 512)
    number = log.read_bytes().count(b"\n")
    assert play(OPEN_GAME, "--resume", str(log)).stderr == dedent(
        f"""\
        warning[R233]: the log is truncated: line {number} is its last complete line, and 512 B follow it
          --> {log}:1:1
           |
         1 | …
           | ^
          help: they are ignored; the match continues from line {number}
        """
    )


def test_replay_tells_of_a_torn_log(log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-20])
    result = CliRunner().invoke(main, ["replay", str(log)])
    assert result.exit_code == 0
    assert "warning[R233]" in result.stderr
    assert "is truncated" in result.stdout
    found = json.loads(CliRunner().invoke(main, ["replay", str(log), "--json"]).stdout)
    assert set(found["torn"]) == {"line", "size"}


def test_two_processes_do_not_write_one_file(log: Path) -> None:
    other = GrowingFile(log)
    result = play(OPEN_GAME, "--resume", str(log))
    assert result.exit_code == 2
    words = f"rulewright play {OPEN_GAME} --resume {log}"
    assert result.stderr == dedent(
        f"""\
        error[C417]: another process is writing its match to `{log}`
          --> command line:1:{words.index(str(log)) + 1}
           |
         1 | {words}
           | {" " * words.index(str(log))}{"^" * len(str(log))}
          help: end the other one first, or use another file for this match: `--log FILE`
        """
    )
    assert "C417" in CliRunner().invoke(main, ["simulate", OPEN_GAME, "-n", "1", "--log", str(log)]).stderr
    other.close()


def test_a_real_second_process_is_refused(log: Path) -> None:
    other = GrowingFile(log)
    words = [sys.executable, "-m", "rulewright", "play", OPEN_GAME, "--resume", str(log)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert "error[C417]" in done.stderr
    other.close()


def test_a_match_that_is_not_over_is_not_written_over(log: Path) -> None:
    before = log.read_bytes()
    for words in (["play", OPEN_GAME], ["simulate", OPEN_GAME, "-n", "1"]):
        result = CliRunner().invoke(main, [*words, "--log", str(log)])
        assert "error[C418]" in result.stderr
        assert log.read_bytes() == before


def test_a_damaged_log_is_not_written_over(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b"events", b"Events", 1))
    before = log.read_bytes()
    for words in (["--log", str(log)], ["--resume", str(log)]):
        result = play(OPEN_GAME, *words)
        assert result.stderr.count("error[") == 1
        assert log.read_bytes() == before
    assert "it already exists and is damaged" in play(OPEN_GAME, "--log", str(log)).stderr


def test_a_resumed_match_goes_on_in_the_file_that_is_named(log: Path, tmp_path: Path) -> None:
    before = log.read_bytes()
    other = tmp_path / "other.log"
    assert play(OPEN_GAME, "--resume", str(log), "--log", str(other)).exit_code == 0
    assert log.read_bytes() == before
    assert other.read_bytes().startswith(before)


def test_saving_into_the_file_of_the_match_changes_nothing(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    table = Table(CARDS, "human,random", log=log)
    assert "saved" in table.says_all("1", f"save {log}")
    table.says_all("1")
    assert choices(log) == [step.text for step in table.match.steps if step.seat]


def test_a_file_that_may_not_be_written_is_played_and_that_is_said(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = log.read_bytes()
    opened = os.open

    def refuse(path: object, flags: int, *more: int) -> int:
        if flags & os.O_RDWR and str(path) == str(log):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return opened(path, flags, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(durable.os, "open", refuse)
    result = play(OPEN_GAME, "--resume", str(log))
    assert result.exit_code == 0
    assert "read-only file system" in result.stderr
    assert log.read_bytes() == before
