"""Scenarios that are wrong say where and why."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Stop
from dsl.load import load_for_questions
from dsl.source import Source
from rulewright.library import find, folder
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import Result, ScenarioRunner


@pytest.fixture(scope="module")
def runner() -> ScenarioRunner:
    rules, _, questions = load_for_questions(folder(find("roma")))
    return ScenarioRunner(rules, questions)


def run(runner: ScenarioRunner, text: str) -> Result:
    return runner.run(read_scenarios(Source("test.yaml", text), runner.rules)[0])


START = "- scenario: test\n  given:\n    at: turn.actions\n    set: {money of A: 5, dice of A: [3]}\n"

MISTAKES = [
    ("- scenario: x\n  given: {at: turn.nowhere}", "there is no step"),
    ("- scenario: x\n  given: {seats: 5}", "is played by 2"),
    ("- scenario: x\n  given: {options: {nonsense: 3}}", "has no option"),
    ("- scenario: x\n  given: {seat: Q, at: turn.actions}", "there is no seat `Q`"),
    ("- scenario: x\n  given: {set: {hand of A: [dragon]}}", "`dragon` is no `card`"),
    ("- scenario: x\n  given: {set: {hand of A: [nero, nero]}}", "there is no further `nero`"),
    ("- scenario: x\n  given: {set: {slot of A: forum}}", "an index too many or too few"),
    ("- scenario: x\n  given: {set: {slot of A at 9: forum}}", "`9` is no `disc`"),
    ("- scenario: x\n  given: {set: {money of A: 500000}}", "must be within 0..99999"),
    ("- scenario: x\n  given: {set: {gold of A: 5}}", "there is no zone `gold`"),
    ("- scenario: x\n  chance: {moon: [1]}", "chance has no stream `moon`"),
    (START + "  when: [{A: lay forum}]", "cannot choose `lay forum`"),
    (START + "  when: [{C: pass}]", "there is no seat `C`"),
    (START + "  then: {colour of A: 3}", "cannot be asked"),
    (START + "  then: {score gold of A: 3}", "there is no line `gold`"),
    (START + "  then: {A sees money of A: 3}", "there is no zone `money`"),
    (START + "  then: {A sees slot of A: none}", "an index too many or too few"),
    (START + "  then: {C sees deck: 3}", "there is no seat `C`"),
]


@pytest.mark.parametrize(("text", "wanted"), MISTAKES)
def test_mistakes(runner: ScenarioRunner, text: str, wanted: str) -> None:
    result = run(runner, text)
    assert result.mistake is not None
    assert wanted in result.mistake.message
    assert result.mistake.span.source.name == "test.yaml" or "option" in wanted or "played" in wanted


MALFORMED = [
    "hello: world",
    "- given: {}",
    "- scenario: x\n  whne: []",
    "- scenario: x\n  when: pass",
    "- scenario: x\n  cites: [§99.99]",
    "- scenario: [1]",
    "- scenario: x\n  given: []",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_files(runner: ScenarioRunner, text: str) -> None:
    with pytest.raises(Stop):
        read_scenarios(Source("test.yaml", text), runner.rules)


DIFFERENCES = [
    ("then: {money of A: 6}", "money of A", "5"),
    ("then: {dice of A: [3, 4]}", "dice of A", "['3']"),
    ("then: {over: true}", "over", "false"),
    ("then: {active: B}", "active", "A"),
    ("when: [{refused: {A: take_money 3}}]", "A: take_money 3", "offered"),
    ("then: {offered: [pass]}", "offered", "['take_money 3', 'take_cards 3', 'pass']"),
    ("then: {not offered: [take_money]}", "not offered", "['take_money 3']"),
    ("then: {score of A: 11}", "score of A", "10"),
    ("then: {winner: A}", "winner", "[]"),
    ("then: {A sees hand of A: 0}", "A sees hand of A", "[]"),
    ("then: {B sees dice of A: [4]}", "B sees dice of A", "['3']"),
    ("then: {B sees hand of A: all}", "B sees hand of A", "0"),
    ("then: {B sees deck: [nero, forum]}", "B sees deck", "52"),
]


@pytest.mark.parametrize(("then", "what", "found"), DIFFERENCES)
def test_differences(runner: ScenarioRunner, then: str, what: str, found: str) -> None:
    result = run(runner, START + "  " + then)
    assert result.mistake is None
    assert [(d.what, d.found) for d in result.differences] == [(what, found)]


SIGHTS = ["B sees dice of A: [3]", "B sees hand of A: 0", "A sees hand of A: none", "B sees dice of A: all"]


@pytest.mark.parametrize("then", SIGHTS)
def test_what_a_seat_sees(runner: ScenarioRunner, then: str) -> None:
    assert run(runner, START + f"  then: {{{then}}}").holds


CALLERS = [
    ("{seats: 3, seat: B, options: {first_game: true}, at: set_up.deal}", "A"),
    ("{seats: 3, seat: B, at: round.call_token, set: {campaign of C: [baetica], reserve of C: 7}}", "B"),
]


@pytest.mark.parametrize(("given", "caller"), CALLERS)
def test_a_step_before_all_turns_is_in_nobodys_turn(given: str, caller: str) -> None:
    """Whoever is named at the set-up, A calls the first token in Augustus; later it is who is named."""
    rules, _, questions = load_for_questions(folder(find("augustus")))
    then = f"  chance: {{bag: [catapult]}}\n  then: {{active: {caller}}}"
    assert run(ScenarioRunner(rules, questions), f"- scenario: test\n  given: {given}\n{then}").holds
