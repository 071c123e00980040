"""JavaScript modules of the page run in node, where it is installed: quicker than a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = ("--experimental-detect-module", "--no-warnings")
"""Files of the page end in `.js`, and no `package.json` says that they are modules."""


def run_in_node(entry: str, folder: Path, given: Any = None) -> Any:
    """What a script writes as JSON; it imports from the checkout, and finds in `given` what it is given.

    Skips without node.
    """
    node = shutil.which("node")
    if node is None:
        pytest.skip("left out: node is not installed; the browser tests compare the same")
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    (folder / "script.mjs").write_text(
        'import { readFileSync } from "node:fs";\n'
        'const given = JSON.parse(readFileSync(new URL("given.json", import.meta.url), "utf8"));\n'
        + entry.replace('from "./', f'from "{ROOT.as_uri()}/'),
        encoding="utf-8",
    )
    command = [node, *OPTIONS, str(folder / "script.mjs")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
