"""Observations as features of a network: a column of few values becomes one for each, others are scaled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.arguments import demand
from rulewright.learn.catalogue import READ_IT, SpaceCatalogue
from rulewright.learn.messages import BadEnvironmentSetting
from rulewright.learn.space import Row

MOST_VALUES = 16
"""Columns with more values are scaled to 0..1."""


@dataclass(frozen=True)
class Features:
    """How rows of observations become features: one column for each value of a few, else one for all."""

    columns: npt.NDArray[np.int64]
    """[size]: the column of the observation that each feature looks at."""
    values: npt.NDArray[np.float32]
    """[size]: the value that it is 1 for, or the least value of a scaled one."""
    scales: npt.NDArray[np.float32]
    """[size]: 0 for a value of few, else what the distance from the least value is multiplied with."""

    @property
    def size(self) -> int:
        return len(self.columns)

    @classmethod
    def of(cls, catalogue: SpaceCatalogue, most: int = MOST_VALUES) -> Features:
        demand("catalogue", catalogue, SpaceCatalogue, READ_IT)
        found: list[tuple[int, float, float]] = []
        for column, (_, lo, hi) in enumerate(catalogue.columns):
            if hi - lo < most:
                found += [(column, float(value), 0.0) for value in range(lo, hi + 1)]
            else:
                found.append((column, float(lo), 1.0 / (hi - lo)))
        columns, values, scales = zip(*found, strict=True)
        return cls(np.array(columns), np.array(values, dtype=np.float32), np.array(scales, dtype=np.float32))

    def of_rows(self, rows: Row) -> npt.NDArray[np.float32]:
        """[n, size] from observations [n, columns]."""
        last = int(self.columns.max(initial=-1))
        hint = f"give an array [n, columns] with {last + 1} columns at least"
        demand("rows", rows, np.ndarray, hint)
        if rows.ndim != 2 or rows.shape[1] <= last:
            shape = f"an array of the shape {rows.shape}"
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "rows", shape, hint))
        apart = rows[:, self.columns].astype(np.float32) - self.values
        found: npt.NDArray[np.float32] = np.where(
            self.scales > 0, apart * self.scales, (apart == 0).astype(np.float32)
        )
        return found
