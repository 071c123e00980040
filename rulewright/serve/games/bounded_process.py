"""Work on rulesets of strangers, in a process of its own that is bounded in time and memory."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulewright.http.errors import ApiError
from rulewright.processes.communicating import communicated
from rulewright.serve.ending_work import EndingWork, ServerEnds
from rulewright.serve.errors import GOES_DOWN
from rulewright.serve.fair_share import FairShare, Turns
from rulewright.serve.games.upload_process import SECONDS

LONGEST = 3.0 * SECONDS
"""Seconds until the process is killed, whatever it does."""
MOST_AT_ONCE = 2
UPLOADS = "rulewright.serve.games.upload_process"
ROOT = Path(__file__).resolve().parents[3]


class BoundedWork:
    """Works on rulesets of strangers, a few at once, until the server ends."""

    def __init__(self, share: FairShare) -> None:
        self._turns = Turns(share, MOST_AT_ONCE)
        self._until_the_end = EndingWork()

    def end(self) -> None:
        """The server goes down: its processes are killed, and who waits is refused."""
        self._until_the_end.end()

    async def made_of(self, source: str, what: str, **fields: object) -> Any:
        """Something of an uploaded ruleset: `compiled`, `picture`, `rulebook` or `clauses`. Raises
        `ApiError`."""
        asked = {"source": source, "what": what, **fields}
        return (await self.answer_of(what, json.dumps(asked).encode()))["made"]

    async def answer_of(self, what: str, data: bytes) -> dict[str, Any]:
        """What the process answers. Raises `ApiError` if it refuses, or was killed."""
        try:
            output = await self._until_the_end.result(self._when_free(what, data))
        except ServerEnds:
            raise ApiError("not-available", GOES_DOWN) from None
        try:
            found: dict[str, Any] = json.loads(output)
        except ValueError:
            raise ApiError("not-playable", "it takes too much time or memory") from None
        if "diagnostics" in found:
            raise ApiError("not-playable", found["diagnostics"][0]["message"], found["diagnostics"])
        if "refused" in found:
            raise ApiError("not-playable", found["refused"])
        return found

    async def _when_free(self, what: str, data: bytes) -> bytes:
        async with self._turns.turn():
            return await output_of(UPLOADS, (what,), data, LONGEST)


def command_of(module: str) -> tuple[str, ...]:
    """The command that calls `main` of a module."""
    return (sys.executable, "-P", "-c", f"from {module} import main; main()")


async def output_of(module: str, arguments: Sequence[str], data: bytes, seconds: float) -> bytes:
    """What `main` of a module writes in a process of its own; nothing if it was killed after some seconds."""
    process = await asyncio.create_subprocess_exec(
        *command_of(module),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_environment(),
    )
    try:
        return (await communicated(process, data, seconds))[0]
    except TimeoutError:
        return b""


def _environment() -> dict[str, str]:
    """Nothing of the server's environment, which may contain secrets."""
    kept = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "HOME", "TMPDIR")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"PYTHONPATH": str(ROOT)}
