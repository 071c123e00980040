"""A PostgreSQL server of the tests' own, in a folder of its own, reached by a socket in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "rulewright"


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, the newest version that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: path.parts[-3])
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


def as_somebody() -> list[str]:
    """What a command starts with, as the server may not be run by root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


@contextmanager
def postgresql() -> Iterator[Path]:
    """A running server; gives the folder of its socket. Its path is short, as sockets need it."""
    bin_ = programs()
    assert bin_ is not None
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    control = [*as_somebody(), str(bin_ / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    options = f"-k {folder} -c listen_addresses='' -c max_connections=300"
    try:
        made = [str(bin_ / "initdb"), "-D", str(folder / "data"), "-U", USER, "--auth=trust", "-N"]
        run([*as_somebody(), *made], folder)
        run([*control, "-o", options, "-l", str(folder / "server.log"), "start"], folder)
        try:
            yield folder
        finally:
            run([*control, "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)


def address(folder: Path, database: str) -> str:
    return f"postgresql://{USER}@/{database}?host={folder}"
