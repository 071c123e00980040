"""Single sentences and marks of the generated rulebook, each with a ruleset that is just large enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.load import load
from rulewright.library import folder
from rulewright.rulebook.markdown import markdown
from tests.games import rules_of
from tests.rulebook.test_prose import book

GAME = """\
game: hamlet
seats: 2..3
clauses: rulebook.yaml
labels: labels/en.yaml
rules: [hamlet.rules]
types: {hue: [red, blue], edge: 1..3}
components:
  card: {table: cards.csv, columns: {age: 0..9, entry: hue or none, boxes: hue or none}}
zones:
  pile: {holds: card, seen_by: all, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
  shelf: {holds: card, at: seat, size: 1, seen_by: all}
  niche: {holds: card, at: edge, size: 1, seen_by: all}
counters:
  coins: {of: seat, range: 0..9, start: 2}
  votes: {at: seat, range: 0..9}
  wear: {at: edge, range: 0..9}
marks:
  been_busy: {of: seat}
  had_luck: {of: seat}
pointers:
  guest: {of: seat, to: seat}
  trump: {to: hue}
flow: {play: {seat: rotates, do: [act], then: final}, final: {score: highest}}
"""
CLAUSES = "rulebook: {title: Hamlet, publisher: Nobody}\nclauses:\n" + "\n".join(
    f"  §{n}: {{heading: Clause {n}, kind: rule, says: something}}" for n in range(1, 6)
)
CARDS = "card,age,entry,boxes\nnero,1,red,\nofla,2,,blue\n"
REST = "procedure act\n    nothing\n"


@pytest.fixture
def page(tmp_path: Path) -> Callable[..., str]:
    """Writes the rulebook of the hamlet with these rules and labels."""

    def write(rules: str, labels: str = "") -> str:
        (tmp_path / "labels").mkdir()
        files = {"game.yaml": GAME, "rulebook.yaml": CLAUSES, "cards.csv": CARDS}
        files |= {"hamlet.rules": rules, "labels/en.yaml": labels or "hue: hue\n"}
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return markdown(book(load(folder(tmp_path, "hamlet"))[0]))

    return write


def line_with(text: str, words: str) -> str:
    """The only line that has these words."""
    (found,) = [line for line in text.splitlines() if words in line]
    return found


# ---- clauses


def test_else_if_cites_its_clause_and_that_of_its_step(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    if coins of me > 5                          §1\n"
        "        lose 1 coins                            §2\n"
        "    else if coins of me > 3                     §3\n"
        "        gain 1 coins                            §4\n"
    )
    found = line_with(text, "Otherwise, if you have")
    assert "gain 1 coin" in found
    assert "§3" in found
    assert "§4" in found


def test_a_promise_cites_the_values_that_it_spells_out(page: Callable[..., str]) -> None:
    text = page(
        REST + "value in_all = sum(coins of seat for seat)           §2\n"
        "always in_all < 28                                  §1\n"
    )
    found = line_with(text, "The total coins of all players are less than 28")
    assert "§1" in found
    assert "§2" in found


# ---- articles and plurals


def test_a_missing_column_has_the_article_of_its_noun(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    for card in pile where card.entry exists\n"
        "        gain 1 coins\n"
        "    for card in pile where card.boxes exists\n"
        "        gain 2 coins\n"
    )
    assert "that has an entry" in text
    assert "that has boxes" in text


def test_different_values_are_counted_in_the_plural(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    if distinct(card.age for card in pile) > 1\n        gain 1 coins\n",
        "card.age: entry in the register\n",
    )
    assert "have at least 2 different entries in the register" in text


# ---- clauses about a thing


def test_a_mark_whose_label_begins_with_been_is_in_the_perfect(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    set been_busy of me\n"
        "    for seat where not been_busy of seat or bonus(seat) > 1\n"
        "        clear had_luck of seat\n"
        "value bonus(seat) = coins of seat + 1\n"
        "score luck = count(seat where had_luck of seat)\n",
        'phrases: {bonus: "the bonus of {seat\'s} office"}\n',
    )
    assert "you have been busy" in text
    assert "each player who has not been busy or for whom the bonus" in text
    assert "1 for each player who has had luck" in text


# ---- the word for a player

KNIGHTS = """\
procedure act
    each seat together
        gain 1 coins
    each opponent in turn where coins of active > 2
        lose 1 coins
    for seat where guest of seat is me
        votes at seat += seats_playing
    if seats_playing > 2
        guest of me = none
    move all from hand of seats to pile
score luck = count(seat where coins of seat > coins of me)
tiebreak age = votes at me
"""


def test_a_game_has_its_own_word_for_a_player_everywhere(page: Callable[..., str]) -> None:
    text = page(KNIGHTS, "seat: knight\n")
    assert "player" not in text
    assert "For 2 to 3 knights." in text


# ---- orders, pointers and places


def test_what_is_first_in_its_own_order_is_said_so(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    gain highest(number in 1..3 where number is not coins of me by number) coins\n"
        "    let worn = lowest(edge where wear at edge > 1 by edge)\n"
        "    if worn exists\n"
        "        wear at worn = 0\n"
    )
    assert "the first edge where the wear is more than 1" in text
    assert "the highest number from 1 to 3 that is not your coins" in text


def test_a_loop_names_the_order_with_its_article(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    for card in pile by card.age\n        gain 1 coins\n"
        "    for seat by -coins of seat\n        gain 2 coins\n"
    )
    assert "in the order of the age (lowest first)" in text
    assert "in the order of the number of coins (highest first)" in text


def test_what_is_done_once_is_not_repeated(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    earn(1)\n"
        "procedure earn(number: 1..2)\n    repeat number times    §1\n        gain 1 coins       §2\n"
    )
    found = line_with(text, "Gain 1 coin.")
    assert "§1" in found
    assert "§2" in found


def test_a_pointer_that_is_unset_has_an_indefinite_article(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    if trump is none\n"
        "        trump = red\n"
        "    else if coins of me > 3 and trump exists\n"
        "        trump = none\n"
    )
    assert "If there is no trump" in text
    assert "and there is a trump" in text
    assert "from now on there is no trump" in text


def test_a_modifier_that_adds_a_number_says_how_many_more(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    gain wages coins\nvalue wages = 2\nmodify wages by 3 while coins of active < 3\n",
    )
    assert "are 2, and 5 as long as" in text


def test_a_modifier_of_a_computed_number_says_how_many_more(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    gain wages coins\nvalue wages = coins of active\n"
        "modify wages by 3 while coins of active < 3\n",
    )
    assert "* 3 more, as long as" in text


def test_a_piece_is_put_as_the_only_one_of_its_place(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    for card in pile where card.age is 1\n        move card to niche at 2\n",
        "niche: exhibit cards\n",
    )
    assert "put the card as the exhibit card at edge 2" in text


def test_a_piece_becomes_the_only_one_of_a_place_that_is_called_after_it() -> None:
    assert "The card becomes the shown card." in markdown(book(rules_of("henhouse")))


def test_what_lies_at_a_place_of_its_own_sort_is_not_said_to_be_of_it() -> None:
    assert "Put 7 cards from the supply at penny into the player’s deck." in markdown(
        book(rules_of("turnpike"))
    )


def test_what_the_author_asks_of_pieces_is_said(page: Callable[..., str]) -> None:
    """Also if it is what the place is: nothing else says that only such pieces lie there."""
    text = page(
        "procedure act\n    move 1 from those(card in niche at 2 where card.age is 2) to pile\n",
        "niche: exhibits\n",
    )
    assert "at edge 2 whose age is 2" in text


def test_a_numbered_place_in_a_relative_clause_is_it(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    if any(number in 2..3 where wear at number > 4)\n        gain 1 coins\n"
        "score luck = sum(wear at edge for edge)\n"
    )
    assert "edge it" not in text


def test_the_phrase_of_a_product_is_none_of_the_column_of_that_name(tmp_path: Path) -> None:
    game = GAME.replace("edge: 1..3}", "edge: 1..3, face: {product: [hue, edge]}}")
    game = game.replace("zones:\n", "  gem: {kinds: face, count: 2}\nzones:\n")
    game = game.replace("zones:\n", "zones:\n  mine: {holds: gem, at: face, seen_by: all, start: all}\n")
    game = game.replace("zones:\n", "zones:\n  heap: {holds: gem, seen_by: all}\n")
    files = {"game.yaml": game, "rulebook.yaml": CLAUSES, "cards.csv": CARDS}
    files["labels/en.yaml"] = 'phrases: {face: "{hue} {edge}"}\n'
    files["hamlet.rules"] = "procedure act\n    move 1 from mine at ((red, 2)) to heap\n"
    (tmp_path / "labels").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert "gem" in markdown(book(load(folder(tmp_path, "hamlet"))[0]))


def test_the_phrase_of_a_table_is_none_of_the_column_of_that_name(tmp_path: Path) -> None:
    tables = "tables: {age: {over: hue, gives: 0..9, rows: [3, 4]}}\nflow:"
    files = {"game.yaml": GAME.replace("flow:", tables), "rulebook.yaml": CLAUSES, "cards.csv": CARDS}
    files["labels/en.yaml"] = 'phrases: {age: "the age of {hue}"}\n'
    files["hamlet.rules"] = (
        "procedure act\n    gain sum(card.age for card in hand of me) coins\n    gain age(red) coins\n"
    )
    (tmp_path / "labels").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    text = markdown(book(load(folder(tmp_path, "hamlet"))[0]))
    assert "the age of red" in text
    assert "the age of it" not in text


# ---- collections with a phrase


def test_a_phrase_says_a_collection_with_its_arguments(page: Callable[..., str]) -> None:
    rules = """
procedure act
    choose card from old_ones(me) if any
        move card to hand of me
    if size(old_ones(next(me))) > 1
        move all from old_ones(me) to pile
value old_ones(seat) = those(card in hand of seat where card.age > 4)
"""
    text = page(rules, 'phrases: {old_ones: "the old cards of {seat\'s} hand"}\n')
    assert "one of the old cards of your hand" in line_with(text, "hoose")
    assert "If there are at least 2 among the old cards of" in text
    assert "put all the old cards of your hand on the pile" in text
    assert "The old cards of a player’s hand are the cards in the player’s hand" in text
    assert "# Old cards of a player’s hand" in text


# ---- how often


def test_a_bound_stands_in_place_of_as_often_as_you_like(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n"
        "    may keep choosing card from pile, at most 1 times\n"
        "        gain 1 coins\n"
        "    may keep doing rest, at most 2 times\n"
        "    may keep doing rest\n"
        "action rest\n"
        "    gain 1 coins\n"
    )
    assert "You may choose a card from the pile, at most once." in text
    assert "At most twice, you may carry out" in text
    assert "As often as you like, you may carry out" in text


def test_a_plural_alone_has_a_singular(page: Callable[..., str]) -> None:
    text = page("procedure act\n    gain 1 coins\n    gain 2 coins\n", "nouns: {coins: goods}\n")
    assert "Gain 1 good." in text
    assert "Gain 2 goods." in text


def test_a_participle_is_no_noun(page: Callable[..., str]) -> None:
    moved = "    gain 1 coins\n    if found exists\n        move found to hand of me\n"
    said = page("procedure act\n    let found = first(card in pile)\n" + moved)
    assert "The found card is the first card" in said
    assert "such a found card" in said


def test_a_noun_leaves_the_seat_out_to_which_it_belongs(page: Callable[..., str]) -> None:
    rules = "procedure act\n    guest of me = me\n    move all from hand of me to pile\n"
    text = page(rules, 'nouns:\n  guest: "{seat\'s} guest"\n  hand: "{seat\'s} fan"\n')
    assert "You become your guest." in text
    assert "your fan" in text
    assert "{seat" not in text


def test_arguments_with_their_names_are_set_apart_alike(page: Callable[..., str]) -> None:
    rules = REST.replace("nothing", "pay_out(A, 2)\n    pay_out(B, 1)")
    rules += "procedure pay_out(seat, number: 0..3)\n    seat gains number coins\n"
    text = page(rules)
    assert "(player: the first player; number: 2)" in text or "(the first player; number: 2)" in text


def test_what_is_added_only_sometimes_is_said_as_a_condition(page: Callable[..., str]) -> None:
    rules = (
        "procedure act\n    coins of me += (1 if guest of me is none)\n    gain (2 if trump is red) coins\n"
    )
    text = page(rules)
    assert "If nobody is your guest, add 1 to your coins." in text
    assert "If the trump is red, gain 2 coins." in text


# ---- as people count


def test_a_score_says_what_each_thing_adds(page: Callable[..., str]) -> None:
    text = page(
        "procedure act\n    nothing\nscore held = size(hand of me)\n"
        "score old = sum(card.age * card.age for card in pile where card.age > 1)\n"
    )
    assert "**Held**: 1 for each card in your hand." in text
    assert line_with(text, "**Old**").endswith("its age times its age.")
    assert line_with(text, "**Old**").startswith("* **Old**: for each ")


def test_half_of_one_more_is_rounded_up(page: Callable[..., str]) -> None:
    text = page("procedure act\n    gain (coins of me + 1) div 2 coins\n")
    assert "half of your coins, rounded up" in text


def test_a_loop_of_one_short_sentence_is_one_sentence(page: Callable[..., str]) -> None:
    text = page("procedure act\n    for edge\n        wear at edge = 0\n")
    assert "Set the wear at each edge to 0." in text


def test_a_loop_of_a_longer_step_stays_one(page: Callable[..., str]) -> None:
    """In `twice for each edge` another word order would say something else."""
    text = page(
        "procedure act\n    for edge\n        repeat 2 times\n"
        "            choose card from pile\n            move card to niche at edge\n"
    )
    assert "For each edge" in text


def test_a_definition_that_only_repeats_a_name_is_left_out(page: Callable[..., str]) -> None:
    rules = (
        "procedure act\n    gain reds(red) coins                §1\n"
        "value reds(hue) = count(card in hand of me where card.entry is hue)   §2\n"
    )
    text = page(rules, 'phrases: {reds: "the number of cards in your hand whose entry is {hue}"}\n')
    assert "word-reds" not in text
    assert "§2" in text.split("Index of clauses")[0]
