"""What batches of a game share, a compiled module and the numbers of its actions; arrays on its memory."""

from __future__ import annotations

import ctypes
import threading
from collections import OrderedDict
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import wasmtime

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.game import Game
from interpreter.ir.number_parts import in_parts
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.wasm.batches.observe import Observed, observed
from interpreter.wasm.build_config import STEPPER
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.module import module
from interpreter.wasm.option_codec import Numbering, OptionCodec, numbering

KEPT: Final = 8


@dataclass(frozen=True)
class BatchModule:
    """A compiled module of one machine, its map, and the numbers of its actions."""

    machine: ir.Machine
    reference: Reference
    module: wasmtime.Module
    map: dict[str, int]
    observed: Observed | None
    numberings: dict[int, Numbering]


_kept: OrderedDict[int, tuple[object, BatchModule]] = OrderedDict()
_guard = threading.Lock()


def batch_module(of: ir.Machine | Game) -> BatchModule:
    """The program of a game or a bare machine, with numbers in parts; those used last are kept."""
    of = of.in_parts if isinstance(of, Game) else in_parts(of)
    with _guard:
        found = _kept.get(id(of))
        if found is None:
            found = (of, _made(of))
            _kept[id(of)] = found
        _kept.move_to_end(id(of))
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    return found[1]


def _made(of: ir.Machine | Game) -> BatchModule:
    mc = of.machine if isinstance(of, Game) else of
    reference = of.reference if isinstance(of, Game) else Reference(mc)
    seen = observed(of.views) if isinstance(of, Game) else None
    data, places = module(mc, STEPPER, reference.initial_state(), seen)
    codec = OptionCodec(mc)
    numbers = {
        i: numbering(mc, codec.layout(i))
        for i, n in enumerate(mc.nodes)
        if isinstance(n, ir.Decide | ir.Offer)
    }
    return BatchModule(mc, reference, compile_module(data), places, seen, numbers)


# ---- arrays that are views on a module's memory


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
