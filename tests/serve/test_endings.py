"""The end of a server while somebody waits for an answer: nobody is left without one."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from rulewright.serve.games import bounded_process
from rulewright.serve.matches import beliefs as table_beliefs
from tests.processes import Process
from tests.serve.clients import Served, serving
from tests.serve.test_beliefs import address, played
from tests.serve.test_tables import run
from tests.serve.test_uploads import SMALL, zipped

ROOT = Path(__file__).resolve().parents[2]
SERVE = [sys.executable, "-m", "tests.serve.endless", "serve"]
Ask = Callable[[], httpx.Response]


def visitor(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, headers={"Origin": url}, timeout=60)


def asks_for_beliefs(url: str) -> Ask:
    """A visitor who watches two players, and asks what could be known."""
    one, two, watcher = (visitor(url) for _ in range(3))
    wanted = {"game": "kuhn_poker", "seats": 2, "name": "P", "visibility": "open"}
    made = one.post("/api/matches", json=wanted)
    match = made.json()["match"]
    assert two.post(f"/api/matches/{match}/join", json={"name": "Q"}).status_code == 200
    return lambda: watcher.get(address(match, 1))


def uploads(url: str) -> Ask:
    """A visitor who uploads a ruleset."""
    kind = {"content-type": "application/zip"}
    return lambda: visitor(url).post("/api/games", content=zipped(SMALL), headers=kind)


def opens_a_table(url: str) -> Ask:
    """A visitor who opens a table, for which the game is compiled in a thread of the server."""
    wanted = {"game": "kuhn_poker", "seats": 2, "name": "P"}
    return lambda: visitor(url).post("/api/matches", json=wanted)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("wanted", "answer"),
    [
        (asks_for_beliefs, (200, {"failed": ""})),
        (uploads, (503, "not-available")),
        (opens_a_table, (503, "not-available")),
    ],
    ids=["beliefs", "upload", "match"],
)
def test_a_server_ends_while_a_process_of_it_works(
    wanted: Callable[[str], Ask], answer: tuple[int, object], ending: signal.Signals, tmp_path: Path
) -> None:
    """The process is killed, a thread is not waited for, and who has asked is answered."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", "TMPDIR": str(tmp_path)}
    environment["TESTED"] = wanted.__name__
    words = [*SERVE, "kuhn_poker", "--allow-upload", "--data", str(tmp_path / "data"), "--port", "0"]
    with Process(
        words, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        ask = wanted(process.stdout.readline().split()[2])

        async def act() -> httpx.Response:
            answering = asyncio.create_task(asyncio.to_thread(ask))
            begun = tmp_path / "begun"
            while not (begun.exists() and begun.read_text("utf-8")):
                assert not answering.done(), answering.result().text
                await asyncio.sleep(0.02)
            process.send_signal(ending)
            return await answering

        found = asyncio.run(act())
        said = found.json()
        assert (found.status_code, said["error"]["code"] if "error" in said else said) == answer
        assert process.wait(60) == 0
        assert process.stderr.read() == ""  # no request was cut off after the longest end
        assert not is_alive(int((tmp_path / "begun").read_text("utf-8")))


def work_without_end(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[str]:
    """Lets no process that a module starts ever answer; the list grows by one for each that begins."""
    begun: list[str] = []

    async def endless(*_: object) -> bytes:
        begun.append("begun")
        await asyncio.sleep(1000)
        return b""

    monkeypatch.setattr(module, "output_of", endless)
    return begun


def test_after_the_end_nothing_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those whose turn has not come, and those who ask later, are answered too."""
    begun = work_without_end(monkeypatch, table_beliefs)

    async def act(served: Served) -> None:
        match, browsers = await played(served)
        asked = [asyncio.create_task(browsers[0].get(address(match, seq, 0))) for seq in (1, 2)]
        while not begun:
            await asyncio.sleep(0.01)
        served.context.beliefs.end()
        async with asyncio.timeout(20):
            assert await asyncio.gather(*asked) == [{"failed": ""}] * 2
            assert await browsers[0].get(address(match, 3, 0)) == {"failed": ""}
        assert begun == ["begun"]

    run(tmp_path, act, "kuhn_poker")


def test_after_the_end_no_ruleset_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that wait for others, and those that come later, are refused too."""
    begun = work_without_end(monkeypatch, bounded_process)
    kind = {"content-type": "application/zip"}

    async def main() -> None:
        async with serving(tmp_path, "pig", uploads=True) as served:

            async def code() -> str:
                answer = await served.browser().http.post("/api/games", content=zipped(SMALL), headers=kind)
                return str(answer.json()["error"]["code"])

            asked = [asyncio.create_task(code()) for _ in range(3)]
            while len(begun) < bounded_process.MOST_AT_ONCE:
                await asyncio.sleep(0.01)
            served.context.catalogue.bounded.end()
            async with asyncio.timeout(20):
                assert await asyncio.gather(*asked) == ["not-available"] * 3
                assert await code() == "not-available"
            assert len(begun) == bounded_process.MOST_AT_ONCE

    asyncio.run(main())
