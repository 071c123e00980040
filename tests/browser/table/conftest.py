"""The table on a page of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.table.stage import Stage


@pytest.fixture
def stage(page: Page) -> Callable[..., Stage]:
    """Makes a stage: `stage("roma", seats=2, seat=0)`."""

    def make(name: str, seats: int | None = None, seat: int = 0, seed: int = 5) -> Stage:
        return Stage(page, name, seats, seat, seed)

    return make
