"""What the figures were measured on."""

from __future__ import annotations

import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PEERS = ("wasmtime", "open_spiel", "pettingzoo", "pgx", "jax", "jaxlib", "numpy")


def description() -> dict[str, object]:
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _first_line("git", "rev-parse", "--short", "HEAD"),
        "processor": _processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "gcc": _first_line("gcc", "--version"),
        "packages": {name: _version(name) for name in PEERS},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def _first_line(*command: str) -> str:
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return run.stdout.partition("\n")[0]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
