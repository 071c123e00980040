"""Whatever somebody writes, `check --fast` comes to an end and says what there is in words with a code."""

from __future__ import annotations

import signal
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic, thread_time
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from rulewright import examination
from rulewright.library import read_rules
from rulewright.main import main
from rulewright.processes import deadline
from rulewright.processes.callbacks import in_callback
from tests.bounds.families import FAMILIES
from validators.check import Check, CheckContext, Finding
from validators.checks import no_end
from validators.run_checks import run_checks

SIZES = (60, 1000)


@pytest.fixture(autouse=True)
def the_clock_never_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is; the bound of the time has a test of its own."""
    monkeypatch.setattr(examination, "FAST_SECONDS", 600.0)


@pytest.fixture
def ruleset(tmp_path: Path) -> Callable[[str, int], str]:
    def write(name: str, size: int) -> str:
        game, rules = FAMILIES[name](size)
        (tmp_path / "game.yaml").write_text(game)
        (tmp_path / "demo.rules").write_text(rules)
        return str(tmp_path)

    return write


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, list(words))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FAMILIES)
def test_check_ends(name: str, size: int, ruleset: Callable[[str, int], str]) -> None:
    result = run("check", ruleset(name, size), "--fast", "--format", "line")
    assert result.exit_code in (0, 1)
    assert (result.exit_code == 1) == (": error: " in result.output), result.output


REFUSED = {
    ("a value twice", 20): "D080",
    ("a value in an if", 20): "D080",
    ("a value in a where", 20): "D080",
    ("a value in modifiers", 20): "D080",
    ("a value in cases", 20): "D080",
    ("a parameter", 20): "D080",
    ("an argument", 20): "D081",
    ("a chain of values", 1000): "D081",
    ("arguments of max", 20_000): "D081",
    ("a chain of calls", 4000): "D084",
    ("counters of many words", 3000): "D083",
    ("zones", 1000): "D083",
    ("many lines", 8000): "D082",
}


@pytest.mark.parametrize(("name", "size"), REFUSED)
def test_one_coded_message(name: str, size: int, ruleset: Callable[[str, int], str]) -> None:
    result = run("check", ruleset(name, size), "--fast", "--format", "line")
    assert result.exit_code == 1
    said = [line for line in result.output.splitlines() if ": error: " in line]
    assert len(said) == 1, result.output
    assert f"[{REFUSED[name, size]}]" in said[0]


@pytest.mark.parametrize("name", ["calls twice", "a chain of calls", "calls in branches"])
def test_calls_are_compiled_once_however_often_they_are_called(
    name: str, ruleset: Callable[[str, int], str]
) -> None:
    result = run("check", ruleset(name, 60), "--fast")
    assert result.exit_code == 0, result.output


def test_the_time_to_read_and_compile_is_bounded(
    ruleset: Callable[[str, int], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the bounds of size let through, nobody waits for it."""
    monkeypatch.setattr(examination, "FAST_SECONDS", 0.2)
    path = ruleset("all at once", 1000)
    result = run("check", path, "--fast", "--format", "line", "--seconds", "0")
    assert result.exit_code == 1
    assert "was not read and compiled within 0.2 s [C414]" in result.output
    assert "no time was left" not in result.output


def test_an_alarm_that_comes_in_the_answer_to_one_waits_for_the_next() -> None:
    """The answer may stand in a callback, which would swallow what is raised."""
    callback = SimpleNamespace(f_globals=vars(weakref), f_code=run.__code__, f_back=None)
    answer = SimpleNamespace(f_globals=vars(deadline), f_code=run.__code__, f_back=callback)
    assert in_callback(answer)
    assert not in_callback(SimpleNamespace(f_globals=globals(), f_code=run.__code__, f_back=None))
    count = 0

    class Gone:
        def __del__(self) -> None:
            nonlocal count
            until = monotonic() + 0.1
            while monotonic() < until:
                count += 1

    def busy() -> None:
        with deadline.at_most_busy(0.02):
            Gone()
            while True:
                pass

    with pytest.raises(deadline.TimeIsUp):
        busy()
    assert count


def test_a_limit_beyond_all_clocks_is_none() -> None:
    with deadline.at_most_busy(1e99):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0


def test_a_check_that_does_not_ask_for_the_time_is_ended() -> None:
    """Between two looks at the clock a check may be at work for long."""

    def busy(_: CheckContext) -> Iterator[Finding]:
        while True:
            pass
        yield

    slow = Check(no_end.CHECK.finding, busy)
    began = thread_time()
    subject = CheckContext(
        read_rules("pig")[0], limit=partial(examination._limited, began - examination.MOMENT + 0.1)
    )
    found = run_checks(subject, 60, checks=[slow])
    assert found.left == [slow.code]
    assert thread_time() - began < 30


@pytest.mark.parametrize(
    "command", ["rules", "graph", "check", "simulate", "profile", "explore", "test", "mutate"]
)
@pytest.mark.parametrize(
    ("name", "size"), [("a chain of calls", 1000), ("a value twice", 30), ("arguments of max", 4000)]
)
def test_every_command_says_it(
    command: str, name: str, size: int, ruleset: Callable[[str, int], str]
) -> None:
    path = ruleset(name, size)
    result = run(command, path)
    assert result.exit_code == 1
    assert "[D08" in result.output, result.output
