"""Every fault of a run has a small ruleset that shows it, and its golden message.

The rulesets are played by taking the first thing that is offered. `pytest --bless` records anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter.beliefs.messages
import interpreter.bots.messages
import interpreter.messages
import interpreter.wasm.messages
import rulewright.experiments.messages
import rulewright.learn.messages
import rulewright.messages
import rulewright.processes.messages
from dsl.diagnostics import REGISTER, Diagnostic, Report
from dsl.load import load
from dsl.render import snippets
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.library import folder

HERE = Path(__file__).parent
CASES = sorted(p.parent.name for p in HERE.glob("*/game.yaml"))
ELSEWHERE = {
    "R212": "a fault of the program: no ruleset can show it",
    "R220": "tests/interpreter/test_refusals.py",
    "R221": "tests/properties/test_matches.py",
    "R222": "tests/interpreter/test_replays.py",
    "R223": "tests/validators/test_scenarios.py",
    "R224": "tests/interpreter/test_replays.py",
    "R225": "tests/rulewright/test_simulate_executors.py",
    "R226": "tests/rulewright/test_cache.py",
    "R232": "tests/rulewright/test_seeds.py",
    "R233": "tests/rulewright/test_log_file.py",
    "R250": "tests/interpreter/test_searching_bots.py",
    "R251": "tests/interpreter/test_searching_bots.py",
    "R252": "tests/rulewright/test_play_bots.py",
    "R253": "tests/interpreter/test_searching_bots.py",
    "R254": "tests/interpreter/test_searching_bots.py",
    "R257": "tests/beliefs/test_beliefs.py",
    "R258": "tests/beliefs/test_beliefs.py",
    "R259": "tests/beliefs/test_beliefs.py",
    "R270": "tests/beliefs/test_models.py",
    "R278": "tests/generality/test_carrying.py",
    "R260": "tests/learn/test_catalogues.py",
    "R261": "tests/learn/test_catalogues.py",
    "R262": "tests/learn/test_environments.py",
    "R263": "tests/learn/test_environments.py",
    "R264": "tests/learn/test_environments.py",
    "R265": "tests/learn/test_environments.py",
    "R266": "tests/learn/test_policies.py",
    "R267": "tests/experiments/test_ended_early.py",
    "R268": "tests/experiments/test_ended_early.py",
    "R275": "tests/experiments/test_interrupted.py",
    "R276": "tests/experiments/test_pages.py",
    "R277": "tests/wasm/test_batch_arguments.py",
    "R228": "nowhere: no ruleset is known that nests its trials so deep",
    "R229": "tests/bounds/test_runs.py",
    "R230": "tests/bounds/test_runs.py",
    "R236": "tests/interpreter/test_positions.py",
    "R239": "tests/beliefs/test_fairness.py",
    "R240": "tests/beliefs/test_budget.py",
    "R241": "tests/web/test_policies.py",
    "R242": "tests/learn/test_foreign_policies.py",
}


def fault_of(name: str, executor: ExecutorKind = "reference") -> Diagnostic:
    rules, _ = load(folder(HERE / name, name))
    match = Match(Game(rules, compile_rules(rules), executor), checked=True)
    with pytest.raises(Fault) as caught:
        play(match)
    return caught.value.diagnostic


def play(match: Match) -> None:
    match.start()
    for _ in range(100):
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[0])


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str, request: pytest.FixtureRequest) -> None:
    diagnostic = fault_of(name)
    golden = HERE / name / "expected.txt"
    text = snippets(Report([diagnostic])) + "\n"
    if request.config.getoption("--bless", default=False):
        golden.write_text(text)
    assert diagnostic.code == name.split("-")[0]
    assert text == golden.read_text()


@pytest.mark.parametrize("name", CASES)
def test_both_executors_say_the_same(name: str) -> None:
    fast, reference = fault_of(name, "wasm"), fault_of(name)
    assert (fast.code, fast.message, fast.help) == (reference.code, reference.message, reference.help)


def test_every_code_is_shown() -> None:
    assert interpreter.messages
    assert interpreter.bots.messages
    assert interpreter.wasm.messages
    assert rulewright.experiments.messages
    assert rulewright.learn.messages
    assert rulewright.messages
    assert rulewright.processes.messages
    codes = {code for code in REGISTER if code.startswith("R")}
    assert codes == {name.split("-")[0] for name in CASES} | set(ELSEWHERE)


@pytest.mark.parametrize("code", sorted(c for c in REGISTER if c.startswith("R")))
def test_every_code_is_explained(code: str) -> None:
    diagnostic = REGISTER[code]
    assert diagnostic.slug
    assert len((diagnostic.__doc__ or "").strip()) > 60
