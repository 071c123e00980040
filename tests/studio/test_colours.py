"""The editor of the page finds the same tokens as the highlighters that are made of the same patterns."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dsl.workspace.token_patterns import classified
from rulewright.library import bundled, find
from rulewright.studio.server import PAGE
from rulewright.studio.token_module import TOKENS, token_module

ENTRY = """
import { readFileSync } from "node:fs";
import { tokensOf } from "./rule_tokens.js";
const lines = JSON.parse(readFileSync(new URL("lines.json", import.meta.url), "utf8"));
const plain = ({ start, end, kind }) => [start, end, kind];
console.log(JSON.stringify(lines.map((line) => tokensOf(line).map(plain))));
"""


def test_the_page_colours_lines_as_all_highlighters_do(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("left out: node is not installed")
    texts = [file.read_text("utf-8") for game in bundled() for file in find(game).glob("*.rules")]
    lines = sorted({line for text in texts for line in text.split("\n")})
    (tmp_path / "package.json").write_text('{"type": "module"}', "utf-8")
    (tmp_path / "lines.json").write_text(json.dumps(lines), "utf-8")
    (tmp_path / "entry.js").write_text(ENTRY, "utf-8")
    (tmp_path / TOKENS).write_bytes(token_module())
    shutil.copy(PAGE / "rule_tokens.js", tmp_path)
    run = subprocess.run([node, str(tmp_path / "entry.js")], capture_output=True, text=True, check=True)
    found = [[tuple(token) for token in line] for line in json.loads(run.stdout)]
    assert found == [list(classified(line)) for line in lines]
    assert len(lines) > 2_000
