"""Policies as ONNX files: observations in, logits of actions out, the catalogue in the metadata.

A model from any library will do that has one input [n, columns] and one output [n, actions], and the
metadata that `metadata_of` gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright import durable
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.features import Features
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import NotAModel
from rulewright.learn.opponents import Numbers
from rulewright.learn.play import Mask, Row
from rulewright.reading import read_bytes

INPUT, OUTPUT, KEY = "observation", "logits", "rulewright_catalogue"
OPSET: Final = 17
LARGEST: Final = 1 << 28
"""The most bytes of a file that is read."""


@dataclass(frozen=True, eq=False)
class OnnxPolicy:
    """A policy from a file, with the catalogue that it was trained with. Only what is offered is chosen."""

    path: str
    session: Any
    catalogue: SpaceCatalogue

    def check(self, catalogue: SpaceCatalogue) -> None:
        """Raises `DiagnosticError` with `ForeignModel` if it cannot be used with a catalogue."""
        own = self.catalogue
        sizes = len(own.decisions), len(own.actions), len(own.columns)
        catalogue.check_model(f"`{self.path}`", sizes, own.digest)

    def logits(self, rows: Row) -> npt.NDArray[np.float32]:
        """[n, actions] from observations [n, columns]. Raises `DiagnosticError` with `NotAModel`."""
        given = rows[:, : len(self.catalogue.columns)].astype(np.float32)
        try:
            found: npt.NDArray[np.float32] = self.session.run([OUTPUT], {INPUT: given})[0]
        except Exception:  # whatever the library raises for an input that does not fit
            why = f"`{INPUT}` has to be float32 of shape (n, {given.shape[1]})"
            raise DiagnosticError(NotAModel(NOWHERE, self.path, why)) from None
        wanted = len(given), len(self.catalogue.actions)
        if np.shape(found) != wanted:
            why = f"`{OUTPUT}` has to be of shape (n, {wanted[1]})"
            raise DiagnosticError(NotAModel(NOWHERE, self.path, why))
        return found

    def act(self, observations: Row, masks: Mask, rng: np.random.Generator) -> Numbers:
        """[n]: an action for each row, drawn by the softmax over what is offered and known to the policy.

        Where it knows nothing of what is offered, each is as likely as any other. Raises `DiagnosticError`
        with `NotAModel` if its logits do not fit or are no numbers.
        """
        known = masks[:, : len(self.catalogue.actions)]
        masked = np.where(known > 0, self.logits(observations).astype(np.float64), -np.inf)
        odds = masks.astype(np.float64)
        some = known.any(axis=1)
        odds[some] = 0.0
        best = masked[some].max(axis=1, keepdims=True)
        if not np.isfinite(best).all():
            why = f"its `{OUTPUT}` for what is offered are no finite numbers"
            raise DiagnosticError(NotAModel(NOWHERE, self.path, why))
        odds[np.flatnonzero(some)[:, None], np.arange(known.shape[1])[None]] = np.exp(masked[some] - best)
        ends = odds.cumsum(axis=1)
        found: Numbers = (ends > rng.random((len(ends), 1)) * ends[:, -1:]).argmax(axis=1)
        return found


def metadata_of(catalogue: SpaceCatalogue) -> dict[str, str]:
    """The metadata that the ONNX file of a policy has to have."""
    return {KEY: catalogue.text()}


def load_policy(path: str) -> OnnxPolicy:
    """A policy from its file.

    Raises `DiagnosticError` with `CannotRead` or `NotAModel`, or with `LibraryNotInstalled` without
    `onnxruntime`.
    """
    runtime = required(library("onnxruntime"), "onnxruntime", "policy")
    data = read_bytes(path, LARGEST)
    try:
        session = runtime.InferenceSession(data, providers=["CPUExecutionProvider"])
    except Exception:  # whatever the library raises for bytes that are no model
        raise DiagnosticError(NotAModel(NOWHERE, path, "it is no ONNX file")) from None
    written = session.get_modelmeta().custom_metadata_map.get(KEY)
    if written is None:
        raise DiagnosticError(NotAModel(NOWHERE, path, f"its metadata has no `{KEY}`"))
    names = [x.name for x in session.get_inputs()], [x.name for x in session.get_outputs()]
    if names != ([INPUT], [OUTPUT]):
        why = f"it has to have the input `{INPUT}` and the output `{OUTPUT}`"
        raise DiagnosticError(NotAModel(NOWHERE, path, why))
    return OnnxPolicy(path, session, SpaceCatalogue.read(written, f"`{path}`"))


def save_policy(
    path: Path, catalogue: SpaceCatalogue, features: Features, weights: Mapping[str, npt.NDArray[np.float32]]
) -> None:
    """Writes a network with one hidden layer: `w1`, `b1`, `w2`, `b2` over `features`.

    Raises `OSError` if it cannot be written, `DiagnosticError` with `LibraryNotInstalled` without `onnx`.
    """
    onnx = required(library("onnx"), "onnx", "policy")
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    scaled = features.scales > 0
    constants = {
        "columns": features.columns,
        "values": features.values,
        "scales": features.scales,
        "scaled": scaled,
        **{name: weights[name] for name in ("w1", "b1", "w2", "b2")},
    }
    nodes = [
        helper.make_node("Gather", [INPUT, "columns"], ["picked"], axis=1),
        helper.make_node("Sub", ["picked", "values"], ["apart"]),
        helper.make_node("Mul", ["apart", "scales"], ["near"]),
        helper.make_node("Equal", ["picked", "values"], ["equal"]),
        helper.make_node("Cast", ["equal"], ["one"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Where", ["scaled", "near", "one"], ["features"]),
        helper.make_node("Gemm", ["features", "w1", "b1"], ["linear"]),
        helper.make_node("Relu", ["linear"], ["hidden"]),
        helper.make_node("Gemm", ["hidden", "w2", "b2"], [OUTPUT]),
    ]
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(INPUT, kind, ["n", len(catalogue.columns)])],
        [helper.make_tensor_value_info(OUTPUT, kind, ["n", len(catalogue.actions)])],
        [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    helper.set_model_props(model, metadata_of(catalogue))
    onnx.checker.check_model(model)
    durable.write(path, model.SerializeToString())
