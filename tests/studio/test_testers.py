"""Tables for testers that the studio opens: which rules they play, who reaches them, and how they end."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.studio.talk import Talk, talking

RULES = "pig.rules"
OPENED = {"reach": "here", "url": "", "questions": "Was it fun?\n"}


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle_workers: None) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def answer(link: str, path: str, host: str | None = None) -> tuple[int, Any]:
    """What the server behind a link answers."""
    at = urlsplit(link)
    connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=20)
    try:
        connection.request("GET", path, headers={"Host": host} if host else {})
        found = connection.getresponse()
        return found.status, json.loads(found.read())
    finally:
        connection.close()


async def opened(page: Talk, **asked: str) -> dict[str, Any]:
    """The tables after one more was opened."""
    since = len(page.told)
    refused = await page.ask("room", **{**OPENED, **asked})
    assert refused is None, refused
    return await page.told_of("rooms", since)


def test_a_table_plays_the_rules_of_when_it_was_opened(game: Path, tmp_path: Path) -> None:
    records = str(tmp_path / "records")

    async def act(page: Talk) -> None:
        await page.edit(RULES, "pot += die.face", "pot += 2 * die.face")
        first = await opened(page, records=records)
        (room,) = first["rooms"]
        assert room["digest"] == first["rules"], "what is not saved is not played"
        assert (room["taken"], room["seats"], room["status"]) == (0, 2, "open")
        status, server = await asyncio.to_thread(answer, room["link"], "/api/server")
        assert status == 200
        assert server["playtest"]
        assert (await asyncio.to_thread(answer, room["link"], "/api/server", "evil.example"))[0] == 403
        text = page.session.ruleset.workspace.texts[RULES]
        seal = page.session.files.read(RULES)
        assert seal is not None
        await page.ask("save", path=RULES, text=text, seal=seal.seal)
        second = await opened(page, records=records)
        new, old = second["rooms"]
        assert old["match"] == room["match"]
        assert old["digest"] == room["digest"] != second["rules"] == new["digest"]
        assert urlsplit(new["link"]).port == urlsplit(old["link"]).port, "the same server"
        since = len(page.told)
        await page.ask("end_rooms")
        assert (await page.told_of("rooms", since))["rooms"] == []
        with pytest.raises(OSError, match="refused"):
            await asyncio.to_thread(answer, room["link"], "/api/server")
        again = await opened(page, records=records)
        assert [one["match"] for one in again["rooms"]][1:] == [new["match"], old["match"]], "nothing is lost"
        assert again["rooms"][1]["link"] == new["link"]
        await page.session.testers.end()

    talking(game, act)


def test_what_cannot_be_is_told_in_one_error(game: Path, tmp_path: Path) -> None:
    async def act(page: Talk) -> None:
        wrong = [
            {"reach": "everywhere", "records": "x"},
            {"records": " "},
            {"records": str(tmp_path / "x"), "url": "ftp://x"},
        ]
        found = [(await page.ask("room", **{**OPENED, **one}))["refused"] for one in wrong]
        assert {one["code"] for one in found} == {"room"}
        await page.edit(RULES, "pot += die.face", "pot += nothing")
        assert (await page.ask("room", **OPENED, records="x"))["refused"]["code"] == "mistake"
        assert not page.session.testers.runs
        said = [told["error"]["message"] for told in page.told if "error" in told]
        assert "here or network" in said[0]
        assert "folder" in said[1]
        assert "--public-url" in said[2]
        assert said[2].startswith("error[C474]: `--public-url` cannot be `ftp://x`; help: ")

    talking(game, act)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_server_ends_with_who_has_started_it(game: Path, tmp_path: Path) -> None:
    code = f"""
import asyncio
from pathlib import Path
from rulewright.studio.testers import Asked, Testers

async def main():
    testers = Testers(Path({str(game)!r}))
    await testers.open_room(Asked("here", "", {str(tmp_path / "records")!r}, ""), 2, {{}})
    print(testers._process.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        server = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)

    async def gone() -> None:
        async with asyncio.timeout(20):
            while _lives(server):
                await asyncio.sleep(0.05)

    asyncio.run(gone())


def _lives(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text("utf-8")
    except OSError:
        return False
