"""What all tests share: `--bless`, which records goldens anew for `git diff` to judge."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Golden = Callable[[Path, str], None]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="record goldens anew instead of comparing")


@pytest.fixture(autouse=True, scope="session")
def modules_lie_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads or writes the user's compiled modules, nor the key to them; all workers share others."""
    place = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    os.environ["RULEWRIGHT_CACHE"] = str(place / "modules")
    os.environ["XDG_STATE_HOME"] = str(place / "state")


@pytest.fixture(autouse=True, scope="session")
def terminals_can_be_cleared() -> None:
    """Wherever the tests are started: a terminal that says it is dumb would be written to in another way."""
    os.environ["TERM"] = "xterm"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with the file that holds what it should be."""
    bless = request.config.getoption("--bless")

    def compare(path: Path, text: str) -> None:
        if bless:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing; record it with --bless"
        assert text == path.read_text(encoding="utf-8")

    return compare
