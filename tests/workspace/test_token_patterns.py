"""The patterns of tokens find in all rules what the lexer of the language finds."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from dsl.diagnostics import DiagnosticError
from dsl.grammar import terminals, tokens_of
from dsl.indentation import SOFT
from dsl.pieces import pieces
from dsl.source import Source
from dsl.workspace.token_patterns import BY_CLASS, CLASSES, class_of_token, classified, soft_keywords
from rulewright.library import bundled
from tests.workspace.edited import files_of, rules_files

ROOT = Path(__file__).resolve().parents[2]
LAYOUT = ("_NL", "_INDENT", "_DEDENT")
Token = tuple[str, int, str]
SOFTLY = """\
procedure one(up to 3 disc as most)
    chance chooses weight from with by weight weight
    swap with with turn
    move up to up from top of record to bottom of game
    roll up to 2 from dice to tray
    record win
    record of me = 3
    gain n win
    gain 1 win
    partners win as several
    opponents of me win
    each turn in turn by weight where first
    do one of one, most, at most most times
    choose up to up from first
    choose several from top if several, at most 3 times
    may keep choosing up to 2 card
    end game as game
    repeat until nothing changes, at most 9 times
        chance += 1
    repeat until until, at most 9 times
        until = changes
    let x = first(card in hand where card.cost > first)
    let y = those(p in line until any(until in p))
    let z = count(first until first)
never top of bottom
eventually eventually
"""


def lexed(text: str) -> list[Token]:
    """The tokens of a text as the language reads them: text, offset, class."""
    return [
        (str(token), token.start_pos or 0, class_of_token(token.type, str(token)))
        for token in tokens_of(text)
        if token.type not in LAYOUT
    ]


def found(text: str) -> list[Token]:
    return [(text[start:end], start, kind) for start, end, kind in classified(text) if kind != "comment"]


@pytest.mark.parametrize("name", bundled())
def test_all_bundled_rules_have_the_tokens_of_the_lexer(name: str) -> None:
    for path in rules_files(name):
        text = files_of(name)[path].decode()
        assert found(text) == lexed(text)


def test_soft_keywords_are_keywords_where_the_lexer_has_them() -> None:
    for line in map(str.strip, SOFTLY.split("\n")):
        assert found(line) == lexed(line), line


def test_rules_in_documents_have_the_tokens_of_the_lexer() -> None:
    compared = 0
    for page in sorted(ROOT.glob("docs/*.md")):
        for code in re.findall(r"```rules\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for definition in pieces(Source(page.name, code)):
                text = definition.span.text
                with suppress(DiagnosticError):
                    tokens = lexed(text)
                    assert found(text) == tokens, page
                    compared += 1
    assert compared > 40


def test_each_soft_keyword_has_a_pattern() -> None:
    words = {word for kind in SOFT for word in ({"END_OF": ["top", "bottom"]}.get(kind) or [kind.lower()])}
    written = "\n".join(each.regex for group in soft_keywords().values() for each in group)
    assert {word for word in words if not re.search(rf"\b{word}\b", written)} == set()


def test_each_word_has_one_class() -> None:
    words = [word for found in BY_CLASS.values() for word in found.split()]
    soft = {"top", "bottom", *map(str.lower, SOFT)}
    assert len(words) == len(set(words))
    assert set(words) <= terminals() | soft
    assert set(BY_CLASS) <= set(CLASSES)


def test_comments_and_broken_lines() -> None:
    kinds = [(kind, start) for start, _, kind in classified("gain 1 pot  # gain\n§4.1 ) ? ! x")]
    assert ("comment", 12) in kinds
    assert [kind for kind, _ in kinds[-3:]] == ["clause", "punctuation", "name"]
