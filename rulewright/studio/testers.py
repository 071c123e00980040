"""A room for testers: tables of the saved game at a server of its own, each of them a playtest.

The server is `rulewright serve`, which ends with the studio. It reads the folder as it is saved: a table has
the rules of when it was opened, and what is saved later is played at later tables. What it keeps, and the
tables that were opened, are there again when it is started anew.
"""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import logging
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulewright.files import durable
from rulewright.files.data_home import data_home
from rulewright.files.reading import plain_file
from rulewright.studio.rpc import Json, RpcError, refused

LOG = logging.getLogger(__name__)
HERE, NETWORK = "here", "network"
HOSTS: Mapping[str, str] = {HERE: "127.0.0.1", NETWORK: "0.0.0.0"}
STARTING, ENDING, ANSWERING = 60.0, 12.0, 30.0
"""Seconds in which the server starts, ends, and answers."""
PORT_TAKEN = "C471"
KEPT = "rooms.json"
MOST_KEPT = 1 << 20
MOST_ROOMS = 50
MOST_HEARD = 1 << 16
"""Bytes of what a server says is wrong."""


@dataclass(frozen=True, slots=True)
class Room:
    """A table: its match, the digest of the rules that it plays, and how many of its seats are taken."""

    match: str
    digest: str
    status: str
    taken: int
    seats: int


@dataclass(frozen=True, slots=True)
class Asked:
    """Who can reach the server (`HERE` or `NETWORK`), its public address if there is one, the folder of the
    records, and the questions, one a line."""

    reach: str
    url: str
    records: str
    questions: str


@dataclass(eq=False)
class Testers:
    """The server for testers of a ruleset, started when a room is opened."""

    root: Path
    rooms: list[Room] = field(default_factory=list)
    _process: asyncio.subprocess.Process | None = None
    _asked: Asked | None = None
    _port: int = 0
    _cookie: str = ""
    _hearing: asyncio.Task[None] | None = None
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def runs(self) -> bool:
        """Whether the server runs."""
        return self._process is not None and self._process.returncode is None

    async def open_room(self, asked: Asked, seats: int, options: Mapping[str, str]) -> None:
        """Open a table under the saved rules; the server is started if it does not run as it is asked for.

        Raises `RpcError`.
        """
        async with self._lock:
            if not self.runs or asked != self._asked:
                await self._end()
                await self._start(asked)
            wanted = {
                "game": self.root.name,
                "seats": seats,
                "players": ["open"] * seats,
                "options": dict(options),
            }
            made = await self._ask("POST", "/api/matches", wanted)
            self.rooms.insert(0, _room(made))
            del self.rooms[MOST_ROOMS:]
            self._keep()

    async def look(self) -> None:
        """Ask the server who sits at the tables. Tables that were deleted are forgotten."""
        async with self._lock:
            if not self.runs:
                return
            found = []
            for room in self.rooms:
                with suppress(RpcError):
                    found.append(_room(await self._ask("GET", f"/api/matches/{room.match}")))
            self.rooms = found

    async def end(self) -> None:
        """End the server; what was played is kept."""
        async with self._lock:
            await self._end()

    def as_json(self, digest: str | None) -> Json:
        """What a page is told; `digest` is that of the saved rules."""
        asked = self._asked
        here = asked is not None and asked.reach == HERE
        base = (asked.url if asked is not None else "") or f"http://{_address(here)}:{self._port}"
        return {
            "running": self.runs,
            "address": base if self.runs else "",
            "local": here and not (asked is not None and asked.url),
            "records": str(Path(asked.records).resolve()) if asked is not None else "",
            "rules": digest,
            "rooms": [{**asdict(room), "link": f"{base}/match/{room.match}"} for room in self.rooms]
            if self.runs
            else [],
        }

    # ---- the server

    async def _start(self, asked: Asked) -> None:
        if asked.reach not in HOSTS:
            raise refused("room", f"the room is for {' or '.join(HOSTS)}, and not for `{asked.reach}`")
        if not asked.records.strip():
            raise refused("room", "name a folder for the records")
        data = self._data()
        self._take_up(data)
        questions = data / "questions.txt"
        durable.write(questions, asked.questions.encode())
        for port in dict.fromkeys((self._port or _free_port(), _free_port())):
            said = await self._started(asked, data, questions, port)
            if self.runs:
                self._asked, self._port = asked, port
                return
            if PORT_TAKEN not in said:
                break
        raise refused("room", said or "the server for testers has ended")

    async def _started(self, asked: Asked, data: Path, questions: Path, port: int) -> str:
        """Start a server, and wait until it can be reached; what it says if it ends instead."""
        words = ["serve", str(self.root), "--host", HOSTS[asked.reach], "--port", str(port)]
        words += ["--data", str(data), "--playtest", asked.records, "--questions", str(questions)]
        words += [*(["--public-url", asked.url] if asked.url else []), "--no-browser", "--end-with-input"]
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "rulewright",
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "110"},
        )
        assert process.stderr is not None
        errors = bytearray()
        self._hearing = asyncio.get_running_loop().create_task(_hear(process.stderr, errors))
        assert process.stdout is not None
        try:
            async with asyncio.timeout(STARTING):
                if await process.stdout.readline():
                    self._process = process
                    return ""
                await process.wait()
                await self._hearing
                return _first_error(errors.decode("utf-8", "replace"))
        except TimeoutError:
            return f"the server for testers has not started within {STARTING:g} seconds"
        finally:
            if self._process is not process and process.returncode is None:
                process.kill()
                await process.wait()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(ENDING):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _ask(self, method: str, path: str, body: Json | None = None) -> Any:
        """The answer of the server as JSON. Raises `RpcError`."""
        try:
            status, found, cookie = await asyncio.to_thread(
                _answer, self._port, method, path, body, self._cookie
            )
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise refused("room", f"the server for testers does not answer: {error}") from None
        self._cookie = cookie or self._cookie
        if status >= 400:
            told = found.get("error", {})
            first = (told.get("diagnostics") or [told])[0]
            raise refused("room", f"{first.get('code', status)}: {first.get('message', 'refused')}")
        return found

    # ---- what is kept

    def _data(self) -> Path:
        """The folder of the server's data, one for each ruleset."""
        name = hashlib.blake2b(str(self.root).encode(), digest_size=8).hexdigest()
        found = data_home() / "studio" / f"{self.root.name}-{name}"
        try:
            found.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise refused("room", f"`{found}` cannot be used: {error.strerror}") from None
        return found

    def _take_up(self, data: Path) -> None:
        """Take up the tables of before."""
        if self.rooms or self._cookie:
            return
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads(plain_file(data / KEPT, MOST_KEPT))
            self._port, self._cookie = int(found["port"]), str(found["cookie"])
            self.rooms = [Room(**room) for room in found["rooms"]]

    def _keep(self) -> None:
        kept = {"port": self._port, "cookie": self._cookie, "rooms": [asdict(room) for room in self.rooms]}
        with suppress(OSError):
            durable.put(self._data() / KEPT, json.dumps(kept).encode(), 0o600)


def _answer(port: int, method: str, path: str, body: Json | None, cookie: str) -> tuple[int, Any, str]:
    """The status and the body of an answer, and the cookie that it sets."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWERING)
    try:
        headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        data = json.dumps(body) if body is not None else None
        connection.request(method, path, data, headers | ({"Cookie": cookie} if cookie else {}))
        answer = connection.getresponse()
        found = json.loads(answer.read() or b"{}")
        return answer.status, found, (answer.getheader("Set-Cookie") or "").partition(";")[0]
    finally:
        connection.close()


async def _hear(errors: asyncio.StreamReader, heard: bytearray) -> None:
    """Hear what a server says is wrong, to its end; all of it is logged, and the beginning kept."""
    while part := await errors.read(1 << 12):
        LOG.warning("the server for testers: %s", part.decode("utf-8", "replace").rstrip())
        heard += part[: MOST_HEARD - len(heard)]


def _first_error(said: str) -> str:
    """The first error that a command has told, with its help, and without the command line that it shows."""
    lines = [line.strip() for line in said.splitlines() if line.startswith(("error[", "  help:"))]
    return "; ".join(lines[:2]) or said.strip()


def _room(match: Json) -> Room:
    """A table, from what the server says of its match."""
    taken = sum(seat["kind"] != "open" for seat in match["seats"])
    return Room(match["match"], match["rules"], match["status"], taken, len(match["seats"]))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as at:
        port: int = at.getsockname()[1]
        return port


def _address(here: bool) -> str:
    """The address of this machine in its network, or for itself. Nothing is sent to find it."""
    if not here:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
            towards.connect(("192.0.2.1", 9))
            found: str = towards.getsockname()[0]
            return found
    return "127.0.0.1"
