"""The grammar as GBNF: it generates the rules of the bundled games, and nothing of it is left out."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from dsl.gbnf import DEEPEST, gbnf
from dsl.grammar import grammar_text, plain_grammar
from dsl.pieces import pieces
from dsl.source import Source
from rulewright.library import bundled, bundled_folder
from rulewright.main import main
from tests.spec.gbnf_reader import accepts, rules_of

NEWLINE = "\n"
STEP = 100
"""Of the definitions of all games, every so many is tried each time."""


def definitions() -> list[tuple[str, str]]:
    """The definitions of the bundled games, each with its place."""
    found = []
    for game in bundled():
        for path in sorted((bundled_folder() / game).glob("*.rules")):
            text = path.read_text("utf-8")
            spans = [piece.span for piece in pieces(Source(path.name, text))]
            some = [(f"{game}:{text.count(NEWLINE, 0, s.start) + 1}", s.text) for s in spans]
            found += [one for one in some if re.search(r"^[a-z]", one[1], re.MULTILINE)]
    return found


def on_single_lines(text: str) -> str:
    """A text whose brackets are closed in the line in which they are opened."""
    depth, out = 0, ""
    for part in re.split(r"([()\[\]]|#[^\n]*|\n[ ]*)", text):
        depth += (part in ("(", "[")) - (part in (")", "]"))
        if depth and part.startswith("#"):
            continue
        out += " " if depth and part.startswith("\n") else part
    return out


def _tried(some: list[tuple[str, str]]) -> None:
    refused = [place for place, text in some if not accepts(on_single_lines(text).rstrip() + "\n")]
    assert refused == []


def test_it_generates_bundled_rules() -> None:
    short = [it for it in definitions() if len(it[1]) < 400]
    _tried(short[::STEP])


@pytest.mark.long
@pytest.mark.parametrize("game", bundled())
def test_it_generates_all_bundled_rules(game: str) -> None:
    _tried([it for it in definitions() if it[0].startswith(f"{game}:")])


@pytest.mark.parametrize(
    "text",
    [
        "  score gold = 1\n",
        "score gold =\n",
        "action a\nneeds x\n",
        "action a\n  needs x\n",
        "action a(b\n",
        "value a = b +\n",
        "procedure p\n    if a\n    set b\n",
        "valuea = b\n",
    ],
)
def test_it_generates_nothing_else(text: str) -> None:
    assert not accepts(text)


def test_comments_and_blank_lines() -> None:
    assert accepts("# first\n\nvalue a = b  # why\n\n\n# last\nvalue c = b\n")
    assert accepts("value a = b\n    and c\n    or d\n")


def test_every_rule_is_defined_and_used() -> None:
    rules = rules_of(gbnf())
    used = {token for body in rules.values() for token in body if token[0].isalpha()}
    assert used == rules.keys() - {"root"}
    assert next(iter(rules)) == "root"


def test_no_rule_is_left_recursive() -> None:
    """Programs that read GBNF go down from the left."""
    rules = rules_of(gbnf())
    first = {name: _first(body) for name, body in rules.items()}
    for name in rules:
        reached, todo = set(), list(first[name])
        while todo:
            other = todo.pop()
            if other not in reached:
                reached.add(other)
                todo += first.get(other, ())
        assert name not in reached, name


def _first(body: list[str]) -> set[str]:
    """The symbols with which an alternative of a rule begins."""
    found, fresh = set(), True
    for token in body:
        if token == "|":
            fresh = True
        elif fresh and token != "(":
            found.add(token)
            fresh = False
    return found


def test_every_word_is_written() -> None:
    text = gbnf()
    words = {pattern for pattern in plain_grammar().terminals.values() if pattern.isalpha()}
    assert all(f'"{word}"' in text for word in words)
    assert f"statement-{DEEPEST} ::= " in text
    assert f"statement-{DEEPEST + 1}" not in text


def test_the_command() -> None:
    run = CliRunner().invoke
    assert run(main, ["grammar", "--gbnf"]).output == gbnf()
    assert run(main, ["grammar"]).output == grammar_text()
