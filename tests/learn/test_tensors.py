"""Arrays of a batch in other libraries: the same memory, as long as it is used, and nothing else."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rulewright import Batch, open_game
from rulewright.learn.arrays import exchangeable

LIBRARIES = ["numpy", "torch", "jax"]


def taking(library: str) -> tuple[Callable[[Any], Any], Callable[[Any], int]]:
    """How a library takes an array, and where a tensor of it lies."""
    if library == "numpy":
        return np.from_dlpack, lambda tensor: int(tensor.__array_interface__["data"][0])
    if library == "torch":
        torch = pytest.importorskip("torch", reason="torch is not installed; docs/learning.md says how")
        return torch.from_dlpack, lambda tensor: int(tensor.data_ptr())
    dlpack = pytest.importorskip("jax.dlpack", reason="jax is not installed: `pip install jax`")
    return (
        lambda array: dlpack.from_dlpack(array, copy=False),
        lambda tensor: int(tensor.unsafe_buffer_pointer()),
    )


def made(name: str = "leduc_poker", number: int = 16, **settings: Any) -> Batch:
    return Batch(open_game(name), number, seed=1, **settings)


@pytest.mark.each_game
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["leduc_poker", "goofspiel", "tic_tac_toe"])
def test_tensors_are_the_memory_of_the_module(library: str, name: str) -> None:
    take, place = taking(library)
    batch = made(name)
    for key, array in exchangeable(batch).items():
        if library == "jax" and key == "masks":
            continue
        tensor = take(array)
        assert place(tensor) == array.__array_interface__["data"][0], key
        assert place(tensor) % 64 == 0, key
        assert tuple(tensor.shape) == array.shape, key
        assert str(tensor.dtype).removeprefix("torch.") == array.dtype.name, key
        assert array.dtype.name in ("int32", "uint8"), key
        if key != "mask_rows":
            assert place(tensor) == getattr(batch, key).__array_interface__["data"][0], key
            assert np.array_equal(np.asarray(tensor), getattr(batch, key)), key


@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_a_step_changes_them(library: str) -> None:
    take, _ = taking(library)
    batch = made(auto_reset=True)
    tensors = {name: take(array) for name, array in exchangeable(batch).items()}
    before = np.array(tensors["observations"])
    for _ in range(20):
        batch.step(batch.sample())
        assert np.array_equal(np.asarray(tensors["observations"]), batch.observations)
        assert np.array_equal(np.asarray(tensors["masks"]), batch.masks)
    assert not np.array_equal(np.asarray(tensors["observations"]), before)


@pytest.mark.parametrize("library", LIBRARIES)
def test_they_live_longer_than_their_batch(library: str) -> None:
    take, _ = taking(library)
    batch = made()
    tensors = {name: take(array) for name, array in exchangeable(batch).items() if name != "masks"}
    wanted = {name: np.asarray(tensor).copy() for name, tensor in tensors.items()}
    del batch
    gc.collect()
    others = [made("connect_four", 64) for _ in range(3)]
    assert all(np.array_equal(np.asarray(tensors[name]), found) for name, found in wanted.items())
    assert len(others) == 3


@pytest.mark.parametrize("name", ["leduc_poker", "connect_four", "roma", "hearts"])
def test_rows_of_masks_end_with_zeros(name: str) -> None:
    batch = made(name, 32, auto_reset=True)
    rows = exchangeable(batch)["mask_rows"]
    assert rows.flags.c_contiguous
    for _ in range(60):
        assert np.array_equal(rows[:, : batch.actions], batch.masks)
        assert not rows[:, batch.actions :].any()
        batch.step(batch.sample())


def test_arrays_of_a_batch_are_read_only() -> None:
    batch = made()
    for name in ("masks", "observations", "outcomes", "totals"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(batch, name)[0] = 0


def test_a_batch_without_observations_has_none() -> None:
    assert "observations" not in exchangeable(made(observations=False))
