"""Pages of analyses: pictures of short matches, of few matches, of one seat and of many."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from rulewright.experiments.analysis import Alternative, Analysed, AnalysisPlan, analyse
from rulewright.experiments.charts import curve, histogram
from rulewright.experiments.rulesets import RulesetGames, read_ruleset
from rulewright.experiments.running import LocalRunner
from rulewright.main import main
from rulewright.pages.analysis import page, verdict
from rulewright.pages.analysis_figures import evidence, of, part_of_one
from validators.experiments.choice_names import ChoiceNames
from validators.experiments.course import POINTS, Positions
from validators.experiments.findings import (
    LEAST,
    Effect,
    Kind,
    company_effects,
    ends_with_number,
    findings,
    pair_effects,
    too_few,
)
from validators.experiments.jobs import StudyJob, Variant
from validators.experiments.recorder import Recorder
from validators.experiments.statistics import Interval
from validators.experiments.tallies import ChoiceTally, CrossMoments, MatchTally, Moments, PairTally

DUEL = str(Path(__file__).parent / "duel")
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


def plan_of(name: str, seats: int, number: int) -> AnalysisPlan:
    ruleset = read_ruleset(name)
    variant = Variant(ruleset.digest, seats)
    letters = tuple("ABCD"[:seats])
    return AnalysisPlan(ruleset, variant, ruleset.rules(), letters, ("random",) * seats, 0, number, ())


def analysed(plan: AnalysisPlan, *parts: str) -> Analysed:
    where = LocalRunner()
    where.learn([plan.ruleset])
    return analyse(where, plan, parts=parts)


def figure(html: str, title: str) -> str:
    """A figure of a page, by its heading."""
    return html.partition(f"<h3>{title}</h3>")[2].partition("</figure>")[0]


def drawn(text: str) -> list[tuple[float, float]]:
    """The points of a curve."""
    found = re.search(r'<polyline points="([^"]+)"', text)
    assert found is not None
    return [(float(x), float(y)) for x, _, y in (pair.partition(",") for pair in found[1].split())]


# ---- the course


def test_curves_of_short_matches_reach_from_end_to_end() -> None:
    """A match of Kuhn poker has two or three decisions."""
    html = page(analysed(plan_of("kuhn_poker", 2, 200), "matches"), "Kuhn", "")
    choices, chances = (drawn(figure(html, title)) for title in ("Choices", "When it is decided"))
    assert (choices[0][0], choices[-1][0]) == (0, 100)
    assert (chances[0][0], chances[-1]) == (0, (100, 0))
    assert len(chances) == POINTS + 1


def test_every_match_has_all_points() -> None:
    plan = plan_of("kuhn_poker", 2, 40)
    job = StudyJob(plan.side, 0, 40, repeated=0, playouts=8)
    course = job.run(RulesetGames([plan.ruleset])).course
    assert course.matches == 40
    assert {k: moments.n for k, moments in course.curve.items()} == dict.fromkeys(range(POINTS), 40)


@pytest.mark.parametrize("length", [1, 2, 7, 12, 96, 97, 5000])
def test_points_are_the_last_that_were_kept(length: int) -> None:
    positions = Positions([0])
    for number in range(length):
        positions.reached(np.array([0]), np.array([number]), np.array([[number]], dtype=np.int32))
    points = positions.points(0, length)
    assert points[0] == 0
    assert points == sorted(points)
    assert all(0 <= k * length / POINTS - number <= 1 + length / 48 for k, number in enumerate(points))


def test_of_few_matches_it_is_not_told_when_they_are_decided() -> None:
    few = page(analysed(plan_of(DUEL, 2, 3), "matches"), "Duel", "")
    assert "have to be followed; here it is" in figure(few, "When it is decided")
    assert "Lead changes" not in few
    assert "comebacks" not in few


def test_few_equal_parts_are_no_certainty() -> None:
    interval = part_of_one(Moments.of([250] * 5))
    assert interval.estimate == 0.25
    assert interval.low == 0
    assert interval.high > 0.5


# ---- pictures


def test_a_curve_has_round_lines() -> None:
    def of_most(most: float) -> tuple[str, ...]:
        found = curve([(0, Interval(1, 0.5, most)), (100, Interval(1, 0.5, 1))])
        assert found is not None
        return found.labels

    assert of_most(8.68) == ("10", "8", "6", "4", "2", "0")
    assert of_most(2.1) == ("2.5", "2", "1.5", "1", "0.5", "0")
    assert of_most(10.1) == ("15", "10", "5", "0")
    assert curve([(0, Interval(1, 0, 2))]) is None


def test_an_even_chance_has_a_line() -> None:
    points = [(0, Interval(25, 10, 40)), (100, Interval(100, 100, 100))]
    found = curve(points, " %", (0, 100), 25)
    assert found is not None
    assert found.even == 75
    assert found.labels == ("100 %", "75 %", "50 %", "25 %", "0 %")
    assert found.grid == "M0 0H100M0 25H100M0 50H100M0 75H100M0 100H100"


def test_few_values_have_few_bars() -> None:
    few = histogram(dict.fromkeys(range(0, 200, 20), 1))
    many = histogram(dict.fromkeys(range(200), 5))
    assert few is not None
    assert many is not None
    assert len(few.bars) == 6
    assert len(many.bars) == 40
    assert sum(bar.part for bar in few.bars) == pytest.approx(1)


def test_one_is_no_plural() -> None:
    assert of(1, "matches") == "1 match"
    assert of(1, "pairs for each row") == "1 pair for each row"
    assert of(2, "matches") == "2 matches"


# ---- choices


def test_what_is_offered_alone_is_no_choice() -> None:
    game = RulesetGames([read_ruleset(DUEL)]).game(plan_of(DUEL, 2, 1).variant, "reference")
    names = ChoiceNames(game)
    names.names[:] = ["strike", "block"]
    recorder = Recorder(names, 1, 2)
    rows, seats = np.array([0, 0]), np.array([0, 1])
    recorder.decided(rows[:1], seats[:1], np.array([0]), np.array([0, 0]), np.array([0, 0]))
    assert not recorder.offered.any()
    recorder.decided(rows[1:], seats[1:], np.array([1]), np.array([0, 1, 1]), np.array([0, 0, 0]))
    assert recorder.offered[0, 1, :2].tolist() == [1, 1]
    assert recorder.taken[0, 1, :2].tolist() == [0, 1]


def test_few_observations_make_no_finding() -> None:
    sure = Effect(Kind.NUMBER, "goal = 9", "length", LEAST, Interval(9, 8, 10), 0.1, 1, 0.0)
    assert sure.flagged
    assert not replace(sure, n=LEAST - 1).flagged


def test_findings_are_in_the_order_of_what_they_change() -> None:
    def flagged(kind: Kind, name: str, change: float) -> Effect:
        return Effect(kind, name, "share of A", LEAST, Interval(change, change, change), 0.01, 0.02, 0.0)

    effects = [
        flagged(Kind.SEAT, "A", 0.05),
        flagged(Kind.CHOICE, "rest", -0.1),
        flagged(Kind.CHOICE, "lay", 0.04),
        flagged(Kind.CHOICE, "sell", 0.3),
        flagged(Kind.READING, "rests = one", 0.03),
        flagged(Kind.NUMBER, "goal = 9", 0.2),
    ]
    names = ["A", "sell", "rest", "lay", "rests = one", "goal = 9"]
    assert [effect.name for effect in findings(effects)] == names
    assert findings([replace(effects[0], p=0.5)]) == []


def test_the_interval_of_a_finding_is_one_of_the_change_that_its_sentence_tells() -> None:
    trap = Effect(
        Kind.CHOICE, "rest", "share of its seat", 40, Interval(-0.13, -0.163, -0.097), 0.02, 0.02, 0.0
    )
    assert (
        verdict(trap)
        == "A seat that never chooses `rest` gains 13.0 percentage points of the share of the win"
    )
    assert evidence(trap) == "95 % interval 9.7 to 16.3 percentage points, p < 0.001, 40 pairs"
    longer = Effect(Kind.NUMBER, "goal = 9", "length", 40, Interval(3, 2, 4), 0.5, 1, 0.0)
    assert evidence(longer) == "95 % interval 2.0 to 4.0, p < 0.001, 40 pairs"


def test_a_finding_says_if_other_bots_played_for_it_than_for_the_matches() -> None:
    plan = plan_of("crazy_eights", 2, 20)
    assert not plan.plainly_played(Kind.CHOICE)
    thinking = replace(plan, bots=("search:5", "search:5"))
    assert thinking.plainly_played(Kind.CHOICE)
    assert not thinking.plainly_played(Kind.SEAT)
    assert not replace(thinking, thorough=True).plainly_played(Kind.NUMBER)
    totals = CrossMoments(40, (400, 400, 800, 1200), ((4010, 4000, 8000, 12000),) * 4)
    longer = Alternative(Kind.NUMBER, "goal = 9", "8 now", PairTally(40, measures=totals))
    found = Analysed(replace(thinking, seats=("A",)), alternatives=[longer])
    assert "40 pairs between random bots" in page(found, "Eights", "")


@pytest.mark.parametrize("choice", ["bid 3", "3", "shift -1", "move c2", "place aa10"])
def test_numbers_and_places(choice: str) -> None:
    assert ends_with_number(choice)


@pytest.mark.parametrize("choice", ["lay knight_2", "keep food3", "lay nero", "pass"])
def test_names_that_have_a_number_are_names(choice: str) -> None:
    assert not ends_with_number(choice)


def test_what_was_taken_a_few_times_is_not_compared() -> None:
    def choice(taken: int, declined: int) -> ChoiceTally:
        sums = (taken, taken, declined, declined)
        return ChoiceTally(40, sums, tuple(tuple(x * y for y in sums) for x in sums))

    choices = {"lay": choice(30, 30), "once": choice(1, 59), "nearly always": choice(59, 1)}
    found = company_effects(MatchTally(40, choices=choices), list(choices), 2)
    assert [effect.name for effect in found] == ["lay"]


def test_too_few_matches_for_findings_are_no_proof_that_there_is_nothing() -> None:
    few = Effect(Kind.SEAT, "A", "share of A", LEAST - 1, Interval(0.2, 0.1, 0.3), 0.05, 0.02, 0.001)
    assert too_few([few])
    assert not too_few([few, replace(few, n=LEAST, p=1.0)])
    html = page(analysed(plan_of("tic_tac_toe", 2, 10), "matches"), "Three", "")
    assert "<p>Too few matches for findings, which rest on at least 30.</p>" in html


# ---- seats


def test_a_game_for_one_has_totals_instead_of_shares() -> None:
    totals = CrossMoments(40, (400, 400, 800, 1200), ((4010, 4000, 8000, 12000),) * 4)
    found = pair_effects(Kind.NUMBER, "goal = 9", PairTally(40, measures=totals), ("A",))
    assert [effect.measure for effect in found] == ["length", "total"]
    assert found[1].interval.estimate == 10


def test_shares_of_many_seats_are_in_one_picture() -> None:
    plan = plan_of("crazy_eights", 3, 20)
    shares = PairTally(40, 0, {1 << 16 | 1: 20, 2 << 16 | 4: 20}, CrossMoments(40, (9,) * 8, ((9,) * 8,) * 8))
    found = Analysed(plan, alternatives=[Alternative(Kind.NUMBER, "goal = 9", "8 now", shares)])
    html = page(found, "Eights", "")
    text = figure(html, "Numbers: shares of the win")
    assert re.findall(r'rowheader">([^<]+)<', text) == ["goal = 9, A", "goal = 9, B"]
    assert text.count("8 now") == 1


# ---- commands


@pytest.mark.parametrize(
    ("words", "help_"),
    [
        (("--game", "twenty_forty_eight"), "`rulewright simulate twenty_forty_eight --seats random` shows"),
        (("--game", "roma", "--seats", "1"), "give `--seats 2` or more"),
    ],
)
def test_nobody_to_meet(run: Run, words: tuple[str, ...], help_: str) -> None:
    result = run("arena", *words, "--bots", "random,search:5")
    assert result.exit_code == 2
    assert f"error[R276]: bots do not meet in `{words[1]}` with one seat" in result.output
    marked = result.output.splitlines()
    assert marked[3][marked[4].index("^") : marked[4].rindex("^") + 1] == words[1]
    assert help_ in result.output


def test_a_command_that_is_spelt_otherwise(run: Run) -> None:
    assert "No such command 'analyze'. Did you mean `analyse`?" in run("analyze", "roma").output
    assert "Did you mean" not in run("xyzzy").output
