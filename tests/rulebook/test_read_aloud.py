"""Sentences that a player would stumble over: articles, plurals, owners, alternatives, ends, set-up."""

from __future__ import annotations

from dataclasses import replace

from dsl.load import Folder, load
from rulewright.rulebook.book import write_book
from rulewright.rulebook.configured import lexicon_of
from rulewright.rulebook.markdown import markdown
from rulewright.sentences.english import article, is_many, plural, singular
from rulewright.sentences.names import Lexicon
from rulewright.sentences.noun_phrases import Place
from rulewright.sentences.partial_eval import Configuration
from rulewright.sentences.realise import spell
from rulewright.sentences.syntax import YOU, phrase, the
from rulewright.sentences.templates import filled
from tests.games import rules_of

GAME = """\
game: odd
seats: SEATS
rules: [odd.rules]
labels: {en: en.yaml}
types:
  sort: [herb, root]
boards:
  square: {grid: [3, 3]}
components:
  man: {kinds: sort, count: 9}
  stone: {count: 9}
  king: {kinds: sort, count: 1}
zones:
  heap: {holds: stone, seen_by: all, start: all}
  lie: {holds: stone, at: square, size: 1, seen_by: all}
  box: {holds: man, seen_by: all, start: all}
  hand: {holds: man, of: seat, seen_by: all}
  stand: {holds: man, at: square, size: 1, seen_by: all}
  taken: {holds: man, of: seat, seen_by: all}
  gift: {holds: king, start: all, seen_by: all}
  court: {holds: king, of: seat, seen_by: all}
counters:
  debt: {of: seat, range: 0..9}
  moves: {range: 0..99}
  turns_left: {range: 0..9}
pointers:
  head: {to: seat}
marks:
  out: {of: seat}
flow:
  set_up: {do: [line_up], then: turn}
  turn: {seat: rotates, do: [{do one of: [trade, wait]}], then: {moves > 9: final, otherwise: turn}}
  final: {score: highest}
"""
LABELS = """\
head: the head
moves: moves without a gift
quiet: nothing happens
LABELSnouns:
  men: men of wood
  run: squares up to the wall
phrases:
  stands: "a man of {seat} stands on {square}"
  gifts: "the gifts of {seat}"
"""
WAIT = """\
action wait
    nothing
score debts = debt of me
value gifts(seat) = debt of seat + count(square where stand at square is none) + moves
value stands(seat, square) = stand at square exists and not out of seat
"""
SET_UP = "procedure line_up\n    moves = 0\n"


def told(rules: str, seats: str = "2", labels: str = "") -> str:
    """The rulebook of the game with some rules; actions that they leave out do nothing."""
    rules += "" if "procedure line_up" in rules else SET_UP
    rules += "" if "action trade" in rules else "action trade\n    nothing\n"
    files = {
        "game.yaml": GAME.replace("SEATS", seats),
        "odd.rules": rules + WAIT,
        "en.yaml": LABELS.replace("LABELS", labels),
    }
    found, _ = load(Folder("odd", lambda name: files[name].encode()))
    words = Lexicon(found, found.labels, found.helps, found.nouns, found.phrases)
    return markdown(write_book(words, Configuration(found, None, {})))


def trade(line: str, more: str = "", seats: str = "2") -> str:
    return told(f"{more}action trade\n    {line}\n", seats)


# ---- articles and plurals


def test_a_label_with_its_article_gets_no_second_one() -> None:
    said = trade("needs head exists\n    head = me")
    assert "the the" not in said
    assert "a the" not in said
    assert "Then you become the head." in said


def test_what_follows_a_noun_is_not_inflected() -> None:
    assert plural("square ahead") == "squares ahead"
    assert singular("squares up to the wall") == "square up to the wall"
    assert is_many("moves without a gift")
    assert is_many("quarters left")
    assert article("n") == "n"


def test_a_collection_may_be_named_by_a_plural() -> None:
    run = "value run(square) = those(x in neighbours(square) where stand at x is none)\n"
    said = told(f"{run}action trade(square, there from run(square))\n    gain 1 debt\n")
    assert "### Squares up to the wall" in said
    assert "a square up to the wall of the square" in said
    assert "a squares" not in said


def test_an_action_with_an_article_at_the_end_of_its_label() -> None:
    said = told("action trade(square)\n    gain 1 debt\n", labels="trade: trade on the\n")
    assert "Trade on a square." in said


# ---- owners


def test_what_is_yours_is_not_of_you() -> None:
    said = trade("needs gifts(me) > 3\n    gain 1 debt")
    assert "Only if your gifts are more than 3" in said
    said = told("action trade(square where not stands(me, square))\n    gain 1 debt\n")
    assert "where a man of yours does not stand" in said


def test_what_some_player_has_is_not_what_all_players_have() -> None:
    assert "Only if one of all players’ taken men is a herb" in trade(
        "needs any(man in taken where man is herb)"
    )
    assert "Only if a player has a taken man" in trade("needs taken is not empty")
    assert "Only if no player has a taken man" in trade("needs taken is empty")
    assert "Only if not all players’ hands are empty" in trade("needs hand is not empty")
    assert "Only if all players’ hands are empty" in trade("needs hand is empty")
    assert "Only if all players together have at least 3 taken men" in trade("needs size(taken) > 2")


def test_what_is_done_with_pieces_names_them() -> None:
    assert "put all your taken men into your hand" in trade("move all from taken of me to hand of me").lower()


def test_a_place_of_an_owner_of_many_words() -> None:
    said = trade("move all from hand of next(next(me)) to hand of me", seats="3")
    assert "the hand of the second player after you" in said


def test_the_only_piece_of_its_kind_is_the_piece() -> None:
    assert "is the herb" in trade("needs any(king in gift where king is herb)")
    assert "is a herb" in trade("needs any(man in box where man is herb)")


# ---- numbers


def test_even_and_odd_numbers() -> None:
    assert "Only if the moves without a gift are even" in trade("needs moves mod 2 is 0\n    gain 1 debt")
    assert "Only if the moves without a gift are odd" in trade("needs moves mod 2 is 1\n    gain 1 debt")
    said = trade("needs moves mod 3 is 1\n    gain 1 debt")
    assert "(the remainder when the moves without a gift are divided by 3) is 1" in said


def test_what_is_subtracted_is_in_brackets_if_it_is_a_sum() -> None:
    said = trade("needs 20 - (moves - turns_left) > 3\n    gain 1 debt")
    assert "20 minus (the moves without a gift minus the turns left)" in said


def test_half_of_something_has_its_brackets_once() -> None:
    said = trade("needs moves + 3 * (turns_left div 2) > 3\n    gain 1 debt")
    assert "3 times (half of the turns left, rounded down)" in said


# ---- long values and alternatives


def test_a_value_that_would_be_long_has_a_definition_of_its_own() -> None:
    near = "value near(square) = count(x in neighbours(square) where stand at x exists and not out of me)\n"
    best = "value busy(square) = near(square) > count(x in square where stand at x exists) - turns_left\n"
    said = told(f"{near}{best}action trade(square where busy(square))\n    gain 1 debt\n")
    assert "“Busy” holds for a square if " in said
    assert "Choose a square for which “busy” holds." in said


def test_what_is_preferred_is_said_as_a_preference() -> None:
    line = (
        "let x = highest(man in hand of me by (1 if man is herb else 0))\n    needs x exists\n    gain 1 debt"
    )
    assert "if possible a man that is a herb" in trade(line)


def test_cases_of_a_collection_are_listed() -> None:
    men = (
        "value men(square) = neighbours(square) if moves > 3 else those(x in square where stand at x exists) "
        "if moves > 2 else those(x in square where x.row is 1)\n"
    )
    said = told(f"{men}action trade(square, there from men(square))\n    gain 1 debt\n")
    assert "as the first line that fits says:" in said
    assert "* If the moves without a gift are more than 3: the squares next to the square." in said
    assert "(otherwise)" not in said


def test_arguments_that_are_long_are_well_apart() -> None:
    give = "procedure give(seat, number: 0..9)\n    debt of seat = number\n"
    line = "give(me, 3 if out of me else 1)\n    give(me, 2)"
    assert "(player: you; number: 3 if you are out, otherwise 1)" in trade(line, give)


# ---- ends and set-up


def test_ends_are_called_by_their_names_once() -> None:
    said = trade("if moves > 3\n        end game as quiet\n    if moves > 4\n        end game as quiet")
    assert said.partition("## The end")[2].count("The game may end in the course of") == 1
    assert "in the course of “[Trade](#do-trade)”: “nothing happens”." in said


def test_the_set_up_tells_where_pieces_stand() -> None:
    set_up = (
        "procedure line_up\n    for square where square.row is 1\n        move 1 from heap to lie at square\n"
    )
    said = told(set_up)
    assert "| Stone | a1, b1, c1 |" in said
    assert "Once all is set up, this stands on the board:" in said


def test_the_set_up_is_told_for_each_number_of_players() -> None:
    set_up = (
        "procedure line_up\n    each seat in turn\n        head = me\n    move 1 from heap to lie at a1\n"
    )
    said = told(set_up, "2..3")
    assert "|  | 2 players | 3 players |" in said
    assert "| Stone | a1 | a1 |" in said


def test_of_many_numbers_of_players_nothing_is_told() -> None:
    set_up = "procedure line_up\n    move 1 from heap to lie at a1\n"
    assert "Once all is set up" in told(set_up, "2..7")
    assert "Once all is set up" not in told(set_up, "2..8")


def test_of_a_set_up_by_chance_nothing_is_foretold() -> None:
    set_up = "procedure line_up\n    chance chooses square\n    move 1 from heap to lie at square\n"
    assert "Once all is set up" not in told(set_up)


def test_of_a_set_up_with_choices_nothing_is_foretold() -> None:
    set_up = "procedure line_up\n    choose square\n    move 1 from heap to lie at square\n"
    assert "Once all is set up" not in told(set_up)


# ---- names of another language


def test_names_of_another_language_are_not_inflected() -> None:
    files = {
        "game.yaml": GAME.replace("SEATS", "2"),
        "odd.rules": SET_UP + "action trade(square)\n    gain 1 debt\n" + WAIT,
        "en.yaml": LABELS.replace("LABELS", ""),
    }
    found, _ = load(Folder("odd", lambda name: files[name].encode()))
    names = {**found.labels, "square": "építési mező", "man": "bábu", "debt": "tartozás"}
    words = Lexicon(found, names, found.helps, found.nouns, found.phrases, "de")
    said = markdown(write_book(words, Configuration(found, None, {})))
    assert "Choose an építési mező." in said
    assert "Put ready: " in said
    assert "bábu (box)" in said
    assert "Then gain 1 tartozás." in said
    assert "bábus" not in said


def test_what_a_language_lacks_keeps_its_words() -> None:
    rules = rules_of("trajan")
    told = rules.translations["hu"]
    phrases = {name: text for name, text in told.phrases.items() if name != "may_build"}
    lacking = replace(rules, translations={"hu": replace(told, phrases=phrases)}).in_language("hu")
    assert lacking.phrases["may_build"] == rules.phrases["may_build"]
    words = lexicon_of("trajan", rules, "hu")
    assert words.noun("tray").one == "tálca"


def test_what_is_added_to_itself_is_doubled() -> None:
    book = told("action trade\n    debt of me += debt of me\n")
    assert "ouble your debt." in book
    assert "dd your debt to your debt" not in book


def test_a_place_without_words_is_left_out() -> None:
    assert Place("in", phrase("")).at() == ""
    assert spell(Place("in", the("box")).at()) == "in the box"


def test_an_article_of_a_template_gives_way_to_that_of_what_fills_it() -> None:
    row = "the row to the {way}"
    assert spell(filled(row, {"way": the("back row")})) == "the row to the back row"
    assert spell(filled(row, {"way": phrase("a direction")})) == "the row to a direction"
    assert spell(filled(row, {"way": phrase("north")})) == "the row to the north"


def test_the_object_of_a_preposition_is_no_subject() -> None:
    assert spell(filled("what a win against {loser} is worth", {"loser": YOU})) == (
        "what a win against you is worth"
    )
