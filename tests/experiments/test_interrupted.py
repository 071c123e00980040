"""Ctrl-C, a lost process, too little memory, a full disk: what was played is kept, and it is said why."""

from __future__ import annotations

import errno
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dsl.source import NOWHERE
from interpreter.messages import Aborted, NoMemory, StoppedRun
from rulewright.commands import simulate_bots
from rulewright.experiments import arena, compared, running, tuning
from rulewright.experiments.running import JobRunner
from rulewright.files import durable
from rulewright.files.rescue import write_or_rescue
from rulewright.main import main
from rulewright.processes.early_end import EarlyEnd
from tests.processes import Process
from validators.experiments import comparing
from validators.experiments.jobs import Games, Job, PairJob
from validators.experiments.tallies import PairTally, Tally

DUEL = str(Path(__file__).parent / "duel")
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


# ---- pairs and tries


def interrupted_after(monkeypatch: pytest.MonkeyPatch, module: ModuleType, number: int) -> None:
    """Ctrl-C comes after so many parts of jobs."""
    run_parts, parts = running.run_parts, itertools.count()

    def interrupted(where: JobRunner, job: Job, bots: Sequence[str]) -> Iterator[tuple[int, Tally]]:
        for found in run_parts(where, job, bots):
            if next(parts) == number:
                raise KeyboardInterrupt
            yield found

    monkeypatch.setattr(module, "run_parts", interrupted)


def test_ctrl_c_keeps_all_pairs_that_have_ended(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a round that is not whole count for numbers; tests know of whole rounds."""
    interrupted_after(monkeypatch, compared, 1)
    monkeypatch.setattr(running, "BLOCK", 100)
    monkeypatch.setattr(comparing, "FIRST_LOOK", 300)
    result = run("compare", DUEL, "--new", "stretch=true")
    assert result.exit_code == 130
    assert "100 pairs with the same chance, seeds 0 to 99;" in result.output
    assert "interrupted: these are the pairs that were finished" in result.output
    assert re.search(r"length +8.00 +10.00 +\+2.00 .*undecided", result.output)


def test_ctrl_c_before_the_first_pair(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(monkeypatch, compared, 0)
    result = run("compare", "pig", "--new", "goal=99")
    assert result.exit_code == 130
    assert "no pairs with the same chance\n" in result.output


def test_an_interrupted_arena_rates_what_was_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(monkeypatch, arena, 3)
    result = run("arena", "--game", DUEL, "--bots", "random,search:1,search:2", "-n", "40")
    assert result.exit_code == 130
    assert "random against search:1: undecided\n  24 pairs" in result.output
    assert "random against search:2: not played" in result.output


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        (0, "interrupted before a match had ended\n\nagain: "),
        (1, "interrupted: `length in 11..13` was not reached so far\n"),
        (5, "nothing changed                           8.0   8.0 to 8.0\n"),
        (3, "the first 100 of 200 matches\n"),
    ],
)
def test_an_interrupted_tuning_shows_what_was_tried(
    run: Run, monkeypatch: pytest.MonkeyPatch, parts: int, says: str
) -> None:
    interrupted_after(monkeypatch, tuning, parts)
    monkeypatch.setattr(running, "BLOCK", 100)
    result = run("tune", DUEL, "--target", "length in 11..13", "--numbers", "rounds", "-n", "200")
    assert result.exit_code == 130
    assert says in result.output


def test_a_confirmation_that_is_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_after(monkeypatch, tuning, 2)
    words = ("--numbers", "rounds", "-n", "200", "--confirm", "100000")
    result = run("tune", DUEL, "--target", "share of A in 42..58", *words)
    assert result.exit_code == 130
    assert "is reached with nothing changed, but that is not confirmed\n  so far: " in result.output


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (
            Aborted(NoMemory(NOWHERE, "no room")),
            1,
            "play ended early: these are the pairs that were finished",
        ),
        (Aborted(StoppedRun(NOWHERE)), 130, "interrupted: these are the pairs that were finished"),
    ],
)
def test_a_run_that_is_aborted_keeps_what_was_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Aborted, status: int, says: str
) -> None:
    """The fast executor ends so, and workers of all kinds hand it on."""
    played, parts = PairJob.run, itertools.count()

    def aborted(job: PairJob, games: Games) -> PairTally:
        if next(parts) == 1:
            raise error
        return played(job, games)

    monkeypatch.setattr(PairJob, "run", aborted)
    result = run("compare", DUEL, "--new", "lead=1", "--margin", "0.5")
    assert result.exit_code == status
    assert "256 pairs with the same chance" in result.stdout
    assert says in result.stdout
    assert ("error[R230]" in result.stderr) == (status == 1)


# ---- simulations


def interrupted_playout(monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException) -> None:
    """What is raised when the choices of the playout of this number are made."""
    start, started = simulate_bots.Bounded.start, itertools.count()

    def interrupted(match: simulate_bots.Bounded) -> object:
        if next(started) == number:
            raise error
        return start(match)

    monkeypatch.setattr(simulate_bots.Bounded, "start", interrupted)


@pytest.mark.parametrize("words", [("--executor", "reference"), ("--seats", "search:1,random")])
def test_an_interrupted_simulation_counts_what_has_ended(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    whole = json.loads(run("simulate", DUEL, "-n", "3", "--seed", "5", *words, "--json").output)
    interrupted_playout(monkeypatch, 3, KeyboardInterrupt())
    result = run("simulate", DUEL, "-n", "50", "--seed", "5", *words, "--json")
    assert result.exit_code == 130
    found = json.loads(result.stdout)
    assert (found["playouts"], found["interrupted"], found["failure"]) == (3, True, None)
    assert found["scores"] == whole["scores"]
    interrupted_playout(monkeypatch, 3, KeyboardInterrupt())
    result = run("simulate", DUEL, "-n", "50", "--seed", "5", *words, "--log", "match.log")
    assert "interrupted: these are the first 3 of 50 playouts, seeds 5 to 7" in result.output
    assert not Path("match.log").exists()


def test_a_simulation_that_is_interrupted_at_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_playout(monkeypatch, 0, KeyboardInterrupt())
    result = run("simulate", DUEL, "--seats", "search:1,random")
    assert (result.output, result.exit_code) == ("interrupted before a playout had ended\n", 130)


def test_a_simulation_without_memory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_playout(monkeypatch, 2, MemoryError())
    result = run("simulate", DUEL, "--seats", "search:1,random")
    assert result.exit_code == 1
    assert "play ended early: these are the first 2 of 100 playouts, seeds 0 to 1\n" in result.stdout
    assert "error[R268]" in result.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_stretches_of_playouts_count_up_to_the_first_gap(jobs: int) -> None:
    """Threads that are interrupted leave gaps; what is behind them has other seeds than are told."""
    import rulewright as library
    from interpreter.wasm.build_config import PLAYOUT
    from interpreter.wasm.program import SharedRun, lowered

    code = lowered(library.open_game("tic_tac_toe").machine, PLAYOUT)

    class Stopped(SharedRun):
        def _take(self, most: int, jobs: int) -> tuple[int, int] | None:
            stretch = super()._take(most, jobs)
            if stretch is not None and stretch[0] > 40:
                raise KeyboardInterrupt
            return stretch

    stopped, whole = Stopped(code, 300, 11), SharedRun(code, 300, 11)
    with pytest.raises(KeyboardInterrupt):
        stopped.play(jobs)
    del stopped.found[1]
    assert [rows.played for rows in stopped.finished()] == [1]
    stopped = Stopped(code, 300, 11)
    with pytest.raises(KeyboardInterrupt):
        stopped.play(jobs)
    found = b"".join(bytes(rows.words) for rows in stopped.finished())
    assert found
    assert b"".join(bytes(rows.words) for rows in whole.rows()).startswith(found)


@pytest.mark.skipif(sys.platform != "linux", reason="processes in /proc")
def test_ctrl_c_at_a_module_that_plays(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "rulewright", "simulate", "pig", "-n", "900000000"]
    with Process(words, stdout=subprocess.PIPE, text=True, preexec_fn=_interruptible) as process:
        _at_work(process.pid)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    shown = r"interrupted: these are the first [\d,]+ of 900,000,000 playouts, seeds 0 to \d+\n"
    assert re.search(shown, output)


def _at_work(pid: int) -> None:
    """Waits until a process has worked for longer than it takes to begin to play."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        time.sleep(0.1)
        user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        if (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") > 2:
            return


def _interruptible() -> None:
    """Whoever started the tests in the background may have switched interrupts off."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# ---- datasets


def interrupted_match(monkeypatch: pytest.MonkeyPatch, number: int, error: BaseException) -> None:
    """What is raised when the match of this number is played."""
    from rulewright.learn import dataset

    played, begun = dataset.played, itertools.count()

    def interrupted(*given: Any) -> dataset.MatchRows:
        if next(begun) == number:
            raise error
        return played(*given)

    monkeypatch.setattr(dataset, "played", interrupted)


def test_an_interrupted_dataset_is_valid_and_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `dataset` is not installed")
    assert run("dataset", "kuhn_poker", "-n", "7", "--seed", "3", "--into", "whole.parquet").exit_code == 0
    interrupted_match(monkeypatch, 7, KeyboardInterrupt())
    result = run("dataset", "kuhn_poker", "-n", "20", "--seed", "3", "--into", "part.parquet")
    assert result.exit_code == 130
    assert "of 7 matches in part.parquet\ninterrupted: these are the first 7 of 20 matches\n" in result.output
    assert parquet.read_table("part.parquet").equals(parquet.read_table("whole.parquet"))
    assert parquet.read_metadata("part.parquet").metadata[b"stopped"] == b"interrupted after 7 matches"
    sheet = Path("part.parquet.md").read_text("utf-8")
    assert "* **stopped**: interrupted; these are the first 7 of 20 matches\n" in sheet
    assert "* **seeds**: 3 to 9\n" in sheet
    assert "dataset kuhn_poker -n 7 --bots random --seed 3" in sheet
    assert b"stopped" not in parquet.read_metadata("whole.parquet").metadata


def test_a_dataset_that_is_interrupted_at_once_leaves_the_file(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow", reason="the extra `dataset` is not installed")
    Path("old.parquet").write_bytes(b"old")
    interrupted_match(monkeypatch, 0, KeyboardInterrupt())
    result = run("dataset", "kuhn_poker", "-n", "20", "--into", "old.parquet")
    assert result.exit_code == 130
    assert result.output == "interrupted before a match had ended: `old.parquet` is not written\n"
    assert Path("old.parquet").read_bytes() == b"old"


def test_a_dataset_without_memory_keeps_the_rest(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="the extra `dataset` is not installed")
    interrupted_match(monkeypatch, 2, MemoryError())
    result = run("dataset", "kuhn_poker", "-n", "20", "--into", "x.parquet")
    assert result.exit_code == 1
    assert "play ended early: these are the first 2 of 20 matches" in result.stdout
    assert "error[R268]" in result.stderr
    assert "* **stopped**: play ended early; " in Path("x.parquet.md").read_text("utf-8")


# ---- disks that are full


def full_disk(monkeypatch: pytest.MonkeyPatch, more: bool = False) -> None:
    """Files cannot be written any more; with `more` neither can folders."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(durable, "write", full)
    if more:
        monkeypatch.setattr(durable, "make_folder", full)


def test_a_disk_that_is_full_after_hours(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    full_disk(monkeypatch)
    result = run("analyse", DUEL, "-n", "20", "--into", "page.html")
    assert result.exit_code == 1
    assert "error[R275]: `page.html` can no longer be written: no space left on device" in result.stderr
    (kept,) = tmp_path.glob("rulewright-*/page.html")
    assert "<h1>Duel: what 20 matches show</h1>" in kept.read_text("utf-8")
    assert f"the folder `{kept.parent}`" in result.stderr
    assert "; the page could not be written\n" in result.stdout


def test_a_dataset_on_a_disk_that_is_full(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `dataset` is not installed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    full_disk(monkeypatch)
    result = run("dataset", "kuhn_poker", "-n", "5", "--into", "x.parquet")
    assert result.exit_code == 1
    assert "error[R275]" in result.stderr
    (kept,) = tmp_path.glob("rulewright-*/x.parquet")
    assert len(set(parquet.read_table(kept)["match"].to_pylist())) == 5
    assert kept.with_name("x.parquet.md").exists()


def test_where_there_is_no_room_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    full_disk(monkeypatch, more=True)
    found = write_or_rescue({tmp_path / "x": b""})
    assert found is not None
    assert found.code == "C401"


# ---- what is noted


@pytest.mark.parametrize(
    ("error", "interrupted", "code"),
    [
        (KeyboardInterrupt(), True, None),
        (MemoryError(), False, "R268"),
        (Aborted(StoppedRun(NOWHERE)), True, None),
        (Aborted(NoMemory(NOWHERE, "")), False, "R230"),
    ],
)
def test_what_ends_work_is_noted(error: BaseException, interrupted: bool, code: str | None) -> None:
    end = EarlyEnd()
    with end.noted():
        raise error
    assert (end.interrupted, end.failure.code if end.failure is not None else None) == (interrupted, code)
    assert end.early


def test_our_own_bugs_are_not_noted() -> None:
    end = EarlyEnd()
    with pytest.raises(ZeroDivisionError), end.noted():
        raise ZeroDivisionError
    assert not end.early
