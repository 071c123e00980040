"""Completion and hover: what fits a place comes first, and every word of the language is explained."""

from __future__ import annotations

import itertools
import re

import pytest

from dsl.declare.symbol_table import BUILT_IN
from dsl.grammar import _parser
from dsl.source import Span
from dsl.workspace.calls import signature
from dsl.workspace.completion import complete
from dsl.workspace.corrections import corrections, definition
from dsl.workspace.highlighting import hints, semantic_tokens
from dsl.workspace.hover import hover
from dsl.workspace.outline import foldings, outline
from dsl.workspace.words import WORDS
from rulewright.library import find
from tests.workspace.edited import files_of
from tests.workspace.test_index import snapshot, workspace

HERE = "|"


def completed(old: str, new: str, name: str = "roma") -> list[str]:
    """What is offered at the bar after a part of the rules was replaced, the likeliest first."""
    path = f"{name}.rules"
    text = files_of(name)[path].decode()
    space = workspace(name)
    space.snapshot()
    place = text.index(old) + new.index(HERE)
    space.edit(path, text.replace(old, new.replace(HERE, ""), 1))
    found = space.snapshot()
    source = found.source(path)
    assert source is not None
    return [each.text for each in complete(found, source, place)]


@pytest.mark.parametrize(
    ("new", "first"),
    [
        ("    pay |", set()),
        ("    pay card.cost |", {"charges", "money", "vp"}),
        ("    do |", {"activate", "attack_any"}),
        ("    move card to |", {"deck", "discard", "hand"}),
        ("    needs card.|", {"cost", "power", "sort"}),
        ("    needs card.sort is |", {"building", "character"}),
        ("    let other = slot of |", {"me", "opponent"}),
    ],
)
def test_what_fits_comes_first(new: str, first: set[str]) -> None:
    found = completed("    pay card.cost money", new)
    assert first <= set(found[:45])
    assert found


def test_statements_are_offered_at_the_start_of_a_line() -> None:
    assert {"move", "choose", "needs", "settle"} <= set(completed("    pay card.cost money", "    |"))


def test_definitions_are_offered_at_the_margin() -> None:
    assert {"action", "value", "score"} <= set(completed("action lay(", "act|(")) | {"action"}


def test_clauses_are_offered_behind_their_sign() -> None:
    found = completed("    pay card.cost money", "    pay card.cost money  §|")
    assert "§4.3" in found


def test_nothing_is_offered_in_a_comment() -> None:
    assert completed("    pay card.cost money", "    # pay |") == []


def test_data_offers_sections_and_names() -> None:
    found = snapshot("pig")
    source = found.source("game.yaml")
    assert source is not None
    assert "zones" in [each.text for each in complete(found, source, 0)]
    inside = source.text.index("pot") + 1
    assert "points" in [each.text for each in complete(found, source, inside)]


@pytest.mark.parametrize(
    ("path", "old", "new", "offered", "others"),
    [
        ("game.yaml", "pot: {", "pot: {of: |, ", {"seat"}, {"pot", "throw"}),
        ("game.yaml", "pot: {", "pot: {of: s|, ", {"seat"}, {"pot", "throw"}),
        ("game.yaml", "do: [throw_or_hold]", "do: [throw_or_hold, |]", {"throw_or_hold", "throw"}, {"pot"}),
        ("scenarios/end.yaml", "then:", "then: {points of |: 3}\n  other:", {"A", "B"}, {"pot", "me"}),
        ("labels/en.yaml", "pot:", "|:", {"pot", "throw"}, set()),
    ],
)
def test_data_offers_what_fits_its_place(
    path: str, old: str, new: str, offered: set[str], others: set[str]
) -> None:
    space = workspace("pig")
    text = (find("pig") / path).read_text("utf-8")
    place = text.index(old) + new.index(HERE)
    space.edit(path, text.replace(old, new.replace(HERE, ""), 1))
    found = space.snapshot()
    source = found.source(path)
    assert source is not None
    words = {each.text for each in complete(found, source, place)}
    assert offered <= words
    assert not others & words


def test_a_seat_that_is_bound_behind_its_use_is_offered() -> None:
    new = "    needs max(money of | for other in seats) > 3"
    assert "other" in completed("    pay card.cost money", new)[:4]


def test_every_word_of_the_language_is_explained() -> None:
    parser, _ = _parser()
    written = [terminal.pattern.value.removesuffix(r"\b").strip("()") for terminal in parser.terminals]
    words = {word for pattern in written for word in pattern.split("|") if word.isalpha()}
    assert (words | set(BUILT_IN)) - WORDS.keys() == set()


# ---- hover, signatures, hints, tokens, outline, corrections


def hovered(game: str, file: str, word: str) -> str:
    """What is shown at the first place of a word."""
    found = snapshot(game)
    source = found.source(file)
    assert source is not None
    shown = hover(found, source, source.text.index(word))
    assert shown is not None
    return shown.text


def test_hover_of_a_parameter_says_its_type() -> None:
    shown = hovered("roma", "roma.rules", "card from hand")
    assert shown.startswith("**card**: a local, a piece `card`")


def test_hover_of_a_row_shows_it_below_the_titles() -> None:
    shown = hovered("kalah", "scenarios/captures.yaml", "a1")
    assert shown.startswith("**a1**: a value of `pit`\n\n```csv\npit,owner,store\na1,A,false\n```")


def test_hover_of_a_reading_names_its_ruling() -> None:
    shown = hovered("oware", "game.yaml", "no_capture:")
    assert shown.startswith("**no_capture**: a reading of `grand_slam`")


def test_words_of_a_comment_are_not_words_of_the_language() -> None:
    found = snapshot("roma")
    source = found.source("roma.rules")
    assert source is not None
    for comment in re.finditer("#.*", source.text):
        shown = [
            hover(found, source, comment.start() + word.start()) for word in re.finditer(r"\w+", comment[0])
        ]
        assert not any(shown)


def test_signature_names_the_parameter_that_is_written() -> None:
    found = snapshot("roma")
    source = found.source("roma.rules")
    assert source is not None
    place = source.text.index("settle(card, disc)") + len("settle(card, ")
    shown = signature(found, source, place)
    assert shown is not None
    assert (shown.name, shown.active, len(shown.parameters)) == ("settle", 1, 2)


def test_hints_are_the_ranges_of_numbers() -> None:
    found = snapshot("roma")
    source = found.source("roma.rules")
    assert source is not None
    shown = [hint.text for hint in hints(found, Span(source, 0, len(source.text)))]
    assert shown
    assert all(".." in text for text in shown)


def test_tokens_are_in_order_and_do_not_overlap() -> None:
    found = snapshot("roma")
    source = found.source("roma.rules")
    assert source is not None
    spans = [span for span, _ in semantic_tokens(found, source)]
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


def test_outline_and_foldings() -> None:
    found = snapshot("tic_tac_toe")
    source = found.source("tic_tac_toe.rules")
    assert source is not None
    assert [each.name for each in outline(found, source)][:3] == ["place", "complete", "full"]
    assert (2, 5) in foldings(source)


@pytest.mark.parametrize(
    ("written", "title", "left"),
    [
        ("value twice = pott * 2", "Replace by `pot`", "value twice = pot * 2"),
        ("value twice = (pot * 2", "Add `)`", "value twice = (pot * 2)"),
    ],
)
def test_corrections_do_what_the_help_says(written: str, title: str, left: str) -> None:
    space = workspace("pig")
    space.edit("pig.rules", files_of("pig")["pig.rules"].decode() + f"\n{written}\n")
    finding = next(each for each in space.snapshot().findings if each.help)
    (correction,) = corrections(finding)
    assert correction.title == title
    edit = correction.edit
    text = edit.span.source.text
    assert (text[: edit.span.start] + edit.text + text[edit.span.end :]).endswith(f"{left}\n")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("do: [throw_or_hold, wipe]", "\nprocedure wipe\n    nothing\n"),
        ("do: [{may do: [wipe]}]", "\naction wipe\n    nothing\n"),
        ("do: [{if: wiped, do: [throw_or_hold]}]", "\nvalue wiped = false\n"),
        ("do: [throw_or_hold, throw]", None),
    ],
)
def test_what_the_flow_misses_can_be_defined(asked: str, text: str | None) -> None:
    space = workspace("pig")
    space.snapshot()
    game = files_of("pig")["game.yaml"].decode()
    space.edit("game.yaml", game.replace("do: [throw_or_hold]", asked))
    found = space.snapshot()
    made = [made for each in found.findings if (made := definition(found, each)) is not None]
    assert [each.edit.text for each in made] == ([text] if text is not None else [])
    for each in made:
        space.edit("pig.rules", each.edit.span.source.text + each.edit.text)
        assert not [other for other in space.snapshot().findings if "define it" in other.help]
