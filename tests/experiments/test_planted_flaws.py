"""Flaws that are put into a fair game are found, and the fair game is not blamed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.experiments.analysis import PARTS, AnalysisPlan, analyse
from rulewright.experiments.compared import Compared, ComparisonPlan, carry_out
from rulewright.experiments.numbers import find_number, with_numbers
from rulewright.experiments.rulesets import Ruleset, read_ruleset
from rulewright.experiments.running import LocalRunner
from validators.experiments.comparing import differing
from validators.experiments.findings import Effect, Kind
from validators.experiments.jobs import PairJob, Side, Variant
from validators.experiments.statistics import SequentialVerdict

DUEL = str(Path(__file__).parent / "duel")
SEATS = ("A", "B")
RANDOM = ("random", "random")
FAIR_RUNS = 100
MOST_BLAMED = 5


def changed(numbers: dict[str, int]) -> tuple[Ruleset, dict[str, str]]:
    """The game with other numbers, and its options."""
    ruleset = read_ruleset(DUEL)
    rules = ruleset.rules()
    found = with_numbers(
        ruleset, {}, {find_number(name, ruleset, rules, 2, {}): value for name, value in numbers.items()}
    )
    return found.ruleset, dict(found.options)


def plan_of(ruleset: Ruleset, options: dict[str, str], seed: int, number: int) -> AnalysisPlan:
    variant = Variant(ruleset.digest, 2, tuple(sorted(options.items())))
    return AnalysisPlan(ruleset, variant, ruleset.rules(), SEATS, RANDOM, seed, number, ())


def flagged(where: LocalRunner, plan: AnalysisPlan) -> list[Effect]:
    """What the parts about seats and choices find."""
    where.learn([plan.ruleset])
    found = analyse(where, plan, parts=("matches", "forbidden choices"))
    return [effect for effect in found.effects if effect.flagged]


def found_in(numbers: dict[str, int], number: int = 1000) -> dict[tuple[Kind, str], float]:
    ruleset, options = changed(numbers)
    effects = flagged(LocalRunner(), plan_of(ruleset, options, 1, number))
    return {(effect.kind, effect.name): effect.interval.estimate for effect in effects}


def test_one_point_for_a_seat() -> None:
    found = found_in({"lead": 1}, 2000)
    assert set(found) == {(Kind.SEAT, "A")}
    assert found[Kind.SEAT, "A"] > 0.02


def test_a_choice_that_is_too_strong() -> None:
    """Without it a seat loses; without another one it takes the strong one more often, and gains."""
    found = found_in({"drum.worth": 7})
    assert found.pop((Kind.CHOICE, "blow drum")) > 0.05
    assert all(kind is Kind.CHOICE and change < 0 for (kind, _), change in found.items())


def test_a_useless_choice() -> None:
    found = found_in({"drum.worth": 0})
    assert found.pop((Kind.CHOICE, "blow drum")) < -0.05
    assert all(kind is Kind.CHOICE and change > 0 for (kind, _), change in found.items())


def blamed(runs: int, number: int) -> int:
    """How many of so many analyses of the fair game, with different seeds, find something."""
    ruleset, options = changed({})
    where = LocalRunner()
    return sum(bool(flagged(where, plan_of(ruleset, options, 10_000 * run, number))) for run in range(runs))


def test_a_fair_game_is_not_blamed() -> None:
    assert blamed(5, 300) <= 1


@pytest.mark.long
def test_a_fair_game_is_seldom_blamed() -> None:
    assert blamed(FAIR_RUNS, 1000) <= MOST_BLAMED


# ---- comparisons


def compared(old: Side, new: Side, rulesets: list[Ruleset], seed: int = 0, margin: float = 0.03) -> Compared:
    where = LocalRunner()
    where.learn(rulesets)
    return carry_out(where, ComparisonPlan(PairJob(old, new, seed, 4000), SEATS, margin))


def test_a_change_is_found_and_no_change_is_the_same() -> None:
    fair, _ = changed({})
    strong, _ = changed({"drum.worth": 7})
    side = Side(Variant(fair.digest, 2), RANDOM)
    same = compared(side, side, [fair])
    assert {m.verdict for m in same.measures if not m.told} == {SequentialVerdict.SAME}
    assert same.tally.pairs == same.tally.same == 256
    lead = compared(side, Side(Variant(fair.digest, 2, (("lead", "1"),)), RANDOM), [fair])
    assert [m.name for m in differing(lead.measures)] == ["share of A", "share of B"]
    longer = compared(side, Side(Variant(fair.digest, 2, (("stretch", "true"),)), RANDOM), [fair])
    assert [m.name for m in differing(longer.measures)] == ["length"]
    neutral = compared(side, Side(Variant(strong.digest, 2), RANDOM), [fair, strong])
    assert not differing(neutral.measures)


def blamed_comparisons(runs: int, margin: float) -> int:
    """How many comparisons of rules with themselves find a difference, under other choices of the bots."""
    ruleset = read_ruleset("pig")
    side, other = (Side(Variant(ruleset.digest, 2), RANDOM, salt=salt) for salt in (0, 1))
    found = (compared(side, other, [ruleset], 10_000 * run, margin) for run in range(runs))
    return sum(bool(differing(one.measures)) for one in found)


def test_the_same_rules_do_not_differ() -> None:
    assert blamed_comparisons(2, 0.1) == 0


@pytest.mark.long
def test_the_same_rules_seldom_differ() -> None:
    assert blamed_comparisons(FAIR_RUNS, 0.1) <= MOST_BLAMED


# ---- all parts


def test_all_parts_are_played() -> None:
    ruleset, options = changed({})
    where = LocalRunner()
    where.learn([ruleset])
    told: list[str] = []
    found = analyse(where, plan_of(ruleset, options, 3, 60), told.append)
    assert told == list(PARTS)
    assert not found.interrupted
    assert found.main.matches == 60
    assert found.luck.same == found.luck.pairs
    assert set(found.restricted) == {f"blow {name}" for name in ("sword", "shield", "banner", "drum")}
    names = [one.name for one in found.alternatives]
    assert names == ["stretch = true", "tie = second", "lead = 1", "rounds = 3", "rounds = 5"]
    lengths = {e.name: e.interval.estimate for e in found.effects if e.measure == "length"}
    assert lengths["stretch = true"] == 2
    assert lengths["rounds = 3"] == -2
