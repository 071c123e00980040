"""The form of rules: bundled rulesets have it, it is reached at once, and it changes no word."""

from __future__ import annotations

import random
import re

import pytest

from dsl.source import Source
from dsl.workspace.formatting import formatted
from rulewright.library import bundled
from tests.workspace.edited import files_of, rules_files, some


def form(text: str) -> str:
    return formatted(Source("demo.rules", text))


@pytest.mark.parametrize("name", bundled())
def test_bundled_rules_are_formatted(name: str) -> None:
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        assert form(text) == text


@pytest.mark.parametrize("name", ["tic_tac_toe", "roma", "chess"])
def test_what_is_loosened_gets_its_form_back(name: str) -> None:
    """More blanks between words, before marks and in front of the lines of blocks."""
    rng = random.Random(name)
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        lines = []
        for line in text.split("\n"):
            if "#" not in line:
                line = re.sub(r"(?<=\S) (?=\S)", lambda _: " " * rng.randint(1, 3), line)
                line = re.sub(r" {2,}§", lambda _: " " * rng.randint(1, 9) + "§", line)
                line += " " * rng.randint(0, 2)
            lines.append(line)
        assert form("\n".join(lines)) == text


@pytest.mark.parametrize("name", ["roma", "trajan"])
def test_broken_definitions_are_left_alone(name: str) -> None:
    """A second pass changes nothing, whatever is broken."""
    for path in rules_files(name):
        for _, text in some(name, files_of(name)[path].decode(), 3):
            assert form(form(text)) == form(text)


def test_two_blanks_and_one_are_four() -> None:
    text = "procedure earn\n  gain 1 gold\n  if a\n   pay 1 gold\n"
    assert form(text) == "procedure earn\n    gain 1 gold\n    if a\n        pay 1 gold\n"


def test_signs_and_brackets() -> None:
    assert form("value x=-1+( a-b )*f( c ,d )..3\n") == "value x = -1 + (a - b) * f(c, d)..3\n"


def test_comments_stay_where_they_are() -> None:
    text = "# what it is\n\nprocedure earn  # a\n  # b\n  gain 1 gold\n# c\n"
    wanted = "# what it is\n\nprocedure earn  # a\n    # b\n    gain 1 gold\n# c\n"
    assert form(text) == wanted


def test_a_blank_line_stands_before_an_action() -> None:
    text = "value a = 1\nvalue b = 2\naction go\n    nothing\n"
    assert form(text) == "value a = 1\nvalue b = 2\n\naction go\n    nothing\n"
