"""Pictures of strangers, drawn by a browser: what is accepted does nothing but draw, and soon ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.fuzz import pictures
from tests.fuzz.hostile_pictures import ELEMENTS, RUN
from tests.fuzz.inputs import Wrong, all_kept, kept
from tests.fuzz.test_fuzz import sampled
from tests.fuzz.trying import BROWSED, tried

HEAD = '<svg xmlns="http://www.w3.org/2000/svg">'
SAMPLE = 24


@pytest.fixture(autouse=True)
def _chromium(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pictures.Chromium, "kind", browser.browser_type)
    yield
    pictures.Chromium.ended()


def test_a_sample_only_draws() -> None:
    found = sampled(pictures.NAME, 0, 0, SAMPLE)
    assert found["in-a-page"] > 2
    assert found["by-itself"] > 2
    assert found["refused"] > 5


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_larger_sample_only_draws(part: int) -> None:
    assert sampled(pictures.NAME, 1, part * 16 * SAMPLE, 16 * SAMPLE)


@pytest.mark.parametrize("path", [path for path in all_kept() if path.parts[-3] in BROWSED], ids=str)
def test_what_was_found_is_mended(path: Path) -> None:
    outcome = tried(kept(path))
    assert not outcome.is_wrong, outcome.detail


# ---- the fuzzer itself


@pytest.mark.parametrize(
    ("inner", "found"),
    [
        (ELEMENTS[0], "asks-for-something"),
        ('<image href="http://elsewhere.test/x" width="9" height="9"/>', "asks-for-something"),
        (f'<rect width="9" height="9" fill="u\\72l({RUN[7:-2]}#a)"/>', "asks-for-something"),
        ("<script>console.log('it runs')</script>", "runs-something"),
    ],
)
def test_what_does_more_is_noticed(inner: str, found: str) -> None:
    with pytest.raises(Wrong, match=found):
        pictures.drawn(f"{HEAD}{inner}</svg>".encode(), as_document=True)


def test_what_takes_long_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "LONGEST", 1.5)
    heavy = '<path d="M0 0L99 99L0 50L50 0" stroke="red" stroke-dasharray="0.0005"/>' * 500
    with pytest.raises(Wrong, match="drawn-too-long"):
        pictures.drawn(f'{HEAD}<g transform="scale(9)">{heavy}</g></svg>'.encode(), as_document=False)
