"""What thinking is worth, what chance decides, and effects of which too many matches ended in a fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dsl.wording import counted
from rulewright.experiments.analysis import Analysed, AnalysisPlan, analyse
from rulewright.experiments.analysis_object import analysis_object
from rulewright.experiments.arena import Met
from rulewright.experiments.comparison_text import summed_up
from rulewright.experiments.rulesets import read_ruleset
from rulewright.experiments.running import LocalRunner
from rulewright.pages.analysis import page
from rulewright.pages.analysis_figures import of, part
from rulewright.pages.analysis_matches import _won_by_nobody, random_wins
from validators.experiments.comparing import Measure
from validators.experiments.findings import Kind, pair_effects
from validators.experiments.jobs import Variant
from validators.experiments.statistics import (
    Evidence,
    Interval,
    SequentialVerdict,
    correlation_interval,
)
from validators.experiments.tallies import CrossMoments, FaultTally, PairTally

DUEL = str(Path(__file__).parent / "duel")


def analysed(name: str, bots: tuple[str, ...], number: int, *parts: str) -> Analysed:
    ruleset, where = read_ruleset(name), LocalRunner()
    where.learn([ruleset])
    variant = Variant(ruleset.digest, len(bots))
    seats = tuple("ABCD"[: len(bots)])
    plan = AnalysisPlan(ruleset, variant, ruleset.rules(), seats, bots, 0, number, ())
    return analyse(where, plan, parts=parts)


# ---- skill and luck


def test_random_choices_lose_where_thinking_helps() -> None:
    found = analysed("tic_tac_toe", ("search:50", "search:50"), 20, "matches", "bots against random ones")
    won = random_wins(found)
    assert won is not None
    assert 0 <= won.low <= won.estimate < 0.3
    html = page(found, "Tic-Tac-Toe", "")
    assert "<h3>What random choices still win</h3>" in html
    assert "won by random choices" in html
    told = analysis_object(found, "page.html", "")["against_random"]
    assert isinstance(told, dict)
    assert told["pairs"] == 20


def test_random_choices_win_half_where_nothing_matters() -> None:
    won = random_wins(analysed(DUEL, ("search:1", "search:1"), 20, "bots against random ones"))
    assert won is not None
    assert won.low < 0.5 < won.high


@pytest.mark.parametrize("bots", [("random", "random"), ("search:1", "search:2")])
def test_one_bot_alone_meets_random_ones(bots: tuple[str, ...]) -> None:
    assert analysed(DUEL, bots, 10, "bots against random ones").against_random is None


def test_few_equal_results_are_no_certainty() -> None:
    found = correlation_interval(1.0, 20)
    assert found.estimate == found.high == 1
    assert 0.5 < found.low < 1
    assert correlation_interval(-1.0, 20).low == -1


# ---- faults


def pairs(number: int, failed: int) -> PairTally:
    """Pairs in which B won before and A wins now, and those that ended in a fault."""
    lengths = CrossMoments(number, (4 * number, 4 * number), ((16 * number,) * 2,) * 2)
    faults = {"R213": FaultTally(dict.fromkeys(range(failed), 1))} if failed else {}
    return PairTally(number, 0, {2 << 16 | 1: number}, lengths, faults)


def test_what_is_left_of_many_faults_is_no_finding() -> None:
    for failed, expected in ((0, True), (2, True), (30, False)):
        effect = replace(pair_effects(Kind.NUMBER, "n = 2", pairs(200, failed), ("A", "B"))[0], p=0.0)
        assert effect.failed == failed
        assert effect.flagged is expected
    assert pairs(200, 30).failed == 30


def test_faults_of_other_parts_are_told() -> None:
    found = analysed(DUEL, ("random", "random"), 10, "matches")
    found.restricted["strike sword"] = [pairs(30, 2), pairs(30, 1)]
    assert list(found.faults) == ["forbidden choices"]
    assert analysis_object(found, "page.html", "")["faults_elsewhere"] == {"forbidden choices": 2}
    assert "2 matches of “forbidden choices” ended in a fault and are not counted" in page(found, "Duel", "")


# ---- words


def test_numbers_of_things() -> None:
    assert [counted(n, "match") for n in (0, 1, 2, 1_000)] == [
        "no matches",
        "1 match",
        "2 matches",
        "1,000 matches",
    ]
    assert of(1_000, "pairs for each row") == "1,000 pairs for each row"
    assert part(Interval(0.0, 0.0, 0.002)) == "0.0 % (0.0 to 0.2)"
    assert part(Interval(0.5, 0.4, 0.6)) == "50 % (40 to 60)"


def measure(name: str, verdict: SequentialVerdict, told: bool = False) -> Measure:
    seen = Evidence(10, 0.0, 1.0)
    return Measure(name, "share", seen, seen, seen, Interval(0.0, -1.0, 1.0), 0.02, verdict, told)


def test_a_comparison_is_summed_up() -> None:
    same, lower, higher = SequentialVerdict.SAME, SequentialVerdict.LOWER, SequentialVerdict.HIGHER
    undecided = SequentialVerdict.UNDECIDED
    shares = [measure("share of A", lower), measure("share of B", higher)]
    assert (
        summed_up([*shares, measure("length", same)])
        == "the new side differs: share of A lower and share of B higher"
    )
    assert (
        summed_up([measure("share of A", higher), measure("share of B", lower), measure("length", higher)])
        == "the new side differs: share of A higher, share of B lower and length higher"
    )
    assert (
        summed_up([measure("length", same), measure("total of A", undecided, True)])
        == "no difference that matters"
    )
    assert summed_up([measure("length", undecided)]).startswith("not decided: length; ")
    assert summed_up([shares[0], measure("length", undecided)]).endswith("; of length it is not known yet")


def test_the_even_share_leaves_out_what_nobody_wins() -> None:
    found = analysed(DUEL, ("random", "random"), 10)
    lengths = CrossMoments(4, (16, 16), ((64, 64), (64, 64)))
    found.skill[10] = Met(PairTally(4, 0, {0: 2, 1 << 16: 2}, lengths), 4)
    assert _won_by_nobody(found) == 0.75
