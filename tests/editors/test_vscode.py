"""The extension for Visual Studio Code: what it contributes is there, and it is built as a package."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dsl.workspace.token_patterns import classified
from rulewright.editors.schemas import KINDS, schema_text
from rulewright.library import bundled
from tests.workspace.edited import files_of, rules_files
from tools.textmate import SCOPES

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "editors" / "vscode"
NPM = shutil.which("npm")
needs_npm = pytest.mark.skipif(NPM is None, reason="npm is not installed")
Package = dict[str, Any]


@pytest.fixture
def package() -> Package:
    found: Package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def test_what_is_contributed_is_there(package: Package) -> None:
    given = package["contributes"]
    parts = [*given["grammars"], *given["snippets"]]
    paths = [part["path"] for part in parts] + [each["configuration"] for each in given["languages"]]
    for path in paths:
        json.loads((EXTENSION / path).read_text("utf-8"))
    assert {Path(each["url"]).stem for each in given["yamlValidation"]} <= set(KINDS)


def test_each_command_is_registered(package: Package) -> None:
    script = (EXTENSION / "src" / "extension.js").read_text("utf-8")
    registered = re.search(r"const commands = \{(.*?)\};", script)
    assert registered is not None
    names = {f"rulewright.{part.split(':')[0].strip()}" for part in registered[1].split(",")}
    assert names == {each["command"] for each in package["contributes"]["commands"]}


def test_snippets_are_rules_once_their_holes_are_filled() -> None:
    from dsl.grammar import parse_pieces
    from dsl.source import Source

    snippets = json.loads((EXTENSION / "snippets" / "rules.json").read_text("utf-8"))
    for name, snippet in snippets.items():
        body = snippet["body"]
        text = "\n".join(body) if isinstance(body, list) else body
        text = re.sub(r"\$\{\d+:(\w+)\}", r"\1", text)
        block = text.splitlines()[-1].strip() == "$0"
        text = text.replace("$0", "nothing" if block else "1")
        if not re.match("action|procedure|effect|value|when|score|never", text):
            text = "procedure p\n" + "\n".join(f"    {line}" for line in text.splitlines())
        assert parse_pieces(Source(name, text + "\n")).broken == (), text


@pytest.mark.long
@needs_npm
def test_the_package_is_built_and_whole(tmp_path: Path) -> None:
    target = tmp_path / "rulewright.vsix"
    subprocess.run([ROOT / "tools" / "vscode", target, Path(sys.prefix)], check=True, timeout=600)
    with zipfile.ZipFile(target) as built:
        names = set(built.namelist())
        manifest = json.loads(built.read("extension/package.json"))
        assert f"extension/{Path(manifest['main'])}" in names
        for kind in KINDS:
            assert built.read(f"extension/schemas/{kind}.json").decode() == schema_text(kind)
        grammars = {Path(each["path"]).name for each in manifest["contributes"]["grammars"]}
        assert grammars <= {Path(name).name for name in names}
        assert "rulewright" in built.read("extension.vsixmanifest").decode()
        assert not any("node_modules" in name for name in names)


@pytest.mark.long
@needs_npm
def test_the_grammar_finds_the_tokens_of_the_language_in_its_own_engine(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(EXTENSION / name, tmp_path)
    assert NPM is not None
    subprocess.run([NPM, "ci", "--silent", "--ignore-scripts"], cwd=tmp_path, check=True, timeout=600)
    grammar = EXTENSION / "syntaxes" / "rulewright.tmLanguage.json"
    script = Path(__file__).with_name("tokens.js")
    kinds = {f"{scope}.rulewright": kind for kind, scope in SCOPES.items()}
    for game in bundled():
        for path in rules_files(game):
            text = files_of(game)[path].decode()
            (tmp_path / "text").write_text(text, "utf-8")
            command = ["node", script, tmp_path / "node_modules", grammar, tmp_path / "text"]
            output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
            found = [(start, end, kinds[scope]) for start, end, scope in json.loads(output)]
            assert found == list(classified(text)), path
