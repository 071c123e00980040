"""`rulewright simulate` with both executors, in several threads, and what cannot go well."""

from __future__ import annotations

import json
import shlex
import sys
import threading
from array import array
from pathlib import Path

import pytest

from interpreter.chance import Choosing
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault, InUse
from interpreter.wasm import program
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.program import Program, SharedRun, lowered
from rulewright.commands.playout_tally import Figures
from rulewright.commands.simulate import play_out
from rulewright.library import bundled, open_game
from tests.games import sample

TIMING = ("seconds", "playouts_per_second", "decisions_per_second")
pytestmark = pytest.mark.usefixtures("nothing_is_kept")


def figures(run, *words: str) -> dict[str, object]:
    result = run("simulate", *words, "--json")
    found = json.loads(result.stdout)
    return {key: value for key, value in found.items() if key not in TIMING}


# ---- both executors


@pytest.mark.parametrize("name", bundled())
@pytest.mark.parametrize("seed", sample([0, 12345], [0]))
def test_both_executors_show_the_same(run, name: str, seed: int) -> None:
    words = (name, "-n", "1", "--seed", str(seed))
    reference, wasm, checked = (
        figures(run, *words, *more)
        for more in (("--executor", "reference"), ("--executor", "wasm"), ("--executor", "wasm", "--checked"))
    )
    assert reference == wasm == checked
    assert wasm["playouts"] == 1


@pytest.mark.parametrize("seed", [-3, (1 << 32) - 2, (1 << 64) - 2, 1 << 64])
def test_seeds_of_any_size_are_the_same_to_both(run, game: Path, seed: int) -> None:
    words = ("dice", "-n", "5", "--seed", str(seed))
    assert figures(run, *words, "--executor", "reference") == figures(run, *words)


def test_seats_and_options_are_the_same_to_both(run, game: Path) -> None:
    words = ("dice", "-n", "20", "--seats", "4", "--option", "goal=20")
    assert figures(run, *words, "--executor", "reference") == figures(run, *words)


def test_the_text_is_the_same(run, game: Path) -> None:
    one, two = (run("simulate", "dice", "-n", "40", "--executor", x).output for x in ("reference", "wasm"))
    assert one.splitlines()[2:] == two.splitlines()[2:]


def test_one_choice_needs_no_number() -> None:
    one, two = Choosing(7), Choosing(7)
    assert [one.below(1) for _ in range(5)] == [0] * 5
    assert [one.below(10) for _ in range(20)] == [two.below(10) for _ in range(20)]


def test_any_executor_plays_and_replays(run, game: Path) -> None:
    """A log that was written under one is verified under the other."""
    for one, other in (("reference", "wasm"), ("wasm", "reference")):
        words = ("--seed", "5", "--log", f"{one}.log", "--executor", one)
        assert run("play", "dice", "--seats", "random,random", *words).exit_code == 0
        result = run("replay", f"{one}.log", "--game", "dice", "--executor", other)
        assert result.exit_code == 0, result.output
    assert told("reference.log") == told("wasm.log") != []


def told(file: str) -> list[dict[str, object]]:
    """The lines of a log without what is drawn anew for each match: the nonce, and what is made of it."""
    drawn = ("nonce", "commitment", "seal")
    lines = [json.loads(line) for line in Path(file).read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in drawn} for line in lines]


def test_a_match_goes_on_under_the_other(run, game: Path) -> None:
    file = game / "game.yaml"
    text = file.read_text()
    file.write_text(text.replace("points: {of: seat, range: 0..99", "points: {of: seat, range: 0..22"))
    run("simulate", "dice", "-n", "50", "--log", "part.log", "--option", "goal=40")
    run("play", "dice", "--resume", "part.log", "--executor", "wasm", "--seats", "random,random")
    result = run("replay", "part.log", "--game", "dice")
    assert result.exit_code == 0, result.output


# ---- figures


@pytest.mark.parametrize("numbers", [[3], [4, 1], [1, 1, 2], [5, -2, 5, 0], list(range(100, 0, -1))])
def test_figures(numbers: list[int]) -> None:
    import statistics

    found = Figures.of(numbers)
    assert (found.least, found.most) == (min(numbers), max(numbers))
    assert found.median == statistics.median(numbers)
    assert found.mean == pytest.approx(statistics.mean(numbers))


# ---- threads


@pytest.mark.parametrize("jobs", ["2", "5"])
def test_several_threads_change_nothing(run, game: Path, jobs: str) -> None:
    words = ("dice", "-n", "500")
    assert figures(run, *words) == figures(run, *words, "--jobs", jobs)


def test_several_threads_tell_the_first_fault(run, game: Path) -> None:
    break_it(game)
    words = ("simulate", "dice", "-n", "500", "--option", "goal=20", "--seed", "2")
    one = run(*words)
    for _ in range(5):
        assert run(*words, "--jobs", "4").stderr == one.stderr


@pytest.mark.parametrize("words", [("--executor", "reference"), ("--checked", "--executor", "reference")])
def test_threads_are_for_modules(run, game: Path, words: tuple[str, ...]) -> None:
    result = run("simulate", "dice", "--jobs", "2", *words)
    assert result.exit_code == 2
    assert "--jobs" in result.stderr


@pytest.mark.parametrize("most", [1, 7, 64])
def test_stretches_change_nothing(run, game: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """However many playouts one call makes."""
    code = lowered(open_game("dice").machine, PLAYOUT)
    whole = list(SharedRun(code, 300, 11).rows())
    monkeypatch.setattr(program, "ROWS", most)
    parts = list(SharedRun(code, 300, 11).rows())
    assert len(parts) >= 300 / most
    assert [w for r in whole for w in r.words] == [w for r in parts for w in r.words]
    for figure in ("played", "offered"):
        assert sum(getattr(r, figure) for r in whole) == sum(getattr(r, figure) for r in parts)
    assert max(r.widest for r in whole) == max(r.widest for r in parts)


def test_a_tally_is_that_of_its_rows(game: Path) -> None:
    machine = open_game("dice", 3).machine
    fast, rows = Program(machine), Program(machine, PLAYOUT).rows(400, 9)
    tally = fast.playouts(400, 9)
    assert tally == fast.playouts(400, 9)
    assert tally.decisions == sum(rows.words[::6])
    assert dict(tally.won) == {x: list(rows.words[2::6]).count(x) for x in set(rows.words[2::6])}
    assert sum(tally.wins) == pytest.approx(400)
    fast._most = 7
    assert fast.playouts(400, 9) == tally
    with pytest.raises(ValueError, match="4000"):
        Program(machine, PLAYOUT).rows(4000)


def test_two_threads_at_one_program_do_not_mix(game: Path) -> None:
    """One of them is refused while the other plays on; nothing of either is lost."""
    shared = Program(open_game("dice").machine, FAST)
    whole = shared.playouts(20_000, 3)
    refused, found, started = [], [], threading.Event()

    def play() -> None:
        started.set()
        for _ in range(4):
            try:
                found.append(shared.playouts(20_000, 3))
            except Fault as fault:
                refused.append(fault.diagnostic)

    other = threading.Thread(target=play)
    other.start()
    started.wait()
    while other.is_alive():
        try:
            found.append(shared.playouts(20_000, 3))
        except Fault as fault:
            refused.append(fault.diagnostic)
    other.join()
    assert refused
    assert all(isinstance(diagnostic, InUse) for diagnostic in refused)
    assert found
    assert all(tally == whole for tally in found)


def test_two_matches_of_one_game_in_two_threads_do_not_mix(game: Path) -> None:
    """A thread that is refused asks again; what happens in one match is not told to the other."""
    opened = open_game("dice", executor="wasm")
    alone = {seed: played(opened, seed) for seed in range(4)}
    found: dict[int, list[object]] = {}
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [
            threading.Thread(target=lambda seed=seed: found.update({seed: played(opened, seed)}))
            for seed in alone
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert found == alone


def played(opened: Game, seed: int) -> list[object]:
    match, choosing = Match(opened, seed), Choosing(seed)
    again(match.start)
    while not match.over:
        waiting = again(match.waiting)[0]
        option = waiting.options[choosing.below(len(waiting.options))]
        again(lambda waiting=waiting, option=option: match.take(waiting, option))
    return [match.state[:], *match.steps]


def again(act):
    """Until nobody else is at work."""
    while True:
        try:
            return act()
        except Fault as fault:
            if not isinstance(fault.diagnostic, InUse):
                raise


def test_an_instance_in_use_is_refused(game: Path) -> None:
    made = Program(open_game("dice").machine, PLAYOUT)
    words = made.rows(10).words
    with made.instance:
        for use in (made.playouts, made.rows):
            with pytest.raises(Fault, match="another thread"):
                use(10)
    assert made.rows(10).words == words


def test_a_match_whose_executor_is_in_use_is_unchanged(game: Path) -> None:
    opened = open_game("dice", executor="wasm")
    match = Match(opened, 3).start()
    before, waiting = match.state[:], match.waiting()
    from interpreter.wasm.executor import WasmExecutor

    assert isinstance(opened.executor, WasmExecutor)
    with opened.executor.instance:
        with pytest.raises(Fault, match="another thread"):
            match.take(waiting[0], waiting[0].options[0])
        with pytest.raises(Fault, match="another thread"):
            match.waiting()
    assert match.state == before
    play_out(match)
    assert match.over


def test_a_match_whose_start_is_refused_half_way_is_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor was free for the first card and is not for the second."""
    from interpreter.wasm.executor import WasmExecutor

    opened = open_game("kuhn_poker", executor="wasm")
    executor = opened.executor
    assert isinstance(executor, WasmExecutor)
    match, alone, draw = Match(opened, 3), Match(opened, 3).start(), executor.resolve_chance
    before, drawn = match.state[:], []

    def in_use_for_the_second(s: array[int], outcome: int) -> int:
        drawn.append(outcome)
        if len(drawn) != 2:
            return draw(s, outcome)
        with executor.instance:
            return draw(s, outcome)

    monkeypatch.setattr(executor, "resolve_chance", in_use_for_the_second)
    with pytest.raises(Fault, match="another thread"):
        match.start()
    assert len(drawn) == 2
    assert (match.state, match.steps) == (before, [])
    assert match.start().state == alone.state
    assert match.steps == alone.steps


# ---- faults


def break_it(game: Path) -> None:
    """The points of a seat do not always have room for what is banked."""
    file = game / "game.yaml"
    file.write_text(
        file.read_text().replace("points: {of: seat, range: 0..99", "points: {of: seat, range: 0..22")
    )


@pytest.mark.parametrize("seed", ["0", "3", "70"])
def test_both_executors_tell_the_same_fault(run, game: Path, seed: str) -> None:
    break_it(game)
    words = ("simulate", "dice", "-n", "200", "--seed", seed, "--option", "goal=20")
    reference, wasm = (run(*words, "--executor", x) for x in ("reference", "wasm"))
    assert reference.exit_code == wasm.exit_code == 1
    assert wasm.stdout.splitlines()[2:] == reference.stdout.splitlines()[2:]
    assert wasm.stderr.splitlines()[:-1] == reference.stderr.splitlines()[:-1]
    again = wasm.stderr.splitlines()[-1].removeprefix("  to see it again: ")
    assert run(*shlex.split(again)[1:]).stderr.splitlines()[:2] == wasm.stderr.splitlines()[:2]


def test_a_program_goes_on_behind_a_fault(game: Path) -> None:
    break_it(game)
    made = Program(open_game("dice", options={"goal": "20"}).machine, PLAYOUT)
    fresh = Program(made.code)
    seeds = range(60)
    rows = [made.rows(1, seed) for seed in seeds]
    assert 0 < sum(r.played for r in rows) < len(seeds)
    first = next(i for i, r in enumerate(rows) if r.record)
    whole = fresh.rows(60)
    assert whole.record == rows[first].record
    assert whole.words == array("i", [w for r in rows[:first] for w in r.words])
    assert whole.offered == sum(r.offered for r in rows[:first])
    assert [Program(made.code).rows(1, seed) for seed in seeds] == rows


ENDLESS = """game: endless
seats: 2
rules: [endless.rules]
components: {die: {die: 1..6}}
counters: {left: {range: 0..99, start: 3}}
flow:
  turn: {seat: rotates, do: [{do one of: [act], named: act}], then: {lost: there, otherwise: turn}}
  there: {do: [wander], then: back}
  back: {do: [wander], then: there}
  final: {score: highest}
"""
RULES = """action act
    left -= 1

value lost = left is 0

score points = left

procedure wander
    WANDER
"""


@pytest.mark.parametrize("wander", ["nothing", "roll die"])
@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_game_that_goes_round_for_ever_is_stopped(
    run, tmp_path: Path, wander: str, executor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two phases that lead to each other, by themselves or with nothing but chance on the way."""
    from rulewright.commands import simulate_bots

    monkeypatch.setattr(simulate_bots, "MOST_DRAWS", 2000)
    folder = tmp_path / "endless"
    folder.mkdir()
    (folder / "game.yaml").write_text(ENDLESS)
    (folder / "endless.rules").write_text(RULES.replace("WANDER", wander))
    result = run("simulate", "endless", "-n", "5", "--seed", "8", "--executor", executor)
    assert result.exit_code == 1
    assert "error[R209]: " in result.stderr
    assert "steps without a decision" in result.stderr
    assert "--> endless/" in result.stderr
    assert "in playout 1 (seed 8), after 2 decisions" in result.stderr


ACCOUNT = """game: account
seats: 2
rules: [account.rules]
counters: {left: {range: 0..3, start: 3}, points: {of: seat, range: 0..99}}
flow:
  turn: {seat: rotates, do: [{do one of: [act, more], named: act}], then: {lost: final, otherwise: turn}}
  final: {score: highest}
"""
ACCOUNT_RULES = """action act
    left -= 1

action more
    left -= 1
    gain 3 points

value lost = left is 0

score total = 12 div points of me
"""


def test_an_account_that_comes_to_a_fault_is_told(run, tmp_path: Path) -> None:
    folder = tmp_path / "account"
    folder.mkdir()
    (folder / "game.yaml").write_text(ACCOUNT)
    (folder / "account.rules").write_text(ACCOUNT_RULES)
    reference, wasm = (run("simulate", "account", "-n", "20", "--executor", x) for x in ("reference", "wasm"))
    assert "error[R213]" in wasm.stderr
    assert wasm.stderr.splitlines()[:-1] == reference.stderr.splitlines()[:-1]
    with pytest.raises(Fault, match="division by zero"):
        Program(open_game("account").machine).playouts(20)
