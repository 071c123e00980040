"""Statements told by the summaries of their clauses, scratch state by what it gives, and shorter forms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.load import load
from rulewright.library import folder
from rulewright.rulebook.markdown import markdown
from tests.conftest import Golden
from tests.rulebook.test_prose import book

HERE = Path(__file__).parent

GAME = """\
game: barn
seats: 2
clauses: rulebook.yaml
labels: labels/en.yaml
rules: [barn.rules]
options: {rich: {default: false}}
types: {hue: [red, blue]}
components: {card: {table: cards.csv, columns: {colour: hue, price: 0..9}}}
zones:
  pile: {holds: card, seen_by: all, start: all}
  hand: {holds: card, of: seat, seen_by: all}
  niche: {holds: card, of: seat, size: 1, seen_by: all}
counters:
  coins: {of: seat, range: 0..99}
  clock: {range: 0..11}
flow: {play: {seat: rotates, do: [act], then: final}, final: {score: highest}}
"""
CARDS = "card,colour,price\nrose,red,3\nbell,blue,2\n"


@pytest.fixture
def act(tmp_path: Path) -> Callable[..., str]:
    """The course of the game of the barn with these statements, a summary of §1, and an option."""

    def write(lines: str, says: str = "", rich: str = "off", more: str = "") -> str:
        (tmp_path / "labels").mkdir(exist_ok=True)
        clauses = "clauses:\n  §1: {heading: The harvest, says: " + f'"{says}"' + "}\n"
        files = {
            "game.yaml": GAME,
            "rulebook.yaml": "rulebook: {title: Barn, publisher: Nobody, language: en}\n" + clauses,
            "labels/en.yaml": "card: card\nclock: clock\ncoins: coins\n",
            "cards.csv": CARDS,
            "barn.rules": f"procedure act{' ' * 50}\n{lines}\nscore coins = coins of me\n{more}",
        }
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        made = markdown(book(load(folder(tmp_path, "barn"))[0], 2, {"rich": rich}))
        return made[made.index("## The phases") : made.index("Where things lie, and who sees them\n")]

    return write


@pytest.mark.parametrize("name", ["scratch", "columns"])
def test_small_games_in_words(name: str, golden: Golden) -> None:
    text = markdown(book(load(folder(HERE / name, name))[0]))
    golden(HERE / name / "expected.md", text)


# ---- summaries


HARVEST = (
    "    for card in pile where card.price > 2    §1\n        gain 4 coins\n        move card to hand of me\n"
)


def test_a_summary_takes_the_place_of_its_statement(act: Callable[..., str]) -> None:
    told = act(HARVEST, "Each card with a price above two goes to the hand and brings four coins.")
    assert "1. **The harvest.** Each card with a price above two goes to the hand" in told
    assert "For each card" not in told


def test_a_summary_says_by_itself_for_what_it_is_done(act: Callable[..., str]) -> None:
    """Alone in loops over things it needs no head, and is told once where two loops follow each other."""
    loop = """\
    for x in pile where x.colour is HUE
        if count(other in pile where other.price > x.price and other.colour is x.colour) > clock     §1
            move x to hand of me
"""
    says = "Cards of the pile that are not among the dearest of their colour go to a hand."
    told = act(loop.replace("HUE", "red") + loop.replace("HUE", "blue"), says)
    assert told.count("Cards of the pile") == 1
    assert "For each" not in told


@pytest.mark.parametrize(
    "says",
    [
        "Each card with a price above two goes to the hand and brings five coins.",
        "Each card with a price above two goes to the hand and brings four points.",
        "Whoever is hungry eats four loaves of bread, and two of the coins are gone.",
        "",
    ],
)
def test_a_summary_that_says_less_is_not_enough(act: Callable[..., str], says: str) -> None:
    """A number, a unit or what a condition is about would be lost."""
    assert "For each card on the pile whose price is more than 2" in act(HARVEST, says)


def test_a_summary_does_not_hold_for_an_option_that_changes_it(act: Callable[..., str]) -> None:
    lines = HARVEST.replace("4", "(4 if not rich else 9)")
    says = "Each card with a price above two goes to the hand and brings four coins."
    assert says in act(lines, says)
    assert says not in act(lines, says, rich="on")


def test_what_is_named_for_later_is_told(act: Callable[..., str]) -> None:
    lines = (
        "    choose card from pile where card.price > 2    §1\n"
        "    gain card.price coins\n"
        "    move card to hand of me\n"
    )
    assert "Choose a card on the pile" in act(lines, "A card above two is chosen.").replace("from", "on")


# ---- shorter forms


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            "    let mine = niche of me\n    if mine exists\n        move mine to pile",
            "If there is a card in your niche (“mine”), put the mine on the pile.",
        ),
        ("    coins of me = 2 * coins of me", "Double your coins."),
        ("    coins of me = coins of me div 2", "Halve your coins, rounded down."),
        ("    clock = (clock + 3) mod 12", "Count the clock on by 3, beginning again at 0 in place of 12."),
        (
            "    if size(hand of me) > size(pile)\n        gain 1 coins",
            "If there are more cards in your hand than cards on the pile, gain 1 coin.",
        ),
        (
            "    for card in pile where any(other in hand of me where other.colour is card.colour)\n"
            "        gain 1 coins",
            "For each card on the pile with the same colour as a card in your hand, gain 1 coin.",
        ),
        (
            "    for hue where hue in those(x in hue where any(card in pile where card.colour is x))\n"
            "        gain 1 coins",
            "one of the hues of the cards on the pile",
        ),
        (
            "    for card in pile where any(other in hand of me\n"
            "            where other.colour is card.colour and other.price is card.price)\n"
            "        gain 1 coins",
            "For each card on the pile for which there is a card in your hand with the same colour and price",
        ),
        (
            "    for card in pile\n        for other in hand of me\n"
            "                where other.colour is card.colour or other.price is card.price\n"
            "            gain 1 coins",
            "with the same colour or price as the card",
        ),
        (
            "    for card in pile where card.colour is red or card.colour is blue\n        gain 1 coins",
            "For each card on the pile whose colour is red or blue, gain 1 coin.",
        ),
        (
            "    clock = 3 if size(hand of me) is 0 else clock + 1",
            "1. If your hand is empty, set the clock to 3.\n2. Otherwise, add 1 to the clock.",
        ),
    ],
)
def test_forms_that_people_say(act: Callable[..., str], lines: str, said: str) -> None:
    assert said in act(f"{lines}\n")


def test_scarce_pieces_are_told_once(act: Callable[..., str]) -> None:
    red = "those(card in pile where card.colour is red)"
    told = act(f"    move up to 2 from {red} to hand of me\n    move up to 1 from {red} to hand of me\n")
    assert told.count("Where there are fewer pieces than are to be moved") == 1
    assert "or as many as there are" not in told
    assert "fewer pieces" not in act(f"    move 1 from {red} to hand of me\n")
