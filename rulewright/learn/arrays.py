"""The arrays of a batch for other libraries, by DLPack and without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.wasm.batch import Batch

NAMES = (
    *("masks", "totals", "observations", "nodes", "seats"),
    *("codes", "over", "scores", "winners", "outcomes"),
)


def exchangeable(batch: Batch) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a batch, by name, as views that `from_dlpack` of any library takes.

    They lie in the module's memory, and each step changes them. Libraries do not know that nobody may write
    to them: what is written there damages the matches. Booleans are bytes of 0 and 1.
    """
    found: dict[str, npt.NDArray[Any]] = {}
    for name in NAMES:
        if name == "observations" and not batch.observing:
            continue
        array: npt.NDArray[Any] = getattr(batch, name)
        kind = np.dtype(np.uint8) if array.dtype == np.bool_ else array.dtype
        address = array.__array_interface__["data"][0]
        found[name] = _writable(array, kind, address)
    return found


def _writable(array: npt.NDArray[Any], kind: np.dtype[Any], address: int) -> npt.NDArray[Any]:
    """A view of the same memory that may be written to; it keeps the owner alive."""
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = owner.base
    if memory is None:
        return array.astype(kind)
    first = np.frombuffer(memory, dtype=np.uint8)
    offset = address - first.__array_interface__["data"][0]
    return np.ndarray(array.shape, kind, memory, offset, array.strides)
