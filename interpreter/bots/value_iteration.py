"""What positions are worth if all choose what is best for them: sweeps over all of them, in the module.

Source: as in `interpreter/wasm/batches/sweeps.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from interpreter.game import Game
from interpreter.wasm.batch_module import batch_module
from interpreter.wasm.batches.sweeps import (
    CHANCES,
    CHANGE,
    CHOICES,
    ENDLESS,
    HEADER,
    LAST_VALUE,
    LASTING,
    SIGNS,
    TARGETS,
    VALUES,
    WAYS,
)
from interpreter.wasm.engine import Instance

TOLERANCE: Final = 1e-7
MOST_SWEEPS: Final = 1000
LASTS: Final = 1.0 - 2.0**-20
"""What is behind a choice counts a little less than what is there at once: who wins for sure hastens it."""

Array = npt.NDArray[Any]


class ValueGraph(NamedTuple):
    """Positions [n], choices [c] and ways [w], each in the order of those before.

    `signs` [n]: 1.0 where the first side decides, -1.0 for the other one. `choices` [n]: how many each has;
    `ways` [c]: how many each has; `chances` and `targets` [w]: how likely each is, and the position to which
    it leads, or the end, counted down from -1.
    """

    signs: Array
    choices: Array
    ways: Array
    chances: Array
    targets: Array


class NoValues(Exception):
    """Values do not stay as they are, or somebody has stopped waiting for them."""


def values_of(game: Game, graph: ValueGraph, ends: Array, endless: float, late: Callable[[], bool]) -> Array:
    """[n + ends]: what positions are worth for the first side, and behind them the ends, the first one last.

    `endless`: what a match is worth that never ends. Positions in the order in which ways lead to them need
    the fewest sweeps. Raises `NoValues` if `late` says so or values do not stay, `Aborted` if there is no
    memory.
    """
    instance, header, at = _laid_out(game, graph, ends, endless)
    for _ in range(MOST_SWEEPS):
        if late():
            break
        with instance:
            instance.functions["sweep"](header)
            change = np.frombuffer(instance.read_bytes(header + CHANGE, 8))[0]
        if change < TOLERANCE:
            return np.frombuffer(instance.read_bytes(at, 8 * (len(graph.signs) + len(ends))))
    raise NoValues


def _laid_out(game: Game, graph: ValueGraph, ends: Array, endless: float) -> tuple[Instance, int, int]:
    """A module with the graph in its memory, and the addresses of its header and of values."""
    common, n = batch_module(game), len(graph.signs)
    values = np.concatenate((np.full(n, endless), ends[::-1]))
    parts = [values, graph.signs, graph.chances, *(x.astype(np.int32) for x in (graph.choices, graph.ways))]
    header, at = (common.map["end"] + 63) // 64 * 64, list[int]()
    end = header + HEADER
    for size in [*(part.nbytes for part in parts), 4 * len(graph.targets)]:
        at.append(end)
        end = (end + size + 7) // 8 * 8
    targets = np.where(graph.targets < 0, graph.targets + len(values), graph.targets)
    parts.append((at[0] + 8 * targets).astype(np.uint32))
    words = np.zeros(HEADER // 4, np.uint32)
    words[VALUES // 4], words[LAST_VALUE // 4] = at[0], at[0] + 8 * n
    for name, which in ((CHOICES, 3), (WAYS, 4), (TARGETS, 5)):
        words[name // 4] = at[which] + parts[which].nbytes
    words[SIGNS // 4] = (at[1] - at[0]) % (1 << 32)
    words[CHANCES // 4] = (at[2] - 2 * at[5]) % (1 << 32)
    words[ENDLESS // 4 : CHANGE // 4] = np.array([endless, LASTS]).view(np.uint32)
    assert LASTING == ENDLESS + 8
    instance = Instance(common.module)
    instance.grow(end)
    with instance:
        for address, part in zip([header, *at], [words, *parts], strict=True):
            instance.write(address, np.ascontiguousarray(part).tobytes())
    return instance, header, at[0]
