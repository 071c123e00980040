"""The law of secrecy on the wire: what a socket is sent does not depend on what its viewer may not know.

Two matches that differ only in what a viewer cannot know are played with the same choices, through the
server's own sockets. All bytes to the viewer must be the same, and in the same order: tables, positions,
entries, acknowledgements, reasons, score sheets, what can be taken back, replays.

Two things are told on purpose, and end a course: what the rules allow an action or a decision to reveal
(their `allow`), and the account at the end, which everybody gets, whatever it counts.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interpreter import ir, match as matches
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.pools import Pool, pools
from interpreter.views import Views
from rulewright.library import open_game
from rulewright.serve.app import make_app
from rulewright.serve.config import Keeping, ServeConfig
from rulewright.serve.games.compiled import Games
from rulewright.serve.matches import actions
from rulewright.serve.matches.allowance import Allowance
from rulewright.serve.matches.interface import Accepted, Change
from rulewright.serve.matches.live import LiveMatch, RowMaker, built
from rulewright.serve.running import listening, server_of
from rulewright.serve.store.grants import Grant
from rulewright.serve.store.opening import open_storage
from rulewright.serve.store.storage import LogRow, MatchRow, RulesetArchive, SeatRow
from tests.games import game_of
from tests.serve.clients import LAVISH, SECRET, Browser, Player
from validators.checks.secret_told import SecretTold
from validators.secrecy.indistinguishable_states import IndistinguishableStates
from validators.secrecy.noninterference import is_meant
from validators.secrecy.recorded_run import RecordedRun
from validators.secrecy.shadow_run import RunsDiverged, ShadowRun
from validators.secrecy.visibility import SPECTATOR, Visibility

GAMES = [("kuhn_poker", 2), ("leduc_poker", 2), ("roma", 2), ("augustus", 2), ("augustus", 3)]
MORE = [("constantinopolis", 3), ("trajan", 2)]
NOW = 1_700_000_000_000
MATCH = "the_match"
GENERALITY = Path(__file__).parents[1] / "generality"


@dataclass
class Script:
    """A course of a match: what its moments are, and who makes the choice that leads to each."""

    game: Game
    moments: Sequence[Match]
    seats: Sequence[int]
    words: Sequence[str]
    live: LiveMatch = field(init=False)
    at: int = 0

    def __post_init__(self) -> None:
        maker = RowMaker(0, NOW)
        maker.steps(self.moments[0], 0)
        row = match_row(self.game)
        self.live = built(row, seat_rows(self.game), maker.rows, self.game, self.moments[0])

    def advance(self, client: str | None = None) -> tuple[LogRow, ...]:
        """Go to the next moment. Returns the rows that are committed."""
        before, self.at = self.moments[self.at], self.at + 1
        maker = RowMaker(self.live.log.length, NOW)
        maker.steps(self.moments[self.at], len(before.steps), client)
        self.live = self.live.followed(self.moments[self.at], maker.rows)
        return tuple(maker.rows)


def match_row(game: Game) -> MatchRow:
    options = {"visibility": "open", "owner": "nobody"}
    seats, name = game.machine.seats, game.machine.name
    return MatchRow(
        MATCH, name, name, game.machine.digest, game.machine.digest, seats, {}, 1, None, None,
        {"kind": "none"}, options, "running", None, NOW, NOW,
    )  # fmt: skip


def seat_rows(game: Game) -> list[SeatRow]:
    return [SeatRow(MATCH, seat, "human", f"P{seat}", f"token {seat}") for seat in range(game.machine.seats)]


class ScriptedService:
    """Stands in for the service of matches: one match, which takes the course of a script."""

    def __init__(self) -> None:
        self.script: Script | None = None
        self.subscribers: list[Callable[[Change], None]] = []
        self.games = Games()
        self.allowance = Allowance()
        self.registry = SimpleNamespace(storage=None)

    async def rematch_of(self, _: LiveMatch) -> None:
        return None

    def gives_hints(self, _: object) -> bool:
        return False

    async def start(self, alone: bool = False) -> None:
        pass

    async def migrate_all(self) -> dict[str, str]:
        return {}

    def end(self) -> None:
        pass

    async def close(self) -> None:
        pass

    @property
    def live(self) -> LiveMatch:
        assert self.script is not None
        return self.script.live

    def known(self, _: str) -> LiveMatch:
        return self.live

    async def open(self, _: str) -> LiveMatch:
        return self.live

    def subscribe(self, _: str, subscriber: Callable[[Change], None]) -> Callable[[], None]:
        self.subscribers.append(subscriber)
        return lambda: self.subscribers.remove(subscriber)

    def tell(self, rows: tuple[LogRow, ...]) -> None:
        for subscriber in list(self.subscribers):
            subscriber(Change(MATCH, rows))

    async def choose(self, _: str, seat: int, client: str, seq: int | None, words: str) -> Accepted:
        assert self.script is not None
        if (
            words not in self.script.words[self.script.at : self.script.at + 1]
        ):  # one that is not offered, for its reason
            own = self.live.game.names.seat(seat)
            replace_of(self.live.match).choose(own, words)
            raise AssertionError(f"{words} is offered")
        rows = self.script.advance(client)
        self.tell(rows)
        return Accepted(rows[0].seq, self.live.version(seat))

    async def undo(self, _: str, seat: int, client: str, seq: int | None, number: int) -> Accepted:
        assert self.script is not None
        prepared = actions.undone(self.live, NOW, seat, number, client)
        self.script.live = self.live.followed(prepared.match, prepared.rows, prepared.update)
        self.tell(prepared.rows)
        first = prepared.rows[0]
        proposal = first.seq if first.kind == "proposal" else None
        return Accepted(first.seq, self.live.version(seat), proposal=proposal)


def replace_of(match: Match) -> Match:
    """A copy that may be spoilt."""
    found = Match(match.game, match.seed)
    found.state, found.steps, found.history = match.state[:], match.steps[:], match.history[:]
    return found


class Bench:
    """A server over a scripted service."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.game = game
        self.service = ScriptedService()
        self.at = listening("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.at.getsockname()[1]}"
        config = ServeConfig({}, self.url, SECRET, folder, limits=LAVISH, keeping=Keeping(0, 0, 0, 0))
        storage = open_storage(str(folder / "matches.db"))
        app = make_app(config, storage, self.service)  # type: ignore[arg-type]
        self.context, self.server = app.state.context, server_of(app)
        storage.put_archive(archive(game)).result()
        storage.create(match_row(game), seat_rows(game), []).result()

    async def seen(self, script: Script, watcher: int, chooser: random.Random, odd: list[str]) -> list[str]:
        """What a viewer is sent while a match takes its course."""
        self.service.script = script
        async with self._socket(watcher) as socket:
            player = Player(socket)
            await player.hello()
            await self._quiet(player)
            for number, (seat, words) in enumerate(zip(script.seats, script.words, strict=True)):
                await self._ask_around(player, watcher, number, chooser, odd)
                if seat == watcher:
                    await player.ask("choose", id=f"c{number}", words=words)
                else:
                    self.service.tell(script.advance())
                await self._quiet(player)
            await self._ask_around(player, watcher, len(script.words), chooser, odd)
            if watcher >= 0:
                await player.ask("undo", id="u1", number=1)
                await self._quiet(player)
            return player.received

    def _socket(self, watcher: int) -> Any:
        import httpx

        browser = Browser(self.url, httpx.AsyncClient())
        if watcher >= 0:
            browser.http.cookies.set("rulewright", self.context.signer.cookie(f"visitor {watcher}"))
        return browser.socket(MATCH, watcher)

    async def _quiet(self, player: Player) -> None:
        """Wait until all that is to be sent was sent, and was received."""
        table = self.context.tables.known(MATCH)
        while not all(connection.outbox.idle for connection in table.connections):
            await asyncio.sleep(0)
        await player.ask("account", id=f"q{player.requests}")

    async def _ask_around(
        self, player: Player, watcher: int, number: int, chooser: random.Random, odd: list[str]
    ) -> None:
        """Requests that change nothing, the same in both worlds."""
        await player.ask("at", id=f"a{number}", seq=chooser.randint(0, len(player.entries)))
        if watcher < 0:
            return
        for i, words in enumerate(chooser.sample(odd, min(3, len(odd)))):
            await player.ask("why", id=f"w{number}.{i}", words=words)
        await player.ask("choose", id=f"n{number}", words="nothing of this kind 99")
        place = chooser.randrange(max(1, len(self.game.machine.places)))
        action = chooser.choice(odd).split()[0]
        await player.ask("why", id=f"v{number}", action=action, value=["piece", place, 0])


def archive(game: Game) -> RulesetArchive:
    return RulesetArchive(game.machine.digest, game.machine.name, {})


# ---- pairs of courses


def pairs(game: Game, seed: int) -> list[tuple[int, Script, Script]]:
    """For each watcher that something is hidden from, two courses that it must not distinguish."""
    chooser = random.Random(seed)
    start = Match(game, seed).start()
    for _ in range(chooser.choice((0, 1, 2, 5, 12, 25))):
        waiting = chooser.choice(start.waiting())
        start.take(waiting, chooser.choice(waiting.options))
        if start.over:
            start = Match(game, seed).start()
    visibility = Visibility(game)
    states = IndistinguishableStates(game, visibility)
    run = RecordedRun(game, visibility, seed, start.state, chooser.choice((1, 2, 3, 4)), chooser)
    watchers = [w for w in range(SPECTATOR, game.machine.seats) if states.hides(start.state, w)]
    found = [(watcher, shadowed(run, visibility, states, watcher, chooser)) for watcher in watchers]
    return [(watcher, *pair) for watcher, pair in found if pair is not None]


def shadowed(
    run: RecordedRun,
    visibility: Visibility,
    states: IndistinguishableStates,
    watcher: int,
    chooser: random.Random,
) -> tuple[Script, Script] | None:
    """A run and its shadow run as far as both go; None if they are the same."""
    game, known = run.game, run.known(watcher)
    shadow = ShadowRun(run, visibility, watcher, known, chooser)
    other = shadow.begin(states.other(run.moments[0].state, watcher, known, chooser))
    here, there = [run.moments[0]], [replace_of(other)]
    for number in range(len(run.steps)):
        try:
            shadow.follow(number)
        except (RunsDiverged, Fault):
            break
        if reveals(run, number) or accounts_differ(run.moments[number + 1], other):
            break
        here.append(run.moments[number + 1])
        there.append(replace_of(other))
    if all(one.state == two.state for one, two in zip(here, there, strict=True)):
        return None
    seats, words = [], []
    for before, after in pairwise(here):
        step = after.steps[len(before.steps)]
        seats.append(game.seat_number(step.seat or ""))
        words.append(step.own_text or "start")
    return Script(game, here, seats, words), Script(game, there, seats, words)


def reveals(run: RecordedRun, number: int) -> bool:
    """Whether a step tells something on purpose: the ruleset allows its action or decision to."""
    choice = run.steps[number].choice
    meant = {entry.about for entry in run.game.rules.allowed if entry.code == SecretTold.code}
    step = run.moments[number + 1].steps[len(run.moments[number].steps)]
    return choice is not None and is_meant(run.game, choice.waiting.node, step.text, meant)


def accounts_differ(one: Match, other: Match) -> bool:
    """Whether two matches have ended with different accounts."""
    return one.over and other.over and one.accounts() != other.accounts()


def odd_words(game: Game) -> list[str]:
    """Words of actions, offered or not."""
    names = [code.name for code in game.machine.routines if code.kind in ("action", "effect")]
    return [*names, "pass", "nothing at all"]


async def differences(folder: Path, game: Game, seeds: Sequence[int]) -> tuple[list[str], int]:
    """Where the bytes to a viewer differ between two courses, and how many pairs were compared."""
    bench, compared = Bench(folder, game), 0
    running = asyncio.create_task(bench.server.serve([bench.at]))
    while not bench.server.started:
        await asyncio.sleep(0.005)
    for seat in range(game.machine.seats):
        await bench.context.grants.put(Grant(f"visitor {seat}", MATCH, seat, f"token {seat}"))
    found = []
    for seed in seeds:
        for watcher, one, other in pairs(game, seed):
            odd = odd_words(game)
            here = await bench.seen(one, watcher, random.Random(seed), odd)
            there = await bench.seen(other, watcher, random.Random(seed), odd)
            compared += 1
            if here != there:
                both = zip([*here, ""], [*there, ""], strict=False)
                first = next((a, b) for a, b in both if a != b)
                found.append(f"seed {seed}, viewer {watcher}:\n  {first[0]}\n  {first[1]}")
    bench.server.should_exit = True
    await running
    return found, compared


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_what_a_socket_is_sent_reveals_nothing(name: str, seats: int, tmp_path: Path) -> None:
    found, compared = asyncio.run(differences(tmp_path, game_of(name, seats), range(3)))
    assert not found, "\n".join(found)
    assert compared >= 2


@pytest.mark.parametrize(("name", "seeds"), [("letters", (4, 8)), ("melds", (0, 1))])
def test_what_a_socket_is_sent_reveals_no_more_than_is_meant(
    name: str, seeds: Sequence[int], tmp_path: Path
) -> None:
    """In two of the letters' matches somebody loses a duel, or ends with a card that counts."""
    found, compared = asyncio.run(differences(tmp_path, open_game(GENERALITY / name, 2), seeds))
    assert not found, "\n".join(found)
    assert compared >= 4


@pytest.mark.parametrize(("told", "seats", "seed"), [("reveals", 3, 4), ("accounts_differ", 2, 8)])
def test_what_is_told_on_purpose_is_noticed(
    told: str, seats: int, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without being told what is meant, the law takes it for a leak."""
    monkeypatch.setattr(sys.modules[__name__], told, lambda *_: False)
    found, _ = asyncio.run(differences(tmp_path, open_game(GENERALITY / "letters", seats), [seed]))
    assert found


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats"), [*GAMES, *MORE])
def test_what_a_socket_is_sent_reveals_nothing_in_many_matches(name: str, seats: int, tmp_path: Path) -> None:
    found, compared = asyncio.run(differences(tmp_path, game_of(name, seats), range(100, 300)))
    assert not found, "\n".join(found)
    assert compared >= 50


def test_a_leak_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If what is sent depended on the other hand, the law would notice."""
    from rulewright.serve.tables import projection

    def leaking(match: Match, viewer: int, seq: int | None = None) -> dict[str, Any]:
        return {**honest(match, viewer, seq), "hint": match.hash()}

    honest = projection.position
    monkeypatch.setattr(projection, "position", leaking)
    found, _ = asyncio.run(differences(tmp_path, game_of("kuhn_poker", 2), range(6)))
    assert found


def test_a_leak_by_what_lies_in_a_pile_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If among which pieces one is drawn depended on what others hold, the law would notice."""

    def as_they_lie(views: Views, s: array[int], source: int) -> tuple[Pool | None, ...]:
        found = pools(views, s, source)
        return tuple(found[0] for _ in found)

    monkeypatch.setattr(matches, "pools", as_they_lie)
    found, _ = asyncio.run(differences(tmp_path, game_of("leduc_poker", 2), [1]))
    assert found


# ---- when


def test_others_choices_in_together_send_nothing(tmp_path: Path) -> None:
    """While seats choose at the same time, the socket of one stays silent, whatever the others do."""
    game = game_of("augustus", 3)
    forked = Match(game, 5).start()
    chooser = random.Random(5)
    while not forked.state[ir.FORKED] or len(forked.waiting()) < 3:
        waiting = chooser.choice(forked.waiting())
        forked.take(waiting, chooser.choice(waiting.options))
    quiet = [forked]
    for seat in (1, 2):
        match = replace_of(quiet[-1])
        waiting = next((w for w in match.waiting() if w.seat == seat), None)
        assert waiting is not None
        match.take(waiting, waiting.options[0])
        quiet.append(match)
    assert quiet[-1].state[ir.FORKED]

    async def listen() -> list[str]:
        bench = Bench(tmp_path, game)
        running = asyncio.create_task(bench.server.serve([bench.at]))
        while not bench.server.started:
            await asyncio.sleep(0.005)
        await bench.context.grants.put(Grant("visitor 0", MATCH, 0, "token 0"))
        steps = [after.steps[len(before.steps)].text for before, after in pairwise(quiet)]
        bench.service.script = Script(game, quiet, [1, 2], steps)
        async with bench._socket(0) as socket:
            player = Player(socket)
            await player.hello()
            await bench._quiet(player)
            before = len(player.received)
            for _ in steps:
                bench.service.tell(bench.service.script.advance())
                await bench._quiet(player)
            sent = player.received[before:]
        bench.server.should_exit = True
        await running
        return sent

    sent = asyncio.run(listen())
    assert [json.loads(text)["type"] for text in sent] == ["answer", "answer"]


def test_pairs_differ_and_are_many() -> None:
    """The pairs are no empty ones: some state behind them differs."""
    found = pairs(game_of("roma", 2), 1)
    assert found
    for _, one, other in found:
        assert any(a.state != b.state for a, b in zip(one.moments, other.moments, strict=True))
        assert replace(one.live.row, id="x") == replace(other.live.row, id="x")


def test_a_draft_that_takes_back_leaves_the_match_alone() -> None:
    """Positions of a committed match are shared with drafts, which must not change them."""
    from rulewright.serve.matches.live import drafted

    game = game_of("roma", 2)
    match = Match(game, 3).start()
    chooser = random.Random(3)
    while len({step.seat for step in match.steps if step.seat}) < 2 or not match.state[ir.FORKED]:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    history = [(state[:], first) for state, first in match.history]
    draft = drafted(match, None)
    seat = game.seat_number(match.steps[match.history[0][1]].seat or "")
    assert draft.undo_in_branch(seat)
    assert match.history == history
