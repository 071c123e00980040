"""No seed before the end: not for a seat, not for a spectator, not in a message. A commitment instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter import log as logs
from interpreter.bots.random import pick
from interpreter.commitment import Subject, commitment
from interpreter.match import Match
from rulewright.library import open_game
from rulewright.main import main
from rulewright.matches.saves import read_log
from tests.rulewright.test_play_terminal import Terminal

GAME, SEED, NONCE = "roma", 987654321987654321, "0f" * 16
EYES = ("A", "B", "spectator")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def written(path: Path, choices: int | None, nonce: str | None = NONCE) -> Path:
    """A log of a match with so many choices, or of a whole one."""
    match = Match(open_game(GAME, 2), SEED).start()
    while not match.over and (choices is None or len(match.history) < choices):
        waiting = match.waiting()[0]
        match.take(waiting, pick(SEED, match.state[:], waiting))
    path.write_text(logs.write(match, {}, ["human", "human"], None, nonce), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("logs") / "part.log", 12)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("logs") / "whole.log", None)


# ---- what seats are told


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize(
    "more", [(), ("--json",), ("--step", "3"), ("--step", "3", "--json"), ("--step", "99999")]
)
def test_no_seat_is_told_the_seed_before_the_end(eyes: str, more: tuple[str, ...], unfinished: Path) -> None:
    output = run("replay", str(unfinished), "--seat", eyes, *more).output
    assert str(SEED) not in output
    assert NONCE not in output
    assert ("99999" in more) or str(read_log(unfinished).commitment) in output
    hidden = [json.loads(line) for line in unfinished.read_text(encoding="utf-8").splitlines()]
    assert not any(line["seal"] in output or line.get("hash", "no hash") in output for line in hidden)


@pytest.mark.parametrize("eyes", EYES)
def test_nor_in_a_step_of_a_match_that_is_over(eyes: str, finished: Path) -> None:
    output = run("replay", str(finished), "--seat", eyes, "--step", "5", "--json").output
    assert str(SEED) not in output
    assert NONCE not in output


@pytest.mark.parametrize("eyes", EYES)
def test_at_the_end_everybody_can_open_the_commitment(eyes: str, finished: Path) -> None:
    found = json.loads(run("replay", str(finished), "--seat", eyes, "--json").output)
    about = Subject(found["game"], found["rules"], found["seats"], found["options"])
    assert commitment(about, found["seed"], found["nonce"]) == found["commitment"]
    assert found["fits"]
    text = run("replay", str(finished), "--seat", eyes).output
    assert f"seed {SEED} with nonce {NONCE} fits it" in text


def test_the_referee_is_told_everything(unfinished: Path) -> None:
    found = json.loads(run("replay", str(unfinished), "--json").output)
    assert (found["seed"], found["nonce"], found["fits"]) == (SEED, NONCE, True)


def test_a_log_without_a_commitment_is_read_and_its_seed_kept_from_seats(tmp_path: Path) -> None:
    old = written(tmp_path / "old.log", 4, None)
    assert "commitment" not in old.read_text(encoding="utf-8")
    found = json.loads(run("replay", str(old), "--seat", "A", "--json").output)
    assert not {"seed", "nonce", "commitment"} & set(found)
    assert json.loads(run("replay", str(old), "--json").output)["seed"] == SEED


# ---- messages


def resealed(path: Path, change: dict[str, object], line: int = 0) -> None:
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    lines[line] |= change
    for one in lines:
        del one["seal"]
    path.write_text("".join(logs._sealed(lines)), encoding="utf-8")


@pytest.mark.parametrize("change", [{"commitment": "0" * 64}, {"nonce": "0" * 32}, {"seed": SEED + 1}])
def test_a_seed_that_was_exchanged_is_noticed(change: dict[str, object], tmp_path: Path) -> None:
    log = written(tmp_path / "x.log", 4)
    resealed(log, change)
    for words in (
        ("replay", str(log)),
        ("replay", str(log), "--seat", "A"),
        ("play", GAME, "--resume", str(log)),
    ):
        result = run(*words)
        assert result.exit_code == 1
        assert "error[R232]" in result.stderr
        assert str(SEED) not in result.output


def test_the_message_about_another_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    resealed(written(Path("x.log"), 4), {"nonce": "0" * 32})
    assert run("replay", "x.log").stderr == (
        "error[R232]: the seed is not the one that was committed to when the match began\n"
        "  --> x.log:1:1\n   |\n 1 | …\n   | ^\n  help: get the log from its original place\n"
    )


@pytest.mark.parametrize(
    "change", [{"players": 5}, {"players": ["human"]}, {"game": "other"}, {"rules": "0" * 64}, {"seats": 7}]
)
@pytest.mark.parametrize("command", ["replay", "play"])
def test_no_message_about_a_log_tells_its_seed(
    change: dict[str, object], command: str, tmp_path: Path
) -> None:
    log = written(tmp_path / "x.log", 4, None)
    resealed(log, change)
    words = (
        ["replay", str(log), "--seat", "A"] if command == "replay" else ["play", GAME, "--resume", str(log)]
    )
    result = run(*words)
    assert str(SEED) not in result.output


def test_a_message_to_a_seat_tells_no_choice_of_others(tmp_path: Path) -> None:
    log = written(tmp_path / "x.log", 6)
    lines = [json.loads(text) for text in log.read_text(encoding="utf-8").splitlines()]
    at = next(i for i, line in enumerate(lines) if line.get("seat") == "B")
    resealed(log, {"choose": "forum legat"}, at)
    result = run("replay", str(log), "--seat", "A")
    assert "error[R221]" in result.stderr
    assert "forum" not in result.output
    assert "forum" in run("replay", str(log)).stderr


# ---- playing


def test_a_seed_from_the_system_has_many_bits(tmp_path: Path) -> None:
    seeds = set()
    for i in range(3):
        log = tmp_path / f"{i}.log"
        result = run("play", "pig", "--log", str(log))
        assert result.stdout.startswith(f"commitment to the seed: {read_log(log).commitment}\n")
        assert f"its seed was {read_log(log).seed}" in " ".join(result.stdout.split())
        seeds.add(read_log(log).seed)
    assert len(seeds) == 3
    assert max(seeds) > 1 << 96  # else 2 ** 96 others have been missed by chance


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_long_seed_plays_and_replays(executor: str, tmp_path: Path) -> None:
    log, seed = tmp_path / "x.log", str((1 << 128) - 1)
    assert run("play", "pig", "--seed", seed, "--executor", executor, "--log", str(log)).exit_code == 0
    for other in ("reference", "wasm"):
        found = json.loads(run("replay", str(log), "--json", "--executor", other).output)
        assert str(found["seed"]) == seed


def test_a_seed_that_is_too_long_is_refused() -> None:
    for seed in (str(1 << 128), "9" * 5000, "x"):
        result = run("play", "pig", "--seed", seed)
        assert result.exit_code == 2
        assert "Invalid value for '--seed'" in result.stderr


def first_screen(terminal: Terminal) -> str:
    """What is shown before the first choice, in one line without spaces."""
    return terminal.until("A> ").replace("\r\n", "").replace(" ", "")


def test_people_see_the_commitment_and_no_seed(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    terminal = Terminal("roma", "--log", str(log))
    shown = first_screen(terminal)
    read = read_log(log)
    assert str(read.commitment)[:40] in shown
    terminal.type("quit\n")
    shown += terminal.until("resume it with")
    assert terminal.end() == 0
    assert str(read.seed) not in shown + terminal.seen
    assert str(read.nonce) not in shown + terminal.seen


def test_people_see_the_commitment_on_a_full_screen(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    terminal = Terminal("roma", "--seed", "11", "--log", str(log))  # the names of these cards need every line
    shown = first_screen(terminal)
    assert str(read_log(log).commitment)[:40] in shown
    terminal.type("quit\n")
    assert terminal.end() == 0


def test_a_resumed_match_keeps_its_commitment(tmp_path: Path) -> None:
    log, again = written(tmp_path / "x.log", 4), tmp_path / "again.log"
    assert run("play", GAME, "--resume", str(log), "--log", str(again)).exit_code == 0
    assert read_log(again).commitment == read_log(log).commitment
    assert run("replay", str(again), "--seat", "A").exit_code == 0
