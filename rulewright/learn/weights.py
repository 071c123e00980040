"""The weights of a network before they are written: layers that fit each other, of finite numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.arguments import demand
from rulewright.learn.catalogue import READ_IT, SpaceCatalogue
from rulewright.learn.features import Features
from rulewright.learn.messages import BadWeights
from rulewright.learn.planes import NetworkLayout

Floats = npt.NDArray[np.float32]


def checked_layers(
    catalogue: SpaceCatalogue,
    features: Features | NetworkLayout,
    weights: Mapping[str, npt.NDArray[np.float32]],
) -> list[tuple[Floats, Floats]]:
    """The layers as pairs of `w` [inputs, outputs] and `b` [outputs], from `w1`, `b1`, `w2`, `b2` and so on.

    Others, such as those of a value, are left out. Raises `DiagnosticError` with `BadWeights` if one is
    missing, has another shape than its neighbours, the features and the actions ask for, or holds what is no
    finite number; or if the features look at columns that the catalogue does not have.
    """
    demand("catalogue", catalogue, SpaceCatalogue, READ_IT)
    demand("features", features, (Features, NetworkLayout), "give `Features.of(catalogue)`")
    demand("weights", weights, Mapping, "give a dictionary of arrays: `w1`, `b1` and so on")
    last = int(features.columns.max(initial=-1))
    if last >= len(catalogue.columns):
        columns = f"{len(catalogue.columns)} columns"
        raise _refused("features", f"they look at column {last}, and the catalogue has {columns}")
    number = 1
    while f"w{number + 1}" in weights:
        number += 1
    width, found = features.size, []
    for i in range(1, number + 1):
        w = _numbers(weights, f"w{i}")
        if w.ndim != 2:
            raise _refused(f"w{i}", f"it has {w.ndim} dimensions, and has to have 2")
        outputs = len(catalogue.actions) if i == number else w.shape[1]
        _fit(f"w{i}", w, (width, outputs))
        b = _numbers(weights, f"b{i}")
        _fit(f"b{i}", b, (outputs,))
        found.append((w, b))
        width = outputs
    return found


def _numbers(weights: Mapping[str, npt.NDArray[np.float32]], name: str) -> Floats:
    if name not in weights:
        raise _refused(name, "it is missing")
    given = np.asarray(weights[name])
    if given.dtype.kind not in "fiu":
        raise _refused(name, f"it is of {given.dtype}, not of numbers")
    with np.errstate(over="ignore"):
        found: Floats = given.astype(np.float32)
    wrong = np.count_nonzero(~np.isfinite(found))
    if wrong:
        raise _refused(name, f"{wrong} of its {found.size} numbers are not finite")
    return found


def _fit(name: str, array: Floats, wanted: tuple[int, ...]) -> None:
    if array.shape != wanted:
        raise _refused(name, f"it has the shape {array.shape}, and has to have {wanted}")


def _refused(name: str, why: str) -> DiagnosticError:
    return DiagnosticError(BadWeights(NOWHERE, name, why))
