"""Arrays that are views on a module's memory."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from interpreter.wasm.engine import Instance


def whole_memory(instance: Instance) -> Any:
    """All of an instance's memory as a buffer that keeps the instance."""
    buffer = (ctypes.c_uint8 * instance.size).from_address(instance.base)
    buffer.instance = instance  # type: ignore[attr-defined]
    return buffer


def view(
    memory: Any, address: int, kind: Any, shape: tuple[int, ...], strides: tuple[int, ...] | None = None
) -> npt.NDArray[Any]:
    return np.ndarray(shape, kind, memory, address, strides)


def shut(view: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same view; nobody writes through it."""
    view.flags.writeable = False
    return view
