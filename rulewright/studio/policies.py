"""Trained policies at the table of the studio: files in the folder of the ruleset, and no others."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from dsl.diagnostics import DiagnosticError
from dsl.folder import MOST_FILES
from dsl.source import NOWHERE
from rulewright.files.reading import inner_names
from rulewright.learn.messages import LibraryNotInstalled
from rulewright.learn.policy_words import FILE, POLICY, is_policy
from rulewright.studio.rpc import refused

LIBRARIES = ("numpy", "onnx", "onnxruntime")
MOST = 20
"""The most policies that are offered by name."""


def policies_in(root: Path) -> list[str]:
    """The names of the policies that lie directly in a folder."""
    try:
        found = inner_names(root, "", FILE, MOST_FILES)
    except OSError:
        return []
    return [f"{POLICY}{name}" for name in found[:MOST]]


def check_policy(root: Path, name: str) -> None:
    """Raises `RpcError` if a policy is not a file of the folder, `DiagnosticError` if a library is missing.

    Whether it can play this game is found out when it is asked.
    """
    inner = PurePosixPath(name.removeprefix(POLICY))
    inside = not inner.is_absolute() and ".." not in inner.parts and "\\" not in str(inner)
    try:
        found = (
            inside and (root / inner).resolve().is_relative_to(root.resolve()) and (root / inner).is_file()
        )
    except (OSError, ValueError):
        found = False
    if not found:
        raise refused(
            "no-bot",
            f"there is no `{inner}` in the folder `{root.name}`: a policy that plays here lies there",
        )
    for library in LIBRARIES:
        if find_spec(library) is None:
            raise DiagnosticError(LibraryNotInstalled(NOWHERE, library, "policy"))


def located(root: Path, name: str) -> str:
    """The name of a bot by which another process finds it: of a policy with the whole path of its file."""
    return f"{POLICY}{root / name.removeprefix(POLICY)}" if is_policy(name) else name
