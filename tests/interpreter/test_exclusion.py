"""State that plays no part in a configuration is not in its machine."""

from __future__ import annotations

import pytest

from dsl.folder import Folder
from dsl.load import Questions, load_for_questions
from dsl.rules import Rules
from dsl.source import Source
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.position import CannotPlace, Position
from tests.wasm.lockstep import Pair
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import Result, ScenarioRunner

GAME = """
game: ports
seats: 2
rules: [game.rules]
labels: labels.yaml
options: {pirates: {default: false}}
types: {sort: [sloop, galleon]}
components: {raid: {kinds: sort, count: 2}, card: {kinds: sort, count: 3}}
zones:
  raids: {holds: raid, order: shuffled, seen_by: count, start: all}
  spent: {holds: raid, seen_by: all}
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
  cellar: {holds: card, seen_by: all}
counters:
  gold: {of: seat, range: 0..9}
  fear: {of: seat, at: sort, range: 0..9, start: {sloop: 2, galleon: 3}}
  shown: {range: 0..9, start: 4}
  kept: {range: 0..9, start: 4}
pointers: {leader: {to: seat}}
flow:
  turn:
    seat: rotates
    do: [{do one of: [dig, wait]}, {may do: [raid_ports], with: pirates}]
    then: {rich: end, otherwise: turn}
  end: {score: highest}
"""
RULES = """
action dig
    needs deck is not empty
    move 1 from deck to hand of me
    gain 1 gold
action wait
    needs deck is empty
    gain 1 gold
action raid_ports
    needs raids is not empty
    draw raid from raids to spent
    fear of me at raid.sort += 1
    leader = me
    if fear of me at raid.sort > 4
        clear leader
value rich = gold of me > 3
value dread(seat) = sum(fear of seat at sort for sort) if pirates else 0
score riches = gold of me - dread(me)
when pirates and leader exists
    gain 1 gold of leader
"""
LABELS = "kept: ''\n"


def ruleset(rules: str = RULES) -> tuple[Rules, Questions]:
    files = {"game.yaml": GAME.encode(), "game.rules": rules.encode(), "labels.yaml": LABELS.encode()}
    found, _, questions = load_for_questions(Folder("ports", files.__getitem__))
    return found, questions


def run(text: str) -> Result:
    rules, questions = ruleset()
    [scenario] = read_scenarios(Source("scenario", text), rules)
    return ScenarioRunner(rules, questions).run(scenario)


def test_an_option_excludes_its_state() -> None:
    rules, _ = ruleset()
    without, with_ = (compile_rules(rules, 2, {"pirates": on}) for on in ("off", "on"))
    assert without.excluded == {"raids", "spent", "raid", "fear", "leader", "kept"}
    assert with_.excluded == {"kept"}
    assert without.size < with_.size
    assert "raid" not in without.totals
    assert "raids" not in without.streams
    assert compile_rules(rules, 2, {}, whole=True).excluded == frozenset()


def test_what_no_rule_names_stays_for_players_to_see() -> None:
    rules, _ = ruleset()
    view = Match(Game(rules, compile_rules(rules, 2))).start().view(0)
    assert view.counters == {"gold of A": 0, "gold of B": 0, "shown": 4}
    assert "cellar" in view.zones
    assert "raids" not in view.zones
    assert view.pointers == {}


def test_both_executors_play_without_it() -> None:
    rules, _ = ruleset()
    for on in ("off", "on"):
        pair = Pair(rules, compile_rules(rules, 2, {"pirates": on}))
        assert all(pair.play(seed).over for seed in range(20))


def test_the_rest_plays_as_before() -> None:
    """The same choices and draws, with and without the state that the option excludes."""
    rules, _ = ruleset()
    for seed in range(5):
        stories = []
        for whole in (False, True):
            match = Match(Game(rules, compile_rules(rules, 2, whole=whole)), seed=seed).start()
            while not match.over:
                waiting = match.waiting()[0]
                match.take(waiting, waiting.options[0])
            stories.append([(step.text, step.events) for step in match.steps])
        words = [[(text, len(events)) for text, events in story] for story in stories]
        assert words[0] == words[1]


def test_a_question_about_it_gives_its_start() -> None:
    text = """
- scenario: nothing of the pirates
  given: {at: turn}
  when:
    - A: dig
  then:
    gold of A: 1
    "dread(A)": 0
    fear of A at sloop: 2
    fear of B at galleon: 3
    leader exists: false
    size(raids): 4
    "count(raid in raids where raid.sort is sloop)": 2
"""
    result = run(text)
    assert result.holds, (result.diagnostic, result.differences)


def test_a_scenario_can_set_it() -> None:
    for options in ("", "options: {pirates: true}, "):
        text = (
            f"- scenario: x\n  given: {{{options}at: turn, set: {{fear of A at sloop: 4, leader: B}}}}\n"
            "  then: {fear of A at sloop: 4, fear of B at sloop: 2, leader: B}\n"
        )
        result = run(text)
        assert result.holds, (result.diagnostic, result.differences)


def test_a_position_outside_of_scenarios_cannot_have_it() -> None:
    rules, _ = ruleset()
    position = Position(Game(rules, compile_rules(rules, 2)))
    for act in (lambda: position.set_word("leader", "A"), lambda: position.place("raids")):
        with pytest.raises(CannotPlace, match="plays no part"):
            act()
