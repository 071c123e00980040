"""Starting and ending: several processes at once, databases that cannot be used, sockets that are open."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.serve.command_line import locked
from rulewright.serve.store import opening
from rulewright.serve.store.opening import open_storage
from tests.serve.clients import Browser, Player
from tests.serve.test_serve_command import ENVIRONMENT, ROOT, refused, start

TOGETHER = 6


def cannot(address: str) -> str:
    """What is said of a database that cannot be opened."""
    with pytest.raises(DiagnosticError) as refused:
        open_storage(address)
    assert refused.value.diagnostic.code == "C451"
    return refused.value.diagnostic.message


def test_processes_that_start_at_once_make_one_schema(address: str) -> None:
    opened_together(address)


def test_none_of_those_that_start_at_once_is_refused(tmp_path: Path) -> None:
    """SQLite refuses a journal at once to one of two that set it: some of so many starts meet that."""
    for number in range(30):
        opened_together(str(tmp_path / f"{number}.db"))


def opened_together(address: str) -> None:
    begin = threading.Barrier(TOGETHER)

    def opened(_: int) -> int:
        begin.wait(20)
        store = open_storage(address)
        try:
            return len(store.matches())
        finally:
            store.close()

    with ThreadPoolExecutor(TOGETHER) as pool:
        assert list(pool.map(opened, range(TOGETHER))) == [0] * TOGETHER


def test_databases_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.db").write_text("no database, but a text that is long enough to be looked at\n" * 20)
    assert "not a database" in cannot(str(tmp_path / "text.db"))
    assert "unable to open" in cannot(str(tmp_path))
    assert "unable to open" in cannot(str(tmp_path / "none" / "a.db"))
    assert "address" in cannot("postgresql://host:port/name")
    assert "secret" not in cannot("postgresql://u:secret@127.0.0.1:1/name")
    with pytest.raises(DiagnosticError, match="its address is none"), locked("mysql://u:secret@host/name"):
        pass
    monkeypatch.setitem(opening.PRAGMAS, "busy_timeout", "50")
    open_storage(str(tmp_path / "a.db")).close()
    with sqlite3.connect(tmp_path / "a.db", isolation_level=None) as other:
        other.execute("begin exclusive")
        assert "locked" in cannot(str(tmp_path / "a.db"))
        other.execute("rollback")
    other.close()
    open_storage(str(tmp_path / "a.db")).close()


@pytest.mark.postgresql
def test_a_server_of_databases_that_says_no(server: Path, database: str) -> None:
    assert "does not exist" in cannot(database.replace("/t", "/none_t", 1))
    assert "does not exist" in cannot(database.replace("rulewright@", "nobody@"))


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    """The size of files is limited for the process, as if there were no room for more."""
    command = f"ulimit -f 8; exec {sys.executable} -m rulewright serve pig --port 0 --data {tmp_path}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2, done.stderr
    assert "C451" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_has_one_server_whatever_its_folder(tmp_path: Path) -> None:
    database = str(tmp_path / "shared.db")
    with served(tmp_path / "one", "--database", database):
        said = refused("--data", str(tmp_path / "two"), "--database", f"sqlite:///{database}", "--port", "0")
        assert "C472" in said


@pytest.mark.parametrize(
    "words",
    [
        ("--public-url", "http://["),
        ("--public-url", "http://a:b"),
        ("--smtp", "smtp://host:port"),
        ("--smtp", "smtp://["),
    ],
)
def test_addresses_that_are_none(words: tuple[str, str], tmp_path: Path) -> None:
    assert "C474" in refused("pig", "--data", str(tmp_path), *words)


# ---- ending


@contextmanager
def served(
    folder: Path, *words: str, ends: int = signal.SIGTERM
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server as a process: its address, and the process. It is ended by a signal."""
    with start("pig", "--no-browser", "--data", str(folder), "--port", "0", *words) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2], process
        finally:
            process.send_signal(ends)
            process.wait(30)


def visitor(url: str, cookies: httpx.Cookies | None = None) -> Browser:
    headers = {"Origin": url}
    return Browser(url, httpx.AsyncClient(base_url=url, headers=headers, cookies=cookies, timeout=60))


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGKILL])
def test_players_go_on_after_a_restart(tmp_path: Path, ends: int) -> None:
    """Open sockets are told that the server goes down; pages come back with what they have."""

    async def main() -> None:
        with served(tmp_path, ends=ends) as (url, process):
            ann = visitor(url)
            clock = {"kind": "match", "seconds": 600, "increment": 0}
            made = await ann.make("pig", players=["me", "me"], clock=clock)
            async with ann.seat(made["match"], 0) as player:
                await player.until(lambda: bool(player.choices))
                await player.choose("throw")
                before = player.entries
                process.send_signal(ends)
                with pytest.raises(Exception):  # noqa: B017, PT011
                    await player.until(lambda: False)
                if ends == signal.SIGTERM:
                    assert player.socket.close_code == 1001
                    assert player.errors[-1]["code"] == "going-down"
                    assert process.wait(20) == 0
        with served(tmp_path) as (url, _):
            back = visitor(url, ann.http.cookies)
            async with back.socket(made["match"], 0) as socket:
                page = Player(socket, entries=before)
                await page.hello(len(before), player.mark)
                await page.until(lambda: bool(page.position))
                sent = [json.loads(text) for text in page.received]
                assert [one["entries"] for one in sent if one["type"] == "position"] == [[]]
                clocks = [seat["left"] for seat in page.table["clocks"]["seats"]]
                assert all(590_000 < left <= 600_000 for left in clocks)
                assert page.table["status"] == "running"

    asyncio.run(main())
