"""Who may see what by the declarations, as checks know it: they must know the same as the referee's views."""

from __future__ import annotations

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.sights import SPECTATOR
from tests.wasm.lockstep import small_rules
from validators.secrecy.visibility import Visibility

YAML = """
types: {sort: [red, blue]}
components: {chip: {kinds: sort, count: 6}}
zones:
  deck: {holds: chip, order: shuffled, seen_by: count, start: all}
  hand: {holds: chip, of: seat, seen_by: owner}
  heap: {holds: chip, of: seat, seen_by: nobody, counted_by: all}
  table: {holds: chip, seen_by: all}
counters:
  purse: {of: seat, range: 0..9, start: 4, seen_by: owner}
  pot: {range: 0..9, start: 3, seen_by: nobody}
  rounds: {range: 0..99}
"""
RULES = """
action look(seat)
    show hand of seat to me
    show heap of me to seat
    show purse of seat to me

action tell
    show hand of me to all
    show purse of me to all
    show pot to me

action earn
    if purse of me < 9
        gain 1 purse
    if deck is not empty
        draw chip from deck to hand of me

action lay
    move all from hand of me to heap of me
    if pot < 9
        pot += 1
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [look, tell, earn, lay]}], then: turn}
  fin: {score: highest}
"""


def test_declarations_and_views_agree_on_what_is_shown() -> None:
    rules = small_rules(YAML, RULES, FLOW, "game: small\nseats: 3\nrules: [small.rules]\n")
    game = Game(rules, compile_rules(rules))
    known, views, machine = Visibility(game), game.views, game.machine
    match = Match(game, seed=1).start()
    told = 0
    for number in range(40):
        (decision,) = match.decisions()
        match.choose(decision.seat, decision.choices[number * 5 % len(decision.choices)].text)
        state = match.state
        for viewer in (SPECTATOR, 0, 1, 2):
            for place in range(len(machine.places)):
                assert known.sees(state, place, viewer) == views.sees(state, place, viewer)
                assert known.counts(state, place, viewer) == views.counts(state, place, viewer)
            for words in machine.variables.values():
                for offset in range(words.size):
                    reads = known.reads(state, words, offset, viewer)
                    assert reads == views.reads(state, words.base + offset, viewer)
                    told += reads
    assert told > 0
