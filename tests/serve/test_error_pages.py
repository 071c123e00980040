"""Errors that somebody sees in a browser are pages in their language; programs are told by JSON."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rulewright.bundling.messages import messages
from rulewright.http.errors import STATUS
from rulewright.i18n.messages import languages
from tests.serve.clients import LAVISH, serving

SAID = {
    "en": ("Too many requests", "To the lobby"),
    "hu": ("Túl sok", "előtér"),
    "ro": ("Prea multe", "Înapoi"),
}


@pytest.mark.parametrize("language", SAID)
def test_too_many_requests(language: str, tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig", limits=replace(LAVISH, changes=("1/minute",))) as served:
            looks = served.browser(**{"Accept": "text/html", "Accept-Language": f"{language}-XX, en"})
            await looks.http.get("/seat/nothing")
            page = await looks.http.get("/seat/nothing")
            assert page.status_code == 429
            assert int(page.headers["retry-after"]) > 0
            assert f'<html lang="{language}">' in page.text
            assert "<script" not in page.text
            assert all(words in page.text for words in SAID[language]), page.text
            program = await served.browser().http.get("/seat/nothing")
            assert program.json()["error"]["code"] == "too-many"

    asyncio.run(main())


def test_a_host_that_is_not_known(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            looks = served.browser(**{"Accept": "text/html", "Host": "elsewhere.example"})
            page = await looks.http.get("/")
            assert (page.status_code, page.headers["content-type"]) == (403, "text/html; charset=utf-8")
            assert "elsewhere" not in page.text
            assert "default-src 'none'" in page.headers["content-security-policy"]

    asyncio.run(main())


def test_each_code_is_said_in_each_language() -> None:
    for language in languages():
        assert {f"error-{code}" for code in STATUS} <= set(messages(language, "server"))
