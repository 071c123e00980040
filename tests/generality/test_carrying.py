"""Series of matches: what carries over is the same in both executors, in logs and on the page."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.diagnostics import ErrorsReported
from dsl.load import load
from dsl.source import Source
from interpreter import log
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.opening import Opening
from interpreter.replay import replay
from interpreter.sights import SPECTATOR
from rulewright.commands.play import PlayArgs, _following, play as play_command
from rulewright.commands.replay import replay as replay_command
from rulewright.library import folder
from rulewright.matches.position_file import position_in
from tests.rulewright.test_play import Table
from tests.web.in_node import run_in_node
from tests.web.recording import equipment, text

HERE = Path(__file__).parent
SERIES = """
import { openGame } from "./rulewright/web/match/game.js";
import { carriedFrom } from "./rulewright/web/match/carrying.js";
import { writeLog } from "./rulewright/web/match/log.js";
import { readLog } from "./rulewright/web/match/log_reading.js";
import { Match } from "./rulewright/web/match/match.js";
import { entries, position } from "./rulewright/web/match/position.js";
import { replay } from "./rulewright/web/match/replay.js";
const module = Uint8Array.from(atob(given.module), (one) => one.charCodeAt(0));
const game = await openGame(given.description, given.tables, module);
let carried = null;
const found = given.matches.map(({ seed, choices }) => {
    const match = new Match(game, BigInt(seed), {}, carried).start();
    const told = given.viewers.map((viewer) => JSON.stringify(entries(match, viewer)));
    choices.forEach(([seat, words]) => match.choose(seat, words));
    carried = carriedFrom(game, match.state);
    const log = writeLog(match, { players: [] });
    const again = replay(game, readLog(log));
    const { next = false } = position(match, -1);
    return { log, told, next, again: again.steps.at(-1).hash === match.steps.at(-1).hash };
});
console.log(JSON.stringify({ found, more: carried !== null }));
"""


def game(name: str, seats: int = 2, executor: ExecutorKind = "wasm") -> Game:
    rules, _ = load(folder(HERE / name))
    return Game(rules, compile_rules(rules, seats), executor)


def play(match: Match, seed: int) -> list[tuple[int, str]]:
    """Plays a match to its end by random choices; the choices."""
    chooser, made = random.Random(seed), []
    while not match.over:
        decision = match.decisions()[0]
        words = chooser.choice(decision.choices).text
        made.append((decision.waiting.seat, words))
        match.choose(decision.seat, words)
    return made


def series(of: Game, seed: int) -> list[Match]:
    """All matches of a series, each played to its end."""
    matches = [Match(of, seed=seed).start()]
    play(matches[-1], seed)
    while matches[-1].carried() is not None:
        assert len(matches) < 40, "the series has no end"
        matches.append(matches[-1].next(seed + len(matches)))
        play(matches[-1], seed + len(matches))
    return matches


@pytest.mark.parametrize(("name", "seats"), [("rubber", 2), ("rubber", 3), ("voyages", 2)])
def test_both_executors_play_a_series_alike(name: str, seats: int) -> None:
    for seed in range(3):
        fast, slow = (series(game(name, seats, kind), seed) for kind in ("wasm", "reference"))
        assert [one.hash() for one in fast] == [one.hash() for one in slow]
        assert [one.steps[0].events for one in fast] == [one.steps[0].events for one in slow]


def test_a_series_ends_when_the_rules_say_so() -> None:
    matches = series(game("voyages"), 5)
    assert len(matches) == 3
    assert [match.view(0).counters["voyage"] for match in matches] == [2, 3, 3]
    with pytest.raises(Fault) as stop:
        matches[-1].next()
    assert stop.value.diagnostic.code == "R278"
    with pytest.raises(Fault, match="the match is not over"):
        Match(game("voyages")).start().next()
    with pytest.raises(Fault, match="nothing carries over"):
        Match(game("tolls")).start().next()


def test_the_next_match_begins_with_what_the_last_one_came_to() -> None:
    first, second, *_ = series(game("voyages"), 5)
    start = second.opening
    assert start is not None
    assert start.carried
    assert dict(start.values)["voyage"] == ("2",)
    assert dict(start.values)["mapped at 1"] == ("true",)
    begun = first.next(seed=9)
    assert begun.view(0).counters["gold of A"] == first.view(0).counters["gold of A"]
    counters, pack = first.view(0).counters, begun.view(0).zones["pack of A"]
    owned = sum(value or 0 for at, value in counters.items() if at.startswith("owned of A"))
    assert isinstance(pack, list)
    assert len(pack) == owned, "pieces are laid out anew"


def test_what_held_already_does_not_fire_again() -> None:
    """A trigger whose condition holds by what has carried over waits until it holds anew."""
    opening = Opening.of({"games of A": 1, "reserve of A": 0}, carried=True)
    for kind in ("wasm", "reference"):
        match = Match(game("rubber", 2, kind), opening=opening).start()
        assert match.view(0).counters["reserve of A"] == 0
        play(match, 1)
        assert match.view(0).counters["games of A"] in (1, 2)
        if match.view(0).counters["games of A"] == 1:
            assert match.view(0).counters["reserve of A"] == 0


def test_the_log_of_the_next_match_replays_alone() -> None:
    of = game("rubber")
    for match in series(of, 2):
        written = log.write(match, {}, ["human", "random"])
        read = log.read(Source("next.log", written))
        assert read.opening == match.opening
        assert replay(of, read).match.hash() == match.hash()


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"hand of A": ["ace"]}, "`hand` does not carry over"),
        ({"games of A": 7}, "must be within 0..2"),
        ({"games of Z": 1}, "unknown seat"),
    ],
)
def test_nothing_else_carries_over(values: dict[str, object], why: str) -> None:
    with pytest.raises(Fault, match=why):
        Match(game("rubber"), opening=Opening.of(values, carried=True)).start()


def test_what_carries_over_is_told_to_those_who_may_know_it() -> None:
    opening = Opening.of({"games of A": 1, "reserve of A": 3, "reserve of B": 2}, carried=True)
    match = Match(game("rubber"), opening=opening).start()
    views = match.game.views
    for viewer, known in ((0, {"A"}), (1, {"B"}), (SPECTATOR, set())):
        told = [views.named(event) for event in views.redacted(match.steps[0].events, viewer)]
        names = {str(event[1]) for event in told if event[0] == "changed"}
        assert "games of A" in names
        assert {name[-1] for name in names if name.startswith("reserve")} == known


@pytest.mark.parametrize("name", ["rubber", "voyages"])
def test_the_page_plays_the_same_series(name: str, tmp_path: Path) -> None:
    from rulewright.presentation.position import entries, position

    table = (f"tests/generality/{name}", 2, ())
    of = game(name)
    matches, choices = [Match(of, seed=3).start()], []
    told = [[text(entries(matches[0], viewer)) for viewer in (-2, -1, 0, 1)]]
    choices.append(play(matches[0], 3))
    while matches[-1].carried() is not None:
        matches.append(matches[-1].next(3 + len(matches)))
        told.append([text(entries(matches[-1], viewer)) for viewer in (-2, -1, 0, 1)])
        choices.append(play(matches[-1], 3 + len(matches)))
    given = equipment(table) | {
        "viewers": [-2, -1, 0, 1],
        "matches": [{"seed": str(m.seed), "choices": c} for m, c in zip(matches, choices, strict=True)],
    }
    made = run_in_node(SERIES, tmp_path, given)
    assert not made["more"]
    assert len(made["found"]) == len(matches) > 1
    for match, entries_, page in zip(matches, told, made["found"], strict=True):
        assert page["log"] == log.write(match, {}, [])
        assert page["told"] == entries_
        assert page["next"] == position(match, -1).get("next", False)
        assert page["again"]


def test_a_rematch_at_a_server_is_the_next_match(tmp_path: Path) -> None:
    from rulewright.serve.matches.interface import SeatRequest
    from rulewright.serve.matches.service import MatchService
    from tests.serve.playing import play as play_on, served, table

    names = [SeatRequest("human", "Al"), SeatRequest("human", "Bo")]

    hashes: dict[str, str] = {}

    async def act(service: MatchService) -> None:
        match = (await service.create(table(str(HERE / "voyages"), *names))).id
        for voyage in (1, 2, 3):
            live = await play_on(service, match, 400, seed=voyage)
            hashes[match] = live.match.hash()
            assert live.row.status == "over"
            following = (await service.rematch(match)).id
            begun = await service.open(following)
            carried = live.match.carried()
            assert begun.match.opening == carried
            seated = ["Al", "Bo"] if carried is not None else ["Bo", "Al"]
            assert [seat.name for seat in begun.seats] == seated
            match = following
        assert begun.match.view(0).counters["voyage"] == 1, "after the campaign all begins anew"

    async def read_again(service: MatchService) -> None:
        for match, known in hashes.items():
            assert (await service.open(match)).match.hash() == known

    address = f"sqlite:///{tmp_path}/kept.db"
    served(address, act)
    served(address, read_again)


def test_the_terminal_goes_on_with_the_next_match(tmp_path: Path) -> None:
    run = CliRunner()
    first, second = tmp_path / "match.log", tmp_path / "match-2.log"
    path = str(HERE / "voyages")
    done = run.invoke(play_command, [path, "--seats", "random,random", "--seed", "1", "--log", str(first)])
    assert done.exit_code == 0, done.output
    assert f"--next {first}`" in done.output.replace("\n", ""), done.output
    done = run.invoke(play_command, [path, "--next", str(first), "--seed", "2", "--log", str(second)])
    assert done.exit_code == 0, done.output
    head = json.loads(second.read_text("utf-8").splitlines()[0])
    assert head["position"]["carried"] is True
    assert head["position"]["set"]["voyage"] == ["2"]
    told = run.invoke(replay_command, [str(second), "--game", path])
    assert "begun with what has carried over:" in told.output, told.output
    assert "voyage: 2" in told.output


def test_people_are_asked_for_the_next_match(tmp_path: Path) -> None:
    match = Match(game("voyages"), seed=4).start()
    play(match, 4)
    log_file = tmp_path / "match.log"
    at = Table("pig", "hr", match=match)
    at.session.config = replace(at.session.config, kinds=("human", "random"), log=log_file)
    at.session.begin()
    arguments = PlayArgs("x", None, None, (), None, log_file, None, True, "wasm", None, None, None)
    at.says = iter(["n", "yes"])
    assert _following(at.session, arguments) is None
    following = _following(at.session, arguments)
    assert following is not None
    assert following.config.log == tmp_path / "match-2.log"
    assert following.match.opening == match.carried()


def test_a_position_file_may_have_what_carried_over() -> None:
    given = position_in(Source("next.yaml", "carried: {voyage: 3, gold of A: 9}\n"))
    match = given.match(game("voyages"), 1)
    assert match.view(0).counters["voyage"] == 3
    assert match.opening is not None
    assert match.opening.carried
    with pytest.raises(ErrorsReported, match="must be without `at`"):
        position_in(Source("next.yaml", "at: turn\ncarried: {voyage: 3}\n"))
