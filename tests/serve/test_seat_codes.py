"""The link of a seat as a QR code: for whoever may have the link, and for nobody else."""

from __future__ import annotations

import asyncio
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulewright.serve import seat_codes
from tests.serve.clients import serving


class Package(ModuleType):
    """Stands in for the package; its picture says what is in the code."""

    def make(self, link: str, micro: bool) -> Package:
        self.link = link
        return self

    def save(self, file: Any, **_: object) -> None:
        file.write(f"<svg>{self.link}</svg>".encode())


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_codes, "available", lambda: True)
    monkeypatch.setitem(sys.modules, "segno", Package("segno"))


@pytest.mark.usefixtures("package")
def test_a_code_has_the_link_that_its_reader_may_have(tmp_path: Path) -> None:
    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            ann, ben, cat = (served.browser() for _ in range(3))
            made = await ann.make("pig", seats=2, players=["me", "invited"])
            (found,) = made["links"]
            picture = await ann.http.get(found["code"])
            assert picture.text == f"<svg>{found['link']}</svg>"
            assert picture.headers["content-type"] == "image/svg+xml"
            assert picture.headers["cache-control"] == "no-store"
            assert found["link"].rpartition("/")[2] not in found["code"]
            for other in (ben, cat):
                assert (await other.http.get(found["code"])).status_code == 403
            await ben.http.get(found["link"].removeprefix(served.url))
            await ben.post(f"/api/matches/{made['match']}/join", {"seat": 1, "name": "Ben"})
            own = f"/api/matches/{made['match']}/seats/1/link"
            assert (await ann.http.get(f"{own}.svg")).status_code == 403, (
                "a taken seat has no link for others"
            )
            again = await ben.post(own)
            assert (await ben.http.get(again["code"])).text == f"<svg>{again['link']}</svg>"
            revoked = (await ann.http.request("DELETE", own, json={})).json()
            assert revoked["code"] != again["code"]
            assert (await ben.http.get(again["code"])).status_code == 403

    asyncio.run(main())


def test_without_the_package_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_codes, "available", lambda: False)

    async def main() -> None:
        async with serving(tmp_path, "pig") as served:
            ann = served.browser()
            made = await ann.make("pig", seats=2, players=["me", "invited"])
            assert made["links"][0]["code"] is None
            answer = await ann.get(f"/api/matches/{made['match']}/seats/1/link.svg", 503)
            assert "segno" in answer["error"]["text"]

    asyncio.run(main())


@pytest.mark.skipif(find_spec("segno") is None, reason="segno is not installed")
def test_a_code_is_a_picture_that_scales_and_runs_nothing() -> None:
    found = seat_codes.code_of("https://games.example.org/seat/" + "x" * 150)
    assert re.match(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \d+ \d+"', found)
    assert len(found) < 20_000
    assert not re.search("script|href|style=|on[a-z]+=", found)
