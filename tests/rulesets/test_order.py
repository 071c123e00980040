"""In which order the steps of a rulebook are told at the table, where nobody chooses between them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dsl.load import load_for_questions
from dsl.source import Source
from interpreter.events import Changed, Event, Moved
from interpreter.match import Match
from rulewright.library import find, folder
from validators.scenarios import Theatre, read_scenarios

QUARTER = """
- scenario: the end of a quarter
  given:
    at: turn.end_rounds
    set:
      laps: 1
      shown: [bread, games, religion]
      bowl of B at forum: [blue]
      mat of A: [senate_2]
      grey at same: true
      senate_track at 3: [A, B]
      prizes: [wine_and_fish, yellow_tiles]
  when:
    - A: wine_and_fish
"""
FULFILLED = """
- scenario: a tile that brings a worker
  given:
    at: turn.fulfil
    set:
      target of A: construction
      bowl of A at construction: [yellow, orange]
      bowl of B at forum: [blue]
      plan of A at construction: workers1_yellow_orange
      supply of A: 13
  when:
    - A: call_workers
"""
SPEECH = """
- scenario: a step in the senate
  given:
    at: turn.act_at_target
    set:
      target of A: senate
      senate_track at 4: [A]
      senate_track at 1: [B]
      bowl of B at forum: [blue]
  when:
    - A: speak
"""
HARBOUR = """
- scenario: two ships come home
  given:
    at: round.deliver
    set:
      moored of A at 1: small
      days of A at 1: 1
      hold of A at 1: [food_near]
      moored of A at 2: medium
      days of A at 2: 1
      hold of A at 2: [consumer_mid]
"""
SAILING = """
- scenario: two players set sail, and one has a contract left
  given:
    at: round.set_sail
    set:
      moored of A at 1: large
      hold of A at 1: [food_far]
      hand of A: [food_near]
      moored of B at 1: large
      hold of B at 1: [food_far]
      holder at magister_officiorum: A
      holder at consul: B
      today: [opificies]
      tomorrow: [porta_aurea]
      later_markets: [domus_regia, portus_iulianus, forum_costantinum]
"""
BUILDING = """
- scenario: a public building, and goods sold in a trade building
  given:
    at: round.build_and_trade
    set:
      holder at praefectus_urbi: A
      holder at magister_officiorum: B
      yard of A: [caupona]
      goods of A at food: 2
      gold of A: 90
      today: [opificies]
  when:
    - A: build thermae
    - A: use_trade caupona
"""


def told(game: str, text: str) -> list[str]:
    """What a scenario brings about, each event by the place or the number that it is about."""
    rules, _, questions = load_for_questions(folder(find(game)))
    matches: list[Match] = []
    theatre = Theatre(rules, questions, watch=matches.append)
    result = theatre.run(read_scenarios(Source("order.yaml", text), rules)[0])
    assert result.holds, result.mistake
    return [word for step in matches[0].steps for event in step.events for word in words(matches[0], event)]


def words(match: Match, event: Event) -> Iterator[str]:
    match event:
        case Moved(to=to):
            yield match.game.names.place(to)
        case Changed(name=name, word=word):
            counted = match.game.machine.words[name]
            yield match.game.names.word(counted, word - counted.base)


QUARTER_ORDER = """
    yellow_side of A; grey_side of B; senate_track at 1; box; prizes; market; grey at same; quarter_tiles
"""
SET_UP_ORDER = "supply of B; removed; find at noricum; market; ground at e4; barracks of A"
HARBOUR_ORDER = "days of A at 1; days of A at 2; fame of A; discard; fame of A; discard"
CASES = {
    "quarter": ("trajan", QUARTER, QUARTER_ORDER),
    "set-up": ("trajan", "- scenario: the set-up", SET_UP_ORDER),
    "fulfilled": ("trajan", FULFILLED, "fulfilled; vp of A; camp of A; done_with"),
    "senate": ("trajan", SPEECH, "senate_track at 5; vp of A"),
    "harbour": ("constantinopolis", HARBOUR, HARBOUR_ORDER),
    "sailing": ("constantinopolis", SAILING, "fame of A; fame of B; discard"),
    "buildings": ("constantinopolis", BUILDING, "yard of A; fame of A; used of A at caupona; fame of A"),
}


@pytest.mark.parametrize("case", CASES)
def test_steps_are_told_in_the_order_of_the_rulebook(case: str) -> None:
    game, text, wanted = CASES[case]
    order = [word.strip() for word in wanted.split(";")]
    found = [word for word in told(game, text) if word in order]
    assert [word for i, word in enumerate(found) if i == 0 or word != found[i - 1]] == order
