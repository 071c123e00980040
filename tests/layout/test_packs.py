"""Playing cards: which components are packs, and what their cards show."""

from __future__ import annotations

import pytest

from rulewright.layout.compose import scene
from tests.layout.made_up import looked, rules_of

TYPES = """types:
  suit: [moons, suns, stars]
  rank: {values: [two, three, nine, ten, jack, queen, king, ace], order: rising}
  face: {product: [suit, rank]}
"""
PACK = f"""{TYPES}components: {{card: {{kinds: face, count: 1}}}}
zones: {{deck: {{holds: card, order: shuffled, seen_by: count, start: all}}}}
"""


def test_each_of_two_kinds_with_each_other_is_a_pack() -> None:
    face = scene(rules_of(PACK), 2).faces["card"]
    assert face.shape == "card"
    shown = {name: (card.rank, card.suit, card.pips) for name, card in face.cards.items()}
    assert shown["moons_two"] == ("2", "M", 2)
    assert shown["suns_ten"] == ("10", "S", 10)
    assert shown["stars_king"] == ("K", "St", 0)
    assert len({(rank, suit) for rank, suit, _ in shown.values()}) == len(shown) == 24


@pytest.mark.parametrize(
    "columns",
    [
        "[left, moons, 1], [right, suns, 2], [up, stars, 3]",  # not each with each other
        "[left, moons, 1], [right, moons, 2], [up, suns, 1], [down, suns, 2]",  # few
    ],
)
def test_other_tables_are_none(columns: str) -> None:
    rows = "\n".join(row.strip("[] ") for row in columns.split("],"))
    rules = rules_of(
        "types: {suit: [moons, suns, stars]}\n"
        "components: {card: {table: cards.csv, columns: {suit: suit, cost: 1..9}}}\n"
        "zones: {deck: {holds: card, seen_by: all, start: all}}\n",
        cards_csv=f"card,suit,cost\n{rows}\n".replace(", ", ","),
    )
    assert not scene(rules, 2).faces["card"].cards


def test_a_look_names_the_columns_and_the_signs() -> None:
    look = """pieces:
  card:
    pack: [rank, suit]
    by: suit
    colours: "#ffffff"
    ink: {suns: "#b3261e"}
    icons: {moons: "☾", suns: "☀", stars: "★"}
"""
    face = scene(looked(PACK, look), 2).faces["card"]
    assert face.cards["suns_ace"].suit == "☀"
    assert face.ink["suns_ace"] == "#b3261e" != face.ink["moons_ace"]
    assert face.dark == face.colours


def test_a_face_of_its_own_is_no_playing_card() -> None:
    assert not scene(looked(PACK, 'pieces: {card: {face: {middle: "{rank}"}}}\n'), 2).faces["card"].cards
    assert not scene(looked(PACK, "pieces: {card: {shape: disc}}\n"), 2).faces["card"].cards
