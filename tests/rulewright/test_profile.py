"""`rulewright profile`: what is counted, the hints, and the command."""

from __future__ import annotations

import json
import re
from array import array
from pathlib import Path

import pytest

from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.reference.executor import ReferenceExecutor
from interpreter.wasm import metering
from interpreter.wasm.build_config import FAST
from interpreter.wasm.emit.marked_body import Marks
from interpreter.wasm.module import module
from interpreter.wasm.profiled import ProfiledProgram
from interpreter.wasm.program import Program
from rulewright.commands.profile import play
from tests.games import Table, fewest, named, rules_of, sample, smaller
from tests.wasm.lockstep import small_rules
from validators.profile.hints import Hint, Subject, hints
from validators.profile.lines import Profile, ProfiledLine, profile_of

FLOW = """flow:
  turn: {seat: rotates, do: [{do one of: [act]}, tick], then: {turns is 20: fin, otherwise: turn}}
  fin: {score: highest}
"""
BOARD = """longest: 100
types: {cell: 1..30}
counters:
  turns: {range: 0..20}
  points: {of: seat, range: 0..1000}
  weight: {at: cell, range: 0..9, start: 1}
marks: {used: {at: cell}}
"""
TICK = """
procedure tick
    turns += 1

score points = points of me
"""


def made(text: str, yaml: str = BOARD) -> Rules:
    """A game of twenty turns, in each of which a seat can act."""
    return small_rules(yaml, text + TICK, FLOW)


def profiled(rules: Rules, number: int = 5) -> tuple[Profile, tuple[Hint, ...]]:
    program = ProfiledProgram(rules)
    played, decisions, faults = play(program, number, 0, lambda: None)
    assert (played, faults) == (number, 0)
    measured = program.measured()
    profile = profile_of(measured)
    subject = Subject(rules, program.machine, program.marks, measured, profile, decisions)
    return profile, hints(subject)


def line(profile: Profile, number: int) -> ProfiledLine:
    return next(x for x in profile.lines if (x.source.name, x.number) == ("small/small.rules", number))


def kinds(text: str, yaml: str = BOARD) -> list[tuple[str, int]]:
    """The hints about a ruleset: their kinds, and the lines to which they point."""
    _, found = profiled(made(text, yaml))
    return [(x.kind, x.span.line) for x in found]


# ---- what is counted


COUNTED = """action act(n from 1..8)
    needs n + turns > 3
    gain n points
    for k in 1..3
        gain 1 points
"""


def test_a_line_counts_how_often_it_is_tried_and_carried_out() -> None:
    profile, _ = profiled(made(COUNTED), 2)
    assert (line(profile, 2).tried, line(profile, 2).carried_out) == (320, 40)
    assert line(profile, 3).carried_out == 40
    assert line(profile, 5).carried_out == 120
    assert line(profile, 5).tried == 0


def test_shares_come_to_a_whole() -> None:
    profile, _ = profiled(made(COUNTED))
    assert sum(profile.share(x.work) for x in profile.lines) + profile.share(profile.elsewhere) == (
        pytest.approx(1)
    )
    assert 0 < profile.in_trials < profile.work


def test_trials_that_change_something_undo_it() -> None:
    changing = (
        "action act(cell)\n    for x in cell where x >= cell\n        weight at x = 2\n"
        "    needs sum(weight at x for x in cell) > 9\n"
    )
    profile, _ = profiled(made(changing), 2)
    assert line(profile, 1).undone == profile.undone == 2 * 20 * 30
    assert profile.copies == 0
    one_write = "action act(cell)\n    weight at cell = 2\n    needs sum(weight at x for x in cell) > 9\n"
    assert profiled(made(one_write), 2)[0].undone == 0
    only_looking = "action act(cell)\n    needs sum(weight at x for x in cell) > 9\n"
    assert profiled(made(only_looking), 2)[0].undone == 0


def test_trials_that_cannot_be_undone_copy_the_state() -> None:
    sinking = (
        "procedure sink(cell) nests up to 2\n    weight at cell = 2\n    if cell < 0\n        sink(cell)\n"
    )
    nesting = f"action act(cell)\n    sink(cell)\n    needs sum(weight at x for x in cell) > 9\n\n{sinking}"
    rules = made(nesting)
    profile, _ = profiled(rules, 2)
    assert line(profile, 5).copies == profile.copies == 2 * 20 * 30
    assert profile.words / profile.copies >= compile_rules(rules).size
    assert profile.undone == 0


def same_instructions(rules: Rules, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its counters, a module that counts is byte for byte the one that does not."""
    with monkeypatch.context() as patched:
        patched.setattr(metering, "add_counters", lambda builder: None)
        marks = Marks()
        machine = compile_rules(rules, seats, places=marks)
        first = ReferenceExecutor(machine).initial_state()
        assert module(machine, FAST, first, marks=marks) == module(machine, FAST, first)
        assert machine == compile_rules(rules, seats)


def same_playouts(rules: Rules, seats: int) -> None:
    """A program that counts plays the same matches, and books all of its work."""
    program, plain = ProfiledProgram(rules, seats), Program(compile_rules(rules, seats))
    assert [program.playout(seed) for seed in range(4)] == [plain.rows(1, seed) for seed in range(4)]
    found = program.measured()
    assert sum(x.carried_out + x.tried for x in found.work.values()) + found.elsewhere == (
        pytest.approx(executed(program))
    )


def executed(program: ProfiledProgram) -> int:
    """All that the counters of a program have counted."""
    meter = program.marks.meter
    assert meter is not None
    counters = array("Q", program.program.instance.read_bytes(meter.base, meter.size))
    found = 0
    for i, (_, block) in enumerate(meter.blocks):
        times = counters[i] + (counters[len(meter.blocks) + i] if meter.split else 0)
        found += times * sum(block.costs.values())
    return found


@pytest.mark.parametrize("text", [COUNTED, "action act(cell)\n    weight at cell = 2\n"])
def test_counters_change_nothing_in_a_small_game(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    same_instructions(made(text), 2, monkeypatch)
    same_playouts(made(text), 2)


@pytest.mark.parametrize("table", sample(smaller(fewest()), smaller(fewest())[:6]), ids=named)
def test_counters_change_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    name, seats = table[:2]
    same_instructions(rules_of(name), seats, monkeypatch)
    same_playouts(rules_of(name), seats)


# ---- hints

LATE = """action act(cell where weight at cell > 0)
    let mine = turns
    gain 1 points
    needs cell > 3
    needs mine < 900
"""


def test_a_needs_behind_a_parameter_that_it_does_not_read() -> None:
    assert ("late-needs", 5) in kinds(LATE)
    assert kinds(LATE.replace("    let mine = turns\n    gain 1 points\n", "").replace("mine", "turns")) == []
    assert kinds(LATE.replace("needs mine < 900", "needs mine < 900 + cell")) == []
    assert kinds(LATE.replace("    gain 1 points\n", "")) == []


def test_a_part_of_a_needs_that_does_not_read_the_parameter() -> None:
    both = LATE.replace("    needs cell > 3\n    needs mine", "    needs cell > 3 and mine")
    _, found = profiled(made(both))
    assert [(x.kind, x.span.source.text[x.span.start : x.span.end]) for x in found] == [
        ("late-needs", "mine < 900")
    ]


def test_a_needs_that_reads_what_was_changed_before_it() -> None:
    paid = LATE.replace("mine <", "points of me <")
    assert kinds(paid) == []


TRIED = """action act(cell)
    gain 1 points
    needs weight at cell > 8 or sum(weight at x for x in cell) > 5
"""


def test_an_expression_that_is_the_same_in_each_trial() -> None:
    assert kinds(TRIED) == [("same-in-each-trial", 3)]
    asked = "action act(cell where sum(weight at x for x in cell) > 5)\n    gain 1 points\n"
    assert kinds(asked) == []
    own = TRIED.replace("weight at x for", "weight at x + cell for")
    assert kinds(own) == []
    only_looks = TRIED.replace("    gain 1 points\n", "")
    assert kinds(only_looks) == []


def test_what_the_help_advises_saves_work() -> None:
    asked = "action act(cell where sum(weight at x for x in cell) > 5)\n    gain 1 points\n"
    works = [profiled(made(text))[0].work for text in (TRIED, asked)]
    assert works[1] < works[0] / 4


def test_what_is_the_same_in_trials_that_only_look_is_worked_out_once() -> None:
    only_looks = TRIED.replace("    gain 1 points\n", "")
    assert profiled(made(only_looks))[0].work < profiled(made(TRIED))[0].work / 4


def test_what_is_asked_before_a_change_is_worked_out_once() -> None:
    """The state is copied only where it holds, and it is not asked again on the copy."""
    lines = TRIED.splitlines(keepends=True)
    asked_first = "".join((lines[0], lines[2], lines[1], "    needs weight at cell < 9\n"))
    assert kinds(asked_first) == []
    once, often = line(profiled(made(asked_first))[0], 2), line(profiled(made(TRIED))[0], 3)
    assert once.in_trials < often.in_trials / 5
    never = asked_first.replace("> 0", "> 999")
    assert profiled(small_rules(BOARD, never + TICK, FLOW.replace("do one of", "may do")))[0].copies == 0


def test_a_needs_that_every_value_must_meet_is_asked_first() -> None:
    """However late it stands, what is before it is not asked of each value if it does not hold."""
    text = """action act(cell where count(x in cell where x > cell and weight at x > 0) < 90)
    let mine = turns
    needs weight at cell + cell < 70
    needs mine > 19
    gain 1 points
"""
    works = [
        profiled(small_rules(BOARD, found + TICK, FLOW.replace("do one of", "may do")))[0].work
        for found in (text, text.replace("    needs mine > 19\n", ""))
    ]
    assert works[0] < works[1] / 4


def test_a_loop_that_goes_on_from_several_ways() -> None:
    """The first way leads past the loop, in whose rounds the board changes."""
    text = """action act(cell)
    for x in cell where x is cell
        weight at x = 2
    needs sum(weight at x for x in cell) > 3
"""
    assert kinds(text) == []


ROUNDS = """action act
    for x in cell
        gain sum(weight at y for y in cell) div 30 points
    lose 30 points
"""


def test_an_expression_that_no_round_changes() -> None:
    assert kinds(ROUNDS) == [("same-in-each-round", 3)]
    before = ROUNDS.replace("    for", "    let all_of_it = sum(weight at y for y in cell)\n    for").replace(
        "gain sum(weight at y for y in cell)", "gain all_of_it"
    )
    assert kinds(before) == []
    assert kinds(ROUNDS.replace("for y in", "+ x - x for y in")) == []
    assert kinds(ROUNDS.replace("    lose", "        weight at x = 1\n    lose")) == []


AGAIN = """action act
    if heavy > 90
        gain 1 points
    if heavy > 80
        gain 2 points

value heavy = sum(weight at y for y in cell)
"""


def test_a_value_that_is_worked_out_again() -> None:
    assert kinds(AGAIN) == [("worked-out-again", 4)]
    changed = AGAIN.replace("    if heavy > 80", "    weight at 1 = 2\n    if heavy > 80")
    assert kinds(changed) == []
    held = "action act\n    let it = heavy\n" + AGAIN[len("action act\n") :].replace("if heavy", "if it")
    assert kinds(held) == []


def test_a_value_that_only_some_ways_have_worked_out() -> None:
    sometimes = AGAIN.replace("if heavy > 90", "if points of me > 5 and heavy > 90")
    assert kinds(sometimes) == []


def test_state_that_nothing_reads() -> None:
    text = "action act\n    gain 1 points\n    seen at 1 = 3\n"
    written = BOARD.replace("counters:", "counters:\n  seen: {at: cell, range: 0..9}")
    assert kinds(text, written)[-1][0] == "never-read"
    assert kinds(text.replace("gain 1 points", "gain seen at 1 points"), written) == []


# ---- the command


def test_the_table(run, game: Path) -> None:
    result = run("profile", "dice", "-n", "20")
    assert result.exit_code == 0, result.output
    assert "share  in trials       tried  carried out  line" in result.output
    assert "dice/dice.rules:" in result.output
    assert "of the work finds out what can be chosen" in result.output


def test_json(run, game: Path) -> None:
    one, two = (
        json.loads(run("profile", "dice", "-n", "10", "--seats", "3", "--seed", "4", "--json").output)
        for _ in range(2)
    )
    assert one == two
    assert (one["game"], one["seats"], one["playouts"], one["faults"]) == ("dice", 3, 10, 0)
    work = sum(x["operations"] for x in one["lines"]) + one["operations_elsewhere"]
    assert work == pytest.approx(one["operations"], abs=len(one["lines"]))
    shares = [x["share"] for x in one["lines"]]
    assert shares == sorted(shares, reverse=True)


def test_options_change_the_work(run, game: Path) -> None:
    short, long = (
        json.loads(run("profile", "dice", "-n", "20", "--option", f"goal={goal}", "--json").output)
        for goal in (10, 60)
    )
    assert short["operations"] < long["operations"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("nothing_like_this",), 2, "error["),
        (("dice", "--option", "goal=99999"), 2, "error[D061]"),
        (("dice", "--option", "goal"), 2, "error["),
        (("dice", "--seats", "99"), 2, "error[D061]"),
        (("dice", "-n", "0"), 2, "Error"),
    ],
)
def test_wrong_usage(run, game: Path, words: tuple[str, ...], code: int, said: str) -> None:
    result = run("profile", *words)
    assert result.exit_code == code, result.output
    assert said in result.output


def test_work_before_a_fault_counts_once() -> None:
    """Some of the playouts come to a fault; all together have as much work as one by one."""
    rules = made("action act(n from 1..9)\n    gain 18 * n points\n")
    whole = ProfiledProgram(rules)
    played, _, faults = play(whole, 6, 0, lambda: None)
    assert played
    assert faults
    parts = [ProfiledProgram(rules) for _ in range(6)]
    for i, program in enumerate(parts):
        play(program, 1, i, lambda: None)
    assert executed(whole) == sum(map(executed, parts))


def test_faults_are_counted(run, game: Path) -> None:
    written = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(re.sub(r"longest: \d+", "longest: 1", written))
    result = run("profile", "dice", "-n", "3")
    assert result.exit_code == 0
    assert "3 playouts ended in a fault: `rulewright simulate` shows it" in result.output
    assert json.loads(run("profile", "dice", "-n", "3", "--json").output)["faults"] == 3
