"""The command `rulewright studio`: its start, its mistakes, and whom the server lets in."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect
from websockets.typing import Origin

import rulewright.commands.studio as command
from rulewright.main import main
from rulewright.studio.server import FORBIDDEN, PAGE, Studio, make_app
from tests.processes import Process

ROOT = Path(__file__).resolve().parents[2]
BASE = "http://127.0.0.1:8137"
SOCKET = "ws://127.0.0.1:8137/socket"
OPEN = {"jsonrpc": "2.0", "id": 1, "method": "open", "params": {}}


@pytest.fixture
def client(game: Path) -> TestClient:
    return TestClient(make_app(Studio(game, "right")), base_url=BASE)


@contextmanager
def served(game: Path) -> Iterator[tuple[str, str]]:
    """The studio in a process of its own: its address and its token. It is ended by a signal."""
    words = [sys.executable, "-m", "rulewright", "studio", str(game), "--port", "0", "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    with Process(words, env=environment, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"pig is edited at (http://127\.0\.0\.1:\d+)/#([\w-]{32}) ", line)
        assert found is not None
        try:
            yield found[1], found[2]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130)


def test_it_serves_and_ends_by_a_signal(game: Path) -> None:
    with served(game) as (address, _):
        assert "codemirror" not in httpx.get(address).text


def test_a_folder_without_a_game_is_no_ruleset(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["studio", str(tmp_path)])
    assert done.exit_code == 2
    assert "error[C521]: there is no `game.yaml` in" in done.output
    assert "rulewright new NAME" in done.output


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, game: Path) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "uvicorn" else object())
    done = CliRunner().invoke(main, ["studio", str(game)])
    assert done.exit_code == 2
    assert "error[C520]: the library `uvicorn` is not installed" in done.output
    assert 'help: install it with `pip install "rulewright[studio]"`' in done.output


def test_a_port_that_is_taken_is_said(game: Path) -> None:
    with command_socket() as taken:
        port = str(taken.getsockname()[1])
        done = CliRunner().invoke(main, ["studio", str(game), "--port", port])
    assert done.exit_code == 2
    assert "error[C471]" in done.output


def command_socket():  # type: ignore[no-untyped-def]
    from rulewright.studio.server import listening

    return listening(0)


# ---- whom the server lets in


def test_the_page_and_its_files_are_served(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200
    nonce = re.search(r'<meta name="style-nonce" content="([\w-]+)">', page.text)
    assert nonce is not None
    policy = page.headers["Content-Security-Policy"]
    assert f"'nonce-{nonce[1]}'" in policy
    assert "script-src 'self';" in policy
    assert policy.count("unsafe") == 1
    for path in (
        "/studio/studio.js",
        "/studio/vendor/codemirror.js",
        "/web/table/table.js",
        "/web/locales/en.json",
    ):
        assert client.get(path).status_code == 200, path
    for path in ("/studio/../server.py", "/studio/.hidden", "/web/none.js", "/game.yaml"):
        assert client.get(path).status_code == 404, path


def test_every_module_of_the_page_is_there(client: TestClient) -> None:
    for file in (file for file in PAGE.rglob("*.js") if "vendor" not in file.parts):
        for found in re.findall(r'from "([^"]+)"', file.read_text("utf-8")):
            beside = os.path.relpath(os.path.normpath(file.parent / found), PAGE)
            path = found if found.startswith("/") else f"/studio/{beside}"
            assert client.get(path).status_code == 200, (file.name, found)


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org:8137", ""])
def test_another_host_name_is_not_answered(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 403
    assert client.get("/studio/studio.js", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("wrong", {}),
        ("", {}),
        ("right", {"Origin": "https://example.org"}),
        ("right", {"Origin": "null"}),
        ("right", {"Host": "example.org:8137", "Origin": "http://example.org:8137"}),
    ],
)
def test_other_pages_are_not_let_in(client: TestClient, token: str, headers: dict[str, str]) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"{SOCKET}?token={token}", headers=headers) as socket,
    ):
        socket.receive_text()
    assert closed.value.code == FORBIDDEN


def test_the_page_itself_is_let_in(game: Path) -> None:
    with served(game) as (address, token):
        socket = address.replace("http", "ws") + f"/socket?token={token}"
        with connect(socket, origin=Origin(address)) as page:
            page.send(json.dumps(OPEN))
            told = (json.loads(page.recv(30)) for _ in range(20))
            opened = next(one for one in told if one.get("id") == 1)
    assert opened["result"]["name"] == "pig"


# ---- its end


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("told", ["followed", "opened"])
def test_it_ends_in_good_order_while_checks_run(game: Path, ending: signal.Signals, told: str) -> None:
    """By a signal to all of its processes, as Ctrl-C at a terminal: while they start, and while they work."""
    words = [sys.executable, "-m", "rulewright", "studio", str(game), "--port", "0", "--no-browser"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    with Process(
        words,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+)/#([\w-]{32}) ", process.stdout.readline())
        assert found is not None
        socket = found[1].replace("http", "ws") + f"/socket?token={found[2]}"
        with connect(socket, origin=Origin(found[1])) as page:
            for call in (OPEN, {"jsonrpc": "2.0", "id": 2, "method": "check", "params": {"seconds": 30}}):
                page.send(json.dumps(call))
            wanted = {"followed": ("method", "followed"), "opened": ("id", 2)}[told]
            while json.loads(page.recv(30)).get(wanted[0]) != wanted[1]:
                pass
            os.killpg(process.pid, ending)
            assert process.wait(60) == 0
        assert process.stderr.read() == ""  # it has an end when no process is left that could write


def test_what_is_saved_is_made_into_documents_for_who_has_the_token(client: TestClient, game: Path) -> None:
    own = {"X-Studio-Token": "right"}
    assert client.get("/made/page").status_code == 403
    assert client.get("/made/page", headers={"X-Studio-Token": "wrong"}).status_code == 403
    assert client.get("/made/../../etc", headers=own).status_code == 404
    assert client.get("/made/poem", headers=own).status_code == 404
    page = client.get("/made/page", headers=own)
    assert page.headers["content-disposition"] == "attachment"
    assert page.content.decode("utf-16").startswith("<!doctype html>")
    assert client.get("/made/paper", headers=own).content.startswith(b"%PDF-")
    (game / "pig.rules").write_text("score points =", "utf-8")
    broken = client.get("/made/page", headers=own)
    assert broken.status_code == 422
    assert "D023" in broken.text
