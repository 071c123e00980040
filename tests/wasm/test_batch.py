"""Batches and steppers: the same play as the reference executor's, and nothing seen that must not be."""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import DividedByZero, Fault, InUse
from interpreter.wasm import batch_module
from interpreter.wasm.batch import FAULTED, FINISHED, RUNNING, Batch, Stepper
from rulewright.library import open_game
from tests.games import Table, ends, fewest, game_of, mixed, named, sample, switched, tables
from tests.wasm.batches import Rows
from tests.wasm.lockstep import small_rules

TABLES = tables()
WITH_SECRETS = [t for t in TABLES if t[0] in ("roma", "kuhn_poker", "leduc_poker")]


@pytest.fixture(autouse=True, scope="module")
def modules_are_kept() -> Iterator[None]:
    """Several tests play at the same tables."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(batch_module, "KEPT", len(TABLES))
        yield


def game(table: Table) -> Game:
    return game_of(*table)


def opened(name: str) -> Game:
    return game(next(t for t in TABLES if t[0] == name and t[1] >= 2))


# ---- the same as the reference executor


@pytest.mark.parametrize("table", sample(TABLES, fewest()), ids=named)
def test_bundled_games(table: Table) -> None:
    Rows(game(table), 3, 11).play(40)


@pytest.mark.parametrize(
    "table",
    sample([t for t in ends() if t[0] not in ("nine_mens_morris", "oware")], fewest()),
    ids=named,
)
def test_to_the_end(table: Table) -> None:
    Rows(game(table), 2, 3).play(1000)


@pytest.mark.parametrize("table", sample([*mixed(), *switched()], mixed()), ids=named)
def test_options(table: Table) -> None:
    Rows(game(table), 2, 5).play(20)


def test_words_of_actions() -> None:
    """They are those of the match, at each decision."""
    rows = Rows(opened("roma"), 2, 4)
    for _ in range(20):
        for i, match in enumerate(rows.matches):
            texts = [c.text for c in match.decisions()[0].choices]
            assert [rows.batch.words(i, a) for a in np.flatnonzero(rows.batch.masks[i])] == texts
        rows.play(1)


# ---- steps


def test_a_choice_that_is_not_offered() -> None:
    batch = Batch(opened("connect_four"), 3)
    before = batch.states.copy()
    for wrong in (7, -1, 1 << 40, 1 << 32, -(1 << 63)):
        with pytest.raises(ValueError, match=rf"action {wrong} is not offered in match 2; offered: 0, 1, 2"):
            batch.step(np.array([0, 1, wrong]))
    assert (batch.states == before).all()
    batch.step([0, 1, 2])
    assert (batch.states[:, ir.DECISIONS] == 1).all()


@pytest.mark.parametrize(
    ("choices", "kind", "text"),
    [
        ([0, 1], ValueError, r"shape \(3,\)"),
        ([[0, 1, 2]], ValueError, r"shape \(3,\)"),
        ([0.0, 1.0, 2.0], TypeError, "whole numbers"),
        ([True, False, True], TypeError, "whole numbers"),
        (["a", "b", "c"], TypeError, "whole numbers"),
        (np.array([0, 1, 1 << 63], dtype=np.uint64), ValueError, "not offered in match 2"),
    ],
)
def test_choices_that_are_none(choices: Any, kind: type[Exception], text: str) -> None:
    batch = Batch(opened("connect_four"), 3)
    with pytest.raises(kind, match=text):
        batch.step(choices)
    assert not batch.states[:, ir.DECISIONS].any()


def test_bad_sizes() -> None:
    one = opened("connect_four")
    for n in (0, -1):
        with pytest.raises(ValueError, match="at least one match"):
            Batch(one, n)
    with pytest.raises(ValueError, match="4 GiB; there is room for"):
        Batch(one, 1 << 31)
    with pytest.raises(TypeError, match="game or a machine"):
        Batch("connect_four", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Batch(one, 1.5)  # type: ignore[arg-type]


def test_a_closed_batch() -> None:
    with Batch(opened("connect_four"), 2) as batch:
        masks = batch.masks
    for act in (batch.sample, lambda: batch.step([0, 0]), lambda: batch.save(0), lambda: batch.reset(0, 1)):
        with pytest.raises(ValueError, match="closed"):
            act()
    assert masks.sum() == 14


def test_a_batch_without_observations_is_the_same_but_for_them() -> None:
    game = open_game("leduc_poker")
    seeing, blind = Batch(game, 8, 3, auto_reset=True), Batch(game, 8, 3, auto_reset=True, observations=False)
    for _ in range(40):
        choices = seeing.sample()
        seeing.step(choices)
        blind.step(choices)
        for name in ("states", "masks", "seats", "nodes", "over", "scores", "winners", "seeds"):
            assert (getattr(seeing, name) == getattr(blind, name)).all(), name
    assert (seeing.observe(2, 1) == blind.observe(2, 1)).all()
    assert not blind._observations.any()
    with pytest.raises(ValueError, match="makes no observations"):
        _ = blind.observations


def test_arrays_outlive_their_batch() -> None:
    masks = Batch(opened("connect_four"), 2).masks
    gc.collect()
    assert masks.sum() == 14


def test_arrays_are_views_that_nobody_writes() -> None:
    batch = Batch(opened("connect_four"), 2)
    for name in ("masks", "totals", "states", "observations", "seats", "scores", "over"):
        view = getattr(batch, name)
        assert not view.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
    masks = batch.masks
    for _ in range(6):
        batch.step([3, 3])
    assert list(masks[0]) == [1, 1, 1, 0, 1, 1, 1]


def test_matches_that_are_over_stay() -> None:
    batch = Batch(opened("tic_tac_toe"), 4, 1)
    for _ in range(12):
        batch.step(batch.sample())
    assert batch.over.all()
    assert (batch.codes == FINISHED).all()
    before = batch.states.copy()
    batch.step([99, -1, 0, 5])
    assert (batch.states == before).all()


def test_auto_reset() -> None:
    """The one that has ended is told of, and the next one waits, under a seed that none has had."""
    one = opened("kuhn_poker")
    batch = Batch(one, 8, 100, auto_reset=True)
    used = set(range(100, 108))
    matches = [Match(one, 100 + i, keep_history=False).start() for i in range(8)]
    for _ in range(50):
        choices = batch.sample().copy()
        for match, action in zip(matches, choices, strict=True):
            waiting = match.waiting()[0]
            match.take(waiting, batch.option(waiting.node, int(action)))
        batch.step(choices)
        assert (batch.codes == RUNNING).all()
        for i, match in enumerate(matches):
            assert batch.over[i] == match.over
            if match.over:
                assert [a.total for a in match.accounts()] == list(batch.scores[i])
                assert int(batch.seeds[i]) not in used
                used.add(int(batch.seeds[i]))
                matches[i] = Match(one, int(batch.seeds[i]), keep_history=False).start()
            assert batch.states[i].tobytes() == matches[i].state.tobytes()
    assert used == set(range(100, 100 + len(used)))


FAULTY = "types: {amount: 0..2}\ncounters: {points: {of: seat, range: 0..9}}\n"
FAULTY_RULES = """
action act(amount)
    gain 6 div amount points
"""


def test_a_fault_stops_its_match_only() -> None:
    rules = small_rules(FAULTY, FAULTY_RULES)
    batch = Batch(Game(rules, compile_rules(rules)), 3)
    zero, one = (
        next(a for a in np.flatnonzero(batch.masks[0]) if f" {n}" in batch.words(0, int(a))) for n in (0, 1)
    )
    batch.step([one, zero, one])
    assert list(batch.codes) == [RUNNING, FAULTED, RUNNING]
    fault = batch.fault(1)
    assert fault is not None
    assert isinstance(fault.diagnostic, DividedByZero)
    assert batch.fault(0) is None
    assert batch.seats[1] == -1
    assert not batch.masks[1].any()
    with pytest.raises(Fault):
        batch.save(1)
    batch.reset(1, 5)
    assert (batch.codes == RUNNING).all()
    assert batch.fault(1) is None


# ---- single matches


@pytest.mark.parametrize("name", ["roma", "leduc_poker", "backgammon"])
def test_copies_go_on_alike(name: str) -> None:
    one = opened(name)
    batch = Batch(one, 3, 7)
    for _ in range(3):
        batch.step(batch.sample())
    batch.clone(0, 1)
    saved = batch.save(0)
    other = Batch(one, 1)
    other.load(0, saved)
    batch.load(2, saved)
    while batch.codes[0] == RUNNING:
        for row in (1, 2):
            assert (batch.masks[row] == batch.masks[0]).all()
            assert (batch.observations[row] == batch.observations[0]).all()
            assert batch.seats[row] == batch.seats[0]
        action = int(batch.sample()[0])
        batch.step([action] * 3)
        other.step([action])
        assert (batch.states[1:] == batch.states[0]).all()
        assert (other.states[0] == batch.states[0]).all()
    over = batch.save(0)
    other.reset(0, 1)
    other.load(0, over)
    assert other.over[0]
    assert (other.scores[0] == batch.scores[0]).all()


def test_bytes_that_are_no_match() -> None:
    batch, other = Batch(opened("connect_four"), 1), Batch(opened("tic_tac_toe"), 1)
    saved = batch.save(0)
    for bad, text in (
        (saved[:-1], "bytes, not"),
        (b"", "bytes, not"),
        (other.save(0), "bytes, not"),
        (saved[:-1] + b"\x01", "not a saved match"),
        (bytes(len(saved)), "not a saved match"),
    ):
        with pytest.raises(ValueError, match=text):
            batch.load(0, bad)
    batch.load(0, saved)


def test_numbers_of_matches() -> None:
    batch = Batch(opened("connect_four"), 2)
    for act in (batch.save, batch.fault, lambda i: batch.reset(i, 0), lambda i: batch.clone(0, i)):
        for i in (2, -1):
            with pytest.raises(IndexError, match="matches 0 to 1"):
                act(i)
    with pytest.raises(ValueError, match="no decision at node"):
        batch.option(-5, 0)
    with pytest.raises(ValueError, match="actions 0 to"):
        batch.option(int(batch.nodes[0]), 99)
    with pytest.raises(ValueError, match="no option"):
        batch.action(int(batch.nodes[0]), (3, 3))


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1, 2**64, -3, 2**200])
def test_seeds(seed: int) -> None:
    one = opened("leduc_poker")
    stepper = Stepper(one)
    stepper.reset(seed)
    batch = Batch(one, 1, seed)
    state = Match(one, seed).start().state
    assert stepper.state.tobytes() == batch.states[0].tobytes() == state.tobytes()


def test_samples_are_even() -> None:
    batch = Batch(opened("connect_four"), 700, 3)
    found = np.bincount(batch.sample(), minlength=7)
    assert found.min() > 60
    again = Batch(opened("connect_four"), 700, 3)
    assert (np.bincount(again.sample(), minlength=7) == found).all()


# ---- one match


@pytest.mark.parametrize("name", ["tic_tac_toe", "roma", "leduc_poker", "pig"])
def test_a_stepper_is_a_batch_of_one(name: str) -> None:
    one = opened(name)
    stepper, batch = Stepper(one, 9), Batch(one, 1, 9)
    seat = stepper.seat
    while True:
        assert (stepper.mask == batch.masks[0]).all()
        assert (stepper.observation == batch.observations[0]).all()
        assert stepper.total == batch.totals[0] == stepper.mask.sum()
        assert seat == stepper.seat == batch.seats[0]
        if stepper.over:
            break
        with pytest.raises(ValueError, match="is not offered"):
            stepper.step(-1)
        action = int(batch.sample()[0])
        seat = stepper.step(action)
        batch.step([action])
    assert seat == -1
    assert (stepper.scores == batch.scores[0]).all()
    assert (stepper.winners == batch.winners[0]).all()
    with pytest.raises(ValueError, match="is not offered"):
        stepper.step(0)
    assert stepper.reset(9) == 0 or name == "roma"


def test_a_stepper_refuses_what_is_no_number() -> None:
    stepper = Stepper(opened("tic_tac_toe"))
    for wrong in (1 << 32, 1 << 70, -(1 << 40)):
        with pytest.raises(ValueError, match="is not offered"):
            stepper.step(wrong)
    with pytest.raises(TypeError):
        stepper.step("a")  # type: ignore[arg-type]
    assert stepper.step(np.int64(3)) == 1  # type: ignore[arg-type]


# ---- threads


def test_two_threads_at_one_batch() -> None:
    """The second one is refused; what the first one does is whole."""
    batch = Batch(opened("connect_four"), 1)
    with batch._instance, pytest.raises(Fault) as refused:
        batch.step([0])
    assert isinstance(refused.value.diagnostic, InUse)
    big = Batch(opened("othello"), 4096, auto_reset=True)
    steps, faults = [0, 0], [0, 0]

    def run(number: int) -> None:
        for _ in range(40):
            try:
                big.step(big.sample().copy())
                steps[number] += 1
            except Fault:
                faults[number] += 1
            except ValueError:  # the other one was quicker: this choice belongs to the position before
                faults[number] += 1

    threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(steps) + sum(faults) == 80
    assert sum(steps) > 0
    assert (big.codes == RUNNING).all()
    for i in range(0, 4096, 512):
        again = Batch(big.game, 1)  # type: ignore[arg-type]
        again.load(0, big.save(i))
        assert (again.masks[0] == big.masks[i]).all()


def test_two_threads_at_one_stepper() -> None:
    """Each step is refused or whole."""
    stepper = Stepper(opened("connect_four"))
    saved = stepper.save()
    with stepper._alone():
        for act in (
            lambda: stepper.step(0),
            lambda: stepper.reset(0),
            lambda: stepper.load(saved),
            stepper.save,
        ):
            with pytest.raises(Fault) as refused:
                act()
            assert isinstance(refused.value.diagnostic, InUse)
    assert stepper.step(0) == 1
    assert stepper.load(saved) == 0
    assert stepper.save() == saved


def test_two_batches_in_two_threads() -> None:
    """They do the same as one after the other."""
    one = opened("leduc_poker")
    found: dict[int, bytes] = {}

    def run(seed: int) -> None:
        batch = Batch(one, 64, seed, auto_reset=True)
        for _ in range(100):
            batch.step(batch.sample())
        found[seed] = batch.states.tobytes()

    run(0)
    run(1000)
    alone = dict(found)
    threads = [threading.Thread(target=run, args=(seed,)) for seed in (0, 1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


# ---- the page


def test_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Every example of docs/batches.md, one after the other."""
    page = (Path(__file__).parents[2] / "docs" / "batches.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 3
    exec("\n".join(examples).replace("1000", "20"), {})
    assert "True" in capsys.readouterr().out


# ---- what people who tried to break it found


def test_a_game_without_decisions_is_over_at_once(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "game: small\nseats: 2\nrules: [small.rules]\ncounters: {points: {of: seat, range: 0..9}}\n"
        "flow: {only: {do: [tick], then: final}, final: {score: highest}}\n"
    )
    (tmp_path / "small.rules").write_text(
        "procedure tick\n    gain 3 points of A\n\nscore total = points of me\n"
    )
    batch = Batch(open_game(str(tmp_path)), 3)
    assert batch.over.all()
    assert batch.scores.tolist() == [[3, 0]] * 3


def _play_in_child() -> None:
    batch = Batch(open_game("kuhn_poker"), 2)
    batch.step(batch.sample())


def test_a_forked_process_compiles_too() -> None:
    Batch(open_game("leduc_poker"), 2)
    child = get_context("fork").Process(target=_play_in_child)
    child.start()
    child.join(60)
    assert child.exitcode == 0


@pytest.mark.parametrize(("watcher", "margin"), [(None, 0), (1, 3)])
def test_what_was_seen_last_of_a_match_is_kept(watcher: int | None, margin: int) -> None:
    game = open_game("leduc_poker")
    kept = Batch(game, 300, 3, auto_reset=True, keeps_last=True, watcher=watcher, margin=margin)
    plain = Batch(game, 300, 3)
    following = 303
    for _ in range(12):
        chosen, chose = kept.sample().copy(), kept.seats.copy()
        kept.step(chosen)
        plain.step(chosen)
        assert np.array_equal(kept.over, plain.over)
        for i in np.flatnonzero(plain.over).tolist():
            seen = plain.observe(i, int(chose[i]) if watcher is None else watcher)
            assert np.array_equal(kept.last[i], seen)
            plain.reset(i, following)
            following += 1
        for name in ("states", "observations", "masks", "totals", "nodes", "seats", "seeds"):
            assert np.array_equal(getattr(kept, name), getattr(plain, name)), name
    assert following > 400
    assert not kept.rows[:, :margin].any(), "the words before an observation are free"


def test_a_match_that_is_given_up_begins_under_the_next_seed() -> None:
    game = open_game("leduc_poker")
    batch = Batch(game, 4, 10, auto_reset=True, keeps_last=True)
    batch.step(batch.sample())
    seen = batch.observe(2, int(batch.seats[2]))
    batch.renew(2)
    assert batch.seeds.tolist() == [10, 11, 14, 13]
    assert np.array_equal(batch.last[2], seen)
    assert np.array_equal(batch.states[2], Batch(game, 1, 14).states[0])
