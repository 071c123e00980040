"""The form of YAML: the same meaning, the same comments, and no second change."""

from __future__ import annotations

import random
import re

import pytest

from dsl.diagnostics import DiagnosticError
from dsl.document import read
from dsl.source import Source
from dsl.workspace.yaml_form import _meaning as meaning, formatted_yaml
from rulewright.library import bundled
from tests.workspace.edited import files_of


def form(text: str) -> str:
    return formatted_yaml(Source("file.yaml", text))


CASES = {
    "trailing blanks": ("a: 1   \nb: 2 \n", "a: 1\nb: 2\n"),
    "line ends": ("\n\na: 1\n\n\n\n\nb: 2\n\n", "a: 1\n\n\nb: 2\n"),
    "no line end": ("a: 1", "a: 1\n"),
    "spaces in braces": ("a: { b: 1,c : [ 2,3 ] }\n", "a: {b: 1, c: [2, 3]}\n"),
    "aligned by hand": ("a: {b: 1,   c:  2}\nlong:   3\n", "a: {b: 1,   c:  2}\nlong:   3\n"),
    "indentation": ("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n"),
    "lists": ("a:\n    -   b: 1\n        c: 2\n    - d\n", "a:\n  - b: 1\n    c: 2\n  - d\n"),
    "lists at the margin": ("a:\n- b\n- c\n", "a:\n- b\n- c\n"),
    "comments": (
        "a:\n    # about b\n    b: 1  # one\n# the end\n",
        "a:\n  # about b\n  b: 1  # one\n# the end\n",
    ),
    "texts of several lines": (
        "a:\n    b: |\n        x  \n\n\n\n        z\n",
        "a:\n  b: |\n      x  \n\n\n\n      z\n",
    ),
    "braces over several lines": ("a: {b: 1,\n    c: 2 }\n", "a: {b: 1,\n    c: 2}\n"),
    "no YAML": ("a: [1,2\nb: {\n", "a: [1,2\nb: {\n"),
    "nothing": ("", ""),
    "comments alone": ("# only\n\n", "# only\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_form(name: str) -> None:
    text, wanted = CASES[name]
    assert form(text) == wanted
    assert form(wanted) == wanted


@pytest.mark.parametrize("name", bundled())
def test_bundled_files_have_their_form(name: str) -> None:
    for path, data in files_of(name).items():
        if path.endswith(".yaml"):
            assert form(data.decode()) == data.decode(), path


def loosened(text: str, rng: random.Random) -> str:
    """A text with more blanks where YAML allows them."""
    lines = text.split("\n")
    found = []
    for line in lines:
        if rng.random() < 0.3:
            line += " " * rng.randrange(3)
        if rng.random() < 0.3:
            line = re.sub(r"\{(?=\w)", "{ ", line)
        if rng.random() < 0.3:
            line = line.replace(", ", ",")
        found.append(" " * (len(line) - len(line.lstrip())) * rng.choice([0, 0, 0, 1]) + line)
    return "\n".join(found)


@pytest.mark.parametrize("seed", range(12))
def test_loosened_files_keep_meaning_and_comments(seed: int) -> None:
    rng = random.Random(seed)
    name = rng.choice(["pig", "kuhn_poker", "roma"])
    path = rng.choice(sorted(path for path in files_of(name) if path.endswith(".yaml")))
    text = loosened(files_of(name)[path].decode(), rng)
    shown = form(text)
    assert "".join(shown.split()) == "".join(text.split())
    assert form(shown) == shown
    try:
        before = meaning(read(Source("", text)))
    except DiagnosticError:
        assert shown == text
        return
    assert meaning(read(Source("", shown))) == before
