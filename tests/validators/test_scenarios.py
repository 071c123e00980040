"""Scenarios: what they say, what is wrong with them, and what would let them hold by accident."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dsl.diagnostics import REGISTER, ErrorsReported, Report
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.render import snippets
from dsl.source import Source
from rulewright.library import find, folder
from validators.scenarios.findings import Doubt
from validators.scenarios.reading import read_file, read_scenarios
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import Scenario, written

DEPOT_FOLDER = Path(__file__).parent / "depot"
FILES = {file.name: file.read_text("utf-8") for file in DEPOT_FOLDER.iterdir() if file.is_file()}


def loaded(files: dict[str, str] = FILES, falsify: bool = False) -> ScenarioRunner:
    rules, _, questions = load_for_questions(Folder("depot", lambda path: files[path].encode()))
    return ScenarioRunner(rules, questions, falsify=falsify)


def changed(before: str, after: str) -> ScenarioRunner:
    """The game with other rules."""
    assert before in FILES["depot.rules"]
    return loaded({**FILES, "depot.rules": FILES["depot.rules"].replace(before, after)})


DEPOT = loaded()
FALSE = loaded(falsify=True)
HOLDS = read_scenarios(
    Source("holds.yaml", (DEPOT_FOLDER / "scenarios" / "holds.yaml").read_text("utf-8")), DEPOT.rules
)


def play(text: str, runner: ScenarioRunner = DEPOT) -> Result:
    scenario = read_scenarios(Source("test.yaml", f"- scenario: test\n{text}\n"), runner.rules)[0]
    return runner.run(scenario)


def turn(then: str, set_: str = "", when: str = "") -> str:
    """A scenario that begins with A's turn."""
    return f"  given: {{at: turn.act, set: {{{set_}}}}}\n  when: [{when}]\n  then: {{{then}}}"


@pytest.mark.parametrize("scenario", HOLDS, ids=lambda scenario: scenario.name)
def test_what_can_be_said(scenario: Scenario) -> None:
    result = DEPOT.run(scenario)
    assert result.diagnostic is None, result.diagnostic and result.diagnostic.message
    assert not result.differences, result.differences
    assert not result.doubts
    assert result.asserted > 0


@pytest.mark.parametrize("scenario", HOLDS, ids=lambda scenario: scenario.name)
def test_none_of_it_holds_if_it_is_made_false(scenario: Scenario) -> None:
    result = FALSE.run(scenario)
    assert [d.message for d in result.doubts] == []
    assert result.changes > 0


@pytest.mark.parametrize(
    ("line", "changes"),
    [("leader: none", 1), ("coins of A: 3", 2), ("debt of A: 0", 2), ("closed at wood: false", 1)],
)
def test_a_value_of_each_type_is_made_false(line: str, changes: int) -> None:
    assert play(turn(line), FALSE).changes == changes


REASONS = [
    ("set: {closed at wood: true}", "buy wood", "§5"),
    ("set: {closed at wood: true}", "buy wood", "not closed at ware"),
    ("set: {coins of A: 1, stock: 14}", "buy wood", "§4"),
    ("set: {coins of A: 1, stock: 14}", "buy", "coins of me >= 2"),
    ("set: {coins of A: 1, stock: 14}", "buy wood", "[§4, coins of me >= 2]"),
    ("set: {}", "give red", "no such value"),
    ("set: {}", "give", "nothing to choose"),
    ("set: {}", "pass", "cannot pass"),
    ("set: {}", "red", "not here"),
]


@pytest.mark.parametrize(("given", "written_", "reason"), REASONS)
def test_reasons(given: str, written_: str, reason: str) -> None:
    text = f"  given: {{at: turn.act, {given}}}\n  when: [{{refused: {{A: {written_}, because: X}}}}]"
    right = play(text.replace("because: X", f"because: {reason}"))
    assert right.holds, (right.diagnostic, right.differences)
    assert not right.doubts
    for wrong in ("§1", "not asked", "coins of me >= 3", "closed"):
        assert not play(text.replace("because: X", f"because: {wrong}")).holds
    without = play(text.replace(", because: X", ""))
    assert without.holds
    assert [d.code for d in without.doubts] == ["V601"]


def test_a_reason_that_is_not_the_one_is_told() -> None:
    result = play(
        "  given: {at: turn.act, set: {coins of A: 1, stock: 14, closed at wood: true}}\n"
        "  when: [{refused: {A: buy wood, because: §5}}]"
    )
    (difference,) = result.differences
    assert difference.wanted == "[§5]"
    assert "needs coins of me >= 2, but coins of me is 1" in difference.found
    assert "§4" in difference.found


def test_who_is_not_asked() -> None:
    line = "  given: {at: turn.act}\n  when: [{refused: {B: throw%s}}]"
    assert [d.code for d in play(line % "").doubts] == ["V602"]
    asserted = play(line % ", because: not asked")
    assert asserted.holds
    assert not asserted.doubts
    assert not play(line % ", because: §6").holds


DOUBTS = [
    (turn("heap: [red, blue]", "heap: [red, blue]"), "V605"),
    (turn("A sees heap: [red, blue]", "heap: [red, blue]"), "V605"),
    ("  given: {at: bids}\n  then: {offered: [0, 1]}", "V604"),
    ("  given: {at: final}\n  then: {not offered: [throw]}", "V602"),
    ("  given: {at: turn.act}\n  when: [{A: throw}]", "V607"),
    ("  given: {at: bids}\n  then: {active: A}", None),
]


@pytest.mark.parametrize(("text", "code"), DOUBTS)
def test_what_may_hold_by_accident(text: str, code: str | None) -> None:
    result = play(text)
    assert result.holds
    assert [d.code for d in result.doubts] == ([code] if code else [])


def test_a_forced_decision_before_a_refusal() -> None:
    """V603: what waits is another decision, with one choice; the refusal speaks of the one behind it."""
    when = "[{A: pledge}, {refused: {A: buy wood}}, {A: 1}]"
    result = play(f"  given: {{at: turn.act}}\n  when: {when}\n  then: {{asked: B}}")
    assert result.holds
    assert [d.code for d in result.doubts] == ["V603"]
    left = play("  given: {at: turn.act}\n  when: [{A: pledge}]\n  then: {leader: A}")
    assert "A still has to choose `1`" in left.differences[0].hint


def test_in_turns_of_a_step_active_says_something() -> None:
    rules, _, questions = load_for_questions(folder(find("roll_through_the_ages")))
    text = "  given: {seats: 2, at: round.roll_and_keep, seat: B}\n  then: {active: B}"
    assert not play(text, ScenarioRunner(rules, questions)).doubts


def test_false_orders_hold_where_none_is_said() -> None:
    result = play(turn("heap: [red, blue]", "heap: [red, blue]"), FALSE)
    assert [d.code for d in result.doubts] == ["V605", "V608"]
    assert result.doubts[1].message == "changed to `heap: [blue, red]`, this still holds"


MISTAKES = [
    ("  given: {at: turn.nowhere}\n  then: {over: false}", "unknown step `turn.nowhere`"),
    ("  given: {seats: 5}\n  then: {over: false}", "is played by 2"),
    ("  given: {options: {nonsense: 3}}\n  then: {over: false}", "has no option"),
    ("  given: {seat: Q, at: turn.act}\n  then: {over: false}", "unknown seat `Q`"),
    (turn("over: false", "hand of A: [dragon]"), "`dragon` is not a `card`"),
    (turn("over: false", "hand of A: [red, red, red]"), "no `red` left"),
    (turn("over: false", "stall of A: red"), "too many or too few indices"),
    (turn("over: false", "stall of A at glass: red"), "`glass` is not a `ware`"),
    (turn("over: false", "stall of C at wood: red"), "unknown seat `C`"),
    (turn("over: false", "leader: C"), "unknown seat `C`"),
    (turn("over: false", "leader: wood"), "unknown seat `wood`"),
    (turn("over: false", "stall of A at wood: [red, blue]"), "has no room"),
    (turn("over: false", "hand of A: 2"), "a number does not say which `card` are there"),
    (turn("over: false", "goods of wood: 3"), "must be within 0..2"),
    (turn("over: false", "coins of A: five"), "`five` is not a value of it"),
    (turn("over: false", "gold of A: 5"), "unknown name `gold`"),
    ("  given: {seat: B}\n  then: {over: false}", "`seat` needs `at`"),
    (turn("over: false", "coins of A: 4"), "holds 19 of bank `stock` in all, but the game has 18"),
    (turn("over: false", "coins of A: 9, stock: 6"), "breaks a promise of the rules"),
    (turn("over: false") + "\n  chance: {moon: [1]}", "unknown stream of chance `moon`"),
    (turn("over: false") + "\n  chance: {die: [9]}", "`9` is not a possible outcome of `die`"),
    (turn("over: false", when="A: buy glass"), "cannot choose `buy glass`"),
    (turn("over: false", when="C: throw"), "unknown seat `C`"),
    (turn("over: false", when="refused: {A: laod}"), "`laod` is not a word of this game's choices"),
    (turn("not offered: [thorw]"), "`thorw` is not a word of this game's choices"),
    (turn("offered: [thorw]"), "`thorw` is not a word of this game's choices"),
    (turn("events: [cions of A]"), "`cions` is not a word of this game's events"),
    (turn("colour of A: 3"), "cannot be evaluated"),
    (turn("coins of A: many"), "`coins of A` is a number, but `many` is not"),
    (turn("score gold of A: 3"), "unknown line `gold`"),
    (turn("A sees moon of A: 3"), "unknown zone, counter, mark or pointer `moon`"),
    (turn("A sees stall of A: none"), "too many or too few indices"),
    (turn("C sees heap: 3"), "unknown seat `C`"),
    (turn("winner: Q"), "unknown seat `Q`"),
    (turn("phase: night"), "unknown phase `night`"),
    (turn("step: turn.sleep"), "unknown step `turn.sleep`"),
    (turn("hand of A from top: [red]"), "`hand` has no order"),
    (turn("leader: +1"), "`leader` is not a number"),
    (turn("heap: {top: red}"), "has no places of its own"),
    (turn("stall of A: {glass: red}"), "`stall of A` has no place `glass`"),
    (turn("asked: Q"), "unknown seat `Q`"),
]


@pytest.mark.parametrize(("text", "wanted"), MISTAKES)
def test_mistakes(text: str, wanted: str) -> None:
    result = play(text)
    assert result.diagnostic is not None
    assert wanted in result.diagnostic.message
    assert result.diagnostic.span.source.name == "test.yaml"


@pytest.mark.parametrize(
    "text",
    [turn("over: false", "effort of A: 1"), turn("effort of A: 0"), turn("sum(effort of seat for seat): 0"),
     turn("A sees effort of A: 0")],
)  # fmt: skip
def test_working_memory_is_neither_given_nor_found(text: str) -> None:
    declared = "counters:\n  effort: {of: seat, range: 0..9, lasts: moment}\n"
    rules = FILES["depot.rules"].replace("procedure deal\n", "procedure deal\n    effort of A = 1\n")
    yaml = FILES["game.yaml"].replace("counters:\n", declared)
    runner = loaded({**FILES, "game.yaml": yaml, "depot.rules": rules})
    diagnostic = play(text, runner).diagnostic
    assert diagnostic is not None
    assert "lasts a moment" in diagnostic.message


HINTS = [
    (turn("over: false", "coin of A: 5"), "did you mean `coins`?"),
    (turn("over: false", "hand of A: [rad]"), "did you mean `red`?"),
    (turn("over: false", "stall of A at wod: red"), "did you mean `wood`?"),
    (turn("over: false", when="B: throw"), "waiting for A, for `act`"),
]


@pytest.mark.parametrize(("text", "hint"), HINTS)
def test_mistakes_help(text: str, hint: str) -> None:
    diagnostic = play(text).diagnostic
    assert diagnostic is not None
    assert diagnostic.help == hint


def test_what_is_meant_is_allowed() -> None:
    impossible = turn("coins of A: 9", "coins of A: 9")
    assert play(impossible).diagnostic is not None
    assert play(impossible + "\n  allow: [impossible position]").holds
    unused = turn("coins of A: 3") + "\n  chance: {die: [1, 2]}"
    (difference,) = play(unused).differences
    assert (difference.what, difference.found) == ("chance of die", "left with 1, 2")
    assert play(unused + "\n  allow: unused outcomes").holds
    spare = turn("hand of A: [red, red, red]", "hand of A: [red, red, red]")
    assert play(spare + "\n  allow: [spare pieces]").holds
    assert play(spare.replace("given: {", "given: {spare: true, ")).holds


def test_a_position_in_which_play_cannot_begin_is_no_fault_of_the_rules() -> None:
    runner = changed("    for seat\n", "    choose card from heap\n    for seat\n")
    result = play("  given: {at: begin}\n  then: {over: false}", runner)
    assert result.diagnostic is not None
    assert result.diagnostic.code == "R223"
    assert (
        "play cannot start in this position: A has nothing to choose for `card`" in result.diagnostic.message
    )


DIFFERENCES = [
    (turn("coins of A: 6"), "coins of A", "3"),
    (turn("hand of A: [red]", "hand of A: [blue]"), "hand of A", "[blue]"),
    (turn("heap from top: [blue, red]", "heap: [blue, red]"), "heap from top", "[red, blue]"),
    (turn("over: true"), "over", "false"),
    (turn("active: B"), "active", "A"),
    (turn("asked: B"), "asked", "[A]"),
    (turn("asked: {A: bid}"), "asked", "[A: act]"),
    (turn("step: turn.after"), "step", "turn.act"),
    (turn("coins of A: +1"), "coins of A", "+0"),
    (turn("rest: unchanged", when="A: buy wood"), "rest",
     "[coins of A: 3 -> 1, stock: 12 -> 14, goods of wood: 0 -> 1]"),
    (turn("rest: unchanged, coins of A: 1, goods of wood: 1", when="A: buy wood"), "rest",
     "[stock: 12 -> 14]"),
    (turn("coins of A: unchanged", when="A: buy wood"), "coins of A", "[coins of A: 3 -> 1]"),
    (turn("stall of A: {wood: red}", "stall of A at wood: red, stall of A at stone: blue"), "stall of A",
     "[stall of A at wood: [red], stall of A at stone: [blue]]"),
    (turn("coins: {A: 3, B: 0}"), "coins", "[coins of A: 3, coins of B: 3]"),
    (turn("stall of A: {wood: none}", "stall of A at wood: red"), "stall of A",
     "[stall of A at wood: [red]]"),
    (turn("", when="refused: {A: throw}"), "A: throw", "offered"),
    (turn("offered: [throw]"), "offered", "[buy wood, buy stone, throw, lucky, pledge]"),
    (turn("not offered: [throw]"), "not offered", "[throw]"),
    (turn("score of A: 11"), "score of A", "3"),
    (turn("winner: A"), "winner", "[]"),
    (turn("A sees hand of A: 0"), "A sees hand of A", "[]"),
    (turn("B sees hand of A: all"), "B sees hand of A", "nothing"),
    (turn("events: [leader, 'A: buy wood']", when="A: buy wood"), "events",
     "[no `leader` in, A: buy wood, coins of A: 3 -> 1, stock: 12 -> 14, goods of wood: 0 -> 1, phase: turn, "
     "turn of B]"),
    (turn("no events: [coins of A]", when="A: buy wood"), "no events", "[coins of A: 3 -> 1]"),
    (turn("", when="{impossible: {die: [1]}}, {A: throw}"), "chance of die", "[1]"),
    (turn("", when="{possible: {die: [1, 2]}}, {A: throw}"), "chance of die", "[1, 2, 3, 4]"),
    (turn("", when="{impossible: {die: [1]}}, {A: buy wood}"), "chance of die",
     "never drawn from after this line"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "what", "found"), DIFFERENCES)
def test_differences(text: str, what: str, found: str) -> None:
    result = play(text)
    assert result.diagnostic is None, result.diagnostic and result.diagnostic.message
    assert [(d.what, d.found) for d in result.differences] == [(what, found)]


BY_ACCIDENT = [
    (turn("no events: [heap]"), "no event reads `heap`"),
    (turn("no events: ['coins of A: 3']"), "no event reads `coins of A: 3`"),
    (turn("no events: ['red: hand of A']"), "no event reads `red: hand of A`"),
    (turn("no events: [turn]"), "no event reads `turn`"),
    (turn("not offered: [wood buy]"), "`wood buy` is not a choice"),
    (turn("", when="{refused: {A: pass wood, because: cannot pass}}"), "`pass wood` is not a choice"),
    (turn("over: false", "supply: [red, red, red]"), "there are more `red` than the game has"),
    (turn("over: false", "supply from top: [red]"), "`supply` has no order"),
    (turn("over: false", "coins of A: 3, coins  of A: 3"), "`coins of A` is set twice"),
    (turn("score of A: unchanged"), "a score is a number"),
    (
        turn("", when="{times: 999, lines: [{times: 999, lines: [{expect: {over: false}}]}]}"),
        "more than 2000 lines",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), BY_ACCIDENT)
def test_what_would_hold_whatever_happens_is_refused(text: str, wanted: str) -> None:
    result = play(text)
    assert result.diagnostic is not None
    assert wanted in result.diagnostic.message


def test_two_lines_about_one_outcome_both_count() -> None:
    both = "{impossible: {die: [2]}}, {possible: {die: [1, 2, 3, 4]}}, {A: throw}"
    assert [d.what for d in play(turn("", when=both)).differences] == ["chance of die"]


def test_faces_that_a_die_does_not_have_are_impossible() -> None:
    assert play(turn("asked: B", when="{impossible: {die: [0, 7]}}, {A: throw}")).holds


def test_a_condition_may_be_written_in_parts_or_whole() -> None:
    before = "    needs not closed at ware "
    runner = changed(before, f"    needs leader exists and leader is me\n{before}")
    line = "  given: {at: turn.act}\n  when: [{refused: {A: buy wood, because: %s}}]"
    for reason in ("leader exists", "leader exists and leader is me", "needs leader exists"):
        assert play(line % reason, runner).holds


MALFORMED = [
    "- scenario: x\n  when: [{expect: {}}]",
    "- scenario: x\n  then: {events: []}",
    "- scenario: x\n  then: {not offered: []}",
    "- scenario: x\n  then: {unchanged: []}",
    "- scenario: x\n  when: [{impossible: {die: []}}]",
    "- scenario: x\n  when: [{times: 2, lines: []}]",
    "- scenario: x\n  when: [{expct: {over: true}}]",
    "- scenario: x\n  when: [{refused: {A: throw, becuase: §1}}]",
    "hello: world",
    "- given: {}",
    "- scenario: x\n  whne: []",
    "- scenario: x\n  when: pass",
    "- scenario: x\n  cites: [§99.99]",
    "- scenario: [1]",
    "- scenario: x\n  given: []",
    "- scenario: x\n  allow: [everything]",
    "- scenario: x\n  when: [{times: 3}]",
    "- scenario: x\n  when: [{times: -3, lines: []}]",
    "- scenario: x\n  when: [{A: 1, B: 2}]",
    "- scenario: x\n  when: [{refused: {because: §1}}]",
    "- scenario: x\n  given: {seats: ²}",
    "- scenario: x\n  then: {over: [maybe]}",
    "- scenario: x\n  then: {price(A, wood): 9}",
    "- scenario: x\n  then: {coins of A:}",
]


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_files(text: str) -> None:
    with pytest.raises(ErrorsReported):
        read_scenarios(Source("test.yaml", text), DEPOT.rules)


def test_a_faulty_scenario_does_not_hide_the_others() -> None:
    text = "- scenario: one\n  then: {over: false}\n- scenario: two\n  whne: []\n- scenario: three\n  then:\n"
    file = read_file(Source("test.yaml", text), DEPOT.rules)
    assert [s.name for s in file.scenarios] == ["one", "three"]
    assert [(f.name, [m.code for m in f.diagnostics]) for f in file.faulty] == [("two", ["D009"])]


def test_a_scenario_that_is_no_yaml_does_not_hide_the_others() -> None:
    broken = "- scenario: two\n  then: {over: [\n"
    text = f"- scenario: one\n  then: {{over: false}}\n{broken}- scenario: three\n  then:\n"
    file = read_file(Source("test.yaml", text), DEPOT.rules)
    places = [(s.name, s.span.source.position(s.span.start)[0]) for s in file.scenarios]
    assert places == [
        ("one", 1),
        ("three", 5),
    ]
    assert [f.name for f in file.faulty] == ["two"]


def test_a_file_is_read_again_when_other_clauses_may_be_cited() -> None:
    source = Source("test.yaml", "- scenario: one\n  cites: [§9.9]\n  then: {over: false}\n")
    mark, clause = next(iter(DEPOT.rules.clauses.items()))
    more = replace(DEPOT.rules, clauses={mark: clause, "§9.9": clause})
    found = [len(read_file(source, rules).faulty) for rules in (DEPOT.rules, more, DEPOT.rules)]
    assert found == [1, 0, 1]


def test_a_key_that_a_comma_cuts_twice_is_explained() -> None:
    text = "- scenario: x\n  then: {f(c1, a): 1, f(c1, b): 2}\n"
    (faulty,) = read_file(Source("t", text), DEPOT.rules).faulty
    assert "put the whole key in quotes" in faulty.diagnostics[0].help


def test_a_counter_that_refuses_to_leave_its_range_says_so() -> None:
    rules = "action warm\n    gain 3 heat                     §3\n"
    files = {**FILES, "depot.rules": FILES["depot.rules"] + rules}
    files["game.yaml"] = files["game.yaml"].replace("[buy,", "[warm, buy,").replace(
        "counters:\n", "counters:\n  heat: {range: 0..2, at_edge: refuse}\n")  # fmt: skip
    line = "  given: {at: turn.act}\n  when: [{refused: {A: warm, because: %s}}]"
    for reason in ("out of range", "§3"):
        assert play(line % reason, loaded(files)).holds
    assert not play(line % "cannot pay", loaded(files)).holds


def test_a_comma_in_a_key_is_explained() -> None:
    file = read_file(Source("t", "- scenario: x\n  then: {price(A, wood): 9}\n"), DEPOT.rules)
    assert "put the whole key in quotes" in file.faulty[0].diagnostics[0].help


WRITTEN = [
    "over: true", "winner: [A, B]", "active: A", "phase: turn", "step: turn.act", "asked: [A, B]",
    "offered: [throw]", "offered to A: [throw]", "not offered to A: [throw]", "score of A: 3",
    "score coins of A: 3", "A sees heap from top: [red, blue]", "coins of A: 3", "heap from bottom: [red]",
    "hand of A in any order: [red, blue]", "coins of A: +3", "coins of A: -3", "unchanged: [coins of A]",
    "rest: unchanged", "stall of A: {wood: red}", "events: [leader]", "no events: [turn of B]",
]  # fmt: skip


@pytest.mark.parametrize("line", WRITTEN)
def test_claims_are_told_as_they_are_written(line: str) -> None:
    """What falsifying says of a claim is a line of a scenario."""
    file = read_file(Source("t", f"- scenario: x\n  then:\n    {line}\n"), DEPOT.rules)
    assert written(file.scenarios[0].then[0].claim) == line


SHOWN = sorted(path.stem for path in (DEPOT_FOLDER.parent / "doubts").glob("*.yaml"))


@pytest.mark.parametrize("name", SHOWN)
def test_every_doubt_is_told(name: str, golden: Callable[[Path, str], None]) -> None:
    path = DEPOT_FOLDER.parent / "doubts" / f"{name}.yaml"
    scenarios = read_scenarios(Source(path.name, path.read_text("utf-8")), DEPOT.rules)
    doubts = [doubt for scenario in scenarios for doubt in FALSE.run(scenario).doubts]
    code, slug = name.split("-", 1)
    assert slug == REGISTER[code].slug
    assert code in {doubt.code for doubt in doubts}
    golden(path.with_suffix(".txt"), snippets(Report(doubts)) + "\n")


def test_every_code_of_a_doubt_is_shown_and_explained() -> None:
    codes = {kind.code for kind in Doubt.__subclasses__()}
    assert codes == {name.split("-")[0] for name in SHOWN}
    assert all(len(REGISTER[code].__doc__ or "") > 60 for code in codes)


CALLERS = [
    ("{seats: 3, seat: B, options: {first_game: true}, at: set_up.deal}", "A"),
    ("{seats: 3, seat: B, at: round.call_token, set: {campaign of C: [baetica], reserve of C: 7}}", "B"),
]


@pytest.mark.parametrize(("given", "caller"), CALLERS)
def test_a_step_before_all_turns_is_in_nobodys_turn(given: str, caller: str) -> None:
    """Whoever is named at the set-up, A calls the first token in Augustus; later it is who is named."""
    rules, _, questions = load_for_questions(folder(find("augustus")))
    then = f"  chance: {{bag: [catapult]}}\n  then: {{active: {caller}}}"
    assert play(f"  given: {given}\n{then}", ScenarioRunner(rules, questions)).holds


@pytest.mark.parametrize(
    ("line", "said", "holds"),
    [
        ("show hand of me to next(me)", "events: [B is shown red]", True),
        ("show hand of me to next(me)", "events: [B is shown cards]", False),
        ("show hand of me to next(me)", "no events: [B is shown cards]", True),
        ("show hand of me to next(me) openly", "events: [B is shown red]", True),
        ("show hand of me to next(me) openly", "events: ['coins of A', B is shown cards]", True),
        ("show hand of me to next(me) openly", "events: [B is shown cards, B is shown red]", False),
        ("show hand of me to next(me) openly", "events: [A is shown cards]", False),
        ("show hand of me to next(me) openly", "no events: [B is shown cards]", False),
    ],
)
def test_what_one_seat_is_shown_and_what_the_others_learn_of_it(line: str, said: str, holds: bool) -> None:
    runner = changed("    pay 2 coins\n", f"    pay 2 coins\n    {line}\n")
    found = play(turn(said, "hand of A: red", "A: buy wood"), runner)
    assert found.holds is holds, found
