"""Networks of ONNX files as short programs, which a page computes without a library.

A program is a list of steps over values; every value is a table of 32-bit floats with one row for each
observation, or a constant table; a constant of one dimension is a row. `run` says what each operator means;
the page does the same in `web/backend/network.js`. Source: the ONNX operator specification, version 17.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.learn.libraries import library, required
from rulewright.learn.messages import NotForAPage
from rulewright.learn.onnx_files import INPUT, OUTPUT

Table: TypeAlias = npt.NDArray[np.float32]
Settings: TypeAlias = dict[str, float]

LARGEST: Final = 1 << 23
"""The most bytes of constants that a page carries."""
EXACT: Final = 1 << 24
"""Whole numbers below are exact as 32-bit floats."""
LAST: Final = (1, -1)
"""The axis of the columns."""


@dataclass(frozen=True)
class NetworkStep:
    """One operator: values by number, and its settings."""

    operator: str
    inputs: tuple[int, ...]
    output: int
    settings: Settings


@dataclass(frozen=True)
class NetworkProgram:
    """A network: constants by the number of their value, and steps. The observation is value 0."""

    constants: dict[int, Table]
    steps: tuple[NetworkStep, ...]
    result: int

    def run(self, rows: Table) -> Table:
        """[n, actions] from observations [n, columns]."""
        values = {0: rows, **self.constants}
        with np.errstate(all="ignore"):
            for step in self.steps:
                given = [values[number] for number in step.inputs]
                found = OPERATORS[step.operator](given, step.settings)
                values[step.output] = np.asarray(found, dtype=np.float32)
        return values[self.result]

    def as_json(self) -> dict[str, Any]:
        """As a value for JSON: constants are [value, rows, columns, numbers in base 64, little endian]."""
        return {
            "constants": [
                [number, *table.shape, base64.b64encode(table.astype("<f4").tobytes()).decode()]
                for number, table in self.constants.items()
            ],
            "steps": [[x.operator, list(x.inputs), x.output, x.settings] for x in self.steps],
            "result": self.result,
        }


# ---- the operators


def _log_softmax(x: Table) -> Table:
    apart = x - x.max(axis=1, keepdims=True)
    found: Table = apart - np.log(np.exp(apart).sum(axis=1, keepdims=True))
    return found


def _gemm(given: list[Table], settings: Settings) -> Table:
    x, w = given[0], given[1].T if settings["transB"] else given[1]
    found: Table = np.float32(settings["alpha"]) * (x @ w)
    return found + np.float32(settings["beta"]) * given[2] if len(given) > 2 else found


def _normalized(given: list[Table], settings: Settings) -> Table:
    x = given[0]
    apart = x - x.mean(axis=1, keepdims=True)
    found: Table = apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + settings["epsilon"])
    found = found * given[1]
    return found + given[2] if len(given) > 2 else found


def _clip(given: list[Table], _: Settings) -> Table:
    found: Table = np.maximum(given[0], given[1])
    return np.minimum(found, given[2])


OPERATORS: Final[dict[str, Callable[[list[Table], Settings], Any]]] = {
    "Add": lambda x, _: x[0] + x[1],
    "Sub": lambda x, _: x[0] - x[1],
    "Mul": lambda x, _: x[0] * x[1],
    "Div": lambda x, _: x[0] / x[1],
    "Equal": lambda x, _: x[0] == x[1],
    "Where": lambda x, _: np.where(x[0] != 0, x[1], x[2]),
    "MatMul": lambda x, _: x[0] @ x[1],
    "Gemm": _gemm,
    "Gather": lambda x, _: x[0][:, x[1].astype(np.int64).ravel()],
    "Concat": lambda x, _: np.concatenate(x, axis=1),
    "Clip": _clip,
    "Relu": lambda x, _: np.maximum(x[0], 0),
    "LeakyRelu": lambda x, s: np.where(x[0] < 0, x[0] * s["alpha"], x[0]),
    "Elu": lambda x, s: np.where(x[0] < 0, s["alpha"] * (np.exp(x[0]) - 1), x[0]),
    "Tanh": lambda x, _: np.tanh(x[0]),
    "Sigmoid": lambda x, _: 1 / (1 + np.exp(-x[0])),
    "Exp": lambda x, _: np.exp(x[0]),
    "Sqrt": lambda x, _: np.sqrt(x[0]),
    "Neg": lambda x, _: -x[0],
    "Softmax": lambda x, _: np.exp(_log_softmax(x[0])),
    "LogSoftmax": lambda x, _: _log_softmax(x[0]),
    "LayerNormalization": _normalized,
    "Identity": lambda x, _: x[0],
    "Flatten": lambda x, _: x[0],
    "Cast": lambda x, _: x[0],
    "Truth": lambda x, _: x[0] != 0,
    "Whole": lambda x, _: np.trunc(x[0]),
}
"""What each operator means. `Truth` and `Whole` are casts to booleans and to whole numbers."""
SETTINGS: Final[dict[str, Settings]] = {
    "Gemm": {"alpha": 1.0, "beta": 1.0, "transB": 0.0},
    "LeakyRelu": {"alpha": 0.01},
    "Elu": {"alpha": 1.0},
    "LayerNormalization": {"epsilon": 1e-5},
}
"""The settings that an operator has, and what they are where the file says nothing."""
FIXED: Final[dict[str, dict[str, tuple[int, tuple[int, ...]]]]] = {
    "Gemm": {"transA": (0, (0,))},
    "Gather": {"axis": (0, LAST)},
    "Concat": {"axis": (0, LAST)},
    "Softmax": {"axis": (-1, LAST)},
    "LogSoftmax": {"axis": (-1, LAST)},
    "LayerNormalization": {"axis": (-1, LAST), "stash_type": (1, (1,))},
    "Flatten": {"axis": (1, (1,))},
}
"""Settings of which a page knows only some values: what they are where the file says nothing, and those."""


# ---- reading


def network_program(path: str, data: bytes) -> NetworkProgram:
    """The program of an ONNX file.

    Raises `DiagnosticError` with `NotForAPage` where it has something that a page cannot compute, or more
    constants than one carries; with `LibraryNotInstalled` without `onnx`.
    """
    onnx = required(library("onnx"), "onnx", "policy")
    try:
        model = onnx.load_model_from_string(data)
    except Exception:  # whatever the library raises for bytes that are no model
        raise DiagnosticError(NotForAPage(NOWHERE, path, "it is not an ONNX file")) from None
    return _Reader(onnx, path).program(model)


class _Reader:
    """Reads the graph of one file: names become numbers, the observation 0."""

    def __init__(self, onnx: Any, path: str) -> None:
        self.onnx, self.path = onnx, path
        self.numbers = {INPUT: 0}
        self.constants: dict[int, Table] = {}
        self.steps: list[NetworkStep] = []

    def fail(self, why: str) -> DiagnosticError:
        return DiagnosticError(NotForAPage(NOWHERE, self.path, why))

    def program(self, model: Any) -> NetworkProgram:
        for tensor in model.graph.initializer:
            self._constant(tensor.name, tensor)
        for node in model.graph.node:
            self._node(node)
        if OUTPUT not in self.numbers:
            raise self.fail(f"nothing in it computes `{OUTPUT}`")
        size = sum(table.nbytes for table in self.constants.values())
        if size > LARGEST:
            raise self.fail(f"its weights have {size:,} bytes, and a page carries at most {LARGEST:,}")
        return NetworkProgram(self.constants, tuple(self.steps), self.numbers[OUTPUT])

    def _number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def _constant(self, name: str, tensor: Any) -> None:
        kinds = self.onnx.TensorProto
        known = (kinds.FLOAT, kinds.INT64, kinds.INT32, kinds.BOOL)
        if tensor.data_type not in known or tensor.external_data:
            kind = kinds.DataType.Name(tensor.data_type).lower()
            where = " in another file" if tensor.external_data else ""
            raise self.fail(f"its constant `{name}` is of {kind}{where}")
        try:
            found = self.onnx.numpy_helper.to_array(tensor)
        except Exception:  # whatever the library raises for bytes that do not fit the shape
            raise self.fail(f"its constant `{name}` cannot be read") from None
        if found.ndim > 2:
            raise self.fail(f"its constant `{name}` has {found.ndim} dimensions")
        if found.dtype.kind == "i" and found.size and np.abs(found).max() >= EXACT:
            raise self.fail(f"its constant `{name}` has numbers that are too large")
        rows = found.reshape(1, -1) if found.ndim < 2 else found
        self.constants[self._number(name)] = np.ascontiguousarray(rows, dtype=np.float32)

    def _node(self, node: Any) -> None:
        given = {x.name: self.onnx.helper.get_attribute_value(x) for x in node.attribute}
        operator = node.op_type
        if operator == "Constant" and set(given) == {"value"}:
            self._constant(node.output[0], given["value"])
            return
        if operator == "Cast":
            operator = self._cast(given.pop("to"))
        if operator == "Dropout":  # which does nothing where nobody trains
            operator, given = "Identity", {}
        if operator not in OPERATORS or node.domain not in ("", "ai.onnx"):
            raise self.fail(f"its operator `{node.op_type}` is none that a page computes")
        self._check(node, operator, given)
        known = SETTINGS.get(operator, {})
        settings = {name: float(given.get(name, value)) for name, value in known.items()}
        names = node.input[:1] if operator == "Identity" else node.input
        inputs = tuple(self._input(name, node.op_type) for name in names)
        self.steps.append(NetworkStep(operator, inputs, self._number(node.output[0]), settings))

    def _cast(self, to: int) -> str:
        kinds = self.onnx.TensorProto
        found = {kinds.FLOAT: "Cast", kinds.BOOL: "Truth", kinds.INT64: "Whole", kinds.INT32: "Whole"}.get(to)
        if found is None:
            raise self.fail(f"it casts to {kinds.DataType.Name(to).lower()}")
        return found

    def _check(self, node: Any, operator: str, given: dict[str, Any]) -> None:
        for name, (absent, values) in FIXED.get(operator, {}).items():
            value = given.get(name, absent)
            if value not in values:
                raise self.fail(f"its operator `{operator}` has `{name}` {value}, which no page computes")
        for name in given:
            if name not in SETTINGS.get(operator, {}) and name not in FIXED.get(operator, {}):
                raise self.fail(f"its operator `{operator}` has `{name}`, which no page knows")
        if operator == "Clip" and len(node.input) != 3:
            raise self.fail("its operator `Clip` has no two bounds")

    def _input(self, name: str, operator: str) -> int:
        if name not in self.numbers:
            raise self.fail(f"its operator `{operator}` reads `{name}`, which nothing computes before")
        return self.numbers[name]
