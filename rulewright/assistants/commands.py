"""Commands in processes of their own, which are killed when they take too long or say too much."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.assistants.messages import TookTooLong
from rulewright.terminal.output import MESSAGES

MOST_OUTPUT = 32_000_000
"""Bytes after which a command is killed."""
MOST_SAID = 4000
"""Characters of its messages that are passed on."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command said: its exit code, its output, its diagnostics as JSON objects, its other messages."""

    code: int
    output: str
    messages: str
    diagnostics: tuple[dict[str, Any], ...] = ()

    def parsed(self) -> Any:
        """The output as JSON; none if it is none."""
        try:
            return json.loads(self.output)
        except ValueError:
            return None


async def run_command(folder: Path, seconds: float, *words: str, module: str = "rulewright") -> Ran:
    """Runs `rulewright`, or another module, with these words. Raises `DiagnosticError` if it is killed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "rulewright.assistants.bounded", str(int(seconds)), module, *words,
        cwd=folder, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, start_new_session=True,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "110", "PYTHONIOENCODING": "utf-8", MESSAGES: "json"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        async with asyncio.timeout(seconds):
            output, messages = await asyncio.gather(_read(process.stdout), _read(process.stderr))
            if output is None or messages is None:
                raise DiagnosticError(
                    TookTooLong(NOWHERE, words[0], f"{MOST_OUTPUT // 1_000_000} MB of output")
                )
            code = await process.wait()
    except TimeoutError:
        raise DiagnosticError(TookTooLong(NOWHERE, words[0], f"{seconds:g} seconds")) from None
    finally:
        await _ended(process)
    diagnostics, told = _divided(messages)
    return Ran(code, output, told[:MOST_SAID], diagnostics)


def _divided(messages: str) -> tuple[tuple[dict[str, Any], ...], str]:
    """The diagnostics among messages, each report a line of JSON, and the other lines."""
    found: list[dict[str, Any]] = []
    others: list[str] = []
    for line in messages.splitlines():
        try:
            report = json.loads(line) if line.startswith("[{") else None
        except ValueError:
            report = None
        if report is None:
            others.append(line)
        else:
            found += report
    return tuple(found), "\n".join(others)


async def _read(stream: asyncio.StreamReader) -> str | None:
    """All that is written to a stream; none if it is too much."""
    parts: list[bytes] = []
    size = 0
    while part := await stream.read(1 << 16):
        parts.append(part)
        size += len(part)
        if size > MOST_OUTPUT:
            return None
    return b"".join(parts).decode("utf-8", "replace")


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Kills a process and those that it has started, unless it has ended."""
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    await process.wait()
