"""A copy of a small game, and sessions on which nothing else works."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rulewright.library import find
from rulewright.studio.session import StudioSession


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(find("pig"), tmp_path / "pig"))


@pytest.fixture
def idle_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked on beside a session: tasks are tested by themselves."""
    monkeypatch.setattr(StudioSession, "work", lambda *_: None)
