"""Games that are made up, larger than those that come along."""

from __future__ import annotations

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from tests.layout.made_up import land_of_hexagons, rules_of, written

TURN = "  turn:\n    seat: rotates\n    do: [{do one of: [ACTION]}]\n    then: turn\n  final: {score: none}\n"
GO = "boards:\n  cell: {grid: [19, 19]}\npointers:\n  stone: {at: cell, to: seat}\n"
PLACE = "action place(cell where stone at cell is none)\n    stone at cell = me\n"
BUILD = "action build(corner where town at corner is none)\n    town at corner = me\n"
CARDS = """components:
  card: {table: cards.csv, columns: {worth: 1..9}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  laid: {holds: card, seen_by: all}
"""
PLAY = """procedure deal
    each seat in turn
        move 60 from deck to hand of me

action play(card from hand of me)
    move card to laid
"""
ENTER = "action enter(area where army at area is 0)\n    army at area += 1\n"
KINDS = ("Ambassador", "Bridge", "Caravan", "Dromedary", "Embankment", "Fortification")


def _game(text: str, code: str, before: str = "", **files: str) -> Game:
    action = code.split("action ")[1].split("(")[0]
    flow = TURN.replace("ACTION", action)
    rules = rules_of(f"{text}flow:\n{before}{flow}", demo_rules=code, **files)
    return Game(rules, compile_rules(rules, None, {}))


def stones() -> Game:
    """A board of 19 by 19 places."""
    return _game(GO, PLACE)


def land() -> Game:
    """A map of hexagons with corners and roads."""
    rules = land_of_hexagons(flow=f"flow:\n{TURN.replace('ACTION', 'build')}", code=BUILD)
    return Game(rules, compile_rules(rules, None, {}))


def cards() -> Game:
    """A hand of sixty different cards."""
    rows = "".join(f"{KINDS[i % 6].lower()}_{i // 6 + 1},{i % 9 + 1}\n" for i in range(126))
    before = "  set_up:\n    do: [deal]\n    then: turn\n"
    return _game(CARDS, PLAY, before, cards_csv="card,worth\n" + rows)


def areas() -> Game:
    """A map of 126 places, with ways between neighbours."""
    names = [f"area_{i}" for i in range(126)]
    links = {
        name: [names[n] for n in (i + 1, i + 14) if n < 126 and (n == i + 14 or n % 14)]
        for i, name in enumerate(names)
    }
    board = f"boards:\n  area: {{graph: [{', '.join(names)}], links: {written(links)}}}\n"
    return _game(f"{board}counters:\n  army: {{at: area, range: 0..9}}\n", ENTER)


LARGE = {"stones": stones, "land": land, "cards": cards, "areas": areas}
