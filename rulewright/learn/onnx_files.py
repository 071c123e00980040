"""Policies as ONNX files: observations in, logits of actions out, the catalogue in the metadata.

A model from any library will do that has one input [n, columns] and one output [n, actions], and the
metadata that `metadata_of` gives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.files import durable
from rulewright.files.reading import read_bytes
from rulewright.learn.arguments import demand
from rulewright.learn.catalogue import READ_IT, SpaceCatalogue
from rulewright.learn.features import Features
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import ForeignModel, NotAModel
from rulewright.learn.planes import SEAT, NetworkLayout
from rulewright.learn.rewards import Floats
from rulewright.learn.space import Mask, Numbers, Row
from rulewright.learn.weights import checked_layers

INPUT, OUTPUT, KEY = "observation", "logits", "rulewright_catalogue"
OPSET: Final = 17
LARGEST: Final = 1 << 28
"""The most bytes of a file that is read."""
FATAL: Final = 4
"""Of the severities of onnxruntime: it prints nothing below."""
NO_MODEL: Final = ("protobuf parsing failed", "No graph was found")
"""What onnxruntime says of bytes that are no model at all."""
MARKS: Final = (r"^.*failed:", r"^\[ONNXRuntimeError\] : \d+ : [A-Z_]+ : ", r"^/\S+:\d+ .*\) (?=[A-Z])")
"""What stands in front of what it says: the file, the kind of the error, the line of its own source."""
MOST_SAID: Final = 240
"""How much of what onnxruntime says is shown."""


@dataclass(frozen=True, eq=False)
class OnnxPolicy:
    """A policy from a file, with the catalogue that it was trained with. Only what is offered is chosen."""

    path: str
    session: Any
    catalogue: SpaceCatalogue
    one_by_one: bool = False
    """Whether it takes one observation at a time, as a model exported for a single row does."""

    def check(self, catalogue: SpaceCatalogue) -> None:
        """Raises `DiagnosticError` with `ForeignModel` if it cannot be used with a catalogue."""
        own = self.catalogue
        if (own.game, own.seats) != (catalogue.game, catalogue.seats):
            game = f"{catalogue.game} ({catalogue.seats} seats)"
            why = f"it was trained for {own.game} ({own.seats} seats)"
            hint = "take one that was trained for this game and as many seats"
            raise DiagnosticError(ForeignModel(NOWHERE, f"`{self.path}`", game, why, hint))
        sizes = len(own.decisions), len(own.actions), len(own.columns)
        catalogue.check_model(f"`{self.path}`", sizes, own.digest)

    def logits(self, rows: Row) -> npt.NDArray[np.float32]:
        """[n, actions] from observations [n, columns]. Raises `DiagnosticError` with `NotAModel`."""
        given = rows[:, : len(self.catalogue.columns)].astype(np.float32)
        if self.one_by_one and len(given) != 1:
            wide = np.zeros((len(given), len(self.catalogue.actions)), dtype=np.float32)
            for number in range(len(given)):
                wide[number] = self._run(given[number : number + 1])[0]
            return wide
        return self._run(given)

    def _run(self, given: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        try:
            logits: npt.NDArray[np.float32] = self.session.run([OUTPUT], {INPUT: given})[0]
        except Exception:  # whatever the library raises for an input that does not fit
            raise _refused(self.path, f"`{INPUT}` has to be float32 of shape (n, {given.shape[1]})") from None
        wanted = len(given), len(self.catalogue.actions)
        if np.shape(logits) != wanted:
            raise _refused(self.path, f"`{OUTPUT}` has to be of shape (n, {wanted[1]})")
        return logits

    def act(self, observations: Row, masks: Mask, rng: np.random.Generator) -> Numbers:
        """[n]: an action for each row, drawn by its `chances`. Raises what they raise."""
        ends = self._odds(observations, masks).cumsum(axis=1)
        actions: Numbers = (ends > rng.random((len(ends), 1)) * ends[:, -1:]).argmax(axis=1)
        return actions

    def chances(self, observations: Row, masks: Mask) -> Floats:
        """[n, actions]: how likely each action is in each row, by the softmax over what is offered and known.

        Where the policy knows nothing of what is offered, each is as likely as any other. Raises
        `DiagnosticError` with `NotAModel` if its logits do not fit or are not numbers.
        """
        odds = self._odds(observations, masks)
        chances: Floats = odds / odds.sum(axis=1, keepdims=True)
        return chances

    def _odds(self, observations: Row, masks: Mask) -> Floats:
        known = masks[:, : len(self.catalogue.actions)]
        masked = np.where(known > 0, self.logits(observations).astype(np.float64), -np.inf)
        odds: Floats = masks.astype(np.float64)
        some = known.any(axis=1)
        odds[some] = 0.0
        best = masked[some].max(axis=1, keepdims=True)
        if not np.isfinite(best).all():
            raise _refused(self.path, f"its `{OUTPUT}` for what is offered are not finite numbers")
        odds[np.flatnonzero(some)[:, None], np.arange(known.shape[1])[None]] = np.exp(masked[some] - best)
        return odds


def metadata_of(catalogue: SpaceCatalogue) -> dict[str, str]:
    """The metadata that the ONNX file of a policy has to have."""
    demand("catalogue", catalogue, SpaceCatalogue, READ_IT)
    return {KEY: catalogue.text()}


def load_policy(path: str) -> OnnxPolicy:
    """A policy from its file.

    Raises `DiagnosticError` with `CannotRead`, `NotAModel` or `NotACatalogue`, or with `LibraryNotInstalled`
    without `onnxruntime`.
    """
    runtime = required(library("onnxruntime"), "onnxruntime", "policy")
    session = _session(runtime, path, read_bytes(path, LARGEST))
    written = session.get_modelmeta().custom_metadata_map.get(KEY)
    if written is None:
        raise _refused(path, f"its metadata has no `{KEY}`")
    names = [x.name for x in session.get_inputs()], [x.name for x in session.get_outputs()]
    if names != ([INPUT], [OUTPUT]):
        raise _refused(path, f"it has to have the input `{INPUT}` and the output `{OUTPUT}`, and no others")
    catalogue = SpaceCatalogue.read(written, f"`{path}`")
    rows = _rows_at_once(path, session.get_inputs()[0], len(catalogue.columns))
    _rows_at_once(path, session.get_outputs()[0], len(catalogue.actions))
    return OnnxPolicy(path, session, catalogue, one_by_one=rows == 1)


def _session(runtime: Any, path: str, data: bytes) -> Any:
    """The file as something that can be run; what the library thinks of it is not printed."""
    settings = runtime.SessionOptions()
    settings.log_severity_level = FATAL
    try:
        return runtime.InferenceSession(data, settings, providers=["CPUExecutionProvider"])
    except Exception as error:  # whatever the library raises for bytes that it cannot run
        if any(sign in str(error) for sign in NO_MODEL):
            raise _refused(path, "it is not an ONNX file") from None
        raise _refused(path, f"onnxruntime cannot run it: {_said(error)}") from None


def _said(error: Exception) -> str:
    """What the library says of an error, in a short sentence without its own marks."""
    text = " ".join("".join(x if x.isprintable() else " " for x in str(error)).split())
    for mark in MARKS:
        text = re.sub(mark, "", text).strip()
    text = text.rstrip(" .") or type(error).__name__
    return text if len(text) <= MOST_SAID else f"{text[:MOST_SAID].rstrip()}..."


def _rows_at_once(path: str, value: Any, width: int) -> int:
    """How many rows an input or output has: 1, or 0 for any number.

    Raises `DiagnosticError` with `NotAModel` if it does not have `width` columns of 32-bit floats.
    """
    if value.type != "tensor(float)":
        kind = value.type.removeprefix("tensor(").removesuffix(")")
        raise _refused(path, f"`{value.name}` has to be of 32-bit floats, and is of {kind}")
    shape = value.shape
    if len(shape) != 2 or (isinstance(shape[1], int) and shape[1] != width):
        shown = ", ".join(str(size) if isinstance(size, int) else "n" for size in shape)
        raise _refused(path, f"`{value.name}` has to be of shape (n, {width}), and is of ({shown})")
    rows = shape[0] if isinstance(shape[0], int) else 0
    if rows > 1:
        why = f"`{value.name}` always has {rows} rows: leave the first dimension free, or make it 1"
        raise _refused(path, why)
    return rows


def _refused(path: str, why: str) -> DiagnosticError:
    return DiagnosticError(NotAModel(NOWHERE, path, why))


def _seen(make: Any, kind: int, features: Features | NetworkLayout) -> tuple[dict[str, Array], list[Any]]:
    """Constants and nodes that make `features` of the input: of a layout, as the seat sees it that looks.

    `make` is `onnx.helper.make_node`, `kind` the number of the type of floats.
    """
    scales: dict[str, Array] = {"scales": features.scales, "scaled": features.scales > 0}
    if isinstance(features, Features):
        constants = {**scales, "columns": features.columns, "values": features.values}
        return constants, _picked(make, kind, "", "features")
    constants = {**scales, "looking": np.array([SEAT], dtype=np.int64)}
    nodes = [make("Gather", [INPUT, "looking"], ["seat"], axis=1)]
    for seat, (columns, values) in enumerate(zip(features.columns, features.values, strict=True)):
        constants |= {
            f"columns{seat}": np.maximum(columns, 0),
            f"values{seat}": np.where(columns >= 0, values, NO_VALUE).astype(np.float32),
            f"number{seat}": np.array([seat], dtype=np.float32),
        }
        nodes += [
            *_picked(make, kind, str(seat), f"seen{seat}"),
            make("Equal", ["seat", f"number{seat}"], [f"looks{seat}"]),
            make(
                "Where",
                [f"looks{seat}", f"seen{seat}", f"upto{seat - 1}" if seat else "seen0"],
                [f"upto{seat}"],
            ),
        ]
    nodes.append(make("Identity", [f"upto{features.seats - 1}"], ["features"]))
    return constants, nodes


def _picked(make: Any, kind: int, seat: str, into: str) -> list[Any]:
    """Columns become 1 for a value, or are scaled."""
    return [
        make("Gather", [INPUT, f"columns{seat}"], [f"picked{seat}"], axis=1),
        make("Sub", [f"picked{seat}", f"values{seat}"], [f"apart{seat}"]),
        make("Mul", [f"apart{seat}", "scales"], [f"near{seat}"]),
        make("Equal", [f"picked{seat}", f"values{seat}"], [f"equal{seat}"]),
        make("Cast", [f"equal{seat}"], [f"one{seat}"], to=kind),
        make("Where", ["scaled", f"near{seat}", f"one{seat}"], [into]),
    ]


def save_policy(
    path: Path,
    catalogue: SpaceCatalogue,
    features: Features | NetworkLayout,
    weights: Mapping[str, npt.NDArray[np.float32]],
) -> None:
    """Writes a network of rectified layers over `features`, or a layout: `w1`, `b1`, `w2`, `b2` and so on.

    `w` [inputs, outputs] and `b` [outputs] of each layer; the last one has an output for each action. Raises
    `OSError` if it cannot be written, `DiagnosticError` with `BadWeights` for weights that are not a network
    of the game, or with `LibraryNotInstalled` without `onnx`.
    """
    onnx = required(library("onnx"), "onnx", "policy")
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    layers = checked_layers(catalogue, features, weights)
    seen, nodes = _seen(helper.make_node, onnx.TensorProto.FLOAT, features)
    constants = {
        **seen,
        **{
            f"{name}{i}": each
            for i, layer in enumerate(layers, 1)
            for name, each in zip("wb", layer, strict=True)
        },
    }
    given = "features"
    for i in range(1, len(layers)):
        nodes.append(helper.make_node("Gemm", [given, f"w{i}", f"b{i}"], [f"linear{i}"]))
        nodes.append(helper.make_node("Relu", [f"linear{i}"], [f"hidden{i}"]))
        given = f"hidden{i}"
    nodes.append(helper.make_node("Gemm", [given, f"w{len(layers)}", f"b{len(layers)}"], [OUTPUT]))
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


Array = npt.NDArray[Any]
NO_VALUE: Final = -1e9
"""What no column ever is: where a plane has no place, there is nothing."""
