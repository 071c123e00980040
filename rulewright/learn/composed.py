"""Composed actions: what is done, and with what, as two numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.space import Mask


@dataclass(frozen=True)
class Composed:
    """The actions of a catalogue as pairs of a kind and a value.

    The kind of `build: road c4` is `build: road`, its value `c4`: the last word. That of `pass` has no value.
    Policies with a head for each of the two need few outputs.
    """

    kinds: tuple[str, ...]
    values: tuple[str, ...]
    pairs: npt.NDArray[np.int64]
    """[actions, 2]: kind and value of each action."""
    flat: npt.NDArray[np.int64]
    """[kinds, values]: the action of each pair, -1 for none."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.kinds), len(self.values)

    @classmethod
    def of(cls, catalogue: SpaceCatalogue) -> Composed:
        parted = [_parted(key) for key in catalogue.actions]
        kinds = {kind: i for i, kind in enumerate(dict.fromkeys(kind for kind, _ in parted))}
        values = {value: i for i, value in enumerate(dict.fromkeys(value for _, value in parted))}
        pairs = np.array([(kinds[kind], values[value]) for kind, value in parted], dtype=np.int64)
        flat = np.full((len(kinds), len(values)), -1, dtype=np.int64)
        flat[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
        return cls(tuple(kinds), tuple(values), pairs, flat)

    def action(self, pair: Any) -> int:
        """The action of a pair, -1 if there is none."""
        found = np.asarray(pair)
        if found.shape != (2,) or found.dtype.kind not in "iu":
            return -1
        kind, value = (int(x) for x in found)
        if not (0 <= kind < self.shape[0] and 0 <= value < self.shape[1]):
            return -1
        return int(self.flat[kind, value])

    def mask(self, mask: Mask) -> Mask:
        """[kinds, values] from a mask over actions."""
        found = np.zeros(self.shape, dtype=np.int8)
        offered = self.pairs[mask.nonzero()[0]]
        found[offered[:, 0], offered[:, 1]] = 1
        return found


def _parted(key: str) -> tuple[str, str]:
    decision, _, words = key.partition(": ")
    kind, _, value = words.rpartition(" ")
    if not kind:
        return (f"{decision}: {words}", "") if words == "pass" else (decision, words)
    return f"{decision}: {kind}", value
