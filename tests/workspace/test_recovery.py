"""Recovery: a mistake hides nothing elsewhere, and is one message."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

import pytest

from dsl import ast_builder
from dsl.diagnostics import Diagnostic
from dsl.folder import Folder
from dsl.grammar import _tree, parse_pieces
from dsl.load import Analysis, analyse
from dsl.pieces import pieces
from dsl.source import Source
from rulewright.library import bundled
from tests.games import EACH_TIME
from tests.workspace.edited import analysed, cuts, files_of, rules_files, some

SAMPLED = ("tic_tac_toe", "pig", "roma", "trajan")


def messages(analysis: Analysis) -> list[str]:
    return [found.message for found in analysis.report]


def untouched(errors: Iterable[Diagnostic], path: str, text: str, line: int) -> list[Diagnostic]:
    """The errors of a rules file outside the definition with a line, and the one above it."""
    source = Source(path, text)
    offset = source.lines[line - 1]
    starts = [piece.span for piece in pieces(source)]
    touched = [
        span
        for span, following in zip(starts, [*starts[1:], starts[-1]], strict=True)
        if span.start <= offset <= span.end or following.start <= offset <= following.end
    ]
    return [
        found
        for found in errors
        if found.span.source.name.endswith(path)
        and not any(span.start <= found.span.start < span.end for span in touched)
    ]


# ---- the law


def check_cut(name: str, path: str, line: int, text: str) -> None:
    """If a cut definition does not parse, another one has a finding only if it names what was cut off, and
    there are at most two findings beside those.

    One that still parses may mean something else, so that others do not fit to it any more.
    """
    analysis = analysed(name, {path: text})
    if not parse_pieces(Source(path, text)).broken:
        return
    cut = files_of(name)[path].decode().split("\n")[line - 1]
    unexplained = [
        found
        for found in analysis.report.errors
        if not any(re.search(rf"\b{word}\b", cut) for word in re.findall(r"`(\w+)`", found.message))
    ]
    assert untouched(unexplained, path, text, line) == []
    assert len(unexplained) <= 2, (line, unexplained)


@pytest.mark.parametrize("name", SAMPLED)
def test_a_cut_line_hides_and_adds_nothing_elsewhere(name: str) -> None:
    for path in rules_files(name):
        for line, text in some(name, files_of(name)[path].decode(), 12):
            check_cut(name, path, line, text)


@pytest.mark.long
@pytest.mark.parametrize("name", bundled())
def test_every_line_cut_at_every_token(name: str) -> None:
    for path in rules_files(name):
        for line, text in cuts(files_of(name)[path].decode()):
            check_cut(name, path, line, text)


@pytest.mark.parametrize("name", EACH_TIME)
def test_pieces_are_parsed_as_the_whole_text_is(name: str) -> None:
    for path in rules_files(name):
        source = Source(path, files_of(name)[path].decode())
        whole = ast_builder.definitions(source, _tree(source, "start"))
        parsed = parse_pieces(source)
        assert not parsed.broken
        assert [type(d) for d in parsed.definitions] == [type(d) for d in whole]
        assert [d.span.start for d in parsed.definitions] == [d.span.start for d in whole]
        joined = "".join(piece.span.text for piece in pieces(source))
        assert joined == source.text


# ---- other files


@pytest.mark.parametrize("name", SAMPLED)
def test_broken_yaml_is_one_message_and_typing_goes_on(name: str) -> None:
    text = files_of(name)["game.yaml"].decode()
    rng = random.Random(name)
    lines = text.split("\n")
    entries = [n for n, line in enumerate(lines) if re.match(r"  \w+: \{.*\}$", line)]
    for number in rng.sample(entries, min(5, len(entries))):
        broken = "\n".join([*lines[:number], lines[number].rstrip("}"), *lines[number + 1 :]])
        path = rules_files(name)[0]
        rules = files_of(name)[path].decode() + "\nvalue unheard_of = nowhere_said\n"
        found = messages(analysed(name, {"game.yaml": broken, path: rules}))
        assert "unknown name `nowhere_said`" in found
        assert len(found) <= 3, (lines[number], found)


def test_a_bad_cell_hides_nothing() -> None:
    rules = files_of("roma")["roma.rules"].decode() + "\nvalue unheard_of = nowhere_said\n"
    table = next(path for path in files_of("roma") if path.endswith(".csv"))
    head, first, *rest = files_of("roma")[table].decode().split("\n")
    wrong = "\n".join([head, re.sub(r",\d+", ",many", first, count=1), *rest])
    found = messages(analysed("roma", {table: wrong, "roma.rules": rules}))
    assert any("many" in message for message in found)
    assert "unknown name `nowhere_said`" in found


# ---- single cases

GAME = """\
game: demo
seats: 2
rules: [demo.rules]
counters:
  gold: {of: seat, range: 0..9}
flow:
  turn: {do: [earn], then: last}
  last: {score: highest}
"""


def said(rules: str, game: str = GAME) -> list[str]:
    files = {"game.yaml": game.encode(), "demo.rules": rules.encode()}
    return messages(analyse(Folder("demo", files.__getitem__)))


def test_several_syntax_errors_are_told_at_once() -> None:
    rules = "procedure earn\n    gain 1 of gold\n\nvalue rich = gold of me >\n\nscore gold = gold of me\n"
    assert len(said(rules)) == 2


def test_uses_of_a_broken_definition_are_no_mistakes() -> None:
    rules = """\
procedure earn
    let amount = share(me
    gain amount gold

value share(seat) = 1 +
value double = share(A) * 2
score gold = double
"""
    assert len(said(rules)) == 2


def test_a_definition_whose_name_is_missing_is_one_mistake() -> None:
    rules = "procedure\n    gain 1 gold\n\nscore gold = gold of me\n"
    assert len(said(rules)) == 1


def test_a_misspelt_key_hides_no_mistake_in_the_rules() -> None:
    rules = "procedure earn\n    gain 1 gold\n\nvalue odd = strange\nscore gold = gold of me\n"
    found = said(rules, GAME.replace("range: 0..9", "rnage: 0..9"))
    assert "unknown name `strange`" in found
    assert not any("`gold`" in message and "unknown counter" in message for message in found)


def test_missing_sections_and_mistakes_in_rules_are_told_together() -> None:
    rules = "procedure earn\n    gain 1 gold\n\nvalue odd = strange\nscore gold = gold of me\n"
    found = said(rules, GAME.split("flow:")[0])
    assert "`game.yaml` lacks `flow`" in found
    assert "unknown name `strange`" in found


def test_an_unclosed_bracket_ends_with_its_definition() -> None:
    rules = "procedure earn\n    gain (1\n\nvalue odd = strange\nscore gold = gold of me\n"
    assert said(rules) == ["unclosed `(`", "unknown name `strange`"]


def test_a_mistake_in_labels_hides_none_in_the_look() -> None:
    look = "pieces:\n  crad: {shape: card}\n"
    analysis = analysed("hearts", {"labels/en.yaml": "nouns:\n", "look.yaml": look})
    assert any("crad" in found.message for found in analysis.report.errors)


def test_a_mistake_in_the_game_hides_none_in_the_form_of_the_look() -> None:
    game = files_of("hearts")["game.yaml"].decode().replace("order: shuffled", "order: shufled")
    analysis = analysed("hearts", {"game.yaml": game, "look.yaml": "pieces: {card\n"})
    faulty = {found.span.source.name for found in analysis.report.errors}
    assert faulty == {"hearts/game.yaml", "hearts/look.yaml"}


def test_what_a_broken_list_of_rules_names_is_no_mistake() -> None:
    game = files_of("hearts")["game.yaml"].decode().replace("rules: [hearts.rules]", "rules: hearts.rules]")
    assert messages(analysed("hearts", {"game.yaml": game})) == ["`rules` must be a list"]
