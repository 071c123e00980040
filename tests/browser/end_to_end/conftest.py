"""A server for all tests of this folder, and people with a browser each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.end_to_end.house import House

People = Callable[..., Page]
GONE = ("net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET", "net::ERR_INTERNET_DISCONNECTED")
"""What a browser itself writes to the console while a server or the network is gone, and of requests that
were under way then."""


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server. What it writes to stderr fails the run."""
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.stop()
    assert house.errors() == ""


@pytest.fixture
def people(browser: Browser) -> Iterator[People]:
    """Makes pages, each in a browser profile of its own. Errors in their consoles fail the test.

    A page chooses nothing by itself unless it is `sole`: what somebody presses is what is chosen.
    """
    contexts, errors = [], []

    def page(*, sole: bool = False, **settings: object) -> Page:
        context = browser.new_context(**{"locale": "en-GB"} | settings)  # type: ignore[arg-type]
        if not sole:
            context.add_init_script("""localStorage.rulewright ??= '{"sole": false}'""")
        contexts.append(context)
        context.set_default_timeout(30_000)
        made = context.new_page()
        made.on("console", lambda message: message.type == "error" and errors.append(message.text))
        made.on("pageerror", lambda error: errors.append(str(error)))
        return made

    yield page
    for context in contexts:
        context.close()
    assert [text for text in errors if not any(gone in text for gone in GONE)] == []
