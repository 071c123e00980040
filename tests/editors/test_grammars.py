"""Grammars for highlighters are those of the language. `--bless` writes them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pygments import token
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename

from dsl.workspace.token_patterns import CLASSES, classified
from rulewright.editors.pygments_lexer import TOKENS
from rulewright.pages.colours import coloured
from tests.conftest import Golden
from tests.workspace.edited import files_of, rules_files
from tools.textmate import SCOPES, grammar, grammar_text

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "rulewright.tmLanguage.json"
GAMES = ("pig", "roma", "trajan")


def test_the_grammar_that_comes_along_is_that_of_the_language(golden: Golden) -> None:
    golden(GRAMMAR, grammar_text())


def test_each_class_has_a_scope_and_a_token() -> None:
    assert set(SCOPES) == set(TOKENS) == set(CLASSES)


def tokenised(text: str) -> list[tuple[int, int, str]]:
    """What an editor makes of a text: at each place the leftmost rule, and of those the first."""
    found = json.loads(grammar_text())
    kinds = {f"{scope}.rulewright": kind for kind, scope in SCOPES.items()}
    tokens, start = [], 0
    for line in text.split("\n"):
        rules, at = rules_of(found, "line"), 0
        while (best := first_match(rules, line, at)) is not None:
            rule, match = best
            captures = rule.get("captures") or rule["beginCaptures"]
            for group, scope in captures.items():
                if match[int(group)]:
                    first, last = match.span(int(group))
                    tokens.append((start + first, start + last, kinds[scope["name"]]))
            if "begin" in rule:
                rules = rules_of(found, rule["patterns"][0]["include"][1:])
            at = max(match.end(), at + 1)
        start += len(line) + 1
    return tokens


def rules_of(found: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = []
    for each in found["repository"][name]["patterns"]:
        rules += rules_of(found, each["include"][1:]) if "include" in each else [each]
    return rules


def first_match(
    rules: list[dict[str, Any]], line: str, at: int
) -> tuple[dict[str, Any], re.Match[str]] | None:
    matches = [
        (rule, match)
        for rule in rules
        if (match := re.compile(rule.get("match") or rule["begin"]).search(line, at)) is not None
    ]
    return min(matches, key=lambda pair: pair[1].start(), default=None)


@pytest.mark.parametrize("name", GAMES)
def test_the_grammar_finds_the_tokens_of_the_language(name: str) -> None:
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        assert tokenised(text) == list(classified(text))


def test_the_grammar_has_no_context_that_nothing_opens() -> None:
    opened = {
        each["patterns"][0]["include"][1:]
        for each in grammar()["repository"]["line"]["patterns"]
        if "begin" in each
    }
    assert opened == set(grammar()["repository"]) - {"line", "token"}


@pytest.mark.parametrize("name", GAMES)
def test_pygments_keeps_the_text_and_finds_the_tokens(name: str) -> None:
    lexer = get_lexer_by_name("rules", stripnl=False, ensurenl=False)
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        tokens = list(lexer.get_tokens_unprocessed(text))
        assert "".join(part for _, _, part in tokens) == text
        assert [(at, kind) for at, kind, _ in tokens if kind is not token.Whitespace] == [
            (start, TOKENS[kind]) for start, _, kind in classified(text)
        ]


def test_pygments_knows_the_ending_of_files() -> None:
    assert get_lexer_for_filename("my.rules").name == "Rulewright"


def test_parts_of_a_line_have_the_colours_of_the_whole() -> None:
    line = "    gain 1 <b> pot  §4.1"
    assert coloured(line, 0, 8) == '    <span class="t-keyword">gain</span>'
    assert coloured(line, 6, 10) == '<span class="t-keyword">in</span> <span class="t-number">1</span>'
    assert "&lt;</span>b" in coloured(line)
    assert coloured(line, linked=True).endswith('<a href="#§4.1" class="t-clause">§4.1</a>')
    for at in range(len(line)):
        plain = re.sub("<[^>]*>", "", coloured(line, 0, at) + coloured(line, at))
        assert plain == line.replace("<", "&lt;").replace(">", "&gt;")
