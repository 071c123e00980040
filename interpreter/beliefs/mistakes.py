"""Checks of what is asked about beliefs: arguments, names, and what a model of the others gives."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Literal, get_args

from dsl.diagnostics import did_you_mean
from dsl.source import NOWHERE
from interpreter.beliefs.messages import BadBeliefsArgument, BadOpponentModel, UnknownInBeliefs
from interpreter.messages import Fault

Method = Literal["enumerate or sample", "enumerate", "sample"]
"""Whether all worlds are wanted, a sample, or a sample where there are too many."""
METHODS = get_args(Method)
MOST_NAMED = 8
MOST_SHOWN = 60


def check_arguments(worlds: object, seed: object, method: object, steps: object, model: object) -> None:
    """Raises `Fault` with `BadBeliefsArgument` for an argument of `believe` that means nothing."""
    for name, number in (("worlds", worlds), ("steps", steps)):
        if not _is_whole(number) or number < 1:  # type: ignore[operator]
            raise _bad(name, "a whole number of at least 1", number)
    if not _is_whole(seed):
        raise _bad("seed", "a whole number", seed)
    if method not in METHODS:
        raise _bad("method", " or ".join(f'"{one}"' for one in METHODS), method)
    if model is not None and not (hasattr(model, "name") and callable(getattr(model, "weights", None))):
        raise _bad("model", "an object with a `name` and `weights(game, state, waiting)`", model)
    cost = getattr(model, "cost", 1)
    if not _is_whole(cost) or cost < 0:
        raise _bad("model.cost", "a whole number of steps", cost)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _bad(argument: str, wanted: str, given: object) -> Fault:
    return Fault(BadBeliefsArgument(NOWHERE, argument, wanted, shown(given)))


def shown(given: object) -> str:
    """A value that somebody has given, if it is short enough to be shown."""
    text = repr(given)
    return text if len(text) < MOST_SHOWN else f"this {type(given).__name__}"


def check_weights(weights: Sequence[float], decision: str, options: int) -> None:
    """Raises `Fault` with `BadOpponentModel` if a model gives no chances for the options of a decision."""
    why = ""
    if not hasattr(weights, "__len__") or not hasattr(weights, "__getitem__"):
        why = f"it gives {shown(weights)}, and no list of weights"
    elif len(weights) != options:
        why = f"there are {len(weights)} weights"
    elif not all(isinstance(weight, Real) and isfinite(weight) for weight in weights):
        why = "a weight is no finite number"
    elif any(weight < 0 for weight in weights):
        why = "a weight is negative"
    elif not any(weights):
        why = "all weights are 0"
    if why:
        raise Fault(BadOpponentModel(NOWHERE, decision, why, options))


def check_function(name: str, function: object) -> None:
    """Raises `Fault` with `BadBeliefsArgument` if what is to be asked of states cannot be called."""
    if not callable(function):
        raise _bad(name, "a function of a state", function)


def unknown(kind: str, name: object, known: Sequence[str], there_are: str) -> Fault:
    """That there is no such seat, place, piece or value, with what may have been meant."""
    hint = did_you_mean(name, known) if isinstance(name, str) else ""
    if not hint:
        listed = ", ".join(f"`{one}`" for one in known[:MOST_NAMED])
        hint = f"{there_are} {listed}{' and others' if len(known) > MOST_NAMED else ''}".rstrip()
    return Fault(UnknownInBeliefs(NOWHERE, kind, name if isinstance(name, str) else shown(name), hint))
