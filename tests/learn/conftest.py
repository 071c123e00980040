"""What the tests of environments share."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_warnings() -> Iterator[None]:
    """Warnings are errors in a test, as the suites of the libraries are to pass without any."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
