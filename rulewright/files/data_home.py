"""Where data is kept if nobody says where."""

from __future__ import annotations

import os
from pathlib import Path


def data_home() -> Path:
    """The folder for data of this program; it need not be there."""
    root = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(root).expanduser() / "rulewright"
