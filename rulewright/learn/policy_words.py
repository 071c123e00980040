"""The words that name a trained policy: `policy:FILE.onnx`."""

from __future__ import annotations

from typing import Final

POLICY: Final = "policy:"
FILE: Final = ".onnx"
NAMED: Final = f"a trained policy is named by its file: `{POLICY}FILE{FILE}`"


def is_policy(kind: str) -> bool:
    """Whether a name is that of a trained policy."""
    return kind.startswith(POLICY) and len(kind) > len(POLICY)


def means_policy(kind: str) -> bool:
    """Whether a name seems to mean a policy, though its file is not named as it has to be."""
    return not is_policy(kind) and (kind.partition(":")[0] == POLICY[:-1] or kind.endswith(FILE))
