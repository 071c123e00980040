"""Jobs: pure functions of seeds, whatever carries them out and however they are split."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from interpreter.bots.random import pick
from interpreter.chance import philox
from interpreter.executor_protocol import Waiting
from rulewright.experiments.numbers import find_number, with_numbers
from rulewright.experiments.rulesets import Ruleset, RulesetGames, read_ruleset
from rulewright.experiments.running import run_parts, runner
from validators.experiments import playing
from validators.experiments.jobs import Job, MatchJob, PairJob, Side, StudyJob, Variant
from validators.experiments.players import SeatedBot, philox as philox_of_many, uniform_keys, uniform_numbers
from validators.experiments.tallies import CrossMoments, MatchTally, Moments, PairTally, total

DUEL = str(Path(__file__).parent / "duel")
RANDOM = ("random", "random")


def side(ruleset: Ruleset, options: tuple[tuple[str, str], ...] = (), bots: tuple[str, ...] = RANDOM) -> Side:
    return Side(Variant(ruleset.digest, len(bots), options), bots)


def jobs_of(ruleset: Ruleset) -> list[Job]:
    one = side(ruleset)
    return [
        MatchJob(one, 3, 60),
        PairJob(one, Side(one.variant, RANDOM, salt=1), 3, 60),
        StudyJob(one, 3, 20, followed=2, repeated=3, playouts=8),
    ]


# ---- the uniform bot


def test_many_philox_are_one_philox() -> None:
    rng = np.random.default_rng(1)
    words = rng.integers(0, 1 << 32, (6, 50), dtype=np.uint64)
    found = np.array(philox_of_many(list(words[:4]), list(words[4:])))
    for i in range(50):
        c0, c1, c2, c3, k0, k1 = (int(x) for x in words[:, i])
        assert tuple(int(x) for x in found[:, i]) == philox((c0, c1, c2, c3), (k0, k1))


def test_the_uniform_bot_is_the_random_bot() -> None:
    """Also for totals at which a number is often drawn again."""
    seeds = [0, 1, 1 << 63, (1 << 70) + 5, -3]
    keys = uniform_keys(seeds, 3)
    for total_ in (1, 2, 7, (1 << 31) + 1, (1 << 32) - 1):
        for made in (0, 1, 5, 100_000):
            for seat in range(3):
                totals = np.full(len(seeds), total_, dtype=np.uint64)
                decisions = np.full(len(seeds), made, dtype=np.uint64)
                found = uniform_numbers(totals, decisions, keys[:, seat])
                if total_ > 10:
                    continue
                options = tuple((0, i) for i in range(total_))
                state = [0] * 12
                state[5] = made
                for seed, number in zip(seeds, found, strict=True):
                    assert pick(seed, state, Waiting(seat, 0, options, 0, ())) == (0, int(number))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["pig", "leduc_poker", DUEL])
def test_side_by_side_and_one_by_one_are_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = read_ruleset(name)
    games = RulesetGames([ruleset])
    one = side(ruleset)
    jobs: list[Job] = [MatchJob(Side(one.variant, RANDOM, ((0, "throw"), (1, "blow drum"))), 5, 12)]
    jobs += [StudyJob(one, 5, 4, playouts=4)]
    together = [job.run(games).encoded() for job in jobs]
    monkeypatch.setattr(playing.SeatedBot, "uniform", property(lambda self: False))
    assert [job.run(games).encoded() for job in jobs] == together


# ---- splitting


@pytest.mark.parametrize("name", ["kuhn_poker", DUEL])
def test_parts_add_up_to_the_same_bytes(name: str) -> None:
    ruleset = read_ruleset(name)
    games = RulesetGames([ruleset])
    for job in jobs_of(ruleset):
        whole = job.run(games)
        sizes = (1, 7, len(job.seeds) - 8)
        firsts = (0, 1, 8)
        parts = [job.part(first, size).run(games) for first, size in zip(firsts, sizes, strict=True)]
        assert total(reversed(parts)).encoded() == whole.encoded()


def encoded(ruleset: Ruleset, workers: int, cluster: str | None = None) -> list[bytes]:
    with runner([ruleset], workers, cluster) as where:
        parts = [[t for _, t in run_parts(where, job, ["other than random"])] for job in jobs_of(ruleset)]
        return [total(tallies).encoded() for tallies in parts]


def test_processes_give_the_same_bytes() -> None:
    ruleset = read_ruleset(DUEL)
    assert encoded(ruleset, 2) == encoded(ruleset, 1)


# ---- what is played


def test_what_is_forbidden_is_not_taken() -> None:
    ruleset = read_ruleset(DUEL)
    games = RulesetGames([ruleset])
    plain = side(ruleset)
    names = ("blow drum", "blow sword")
    barred = Side(plain.variant, RANDOM, tuple((seat, name) for seat in (0, 1) for name in names))
    found = MatchJob(barred, 0, 50).run(games)
    assert found.choices["blow drum"].taken == 0
    assert found.choices["blow drum"].offered == 50 * 8
    assert found.choices["blow banner"].taken + found.choices["blow shield"].taken == 50 * 8
    every = tuple((0, f"blow {name}") for name in ("sword", "shield", "banner", "drum"))
    assert MatchJob(Side(plain.variant, RANDOM, every), 0, 5).run(games).matches == 5


def test_pairs_share_their_chance() -> None:
    """A lead changes the totals by itself and nothing else: dice and choices stay the same."""
    ruleset = read_ruleset(DUEL)
    games = RulesetGames([ruleset])
    same = PairJob(side(ruleset), side(ruleset), 0, 50).run(games)
    assert same.same == same.pairs == 50
    lead = PairJob(side(ruleset), side(ruleset, (("lead", "2"),)), 0, 50).run(games)
    assert lead.measures.contrast([0, 0, -1, 0, 1, 0]).mean == 2
    assert lead.measures.contrast([0, 0, -1, 0, 1, 0]).variance == 0
    assert lead.measures.contrast([0, 0, 0, 1, 0, -1]).variance == 0
    assert lead.measures.contrast([0, 0, 0, 1, 0, 0]).variance > 0


def test_other_seeds_of_bots_leave_the_dice() -> None:
    """All moves are worth the same, so that the totals depend on the dice alone."""
    ruleset = read_ruleset(DUEL)
    other = Side(side(ruleset).variant, RANDOM, salt=1)
    assert PairJob(side(ruleset), other, 0, 50).run(RulesetGames([ruleset])).same == 50


def test_searching_bots_play() -> None:
    ruleset = read_ruleset("tic_tac_toe")
    job = MatchJob(side(ruleset, bots=("search:60", "random")), 0, 12)
    found = job.run(RulesetGames([ruleset]))
    assert found.matches == 12
    assert found.shares[0].evidence(2).mean > 0.8
    assert job.run(RulesetGames([ruleset])).encoded() == found.encoded()


# ---- numbers


def test_numbers_of_all_kinds_change(tmp_path: Path) -> None:
    ruleset = read_ruleset(DUEL)
    rules = ruleset.rules()
    for written, value in (("lead", 2), ("rounds", 6), ("drum.worth", 9)):
        number = find_number(written, ruleset, rules, 2, {})
        changed = with_numbers(ruleset, {}, {number: value})
        games = RulesetGames([changed.ruleset])
        variant = Variant(changed.ruleset.digest, 2, tuple(changed.options.items()))
        found = MatchJob(Side(variant, RANDOM), 0, 40).run(games)
        assert found.matches == 40
        assert found.lengths == {12 if written == "rounds" else 8: 40}
    both = {find_number(name, ruleset, rules, 2, {}): 5 for name in ("rounds", "drum.worth")}
    again = with_numbers(ruleset, {}, both).ruleset
    assert again.digest != ruleset.digest
    assert again.rules().constants["rounds"].values[2] == 5


# ---- tallies


def test_tallies_add_up() -> None:
    assert Moments.of([1, 2]) + Moments.of([3]) == Moments.of([1, 2, 3])
    assert Moments.of([2, 4]).evidence(2).mean == 1.5
    empty = MatchTally()
    assert (empty + empty).encoded() == empty.encoded()
    one = CrossMoments(1, (1, 2), ((1, 2), (2, 4)))
    assert (one + CrossMoments()).contrast((1, 1)).mean == 3


def test_pairs_of_swapped_seats_are_pentanomial() -> None:
    tally = PairTally(pairs=4, winners={1 << 16 | 2: 1, 1 << 16 | 1: 2, 0: 1})
    assert tally.distribution((1.0, 0.0), (0.0, 1.0)) == {1.0: 3, 2.0: 1}
    assert tally.share((0.5, 0.0), (0.0, 0.5), drawn=True).mean == pytest.approx(0.625)


# ---- a cluster


@pytest.fixture
def cluster() -> Iterator[tuple[str, object]]:
    """Two nodes on this machine; ports in the range of workers would be taken by them."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    try:
        yield made.address, made
    finally:
        made.shutdown()


@pytest.mark.long
def test_a_cluster_gives_the_same_bytes(cluster: tuple[str, object]) -> None:
    ruleset = read_ruleset(DUEL)
    assert encoded(ruleset, 1, cluster[0]) == encoded(ruleset, 1)


@pytest.mark.long
def test_a_lost_worker_changes_nothing(cluster: tuple[str, object]) -> None:
    """A node is taken away in the middle; its jobs are run again on the other one."""
    ruleset = read_ruleset("roma")
    one = side(ruleset)
    job = MatchJob(one, 0, 3000)
    expected = job.run(RulesetGames([ruleset])).encoded()
    address, made = cluster
    with runner([ruleset], 1, address) as where:
        parts = [job.part(i, 250) for i in range(0, 3000, 250)]
        results = where.results(parts)
        found = [next(results), next(results)]
        (worker,) = made.worker_nodes  # type: ignore[attr-defined]
        made.remove_node(worker, allow_graceful=False)  # type: ignore[attr-defined]
        found += list(results)
    assert total(found).encoded() == expected


def test_a_player_has_a_name() -> None:
    assert SeatedBot("random", lambda match, waiting, seed: (0, 0)).uniform
