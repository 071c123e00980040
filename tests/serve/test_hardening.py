"""Floods, slow senders, guesses and strange headers: they cost the sender, not the others."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from websockets.exceptions import InvalidStatus

from dsl.diagnostics import DiagnosticError
from rulewright.serve import request_deadline
from rulewright.serve.access.rates import address
from rulewright.serve.access.visitors import KnownVisitors, Signer
from rulewright.serve.api import uploads
from rulewright.serve.command_line import public_url
from rulewright.serve.config import Limits, ServeConfig
from rulewright.serve.notices.webhooks import RESOLVERS
from tests.serve.clients import LAVISH, SECRET, Browser, Served, serving


def run(folder: Path, act: Callable[[Served], Awaitable[None]], **given: Any) -> None:
    """Run something against a server."""

    async def main() -> None:
        async with serving(folder, "tic_tac_toe", **given) as found:
            await act(found)

    asyncio.run(main())


# ---- who it is


@pytest.mark.parametrize(
    ("host", "who"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9%eth0", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a socket", "a socket"),
    ],
)
def test_a_network_of_addresses_counts_as_one(host: str, who: str) -> None:
    assert address(HTTPConnection({"type": "http", "client": (host, 1)})) == who


@pytest.mark.parametrize(
    "around",
    ["{}", "a=b; {}", 'odd[]=1; {}; "', "x=@:@; {}", "rulewright=forged; {}", "{}; rulewright=other"],
)
def test_other_cookies_do_not_hide_ours(around: str) -> None:
    for url, name in (("http://a.example", "rulewright"), ("https://a.example", "__Host-rulewright")):
        signer = Signer(SECRET)
        known = KnownVisitors(lambda *_: None, ServeConfig({}, url, SECRET, Path()), signer)  # type: ignore[arg-type,return-value]
        header = around.replace("rulewright", name).format(f"{name}={signer.cookie('Ann')}")
        assert known._known({"cookie": header}) == "Ann"  # type: ignore[arg-type]
        assert known._known({"cookie": f"other={signer.cookie('Ann')}"}) is None  # type: ignore[arg-type]
        assert known._cookie("Ann").startswith(f"{name}=")


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://Games.Example.org:443/", "https://games.example.org"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_the_public_url_is_as_browsers_write_it(written: str, url: str) -> None:
    assert public_url(written) == url


@pytest.mark.parametrize(
    "written", ["https://u@a.example", "https://a.example/#x", "https://a:b", "https://:1"]
)
def test_no_public_url(written: str) -> None:
    with pytest.raises(DiagnosticError):
        public_url(written)


# ---- floods


def test_documents_that_have_to_be_made_are_counted(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        paths = [f"/api/games/tic_tac_toe/{one}" for one in ("rulebook", "rulebook?seats=2", "clauses")]
        for path in (*paths[:2], *paths[:2]):
            assert (await visitor.http.get(path)).status_code == 200, "what is there is not counted"
        answer = await visitor.http.get(paths[2])
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-many")

    run(tmp_path, act, limits=Limits(documents=("2/minute",)))


def test_messages_of_all_sockets_of_an_address_are_counted(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner = served.browser()
        match = (await owner.make("tic_tac_toe"))["match"]
        async with owner.seat(match) as one, owner.seat(match) as other:
            await one.ask("account")
            await other.send({"type": "account", "id": "x"})
            await other.until(lambda: bool(other.errors))
            assert other.errors[0]["code"] == "too-fast"

    run(tmp_path, act, limits=Limits(all_messages=("3/hour",)))


def test_opened_sockets_are_counted(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        owner = served.browser()
        match = (await owner.make("tic_tac_toe"))["match"]
        async with owner.socket(match):
            pass
        with pytest.raises(InvalidStatus, match="429"):
            await owner.socket(match)

    run(tmp_path, act, limits=Limits(requests=("1/hour",)))


def test_refused_sockets_leave_no_word_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Those beyond what a visitor may open, and those whose page has gone before they were opened."""

    async def leave(served: Served, owner: Browser, match: str) -> None:
        host, port = served.url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        head = f"GET /api/matches/{match}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {served.url}\r\n"
        upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        writer.write(f"{head}{upgrade}{key}Cookie: {owner.cookie}\r\n\r\n".encode())
        await writer.drain()
        writer.transport.abort()

    async def act(served: Served) -> None:
        owner = served.browser()
        match = (await owner.make("tic_tac_toe"))["match"]
        async with owner.seat(match):
            for _ in range(10):
                with pytest.raises(InvalidStatus, match="429"):
                    await owner.socket(match)
        for _ in range(10):
            await leave(served, owner, match)
        await asyncio.sleep(0.2)

    log = logging.getLogger("uvicorn.error")
    log.addHandler(caplog.handler)
    try:
        run(tmp_path, act, limits=Limits(sockets=1))
    finally:
        log.removeHandler(caplog.handler)
    assert not [record.message for record in caplog.records if record.name == "uvicorn.error"]


def test_new_matches_are_counted(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        made = await visitor.make("tic_tac_toe", players=["me", "bot"])
        async with visitor.seat(made["match"], 0) as player:
            await player.ask("resign")
        await visitor.post(f"/api/matches/{made['match']}/rematch", {}, 201)
        await visitor.post("/api/matches", {"game": "tic_tac_toe"}, 429)

    run(tmp_path, act, limits=Limits(matches=("2/hour",)))


def test_there_is_room_for_so_many_uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_UPLOADS", 10)
    assert uploads._keep(tmp_path / "all" / "upload-1", {"game.yaml": b"123456"})
    assert not uploads._keep(tmp_path / "all" / "upload-2", {"game.yaml": b"12345"})
    assert uploads._keep(tmp_path / "all" / "upload-1", {"game.yaml": b"123456"}), "it is there already"
    assert [one.name for one in (tmp_path / "all").iterdir()] == ["upload-1"]


def test_guessed_matches_leave_nothing_behind(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        visitor = served.browser()
        for id in ("guessed", "guessed2", "%00", "a%00b", "x" * 900, "%F0%9F%92%A3"):
            await visitor.get(f"/api/matches/{id}", 404)
        assert not served.service.registry._sessions

    run(tmp_path, act)


def test_private_matches_and_none_look_the_same(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        made = await served.browser().make("tic_tac_toe", players=["me", "invited"], visibility="private")
        visitor = served.browser()
        for path in ("", "/log", "/notices?seat=0"):
            there = await visitor.http.get(f"/api/matches/{made['match']}{path}")
            not_there = await visitor.http.get(f"/api/matches/none{path}")
            assert (there.status_code, there.text) == (not_there.status_code, not_there.text)

    run(tmp_path, act)


# ---- what hangs


def test_a_request_that_does_not_end_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_deadline, "SECONDS", 0.2)
    post = "POST /api/matches HTTP/1.1\r\nHost: {host}\r\nOrigin: {url}\r\nContent-Type: application/json\r\n"

    async def act(served: Served) -> None:
        host = served.url.removeprefix("http://")
        for start in ("", "GET / HTT", post + "Content-Length: 9\r\n\r\n{{"):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(host.rpartition(":")[2]))
            writer.write(start.format(host=host, url=served.url).encode())
            with suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), 20) == b""
            writer.close()
        visitor = served.browser()
        match = (await visitor.make("tic_tac_toe"))["match"]
        async with visitor.seat(match) as player:
            await asyncio.sleep(0.4)
            assert (await player.ask("account"))["type"] == "refused", "an open socket is no slow request"
            assert (await visitor.http.get("/health")).status_code == 200

    run(tmp_path, act)


@pytest.mark.parametrize(
    "wrong",
    [
        "POST /api/nothing HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: {host}\r\nOrigin: {url}\r\n"
        "Content-Type: application/json\r\n\r\nnot a length\r\n",
        "GET /api/games HTTP/1.1\r\nHost: {host}\r\n\r\nno request\r\n\r\n",
    ],
    ids=["body", "behind"],
)
def test_what_is_no_request_is_not_taken_for_an_error(
    wrong: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def act(served: Served) -> None:
        logging.getLogger("uvicorn.error").addHandler(caplog.handler)
        host = served.url.removeprefix("http://")
        reader, writer = await asyncio.open_connection("127.0.0.1", int(host.rpartition(":")[2]))
        writer.write(wrong.format(host=host, url=served.url).encode())
        answer = await asyncio.wait_for(reader.read(), 20)
        assert answer.startswith((b"HTTP/1.1 400", b"HTTP/1.1 200")) or not answer
        writer.close()
        assert (await served.browser().http.get("/health")).status_code == 200

    run(tmp_path, act)
    logging.getLogger("uvicorn.error").removeHandler(caplog.handler)
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_names_that_are_not_resolved_hold_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, released = socket.getaddrinfo, threading.Event()

    def hanging(host: Any, *given: Any, **more: Any) -> Any:
        if host == "slow.example":
            released.wait(100)
            raise socket.gaierror("at last")
        return honest(host, *given, **more)

    monkeypatch.setattr(socket, "getaddrinfo", hanging)

    async def act(served: Served) -> None:
        visitor = served.browser()
        path = f"/api/matches/{(await visitor.make('tic_tac_toe', players=['me', 'bot']))['match']}"
        body = {"seat": 0, "webhook": "https://slow.example/x"}
        waiting = [asyncio.create_task(visitor.post(f"{path}/notices", body, 400)) for _ in range(20)]
        await asyncio.sleep(0.1)
        assert (await visitor.http.get("/api/matches")).status_code == 200
        released.set()
        await asyncio.gather(*waiting)

    run(tmp_path, act, webhooks=True, limits=LAVISH)
    assert RESOLVERS._max_workers <= 8


# ---- strange games

NOTHING_TO_CHOOSE = {
    "game.yaml": """
game: "0"
title: Zero
seats: 2
rules: [zero.rules]
counters: {points: {of: seat, range: 0..5}}
flow:
  deal: {do: [give], then: finish}
  finish: {score: highest}
""",
    "zero.rules": """
procedure give
    gain 1 points

score total = points of me
""",
}


def test_a_game_that_ends_with_its_set_up(tmp_path: Path) -> None:
    folder = tmp_path / "zero"
    folder.mkdir()
    for name, text in NOTHING_TO_CHOOSE.items():
        (folder / name).write_text(text)

    async def act() -> None:
        async with serving(tmp_path, str(folder)) as served:
            ann, ben = served.browser(), served.browser()
            assert (await ann.http.get("/api/games/zero/picture.svg")).status_code == 200
            bots = await ann.make("zero", players=["me", "bot"])
            assert (await ann.get(f"/api/matches/{bots['match']}"))["status"] == "over"
            path = f"/api/matches/{(await ann.make('zero', players=['me', 'open']))['match']}"
            assert (await ann.get(path))["status"] == "open"
            assert (await ben.post(f"{path}/join", {}))["result"] == {"by": "rules", "winners": [0]}
            assert (await ann.http.get(f"{path}/log")).text.startswith('{"rulewright"')

    asyncio.run(act())


# ---- failures


def test_failures_are_told_without_details(tmp_path: Path) -> None:
    async def act(served: Served) -> None:
        def fails(*_: object) -> None:
            raise ZeroDivisionError("a secret")

        served.context.catalogue.games = fails
        answer = await served.browser().http.get("/api/games")
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "failed"
        assert "secret" not in answer.text
        assert answer.headers["content-security-policy"] == "default-src 'none'"

    run(tmp_path, act)
