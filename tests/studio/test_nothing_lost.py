"""What goes wrong outside of the studio is said plainly, and takes no text with it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from rulewright.library import find
from rulewright.studio.files import RulesetFiles
from rulewright.studio.fork_server import FORKS, ForkServer
from rulewright.studio.rpc import RpcError
from rulewright.studio.worker import Worker, Workshop
from tests.studio.rulesets import ruleset
from tests.studio.talk import Talk, talking

RULES = "pig.rules"


def why_not_saved(game: Path, text: str, path: str = RULES) -> str:
    """Why a text cannot be saved over what lies on the disk."""
    files = RulesetFiles(game)
    there = files.read(path)
    with pytest.raises(RpcError) as caught:
        files.save(path, text, there.seal if there is not None else None)
    assert (caught.value.data or {})["code"] == "not-saved"
    return caught.value.message


@contextmanager
def small_disk(path: Path) -> Iterator[Path]:
    """A disk of 256 KiB. Skips where none may be mounted."""
    path.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(path)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("left out: no disk may be mounted here")
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def test_a_full_disk_keeps_what_was_saved(tmp_path: Path) -> None:
    """And what is written after there is room again is saved."""
    with small_disk(tmp_path / "disk") as disk:
        game = Path(shutil.copytree(find("pig"), disk / "pig"))
        before = (game / RULES).read_text("utf-8")
        listed = sorted(os.listdir(game))
        why = why_not_saved(game, "#" * 300_000)
        assert why == f"`{RULES}` cannot be written: no space left on device"
        assert (game / RULES).read_text("utf-8") == before
        assert sorted(os.listdir(game)) == listed
        files = RulesetFiles(game)
        there = files.read(RULES)
        assert there is not None
        files.save(RULES, "# mine\n", there.seal)
        assert (game / RULES).read_text("utf-8") == "# mine\n"


def test_a_folder_in_the_place_of_a_file_is_said(game: Path) -> None:
    (game / RULES).unlink()
    (game / RULES).mkdir()
    assert why_not_saved(game, "# mine\n") == f"`{RULES}` cannot be written: is a directory"
    assert (game / RULES).is_dir()


def test_a_read_only_file_is_not_replaced(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (game / RULES).read_bytes()
    (game / RULES).chmod(0o444)
    if os.geteuid() == 0:  # who may write everywhere
        monkeypatch.setattr(os, "access", lambda path, _: bool(os.stat(path).st_mode & 0o222))
    assert why_not_saved(game, "# mine\n") == f"`{RULES}` cannot be written: it is read-only"
    assert (game / RULES).read_bytes() == before


@pytest.mark.usefixtures("idle_workers")
def test_a_ruleset_that_is_deleted_is_said(game: Path) -> None:
    """Saving makes no half of a ruleset; the page goes on when the folder is back."""

    async def act(page: Talk) -> Any:
        game.rename(game.with_name("moved"))
        saved = page.session.files.save
        with pytest.raises(RpcError) as caught:
            saved(RULES, "# mine\n", None)
        refused = await page.ask("open")
        gone = not game.exists()
        game.with_name("moved").rename(game)
        return caught.value.message, refused, gone, await page.ask("open")

    why, refused, gone, again = talking(game, act)
    assert why == f"`{RULES}` cannot be written: its folder `{game}` is gone"
    assert refused["refused"]["code"] == "gone"
    assert gone
    assert again["name"] == "pig"


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8").split()]


@pytest.mark.skipif(not FORKS or not sys.platform.startswith("linux"), reason="children are found by /proc")
def test_a_process_that_is_killed_is_said_and_the_next_one_works(game: Path) -> None:
    given = {"ruleset": ruleset(game), "seats": 2, "options": {}}

    async def work() -> tuple[str, list[dict[str, Any]]]:
        server = ForkServer()
        workshop, told = Workshop(server), list[dict[str, Any]]()
        worker = Worker(workshop)
        exploring = asyncio.create_task(worker.run("explore", {**given, "seconds": 600.0}, told.append))
        while not worker.is_busy or server._process is None or not children(server._process.pid or 0):
            await asyncio.sleep(0.01)
        for child in children(server._process.pid or 0):
            os.kill(child, signal.SIGKILL)
        with pytest.raises(RpcError) as caught:
            await exploring
        await worker.run("numbers", given, told.append)
        workshop.close()
        return caught.value.message, told

    why, told = asyncio.run(work())
    assert why == "the process that worked on it has ended"
    assert [set(part) for part in told] == [{"numbers"}, {"done"}]
