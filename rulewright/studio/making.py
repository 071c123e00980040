"""What is made of the saved files to be given away: a PDF file to print, one file that plays."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.processes.communicating import communicated

LONGEST = 300.0
"""Seconds after which a command is killed."""


@dataclass(frozen=True, slots=True)
class Made:
    """A kind of document: the command that writes it, the ending of its name, its type."""

    command: str
    suffix: str
    type: str


KINDS: Mapping[str, Made] = {
    "paper": Made("print", "pdf", "application/pdf"),
    "page": Made("export", "html", "text/html"),
}


class NotMade(Exception):
    """A command has failed, with what it said."""


async def document(root: Path, kind: Made) -> bytes:
    """What a command writes of a ruleset, in a process of its own. Raises `NotMade`."""
    words = (sys.executable, "-m", "rulewright", kind.command, str(root), "--into", "-")
    process = await asyncio.create_subprocess_exec(
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "110"},
    )
    try:
        made, said = await communicated(process, None, LONGEST)
    except TimeoutError:
        raise NotMade(f"`{kind.command}` was ended after {LONGEST:g} seconds") from None
    if process.returncode:
        raise NotMade(said.decode("utf-8", "replace").strip() or f"`{kind.command}` has failed")
    return made
