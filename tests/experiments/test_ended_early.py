"""Experiments that end before all is played: what was finished is kept, and it is said why they ended."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.diagnostics import DiagnosticError
from rulewright.experiments import running, time_limit
from rulewright.experiments.analysis import Analysed, AnalysisPlan, analyse
from rulewright.experiments.rounds import carried_out
from rulewright.experiments.rulesets import read_ruleset
from rulewright.experiments.running import LocalRunner, ProcessRunner, runner
from rulewright.experiments.time_limit import UNLIMITED, TimeLimit
from rulewright.main import main
from validators.experiments.jobs import Job, MatchJob, Side, StudyJob, Variant
from validators.experiments.tallies import MatchTally, Tally

DUEL = str(Path(__file__).parent / "duel")
RANDOM = ("random", "random")
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


def match_job(number: int) -> tuple[LocalRunner, MatchJob]:
    ruleset, where = read_ruleset(DUEL), LocalRunner()
    where.learn([ruleset])
    return where, MatchJob(Side(Variant(ruleset.digest, 2), RANDOM), 0, number)


def plan_of(number: int) -> AnalysisPlan:
    ruleset = read_ruleset(DUEL)
    variant = Variant(ruleset.digest, 2)
    return AnalysisPlan(ruleset, variant, ruleset.rules(), ("A", "B"), RANDOM, 0, number, ())


# ---- time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which a second passes whenever somebody looks."""
    ticks = itertools.count()
    monkeypatch.setattr(time_limit.time, "monotonic", lambda: float(next(ticks)))


@pytest.mark.usefixtures("clock")
def test_what_is_played_within_a_time_is_the_beginning_of_all() -> None:
    where, job = match_job(100_000)
    jobs = [job, MatchJob(job.side, 500_000, 100_000)]
    found = [MatchTally(), MatchTally()]
    for number, tally in carried_out(where, jobs, RANDOM, TimeLimit.within(60)):
        assert isinstance(tally, MatchTally)
        found[number] += tally
    played = [tally.matches for tally in found]
    assert 0 < min(played) <= max(played) < 100_000
    for number, tally in enumerate(found):
        part = jobs[number].part(0, played[number]).run(where.games)
        assert part.encoded() == tally.encoded()


@pytest.mark.usefixtures("clock")
def test_every_part_of_an_analysis_has_its_share_of_the_time() -> None:
    where, plan = LocalRunner(), plan_of(1_000_000)
    where.learn([plan.ruleset])
    parts = "matches", "forbidden choices"
    found = analyse(where, plan, limit=TimeLimit.within(60), parts=parts)
    assert 0 < found.main.matches < 1_000_000
    assert found.restricted
    assert all(tally.pairs < 1_000_000 for tallies in found.restricted.values() for tally in tallies)
    assert not found.playing


@pytest.mark.usefixtures("clock")
def test_time_that_parts_do_not_need_goes_to_matches() -> None:
    where, plan = LocalRunner(), plan_of(1_000_000)
    where.learn([plan.ruleset])
    limit = TimeLimit.within(90)
    found = analyse(where, plan, limit=limit, parts=("matches", "doubled budgets"))
    assert limit.left() < 10
    job = StudyJob(plan.side, 0, found.main.matches, -(-plan.number // 300), 0)
    assert job.run(where.games).matches.encoded() == found.main.encoded()


def test_a_page_is_made_within_a_time(run: Run, tmp_path: Path) -> None:
    result = run("analyse", DUEL, "-n", "1000000", "--budget", "6s", "--into", "page.html", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)
    assert found["matches"] < 1_000_000
    assert "--budget 6s" in found["again"]
    assert "<h1>Duel: what" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("time", ["0", "soon", "-3", "5d", "99999h", "1e9"])
def test_what_is_no_time(run: Run, time: str) -> None:
    result = run("analyse", DUEL, f"--budget={time}")
    assert result.exit_code == 2
    assert "is not a time" in result.output or "is not between" in result.output


def test_no_time_for_a_match() -> None:
    from rulewright.pages.analysis import NOTHING, page

    where, plan = LocalRunner(), plan_of(100)
    found = analyse(where, plan, limit=TimeLimit(0.0))
    assert found.main.matches == 0
    text = page(found, "Duel", "")
    assert NOTHING in text
    assert "<h1>Duel: no match has ended</h1>" in text
    assert "No effects tested;" in text


# ---- as it grows


def test_a_page_is_there_before_all_is_played() -> None:
    where, plan = LocalRunner(), plan_of(300)
    where.learn([plan.ruleset])
    seen: list[tuple[str, int]] = []

    def look(found: Analysed) -> None:
        from rulewright.pages.analysis import page

        assert "reload this page" in page(found, "Duel", "rulewright analyse")
        seen.append((found.playing, found.main.matches))

    found = analyse(where, plan, seen=look)
    assert seen[0] == ("matches", 256)
    assert found.main.matches == 300
    assert {playing for playing, _ in seen} == {
        "matches",
        "forbidden choices",
        "options and readings",
        "numbers",
    }


def test_ctrl_c_in_a_part_keeps_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    where, plan = LocalRunner(), plan_of(600)
    where.learn([plan.ruleset])
    assert _with_the_third(where, plan, monkeypatch, KeyboardInterrupt()).interrupted


# ---- what ends workers


def _with_the_third(
    where: LocalRunner, plan: AnalysisPlan, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> Analysed:
    """An analysis of which the third part of a job raises something."""

    def results(jobs: Iterable[Job], limit: TimeLimit = UNLIMITED) -> Iterator[Tally]:
        def all_but_the_third() -> Iterator[Tally]:
            for number, job in enumerate(jobs):
                if number == 2:
                    raise error
                yield job.run(where.games)

        return running.answered(all_but_the_third())

    monkeypatch.setattr(where, "results", results)
    found = analyse(where, plan)
    assert found.main.matches == 512
    assert found.playing == "matches"
    return found


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    where, plan = LocalRunner(), plan_of(600)
    where.learn([plan.ruleset])
    found = _with_the_third(where, plan, monkeypatch, MemoryError())
    assert found.failure is not None
    assert found.failure.code == "R268"
    from rulewright.pages.analysis import page

    assert "what was finished when play ended during “matches”" in page(found, "Duel", "")


def test_a_process_that_is_killed() -> None:
    _, job = match_job(40)
    ruleset = read_ruleset(DUEL)
    with runner([ruleset], 1, apart=True) as where:
        assert isinstance(where, ProcessRunner)
        results = where.results(job.part(i, 10) for i in range(0, 4000, 10))
        assert isinstance(next(results), MatchTally)
        for process in list(where.pool._pool._processes.values()):  # type: ignore[union-attr]
            process.kill()
        with pytest.raises(DiagnosticError) as caught:
            list(results)
    assert caught.value.diagnostic.code == "R267"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("compare", DUEL, "--new", "lead=2", "-n", "5000", "--margin", "0.5"), "512 pairs"),
        (("arena", "--game", DUEL, "--bots", "random,search:1", "-n", "5000", "--margin", "1"), "random"),
        (
            ("tune", DUEL, "--target", "share of A in 70..80", "--numbers", "lead", "-n", "300"),
            "lead 1 for 0",
        ),
    ],
)
def test_what_was_finished_is_shown(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    """A worker is lost after some results."""
    answered, calls = running.answered, itertools.count()

    def lost(results: Iterator[Tally]) -> Iterator[Tally]:
        def until_memory_is_short() -> Iterator[Tally]:
            if next(calls) >= 2:
                raise MemoryError
            yield from results

        return answered(until_memory_is_short())

    monkeypatch.setattr(running, "answered", lost)
    result = run(*words)
    assert result.exit_code == 1, result.output
    assert "error[R268]" in result.output
    assert "play ended early" in result.output
    assert says in result.output


# ---- two games


def test_two_different_games_are_named_as_such(run: Run) -> None:
    found = run("compare", "pig", "kuhn_poker", "-n", "20", "--bots", "random")
    assert "note these are two different games: " in found.output
    assert "note" not in run("compare", "pig", "--new", "goal=99", "-n", "20").output
