"""The command `rulewright serve`: its start, its end, and its mistakes."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from rulewright.bundling import scripts
from rulewright.commands.serve import single_modules
from rulewright.main import main
from tests.processes import Process
from tests.serve.clients import SECRET

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "rulewright", "serve"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def start(*words: str, **environment: str) -> Process[str]:
    """The command as a process."""
    return Process(
        [*COMMAND, *words], cwd=ROOT, env=ENVIRONMENT | environment, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def refused(*words: str) -> str:
    """What the command says that does not start."""
    done = CliRunner().invoke(main, ["serve", *words])
    assert done.exit_code == 2, done.output
    return done.output


def test_it_serves_and_ends_by_a_signal(tmp_path: Path) -> None:
    with start("tic_tac_toe", "--data", str(tmp_path), RULEWRIGHT_SERVE_PORT="0") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.split()[2]
        assert httpx.get(f"{url}/health").json() == {"ok": True}
        made = httpx.post(f"{url}/api/matches", json={"game": "tic_tac_toe"}, headers={"Origin": url})
        assert made.status_code == 201
        busy = refused("--data", str(tmp_path), "--port", "0")
        assert "C472" in busy
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert "Traceback" not in (process.stderr.read() if process.stderr else "")
    with sqlite3.connect(tmp_path / "matches.db") as database:
        assert database.execute("select count(*) from matches").fetchone() == (1,)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_mistakes_have_codes(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert "C471" in refused("tic_tac_toe", "--data", data, "--port", port)
    (tmp_path / "file").write_text("x")
    assert "C473" in refused("tic_tac_toe", "--data", str(tmp_path / "file"))
    assert "C474" in refused("tic_tac_toe", "--data", data, "--public-url", "example.org")
    assert "C474" in refused("tic_tac_toe", "--data", data, "--smtp", "mail.example.org")
    assert "C474" in refused("tic_tac_toe", "--data", data, "--questions", str(tmp_path / "file"))
    (tmp_path / "many").write_text("Why?\n" * 11)
    asked = ("--playtest", str(tmp_path / "tests"), "--questions", str(tmp_path / "many"))
    assert "C475" in refused("tic_tac_toe", "--data", data, *asked)
    secret = refused("tic_tac_toe", "--data", data, "--secret", "short")
    assert "C474" in secret
    assert "no_such_game" in refused("no_such_game", "--data", data)


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    from rulewright.serve.store.opening import open_storage

    open_storage(str(tmp_path / "matches.db")).close()
    with sqlite3.connect(tmp_path / "matches.db") as database:
        database.execute("update schema_version set version = 99")
    database.close()
    said = refused("tic_tac_toe", "--data", str(tmp_path), "--port", "0")
    assert "C450" in said


def test_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulewright.commands import serve

    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == "uvicorn" else True)
    said = CliRunner().invoke(main, ["serve"])
    assert said.exit_code == 2
    assert "C470" in said.output
    assert 'pip install "rulewright[serve]"' in said.output


def test_a_secret_is_made_once(tmp_path: Path) -> None:
    from rulewright.serve.command_line import secret_of

    first = secret_of(tmp_path, None)
    assert len(first) >= 32
    assert secret_of(tmp_path, None) == first
    assert secret_of(tmp_path, SECRET.decode()) == SECRET
    assert time.time() - (tmp_path / "secret").stat().st_mtime < 60


def test_changed_modules_of_the_page_are_sent_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not single_modules(False)
    monkeypatch.setattr(scripts, "seal", lambda: "another")
    assert single_modules(False)
    assert "run `python tools/minify.py`" in capsys.readouterr().err
    assert single_modules(True)
    assert capsys.readouterr().err == ""
