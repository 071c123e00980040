"""What environments give as observations: the columns of a catalogue, or those laid out for networks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from rulewright.learn.libraries import library
from rulewright.learn.planes import NetworkLayout
from rulewright.learn.setting import one_of
from rulewright.learn.space import Row, Space

spaces: Final = library("gymnasium.spaces")

LayoutName = Literal["columns", "network"]
"""Whole numbers of the catalogue's columns, or the numbers from 0 to 1 of a `NetworkLayout`."""
Numbers = npt.NDArray[np.int32] | npt.NDArray[np.float32]


@dataclass(frozen=True)
class Observed:
    """How rows of a space are given as observations: as they are, or in a layout."""

    space: Space
    layout: NetworkLayout | None

    @classmethod
    def of(cls, space: Space, layout: LayoutName) -> Observed:
        """Raises `DiagnosticError` with `BadEnvironmentSetting` for a layout that there is not."""
        one_of("layout", layout, get_args(LayoutName))
        return cls(space, NetworkLayout.of(space.game, space.catalogue) if layout == "network" else None)

    @property
    def size(self) -> int:
        """The numbers of an observation."""
        return self.space.width if self.layout is None else self.layout.size

    def box(self, *number: int) -> Any:
        """The space of one observation [size], or of a number of them [number, size]."""
        if self.layout is not None:
            return spaces.Box(0.0, 1.0, (*number, self.size), dtype=np.float32)
        lows, highs = np.tile(self.space.lows, (*number, 1)), np.tile(self.space.highs, (*number, 1))
        return spaces.Box(lows, highs, dtype=np.int32)

    def row(self, row: Row) -> Numbers:
        """[size] from [columns]."""
        return row if self.layout is None else self.layout.of_row(row)

    def rows(self, rows: Row) -> Numbers:
        """[n, size] from [n, columns]."""
        return rows if self.layout is None else self.layout.of_rows(rows)

    def some(self, rows: Row, which: npt.NDArray[np.bool_]) -> Numbers:
        """[n, size] from [n, columns]: of those that `which` names, zeros for all others."""
        if self.layout is None:
            return rows
        numbers = np.zeros((len(rows), self.layout.size), dtype=np.float32)
        numbers[which] = self.layout.of_rows(rows[which])
        return numbers
