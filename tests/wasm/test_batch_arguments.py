"""Batches and steppers are given what they cannot take: each says so with a code, and works on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.game import Game
from interpreter.wasm.batch import Batch, Stepper
from rulewright import open_game

NO_NUMBERS = [
    None,
    "x",
    "",
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
    b"x",
    np.zeros((2, 3)),
    np.array([np.nan]),
    [[0], [0, 1], 0, 0],
]
NO_MATCHES = [-1, 4, 10**30, np.int64(-5)]


@cache
def game() -> Game:
    return open_game("connect_four")


def refused(act: Callable[[], object]) -> DiagnosticError:
    with pytest.raises(DiagnosticError) as caught:
        act()
    assert caught.value.diagnostic.code == "R277"
    assert caught.value.diagnostic.help
    return caught.value


@pytest.mark.parametrize("given", NO_NUMBERS)
def test_what_is_no_number(given: Any) -> None:
    batch, stepper = Batch(game(), 4, seed=1), Stepper(game(), 1)
    acts: list[Callable[[], object]] = [
        *(lambda: Batch(game(), given), lambda: Batch(game(), 2, given), lambda: Stepper(game(), given)),
        *(lambda: batch.reset(given, 1), lambda: batch.reset(0, given), lambda: batch.reset_all(given)),
        *(lambda: batch.rekey(given, 1), lambda: batch.rekey(0, given), lambda: batch.ask_first(given)),
        *(lambda: batch.clone(given, 1), lambda: batch.clone(0, given), lambda: batch.save(given)),
        *(lambda: batch.observe(given, 0), lambda: batch.observe(0, given), lambda: batch.play_on(given)),
        *(lambda: batch.words(given, 1), lambda: batch.words(0, given), lambda: batch.option(given, 1)),
        *(lambda: batch.step(given), lambda: batch.step_some([0] * 4, given), lambda: batch.fault(given)),
        *(lambda: batch.put(0, given), lambda: batch.load(0, given)),
        *(lambda: batch.renew(given), lambda: Batch(game(), 2, margin=given)),
        *(lambda: stepper.step(given), lambda: stepper.reset(given)),
        lambda: batch.action(int(batch.nodes[0]), given),
    ]
    for act in acts:
        refused(act)
    assert stepper.step(3) == 1
    batch.step(batch.sample())
    assert (batch.codes == 0).all()


@pytest.mark.parametrize("given", NO_MATCHES)
def test_matches_that_there_are_not(given: Any) -> None:
    batch = Batch(game(), 4, seed=1)
    for act in (batch.save, batch.fault, batch.play_on, lambda i: batch.reset(i, 1)):
        assert isinstance(refused(lambda act=act: act(given)), IndexError)


@pytest.mark.parametrize("made_of", [None, "pig", 3, {}])
def test_what_no_batch_is_made_of(made_of: Any) -> None:
    for act in (lambda: Batch(made_of, 2), lambda: Stepper(made_of)):
        assert isinstance(refused(act), TypeError)


def test_what_is_offered_is_named() -> None:
    stepper = Stepper(game(), 1)
    for action in (7, -1, 10**30, np.int64(9)):
        error = refused(lambda action=action: stepper.step(action))
        assert isinstance(error, ValueError)
        assert "offered: 0, 1, 2, 3, 4, 5, 6" in str(error)
    batch = Batch(game(), 2, seed=1)
    assert "in match 1" in str(refused(lambda: batch.step([0, 9])))
    refused(lambda: Batch(game(), -1))
    refused(lambda: Batch(game(), 2, margin=-1))
    refused(lambda: Batch(game().machine, 2, keeps_last=True))
    for watcher in ("0", 1.5, 2, -1):
        refused(lambda watcher=watcher: Batch(game(), 2, watcher=watcher))
    batch.close()
    assert "closed" in str(refused(lambda: batch.step([0, 0])))


def test_numbers_of_numpy_are_taken() -> None:
    stepper = Stepper(game(), np.int64(1))
    assert stepper.reset(np.uint64(5)) == 0
    assert stepper.step(np.int64(3)) == 1
    assert stepper.reset(-7) == 0
