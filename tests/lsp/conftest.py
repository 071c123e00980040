"""A server that is running, and a copy of a small game."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.library import find
from tests.lsp.client import Client, connected


@pytest.fixture(scope="package")
def client() -> Iterator[Client]:
    with connected() as found:
        yield found


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find("pig"), tmp_path / "pig"))
