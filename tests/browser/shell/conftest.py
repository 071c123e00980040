"""A desk for each test."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.shell.desk import Desk


@pytest.fixture
def desk(page: Page) -> Desk:
    """The page over a made-up server."""
    return Desk(page)
