"""The types of the pages are checked by TypeScript, which not everybody can fetch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_without_npm_it_says_that_nothing_was_checked(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "RULEWRIGHT_SERVICES": "required"}
    command = [sys.executable, str(ROOT / "tools" / "check_page.py")]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert run.stderr == "The types of the pages were not checked: npm is not installed.\n"


def test_where_npm_fetches_nothing_it_says_that_nothing_was_checked(tmp_path: Path) -> None:
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    npm.chmod(0o755)
    script = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(ROOT)!r})
from tools import check_page
check_page.WORK = Path({str(tmp_path / "work")!r})
sys.exit(check_page.main())
"""
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0
    assert "were not checked: npm cannot fetch TypeScript" in run.stderr
