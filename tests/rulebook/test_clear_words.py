"""Sentences that could be read in two ways, or in none, as small games bring them about."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from rulewright.rulebook.book import write_book
from rulewright.rulebook.html import html
from rulewright.rulebook.markdown import markdown
from rulewright.rulebook.plain import plain
from rulewright.sentences.english import capital
from rulewright.sentences.names import Lexicon
from rulewright.sentences.partial_eval import Configuration

GAME = """\
game: odd
seats: 2
rules: [odd.rules]
labels: {en: en.yaml}
types:
  ware: [wood, stone]
  stamp: [old, new]
boards:
  province: {graph: [rome, gaul, spain, egypt], links: {rome: [gaul, egypt], gaul: [spain]}}
  square: {grid: [4, 4], directions: {leap: {right: [2, 1], left: [2, -1]}, slant: [northeast, southeast]}}
components:
  card: {kinds: ware, count: 4}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  flop: {holds: card, of: seat, size: 1, seen_by: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
counters:
  debt: {of: seat, range: -20000..20000}
  stock: {of: seat, at: ware, range: 0..9}
  level: {at: province, range: 0..9}
  note: {of: seat, range: 0..9}
  tally: {of: seat, range: 0..9}
pointers:
  holder: {at: province, to: seat}
  post: {at: square, to: seat}
marks:
  snap: {at: province}
  out: {of: seat}
flow:
  turn: {seat: rotates, do: [{do one of: [trade, march, leap_on]}], then: {over: final, otherwise: turn}}
  final: {score: SCORE}
"""
LABELS = "ware: wares\nholder: guard\ntally: ''\n"
OTHERS = "\naction {}\n    nothing\n"


def text(rules: str, score: str = "highest", write: object = markdown) -> str:
    """The rulebook of the game with some rules; actions that they leave out do nothing."""
    if "value over" not in rules:
        rules += "value over = any(seat where stock of seat at wood > 8)\n"
    for action in ("trade", "march", "leap_on"):
        rules += "" if f"action {action}" in rules else OTHERS.format(action)
    rules += "" if score == "none" else "score debts = debt of me\n"
    files = {"game.yaml": GAME.replace("SCORE", score), "odd.rules": rules, "en.yaml": LABELS}
    found, _ = load(Folder("odd", lambda name: files[name].encode()))
    words = Lexicon(found, found.labels, found.helps, found.nouns, found.phrases)
    book = write_book(words, Configuration(found, None, {}))
    return html(book) if write is html else markdown(book)


def need(condition: str, more: str = "") -> str:
    """What is said of a single condition."""
    lines = text(f"{more}action trade\n    needs {condition}\n    gain 1 debt\n").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("Only if"))
    if lines[start] != "Only if:":
        return f"* {capital(lines[start].removeprefix('Only if '))}"
    return " / ".join(line for line in lines[start + 1 : start + 5] if line.startswith("* "))


A, B, C = "stock of me at wood > 1", "stock of me at stone > 1", "not out of me"


def test_brackets_make_a_difference() -> None:
    wood, stone = "you have at least 2 stock at wood", "you have at least 2 stock at stone"
    assert need(f"{A} or {B} and {C}") == f"* Either {wood}, or both {stone} and you are not out."
    assert need(f"({A} or {B}) and {C}") == f"* Either {wood} or {stone}. / * You are not out."
    assert need(f"({A} or {B}) and {C} or snap at rome") == (
        f"* Either (either {wood} or {stone}, and you are not out) or rome is snap."
    )
    said = text(f"value over = ({A} or {B}) and {C}\n")
    assert f"If either {wood} or {stone}, and you are not out, the game is over" in said


def test_parameters_of_one_kind_are_told_apart() -> None:
    strong = (
        "value strong(a: province, b: province)\n"
        "    level at a > level at b when snap at a\n    otherwise level at b > 2\n"
    )
    said = text(f"{strong}action march(province)\n    needs strong(province, rome)\n    gain 1 debt\n")
    assert "“Strong” holds for a first province and a second province" in said
    assert "is snap: only if the level on the first province is more than the level on the second" in said


def test_one_of_two_values_is_bracketed_in_a_comparison() -> None:
    said = "* Your stock at wood is at least (3 if you are out, otherwise 1)."
    assert need("stock of me at wood >= (3 if out of me else 1)") == said
    short = "value fewest(seat) = 3 if out of seat else 1\n"
    assert need("stock of me at wood >= fewest(me)", short) == said


def test_two_flags_are_compared() -> None:
    assert need("snap at rome is snap at gaul") == "* Rome is snap exactly if gaul is snap."
    assert need("snap at rome is not snap at gaul") == "* Rome is snap exactly if gaul is not snap."


def test_nothing_is_compared_with_itself() -> None:
    inner = "any(y in neighbours(x) where level at x is level at y)"
    assert "the level on that province is the level on it" in need(f"any(x in province where {inner})")


def test_two_owners_are_compared() -> None:
    inner = "holder at x exists and holder at y exists and holder at x is holder at y"
    said = need(f"any(x in province where any(y in neighbours(x) where {inner}))")
    assert "the owner of the guard on that province is the owner of the guard on it" in said


def test_nothing_stands_on_no_place() -> None:
    free = "all(holder at y is none for y in neighbours(province))"
    said = text(f"action march(province where {free})\n    gain 1 debt\n")
    assert "Choose a province next to which there is no guard on any province." in said


def test_a_plural_label_is_not_made_plural_again() -> None:
    said = text("action trade\n    for ware\n        gain 1 stock at ware\n")
    assert "each ware" in said
    assert "wareses" not in said.lower()


def test_numbers_below_zero() -> None:
    assert "* **Debt**: any number, also below 0." in text("")


def test_directions_have_their_names_and_steps() -> None:
    rules = (
        "action leap_on(square where post at square is none, leap, slant)\n"
        "    needs step(square, leap) exists and step(square, slant) exists\n    post at square = me\n"
    )
    said = text(rules)
    assert (
        "Leap directions: right (2 rows north, 1 column east) and left (2 rows north, 1 column west)." in said
    )
    assert "Slant directions: northeast and southeast." in said
    assert "Choose a leap direction. Choose a slant direction." in said
    assert "There is a next square from the square in the leap direction" in said


def test_all_pieces_are_put_where_several_may_lie() -> None:
    said = text(
        "action trade\n    move all from flop to hand of me\n    move all from flop of me to hand of me\n"
    )
    assert said.count("if there is one") == 1


def test_notes_for_the_players_are_told() -> None:
    said = text("action trade\n    note of me = 3\n    tally of me = 3\n    gain 1 debt\n")
    assert "Set your note to 3." in said
    assert "ally" not in said.replace("finally", "")


def test_who_has_equal_totals_is_said_only_where_they_count() -> None:
    assert "equal totals share" in text("")
    assert "equal totals" not in text("when snap at rome\n    nobody wins\n", "none")


@pytest.mark.parametrize("write", [markdown, html, plain])
def test_no_mark_of_the_writer_is_left(write: object) -> None:
    said = text("when any(province where level at province > 7)\n    end game\n", write=write)
    assert not any("\ue000" <= letter <= "\uf8ff" for letter in said)
