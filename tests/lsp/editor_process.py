"""Real editors as processes that find the language server of this environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.lsp.client import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def assert_all_answered(*command: str | Path) -> None:
    """Runs an editor without a screen, whose script says at its end that the server answered all it asked."""
    run = subprocess.run(
        [str(word) for word in command],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "all answered" in run.stdout + run.stderr
