"""A game that is made up to show all that a look can say."""

from __future__ import annotations

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from tests.layout.made_up import looked, rules_of

SQUARE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="8" height="8">
<path d="M1 1h6v6z"/></svg>"""
GAME = """types:
  stone: [ruby, opal]
boards:
  field: {grid: [3, 3]}
components:
  card: {table: cards.csv, columns: {cost: 1..9}}
  gem: {kinds: stone, count: 1}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: all}
  bowl: {holds: gem, seen_by: all, start: all}
counters:
  seeds: {at: field, range: 0..20, start: 12}
  gold: {of: seat, range: 0..9}
pointers:
  pawn: {of: seat, to: field}
flow:
  set_up:
    do: [deal]
    then: turn
  turn:
    seat: rotates
    do: [{do one of: [sow]}]
    then: turn
  final: {score: none}
"""
RULES = """procedure deal
    each seat in turn
        move 2 from deck to hand of me

action sow(field where seeds at field > 0)
    seeds at field -= 1
"""
LOOK = """boards:
  field: {picture: map.svg, colours: cream}
zones:
  bowl: {icon: map.svg}
counters:
  seeds: {as: heap}
  gold: {as: track, icon: map.svg}
pieces:
  card: {shape: card, face: {middle: "{label}", corner: "{cost}"}, icons: {knight: map.svg, baker: map.svg}}
  gem: {icons: {ruby: map.svg}}
"""
CARDS = "card,cost\nknight,3\nbaker,2\nknave,1\nking,5\nqueen,4\nmonk,6\n"


def pictured(areas: str = "") -> Game:
    """With a backdrop, pictures as icons, and heaps. `areas`: their order, as in a look."""
    look = LOOK + (f"areas: [{areas}]\n" if areas else "")
    rules = looked(GAME, look, demo_rules=RULES, cards_csv=CARDS, map_svg=SQUARE)
    return Game(rules, compile_rules(rules, None, {}))


TRICKS = """game: demo
seats: 4
rules: [demo.rules]
look: look.yaml
teams: {axis: [A, C], allies: [B, D]}
components:
  card: {table: cards.csv, columns: {suit: suit, rank: rank}}
types:
  suit: [diamonds, spades]
  rank: [queen, king, knave, ten]
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  trick: {holds: card, of: seat, size: 1, seen_by: all}
  won: {holds: card, of: team, seen_by: all}
counters:
  tricks: {of: seat, range: 0..9}
  points: {of: team, range: 0..9, start: 2}
marks:
  passed: {of: seat}
pointers:
  asked: {of: seat, to: suit}
flow:
  set_up: {do: [deal], then: trick}
  trick: {do: [play_trick], then: {hand is empty: final, otherwise: trick}}
  final: {score: none}
"""
TRICK_RULES = """procedure deal
    each seat in turn
        move 2 from deck to hand of me
        set passed of me
        asked of me = spades
        tricks of me = 3

procedure play_trick
    each seat in turn
        do play
    for seat
        move all from trick of seat to deck

action play(card from hand of me)
    move card to trick of me
"""
TRICK_LOOK = """zones:
  deck: hidden
  trick: {area: AREA}
counters:
  tricks: {area: AREA}
marks:
  passed: {area: AREA}
pointers:
  asked: {area: AREA}
pieces:
  card: {shape: card, face: FACE}
"""
ALL_CARDS = "card,suit,rank\n" + "".join(
    f"{rank}_of_{suit},{suit},{rank}\n"
    for suit in ("diamonds", "spades")
    for rank in ("queen", "king", "knave", "ten")
)


def tricks(area: str = "shared", face: str = '{corner: "{rank}", middle: "{suit}"}') -> Game:
    """Partners, whose cards and values of a trick lie in an area."""
    look = TRICK_LOOK.replace("AREA", area).replace("FACE", face)
    rules = rules_of("", game_yaml=TRICKS, look_yaml=look, demo_rules=TRICK_RULES, cards_csv=ALL_CARDS)
    return Game(rules, compile_rules(rules, 4, {}))
