"""JavaScript modules of the page run in node, bundled, where node is installed: quicker than a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulewright.bundling.modules import Bundler
from rulewright.bundling.scripts import FINISHED

ROOT = Path(__file__).resolve().parents[2]


def bundled(entry: str) -> str:
    """A module of the tests, with all of the page that it imports, as one script."""
    folders = ("rulewright/web", "tests/web")
    texts = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.js"))
    }
    finished = frozenset(f"rulewright/web/vendor/{name}" for name in FINISHED)
    return Bundler(texts | {"entry.js": entry}, finished).script("entry.js")


def run_in_node(entry: str, folder: Path, given: Any = None) -> Any:
    """What a script writes as JSON. It finds what it is given in `given`. Skips without node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("left out: node is not installed; the browser tests compare the same")
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    (folder / "script.mjs").write_text(
        'import { readFileSync } from "node:fs";\n'
        'const given = JSON.parse(readFileSync(new URL("given.json", import.meta.url), "utf8"));\n'
        + bundled(entry),
        encoding="utf-8",
    )
    command = [node, str(folder / "script.mjs")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
