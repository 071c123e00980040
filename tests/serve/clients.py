"""Clients for the tests: a server on a free port of this computer, browsers with cookies, and sockets."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from interpreter.chance import ChanceSource
from rulewright.serve.app import make_app
from rulewright.serve.config import Limits, MailConfig, PlaytestConfig, ServeConfig, unlimited
from rulewright.serve.games.catalogue import sources_of
from rulewright.serve.matches.service import MatchService
from rulewright.serve.notices.notifier import Timing
from rulewright.serve.running import TableServer, listening, server_of
from rulewright.serve.store.opening import open_storage

SECRET = b"a secret of more than thirty-two bytes"
LAVISH = unlimited(2000)


@dataclass
class Served:
    """A running server."""

    url: str
    server: TableServer
    service: MatchService

    @property
    def context(self) -> Any:
        """What its requests share."""
        return self.server.config.app.state.context

    def browser(self, **headers: str) -> Browser:
        """A new visitor."""
        found = {"Origin": self.url, **headers}
        return Browser(self.url, httpx.AsyncClient(base_url=self.url, headers=found, timeout=60))


@dataclass
class Browser:
    """A visitor with cookies."""

    url: str
    http: httpx.AsyncClient

    async def get(self, path: str, status: int = 200) -> Any:
        """The answer to a GET as JSON."""
        answer = await self.http.get(path)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def post(self, path: str, body: object = None, status: int = 200) -> Any:
        """The answer to a POST as JSON."""
        answer = await self.http.post(path, json=body if body is not None else {})
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    async def make(self, game: str, **body: object) -> Any:
        """A new match."""
        return await self.post("/api/matches", {"game": game, **body}, 201)

    @property
    def cookie(self) -> str:
        """The header `Cookie`."""
        return "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())

    def socket(self, match: str, seat: int | None = None, **options: Any) -> connect:
        """A connection to a table, not opened yet."""
        query = "" if seat is None else f"?seat={seat}"
        address = f"{self.url.replace('http', 'ws', 1)}/api/matches/{match}/socket{query}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        options = {"origin": self.url, "ping_interval": None, "max_size": 1 << 22, **options}
        return connect(address, additional_headers=headers, **options)

    @asynccontextmanager
    async def seat(self, match: str, seat: int | None = None, **options: Any) -> AsyncIterator[Player]:
        """A socket at a table that has said hello."""
        async with self.socket(match, seat, **options) as socket:
            player = Player(socket)
            await player.hello()
            yield player


@dataclass
class Player:
    """A page: what it has been sent, and requests with answers."""

    socket: ClientConnection
    table: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] = field(default_factory=dict)
    version: int = -1
    mark: str = ""
    entries: list[Any] = field(default_factory=list)
    received: list[str] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    marks: list[Any] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    requests: int = 0

    async def hello(self, seq: int = 0, mark: str = "") -> None:
        """Greet, and wait for the table."""
        await self.send({"type": "hello", "protocol": 2, "seq": seq, "mark": mark})
        await self.until(lambda: bool(self.table))

    async def send(self, message: object) -> None:
        """Send a message."""
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def receive(self, seconds: float = 20) -> dict[str, Any]:
        """The next message, taken in."""
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        assert isinstance(text, str)
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        match message["type"]:
            case "table":
                self.table = message
            case "changes":
                self.table = {**self.table, **message, "type": "table"}
            case "position":
                assert message["since"] <= len(self.entries)
                self.entries = [*self.entries[: message["since"]], *message["entries"]]
                assert message["version"] >= self.version
                self.position, self.version = message["position"], message["version"]
                self.mark = message["mark"]
                assert self.position["seq"] == len(self.entries)
            case "talk":
                self.said = [*self.said[: message["since"]], *message["said"]]
                self.marks = message["marks"]
            case "error":
                self.errors.append(message)
            case "ack" | "refused" | "answer":
                self.answers[message["id"]] = message
        return message

    async def until(self, holds: Callable[[], bool], seconds: float = 20) -> None:
        """Take messages in until something holds."""
        async with asyncio.timeout(seconds):
            while not holds():
                await self.receive()

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a request, and wait for its answer."""
        id = fields.pop("id", None) or f"{kind}-{id_of(self)}-{self.requests}"
        self.requests += 1
        self.answers.pop(id, None)
        await self.send({"type": kind, "id": id, **fields})
        await self.until(lambda: id in self.answers)
        return self.answers[id]

    @property
    def choices(self) -> list[str]:
        """The words of all choices."""
        return [c["words"] for d in self.position.get("decisions", ()) for c in d["choices"]]

    async def choose(self, words: str) -> None:
        """Make a choice that is carried out, and wait for its position."""
        answer = await self.ask("choose", version=self.version, words=words)
        assert answer["type"] == "ack", answer
        await self.until(lambda: self.version >= answer["version"])


def id_of(player: Player) -> str:
    """A part of ids that other sockets do not use."""
    return f"{id(player):x}"


@asynccontextmanager
async def serving(
    folder: Path,
    *games: str,
    chance: ChanceSource | None = None,
    limits: Limits = LAVISH,
    uploads: bool = False,
    webhooks: bool = False,
    private_webhooks: bool = False,
    mail: MailConfig | None = None,
    timing: Timing | None = None,
    database: str | None = None,
    playtest: PlaytestConfig | None = None,
) -> AsyncIterator[Served]:
    """A server with real sockets, over SQLite in a folder or another database."""
    at = listening("127.0.0.1", 0)
    url = f"http://127.0.0.1:{at.getsockname()[1]}"
    config = ServeConfig(
        sources_of(games),
        url,
        SECRET,
        folder,
        uploads,
        webhooks,
        private_webhooks,
        mail,
        limits,
        playtest=playtest,
    )
    storage = open_storage(database or str(folder / "matches.db"))
    service = MatchService(storage, chance=chance)
    server = server_of(make_app(config, storage, service, timing))
    running = asyncio.create_task(server.serve([at]))
    try:
        while not server.started and not running.done():
            await asyncio.sleep(0.005)
        assert server.started
        yield Served(url, server, service)
    finally:
        server.should_exit = True
        await running


async def play_out(players: list[Player], seed: int = 0, most: int = 100_000) -> int:
    """Play by random choices until the end. Returns the number of choices."""
    chooser, made = random.Random(seed), 0
    while made < most and not all(player.position["over"] for player in players):
        ready = [player for player in players if player.choices and not player.position["over"]]
        if not ready:
            waits = [asyncio.create_task(player.receive()) for player in players]
            done, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                task.result()
            continue
        player = chooser.choice(ready)
        answer = await player.ask("choose", version=player.version, words=chooser.choice(player.choices))
        if answer["type"] == "ack":
            made += 1
            await player.until(lambda p=player, a=answer: p.version >= a["version"])
        else:
            assert answer["code"] == "stale", answer
            await player.until(lambda p=player, v=player.version: p.version > v)
    return made
