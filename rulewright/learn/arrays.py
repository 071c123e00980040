"""The arrays of a batch for other libraries, by DLPack and without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.wasm.batch import Batch
from rulewright.learn.arguments import demand

NAMES = (
    *("masks", "totals", "observations", "nodes", "seats"),
    *("codes", "over", "scores", "winners", "outcomes"),
)


def exchangeable(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a batch, by name, as views that `from_dlpack` of any library takes.

    They lie in the module's memory, which lives as long as one of them, and each step changes them. Not every
    library knows that nobody may write to them: what is written there damages the matches. Booleans are bytes
    of 0 and 1. `mask_rows` [n, row] are the masks with zeros behind them, row after row without a gap, for
    libraries that take no others; all begin at multiples of 64 bytes.
    """
    demand("batch", batch, Batch, "give a batch as `Batch(game, 64)` makes it")
    found: dict[str, npt.NDArray[Any]] = {}
    for name in NAMES:
        if name == "observations" and not batch.observing:
            continue
        array: npt.NDArray[Any] = getattr(batch, name)
        kind = np.dtype(np.uint8) if array.dtype == np.bool_ else array.dtype
        found[name] = _writable(array, array.shape, kind)
    rows = batch.n, batch.masks.strides[0]
    found["mask_rows"] = _writable(batch.masks, rows, np.dtype(np.uint8))
    return found


def _writable(array: npt.NDArray[Any], shape: tuple[int, ...], kind: np.dtype[Any]) -> npt.NDArray[Any]:
    """A view of the same memory that may be written to; it keeps the owner alive."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = owner.base
    assert memory is not None
    first = np.frombuffer(memory, dtype=np.uint8)
    offset = array.__array_interface__["data"][0] - first.__array_interface__["data"][0]
    return np.ndarray(shape, kind, memory, offset, array.strides)
