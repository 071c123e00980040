"""What a process says that is not waited for without end."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from contextlib import suppress


async def communicated(process: Process, data: bytes | None, seconds: float) -> tuple[bytes, bytes]:
    """What a process writes to its output and to its errors, given its input.

    Raises `TimeoutError` if it needs longer than some seconds; it is killed then, and if this is given up.
    """
    try:
        async with asyncio.timeout(seconds):
            return await process.communicate(data)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
