"""What runs comes to an end: searches, Ctrl-C, little memory, large boards."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Aborted, Fault
from interpreter.queries import QueryEvaluator
from interpreter.reference import trials
from interpreter.wasm.batch import Batch
from interpreter.wasm.engine import running
from interpreter.wasm.program import Program
from rulewright.library import open_game
from tests.bounds.families import END, GAME, needing
from tests.processes import Process

COMMAND = (sys.executable, "-m", "rulewright")
Executor = Literal["reference", "wasm"]

LONG = GAME.replace("game: demo", "game: demo\nlongest: 1000000000").replace("[act]", "[up, down]")
UP_AND_DOWN = """action up
    needs coins < 40
    gain 1 coins
action down
    needs coins > 1
    lose 1 coins
"""


def made(game: str, rules: str, executor: Executor = "reference") -> Game:
    texts = {"game.yaml": game.encode(), "demo.rules": rules.encode()}
    found, _ = load(Folder("demo", lambda path: texts[path]))
    return Game(found, compile_rules(found), executor)


def code_of(run: Callable[[], object]) -> str:
    with pytest.raises(Fault) as caught:
        run()
    return caught.value.diagnostic.code


# ---- the search of an offer

SEARCH = "action act(a from 0..N, b from 0..N, c from 0..N)\n    needs a + b + c is SUM\n    lose 1 coins\n"
IN_VAIN = SEARCH.replace("a + b + c is SUM", "(a + b) mod 7 + c + coins is SUM")
"""Nothing says beforehand that there is no such number, nor which one it would be."""


@pytest.mark.parametrize("executor", ["reference", "wasm"])
@pytest.mark.parametrize("size", ["300", "4000"])
def test_a_search_has_an_end(executor: Executor, size: str) -> None:
    rules = IN_VAIN.replace("N", size).replace("SUM", str(int(size) + 30))
    match = Match(made(GAME, rules + END, executor))
    assert code_of(lambda: match.start().waiting()) == "R227"


COSTLY = "    gain 1 points\n    needs points of me > x + 200\n"


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_nested_trials_share_the_search(executor: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    """If each had one of its own, they would come to an end only after years. The slow one has a smaller."""
    monkeypatch.setattr(trials, "MOST_SEARCH", 40_000)
    asks = "".join(f"action a{i}(x from 0..99)\n    needs can a{i + 1}\n{COSTLY}" for i in range(6))
    rules = asks + f"action a6(x from 0..99)\n{COSTLY}"
    game = GAME.replace("[act]", "[a0]").replace("0..50}}\nflow", "0..999}}\nflow")
    match = Match(made(game, rules + END, executor))
    assert code_of(lambda: match.start().waiting()) == "R227"


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_small_search_is_found(executor: Executor) -> None:
    rules = SEARCH.replace("N", "20").replace("SUM", "59") + END
    match = Match(made(GAME, rules, executor)).start()
    assert [c.text for c in match.decisions()[0].choices] == ["act 19", "act 20", "pass"]


# ---- empty brackets


def test_empty_brackets_are_no_parameters() -> None:
    rules = "action act()\n    needs not done()\n    lose 1 coins\nvalue done() = coins is 1\n" + END
    plain = rules.replace("()", "")
    texts = [[c.text for c in Match(made(GAME, x)).start().decisions()[0].choices] for x in (rules, plain)]
    assert texts[0] == texts[1] == ["act", "pass"]


# ---- large games

BOARD = GAME.replace(
    "counters:", "boards:\n  b: {grid: [64, 64], neighbours: all, directions: way}\ncounters:"
)
BOARD = BOARD.replace("counters: {", "pointers: {man: {at: b, to: seat}}\ncounters: {")
WALK = """action act(b where man at b is none, way, n from 1..9)
    needs step(b, way, n) exists
    man at b = me
    lose 1 coins
"""


def test_a_board_of_64_by_64_with_directions() -> None:
    game = made(BOARD, WALK + END)
    fast = Program(replace(game.machine, longest=100)).playouts(2, 3)
    assert fast.playouts == 2
    batch = Batch(game.machine, 2, seed=1)
    assert (batch.codes == 0).all()


# ---- Ctrl-C


def write(path: Path, game: str, rules: str) -> str:
    (path / "game.yaml").write_text(game)
    (path / "demo.rules").write_text(rules)
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "-n", "10"),
        ("simulate", "-n", "10", "--jobs", "2"),
        ("simulate", "-n", "10", "--executor", "reference"),
        ("profile", "-n", "10"),
        ("explore", "--seconds", "600"),
        ("check", "--seconds", "600"),
        ("mutate", "--jobs", "2"),
    ],
)
def test_interrupts_are_answered(words: tuple[str, ...], tmp_path: Path) -> None:
    bundled = {"explore": "trajan", "mutate": "roma"}.get(words[0])
    path = bundled or write(tmp_path, LONG, UP_AND_DOWN + END)
    command = [*COMMAND, words[0], path, *words[1:]]
    with Process(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_interruptible,
    ) as process:
        _at_work(process.pid)
        process.send_signal(signal.SIGINT)
        try:
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert "Traceback" not in output
    assert process.returncode in (0, 130, -signal.SIGINT), output


def _at_work(pid: int) -> None:
    """Waits until a process is past its start: it has worked for some time, or six seconds are over."""
    until, stat = time.monotonic() + 6, Path(f"/proc/{pid}/stat")
    while time.monotonic() < until:
        time.sleep(0.1)
        if stat.is_file():
            user, system = stat.read_text().rpartition(")")[2].split()[11:13]
            if (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") > 1:
                return


def _interruptible() -> None:
    """Whoever started the tests in the background may have switched interrupts off."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def stopped_soon(run: Callable[[], object]) -> list[BaseException]:
    """What a run in a thread of its own raises that is stopped from another one."""
    raised: list[BaseException] = []

    def work() -> None:
        try:
            run()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while thread.is_alive() and time.monotonic() < until:
        for instance, use in running():
            instance.stop(use)
        time.sleep(0.1)
    assert not thread.is_alive()
    return raised


def test_playouts_can_be_stopped_from_another_thread_and_go_on() -> None:
    program = Program(made(LONG, UP_AND_DOWN + END).machine)
    raised = stopped_soon(lambda: program.playouts(3))
    assert isinstance(raised[0], Aborted)
    assert raised[0].diagnostic.code == "R229"
    raised = stopped_soon(lambda: program.rows(3))
    assert isinstance(raised[0], Aborted)


def test_a_program_that_was_stopped_plays_as_before() -> None:
    machine = open_game("tic_tac_toe").machine
    program, other = Program(machine), Program(machine)
    raised = stopped_soon(lambda: program.playouts(1 << 40))
    assert isinstance(raised[0], Aborted)
    assert program.playouts(100, 5) == other.playouts(100, 5)


# ---- memory


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="address space is limited in this way")
def test_little_address_space_is_said() -> None:
    command = [*COMMAND, "simulate", "tic_tac_toe", "-n", "3"]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    found = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=limit, timeout=120, check=False
    )
    assert "Traceback" not in found.stderr
    assert "error[R230]" in found.stderr
    assert found.returncode == 1


# ---- what lives long


def test_a_match_may_be_asked_without_end() -> None:
    game = made(GAME, needing("coins > 0") + END)
    match = Match(game).start()
    answers, condition = QueryEvaluator(game), game.rules.values["over"].cases[0].value
    found = {str(answers.answer(match.state, condition)) for _ in range(20_000)}
    assert found == {"false"}
