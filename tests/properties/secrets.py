"""A small game with every kind of secret, and the ways in which it can be made to tell them."""

from __future__ import annotations

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game

YAML = """
game: secrets
seats: 2..3
rules: [secrets.rules]
longest: 400
boards:
  spot: {line: 3}
types:
  mark: [sun, moon, star, rain]
components:
  card: {table: cards.csv, columns: {cost: 0..9, copies: 1..4}, copies: copies}
  token: {kinds: mark, count: 3}
  die: {die: 1..6, of: seat, count: 2}
  pip: {die: 1..6, of: seat, count: 1}
  cube: {count: 60}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all, when_empty: {refill: discard}}
  discard: {holds: card, seen_by: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  gift: {holds: card, of: seat, seen_by: owner, counted_by: all}
  stash: {holds: card, of: seat, seen_by: nobody}
  cellar: {holds: card, seen_by: nobody}
  trap: {holds: card, of: seat, at: spot, size: 1, seen_by: owner, counted_by: all}
  pile: {holds: token, order: pile, seen_by: count, start: all}
  heap: {holds: token, order: stack, seen_by: top}
  rack: {holds: token, of: seat, seen_by: owner, counted_by: all}
  cup: {holds: die, of: seat, seen_by: owner, counted_by: all, start: all}
  box: {holds: cube, seen_by: all, start: all, shared: first come}
  shelf: {holds: cube, of: spot, seen_by: all, shared: first come}
  tray: {holds: pip, of: seat, seen_by: all, start: all}
  table: {holds: die, of: seat, seen_by: all}
  crown: {holds: token, of: seat, seen_by: others, counted_by: all}
counters:
  coins: {of: seat, range: 0..99, start: 3, at_edge: clamp}
  bid: {of: seat, range: 0..3}
  told: {of: seat, range: 0..99, at_edge: clamp}
  purse: {of: seat, range: 0..9, start: 3, seen_by: owner, at_edge: refuse}
  omen: {range: 0..60, seen_by: nobody, at_edge: clamp}
marks:
  hot: {of: seat}
  sly: {of: seat, at: spot, seen_by: owner, lasts: own turn}
pointers:
  aim: {of: seat, to: mark, seen_by: others}
flow:
  begin: {do: [deal], then: turn}
  turn:
    seat: rotates
    do: [exchange, {may keep doing: ACTIONS, named: acts}]
    then: turn
  last: {score: highest}
"""

CARDS = "card,cost,copies\n" + "".join(f"c{i},{i},{2 + i % 2}\n" for i in range(7))

RULES = """
procedure deal
    shuffle pile
    each seat in turn
        move 3 from deck to hand of me
        roll cup of me

procedure exchange
    if bid of A is 0
        each seat together
            roll tray of me
            choose card from hand of me if any
                move card to gift of me
            roll tray of me
            choose number from 1..3
            bid of me = number
            choose spot
            move 1 from box to shelf of spot
        each seat in turn
            move all from gift of me to hand of next_seat
    else
        for seat
            bid of seat = 0

value next_seat
    A when seats_playing is 2 and me is B
    A when me is C
    C when me is B
    otherwise B

action take
    move 1 from deck to hand of me

action play(card from hand of me)
    needs coins of me >= card.cost
    pay card.cost coins
    move card to discard

action bury(card from hand of me)
    move card to stash of me

action sink
    move all from stash of me to cellar

action raise_all
    move all from cellar to discard

action lay(card from hand of me, spot where trap of me at spot is empty)
    move card to trap of me at spot

action spring(card from trap of me)
    let cost = card.cost
    gain cost coins
    move card to discard

action peek(seat from opponents)
    show hand of seat to me
    choose other from hand of seat if any
        gain 1 coins

action shake
    roll cup of me

action reveal
    move all from cup of me to table of me
    move all from table of me to cup of me

action grasp
    move 1 from pile to rack of me

action back(token from rack of me)
    move token to bottom of pile

when count(card in discard where card.cost > 4) is 3
    for seat
        seat gains 1 coins

action veil
    purse of me = sum(die.face for die in cup of me) mod 5
    omen += purse of me
    choose spot where sly of me at spot is false
    set sly of me at spot

action plot
    choose number from 0..9 secretly
    purse of me = number
    may choose spot secretly
        set sly of me at spot

action pry(seat from opponents)
    show purse of seat to me
    if purse of seat > 4
        set sly of me at 1

action boast
    show purse of me to all
    if purse of me > 2
        gain 1 coins

action spend
    needs purse of me > 1
    pay 2 purse

action fetch
    move 1 from pile to crown of me
    aim of me = mark_of(size(crown of me))

value mark_of(number: 0..12)
    sun when number mod 3 is 0
    moon when number mod 3 is 1
    otherwise star

action heap_up
    move 1 from pile to heap

action tuck(token from rack of me)
    move token to bottom of heap

action lift
    let upper = top(heap)
    needs upper exists
    if upper.mark is sun
        gain 1 coins
    draw token from heap to rack of me

action stir
    shuffle heap

score coins = coins of me
score purse = purse of me
score kept = count(card in hand of me where card.cost > 3)
"""

ACTIONS = (
    *("take", "play", "bury", "sink", "raise_all", "lay", "spring"),
    *("peek", "shake", "reveal", "grasp", "back", "veil", "spend", "fetch", "boast", "pry", "plot"),
    *("heap_up", "tuck", "lift", "stir"),
)


def game(more: str = "", seats: int = 2, actions: tuple[str, ...] = (), **changed: str) -> Game:
    """The game with more rules, actions or with lines changed."""
    offered = f"[{', '.join([*actions, *ACTIONS])}]"
    rules = RULES + more
    for old, new in changed.items():
        assert old in rules
        rules = rules.replace(old, new)
    files = {
        "game.yaml": YAML.replace("ACTIONS", offered).encode(),
        "secrets.rules": rules.encode(),
        "cards.csv": CARDS.encode(),
    }
    made, _ = load(Folder("secrets", files.__getitem__))
    return Game(made, compile_rules(made, seats))
