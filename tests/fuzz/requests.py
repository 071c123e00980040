"""Fuzzer of what visitors send: whatever bytes reach a server, it answers no 5xx and logs no traceback.

Half of the inputs are requests or messages that mean something,
    with a few parts that do not; the others are
bytes that mean nothing to any parser. They are sent to a server on this computer, over real connections.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import struct
import threading
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from starlette.applications import Starlette

from tests.fuzz.inputs import Input, Wrong
from tests.serve.clients import Browser, serving

NAME = "requests"
GAMES = ("pig", "kuhn_poker", "tic_tac_toe")
METHODS = (
    "GET",
    "GET",
    "GET",
    "POST",
    "POST",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "PUT",
    "get",
    "G\x00T",
    "",
    "X" * 300,
)
MATCHES = (
    "{RUNNING}",
    "{OVER}",
    "{WAITING}",
    "{RUNNING}x",
    "a" * 64,
    "a" * 65,
    "é",
    "%00",
    "..",
    "-",
    "%ff",
    "' or 1=1",
)
PATHS = (
    "/", "/new", "/about", "/health", "/game/pig", "/match/{RUNNING}", "/seat/{LINK}", "/seat/x.y",
    "/web/index.html",
    "/web/../main.py", "/web/locales/en.json", "/notices/stop/x", "/api/server", "/api/games",
    "/api/games/pig",
    "/api/games/pig/picture.svg", "/api/games/pig/rulebook", "/api/games/pig/clauses",
    "/api/games/pig/description",
    "/api/games/x", "/api/descriptions/x", "/api/descriptions/%00?match={RUNNING}", "/api/matches",
    "/api/matches",
    "/api/matches/{MATCH}", "/api/matches/{MATCH}/join", "/api/matches/{MATCH}/leave",
    "/api/matches/{MATCH}/name",
    "/api/matches/{MATCH}/rematch", "/api/matches/{MATCH}/log", "/api/matches/{MATCH}/log?seat=0",
    "/api/matches/{MATCH}/beliefs?seat=-1&seq=1&by=-2", "/api/matches/{MATCH}/close",
    "/api/matches/{MATCH}/seats/{SEAT}/bot", "/api/matches/{MATCH}/notices?seat=0",
    "/api/matches/{MATCH}/notices",
    "/api/matches/{MATCH}/seats/{SEAT}/link", "/api/matches/{MATCH}/seats/{SEAT}/link.svg",
    "/api/matches/{MATCH}/socket",
)  # fmt: skip
QUERIES = (
    "", "", "", "?", "?seats=2", "?seats=\xb2", "?seats=-1", "?lang=en", "?lang=%00", "?a=%ff&a=%ff",
    "?%", "?=&=&&&",
    "?seat=99999999999999999999", "?seat=-3", "?seq=1e9", "?by=x", "?v", "?doubling=on",
    "?" + "a=b&" * 300, "?\x00",
    "?seats=2&seats=3", "?seat=%C2%B2", "#x", "//", "/", ";x", "?match={RUNNING}",
)  # fmt: skip
HOSTS = ("{HOST}", "{HOST}", "{HOST}", "[", "]", "[::1", "[::1]", "[::1]:99999", "a:b", ":",
    "localhost:", "\x80", "x" * 5000,
         "127.0.0.1:0", "localhost.", "\u2028".encode().decode("latin-1"), "{HOST}, {HOST}", "[v1.x]",
         "0x7f.1", "[fe80::1%25a]")  # fmt: skip
HEADERS = (
    ("Accept", ("text/html", "*/*", "", "text/html;q=x", "\xff", "a" * 9000)),
    ("Accept-Language", ("hu", "hu,en;q=0.5", "x" * 3000, "\x80", ",", "-")),
    ("Accept-Encoding", ("gzip", "gzip;q=0", "\xff", "br, gzip")),
    ("Content-Type", ("application/json", "application/json; charset=utf-16", "application/zip",
    "text/plain", "", ";")),
    ("Content-Length", ("0", "5", "-1", "99999999999999999999", "1, 2", "x", "\xb2", "+3")),
    ("Transfer-Encoding", ("chunked", "gzip, chunked", "identity", "x")),
    ("Cookie", ("{COOKIE}", "rulewright=x", "rulewright=" + "A" * 500, "=;=;", "rulewright={\"a\":1}.x",
    "\xff=\xff")),
    ("Origin", ("{ORIGIN}", "null", "[", "http://[", "\xff", "")),
    ("If-None-Match", ("*", '"x"', ",,,", "\xff", "W/")),
    ("Upgrade", ("websocket", "h2c", "x")),
    ("Connection", ("Upgrade", "close", "keep-alive, Upgrade", "\xff")),
    ("Sec-WebSocket-Key", ("dGhlIHNhbXBsZSBub25jZQ==", "x", "", "\xff")),
    ("Sec-WebSocket-Version", ("13", "x", "0", "13, 8")),
    ("Sec-WebSocket-Extensions", ("permessage-deflate", "permessage-deflate; server_max_window_bits=99",
    ";", "x" * 999)),
    ("Sec-WebSocket-Protocol", ("a", "a, a", ",", "\xff")),
    ("X-Forwarded-For", ("1.2.3.4", "[", "x, y", "::1", "\xff", "1.2.3.4:99999", "fe80::1%eth0")),
    ("X-Forwarded-Proto", ("https", "x", "\xff")),
    ("Expect", ("100-continue", "x")),
    ("X", ("y" * 20000, "\x01", "")),
)  # fmt: skip
NAMES = (
    "game", "seats", "players", "options", "name", "clock", "chance", "bots", "visibility", "spectators",
    "companion",
    "seat", "bot", "webhook", "mail", "language", "rotate", "kind", "seconds", "increment", "expiry",
    "allowed", "delay",
    "type", "id", "protocol", "seq", "mark", "version", "words", "action", "value", "number", "proposal",
    "agree", "text",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 99, 1 << 31, 1 << 63, 10**11, 10**30, 1.5, -0.0, 1e308, "", "a",
    "pig", "kuhn_poker",
    "me", "open", "bot", "invited", "random", "easy", "search:0", "search:1s", "search:\xb2",
    "search:30+beliefs", "none",
    "move", "match", "days", "absent", "committed", "private", "hello", "choose", "why", "undo",
    "repair", "resign",
    "abandon", "answer", "account", "at", "outcome", "roll", "hold", "bet", "place 1", "\x00", "\ud800",
    "\udfff\ud800",
    "e\u0301", "\u202e", "\U0001f600", "x" * 2000, "%s", "{}", "[", "a@b.c", "http://[",
    "http://127.0.0.1:1/", "hu",
    [], {}, [[]], [None], ["me", "open"], ["me", "bot"], ["bot", "bot"], ["me"] * 20, {"a": 1}, {"": ""},
    [0] * 500,
)  # fmt: skip
ODD = ("\x00", "\ud800", "\u202e", "\xb2", ",", " ", "x" * 2000)
"""What is put behind a text or a name."""
MADE: tuple[dict[str, Any], ...] = (
    {"game": "pig", "seats": 2, "players": ["me", "open"], "name": "Ann"},
    {"game": "pig", "seats": 2, "players": ["me", "bot"], "bots": "random", "clock": {"kind": "move",
    "seconds": 60}},
    {"game": "kuhn_poker", "players": ["me", "invited"], "chance": "committed", "spectators": {"delay": 1}},
    {"game": "kuhn_poker", "players": ["me", "me"], "companion": True},
    {"game": "pig", "seats": 2, "players": ["me", "bot:random"], "options": {"goal": "50"}},
)  # fmt: skip
"""New matches."""
WHOLE: tuple[dict[str, Any], ...] = (
    *MADE,
    {"seat": 0, "name": "Ben"}, {"seat": 1}, {"seat": None}, {"bot": "random"}, {"bot": None},
    {"rotate": True}, {},
    {"seat": 0, "mail": "a@b.c", "language": "hu"},
)  # fmt: skip
MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "hello", "protocol": 2, "seq": 0}, {"type": "hello", "protocol": 1, "seq": 3, "mark": "x"},
    {"type": "choose", "id": "a", "version": 2, "words": "bet"}, {"type": "choose", "id": "a",
    "words": "roll"},
    {"type": "why", "id": "b", "words": "bet"}, {"type": "why", "id": "b", "action": "bet", "value": []},
    {"type": "why", "id": "b", "action": None, "value": [1, [2]]}, {"type": "undo", "id": "c",
    "version": 2, "number": 1},
    {"type": "repair", "id": "d", "seq": 1}, {"type": "abandon", "id": "e"}, {"type": "resign", "id": "f"},
    {"type": "answer", "id": "g", "proposal": 1, "agree": True}, {"type": "account", "id": "h"},
    {"type": "at", "id": "i", "seq": 1}, {"type": "at", "id": "i", "seq": 0, "seat": -2},
    {"type": "outcome", "id": "j", "version": 1, "text": "3"},
)  # fmt: skip
SECONDS, QUIET = 30.0, 0.03
"""How long an answer may take, and after which silence behind one no more is waited for."""


# ---- inputs: texts of which each character is a byte, with names in braces for what a run has


def make(pick: Random) -> Input:
    """A request or several over one connection, or a socket with frames."""
    if pick.random() < 0.4:
        return Input(NAME, {"lines": [_handshake(pick), *(_frame(pick) for _ in range(pick.randint(1, 8)))]})
    lines = [_request(pick) for _ in range(1 + int(pick.expovariate(1.5)))]
    if pick.random() < 0.25:
        lines = [_spoiled(pick, line) for line in lines]
    return Input(NAME, {"lines": lines})


def _request(pick: Random) -> str:
    method, path = pick.choice(METHODS[:7] if pick.random() < 0.9 else METHODS), _path(pick)
    bodies = WHOLE
    if method == "POST" and pick.random() < 0.5:
        path, bodies = "/api/matches", MADE
    version = pick.choice(("1.1",) * 12 + ("1.0", "2.0", "9", "", "1.1 "))
    body, headers = "", [("Host", pick.choice(HOSTS) if pick.random() < 0.3 else "{HOST}")]
    headers.append(("Cookie", "{COOKIE}"))
    if method in ("POST", "DELETE", "PUT"):
        headers.append(("Origin", "{ORIGIN}"))
        body = _json(pick, pick.choice(bodies)) if pick.random() < 0.9 else _zip(pick)
        headers.append(("Content-Type", "application/json" if pick.random() < 0.9 else "application/zip"))
        headers.append(("Content-Length", str(len(body))))
    for name, values in pick.sample(HEADERS, pick.choice((0, 0, 1, 1, 2, 5))):
        headers = [one for one in headers if one[0] != name or pick.random() < 0.2]
        headers.insert(pick.randrange(len(headers) + 1), (name, pick.choice(values)))
    head = f"{method} {path} HTTP/{version}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{head}\r\n{body}"


def _path(pick: Random) -> str:
    path = pick.choice(PATHS).replace("{MATCH}", pick.choice(MATCHES) if pick.random() < 0.4 else "{RUNNING}")
    path = path.replace("{SEAT}", pick.choice(("0", "1", "2", "-1", "99999999999999999999", "x", "%30", "")))
    if pick.random() < 0.2:
        at = pick.randrange(len(path) + 1)
        path = (
            path[:at]
            + pick.choice(("%", "%00", "%ff", "%2f", "//", "..", "\xff", " ", "\t", "?", "[", "%ed%a0%80"))
            + path[at:]
        )
    return path + pick.choice(QUERIES)


def _json(pick: Random, whole: dict[str, Any]) -> str:
    """An object as JSON, some of it of a wrong shape; in bytes of UTF-8."""
    found = deepcopy(whole)
    for _ in range(int(pick.expovariate(0.8))):
        found[pick.choice([*found, *NAMES] if pick.random() < 0.7 else NAMES)] = deepcopy(pick.choice(VALUES))
    if pick.random() < 0.4:
        _put_behind(pick, found)
    if pick.random() < 0.1:
        deep = pick.choice((3, 15, 17, 200, 5000))
        return pick.choice(("[" * deep, "[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep))
    text = json.dumps(
        pick.choice(VALUES) if pick.random() < 0.05 else found, ensure_ascii=pick.random() < 0.5
    )
    if pick.random() < 0.1:
        text = text.replace("1", pick.choice(("NaN", "1e999", "-Infinity", "9" * 5000, "01", "0x1")), 1)
    return text.encode("utf-8", "surrogatepass").decode("latin-1")


def _put_behind(pick: Random, found: dict[str, Any]) -> None:
    """Something odd behind a text or a name of an object, or in what it holds."""
    parts: list[Any] = [part for part in (found, *found.values()) if part and isinstance(part, dict | list)]
    if not parts:
        return
    part, odd = pick.choice(parts), pick.choice(ODD)
    at = pick.choice(range(len(part)) if isinstance(part, list) else list(part))
    if isinstance(part, dict) and pick.random() < 0.5:
        part[f"{at}{odd}"] = part.get(at)
    else:
        part[at] = f"{part[at]}{odd}"


def _zip(pick: Random) -> str:
    return "PK\x03\x04" + "".join(chr(pick.randrange(256)) for _ in range(pick.randrange(80)))


def _spoiled(pick: Random, text: str) -> str:
    """A text with some bytes changed, doubled or lost."""
    for _ in range(1 + int(pick.expovariate(0.5))):
        at = pick.randrange(len(text) + 1)
        match pick.randrange(4):
            case 0:
                text = text[:at] + chr(pick.randrange(256)) + text[at + 1 :]
            case 1:
                text = (
                    text[:at]
                    + pick.choice(("\r", "\n", "\r\n", "\x00", " ", ":", "\xff" * 50, "\r\n\r\n"))
                    + text[at:]
                )
            case 2:
                text = text[:at] + text[at + pick.randrange(30) :]
            case _:
                text = text[:at] + text[max(0, at - pick.randrange(200)) :]
    return text


def _handshake(pick: Random) -> str:
    match = (
        pick.choice(MATCHES)
        if pick.random() < 0.2
        else pick.choice(("{RUNNING}", "{RUNNING}", "{OVER}", "{COMPANION}"))
    )
    query = pick.choice(
        ("", "?seat=0", "?seat=0", "?seat=1", "?seat=-1", "?seat=x", "?seat=%00", "?seat=\xff")
    )
    extension = pick.choice(("", "Sec-WebSocket-Extensions: permessage-deflate\r\n"))
    return (
        f"GET /api/matches/{match}/socket{query} HTTP/1.1\r\nHost: {{HOST}}\r\n"
        f"Origin: {{ORIGIN}}\r\nCookie: {{COOKIE}}\r\n"
        f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n{extension}"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )


def _frame(pick: Random) -> str:
    """A frame of RFC 6455, masked as a client's: mostly a message as text."""
    chosen = MESSAGES[0] if pick.random() < 0.3 else pick.choice(MESSAGES)
    text = json.dumps(chosen) if pick.random() < 0.5 else _json(pick, chosen)
    data = text.encode("latin-1")
    first = 0x81
    if pick.random() < 0.15:
        first = pick.choice((0x80, 0x01, 0x82, 0x83, 0x88, 0x89, 0x8A, 0x8F, 0xC1, 0xF1, 0x00))
        data = pick.choice(
            (
                data,
                b"",
                b"\x03",
                struct.pack(">H", pick.randrange(1 << 16)) + b"\xff",
                bytes(130),
                b"\xff\xfe",
            )
        )
    length = len(data) if pick.random() < 0.95 else pick.choice((0, 1, 126, 1 << 14, 1 << 40))
    mask = bytes(pick.randrange(256) for _ in range(4))
    flag = 0x80 if pick.random() < 0.97 else 0
    head = bytes([first]) + (
        bytes([flag | length]) if length < 126
        else bytes([flag | 126]) + struct.pack(">H", length) if length < 1 << 16
        else bytes([flag | 127]) + struct.pack(">Q", length)
    )  # fmt: skip
    return (head + mask + bytes(one ^ mask[i % 4] for i, one in enumerate(data))).decode("latin-1")


# ---- the server


@dataclass(eq=False)
class Logged(logging.Handler):
    """What the server logs that is a traceback, or an error."""

    found: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(logging.WARNING)

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.found.append(logging.Formatter().format(record))


@dataclass
class Target:
    """A running server: where it is, what stands for the names in inputs, and what it logs."""

    port: int
    names: dict[str, str]
    logged: Logged
    app: Starlette


@cache
def target() -> Target:
    """The server of this process. Its thread ends with it."""
    ready: list[Target] = []
    started, logged = threading.Event(), Logged()

    async def serve() -> None:
        folder = Path(mkdtemp(prefix="fuzz"))
        async with serving(folder, *GAMES, uploads=True, webhooks=True) as served:
            for name in ("", "uvicorn", "uvicorn.error"):  # after the server has set up its own
                logging.getLogger(name).handlers[:] = [logged]
            port, names = int(served.url.rpartition(":")[2]), await _prepared(served.browser())
            ready.append(Target(port, names, logged, served.server.config.app))  # type: ignore[arg-type]
            started.set()
            await asyncio.Event().wait()

    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    assert started.wait(60)
    return ready[0]


async def _prepared(owner: Browser) -> dict[str, str]:
    """Matches of all kinds, by the names that inputs have for them."""
    made = {
        "RUNNING": await owner.make("kuhn_poker", players=["me", "me"]),
        "OVER": await owner.make("tic_tac_toe", players=["me", "me"]),
        "WAITING": await owner.make("kuhn_poker", players=["me", "open"]),
        "COMPANION": await owner.make("kuhn_poker", players=["me", "me"], companion=True),
    }
    async with owner.seat(made["OVER"]["match"], 0) as player:
        await player.ask("resign")
    link = await owner.post(f"/api/matches/{made['RUNNING']['match']}/seats/0/link")
    names = {name: match["match"] for name, match in made.items()}
    host = owner.url.removeprefix("http://")
    return names | {
        "HOST": host,
        "ORIGIN": owner.url,
        "COOKIE": owner.cookie,
        "LINK": link["link"].rpartition("/")[2],
    }


# ---- runs


def run(one: Input) -> str:
    """Send everything, and read what comes. Raises `Wrong` for an answer of a server that has failed."""
    to = target()
    heard = bytearray()
    with socket.create_connection(("127.0.0.1", to.port), timeout=SECONDS) as connection:
        try:
            for line in one.said["lines"]:
                connection.sendall(_filled(to, line).encode("latin-1"))
                _read(connection, heard, lambda: False)
        except (BrokenPipeError, ConnectionResetError):
            pass
    _check(to, heard, one)
    status = re.match(rb"HTTP/1\.1 (\d{3})", heard)
    return "refused" if status is None or status[1][:1] == b"4" else status[1].decode()


def _filled(to: Target, line: str) -> str:
    return re.sub(r"\{([A-Z]+)\}", lambda found: to.names.get(found[1], found[0]), line)


def _read(connection: socket.socket, heard: bytearray, done: Callable[[], bool]) -> None:
    """Take in what comes until it is quiet."""
    connection.settimeout(QUIET)
    try:
        while not done() and (data := connection.recv(1 << 16)):
            heard += data
    except (TimeoutError, ConnectionResetError):
        pass
    finally:
        connection.settimeout(SECONDS)


def _check(to: Target, heard: bytes, one: Input) -> None:
    failed = re.search(rb"HTTP/1\.1 (5\d\d)[^\r]*", heard)
    logged, to.logged.found[:] = list(to.logged.found), []
    if logged:
        last = logged[0].strip().rpartition("\n")[2]
        raise Wrong("logged-" + re.sub(r"\W+", "-", last)[:60], logged[0])
    if failed is not None:
        raise Wrong(f"status-{failed[1].decode()}", bytes(heard[:2000]).decode("latin-1"))
    with socket.create_connection(("127.0.0.1", to.port), timeout=SECONDS) as connection:
        connection.sendall(
            f"GET /health HTTP/1.1\r\nHost: {to.names['HOST']}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = bytearray()
        try:
            while data := connection.recv(1 << 12):
                answer += data
        except TimeoutError:
            raise Wrong("no-answer") from None
    if not answer.startswith(b"HTTP/1.1 200"):
        raise Wrong("unwell", answer.decode("latin-1"))
