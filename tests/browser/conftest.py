"""A real browser for the tests in this folder: Chromium, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.chromium import QUIET, chromium

HERE = Path(__file__).parent

expect.set_options(timeout=20_000)  # a busy machine is no fault of the page


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker. Without Chromium its tests are skipped, and say so; with
    `RULEWRIGHT_SERVICES=required` they fail."""
    path = chromium()
    if path is None:
        if os.environ.get("RULEWRIGHT_SERVICES") == "required":
            pytest.fail("Chromium was not found; `tools/services` installs it")
        pytest.skip("left out: Chromium was not found; `tools/services` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: no cookies, no storage."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page in a fresh profile. The test fails if anything is reported to the console as an error."""
    page = context.new_page()
    errors: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            errors.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []
