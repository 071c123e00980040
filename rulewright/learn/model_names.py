"""Models of how others choose by name: `policy:FILE` beside `uniform` and `search:100`."""

from __future__ import annotations

from dataclasses import replace

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.beliefs.opponents import OpponentModel
from interpreter.bots import model_names
from interpreter.bots.messages import UnknownModel
from rulewright.learn.messages import LibraryNotInstalled
from rulewright.learn.policy_words import NAMED, POLICY, is_policy, means_policy


def model_named(name: str) -> OpponentModel:
    """A model of how others choose: `uniform`, `search:100`, or `policy:FILE`.

    Raises `DiagnosticError` with `UnknownModel`; with `CannotRead`, `NotAModel` or `LibraryNotInstalled` for
    a policy.
    """
    if not isinstance(name, str) or not is_policy(name):
        return _other(name)
    try:
        from rulewright.learn.onnx_files import load_policy
        from rulewright.learn.policy_model import PolicyModel
    except ImportError as error:
        raise DiagnosticError(LibraryNotInstalled(NOWHERE, str(error.name), "policy")) from error
    return PolicyModel(load_policy(name.removeprefix(POLICY)))


def _other(name: str) -> OpponentModel:
    """A model that is not a policy; whoever seems to mean one is told how to name it."""
    if isinstance(name, str) and means_policy(name):
        raise DiagnosticError(UnknownModel(NOWHERE, name, NAMED))
    try:
        return model_names.model_named(name)
    except DiagnosticError as error:
        found = error.diagnostic
        if not isinstance(found, UnknownModel) or not found.hint.startswith("there are "):
            raise
        raise DiagnosticError(replace(found, hint=f"{found.hint}, and `{POLICY}FILE`")) from None
