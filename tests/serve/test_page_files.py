"""The page as a server sends it: few requests, few bytes, and names that change with what is in them."""

from __future__ import annotations

import gzip
import re
import time

import brotli
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from rulewright.bundling.page_files import page_files
from rulewright.http import compression
from rulewright.http.errors import ApiError
from rulewright.http.static import FOREVER, StaticFiles
from rulewright.serve.errors import answer_error

MOST = 95_000
"""Bytes of the page without a game: those of the game, its words and its position come to them."""


def client(files: StaticFiles) -> TestClient:
    async def file(request: Request) -> Response:
        return files.answer(request.path_params["path"] or "index.html", request)

    routes = [Route("/web/{path:path}", file), Route("/{path:path}", file)]
    return TestClient(Starlette(routes=routes, exception_handlers={ApiError: answer_error}))


@pytest.fixture(scope="module")
def visitor() -> TestClient:
    return client(StaticFiles(made=page_files()))


def named(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="(/web/[^"]+)"', page)


def test_the_page_is_one_script_and_one_style_sheet(visitor: TestClient) -> None:
    paths = named(visitor.get("/").text)
    assert sorted(path.rpartition(".")[2] for path in paths) == ["css", "js", "svg"]
    sizes = []
    for path in ["/", *paths]:
        answer = visitor.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        sizes.append(int(answer.headers["content-length"]))
        if path.startswith("/web/sent/"):
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["cache-control"] == FOREVER
            assert "import" not in re.findall(r"^\w+", answer.text)
    assert sum(sizes) <= MOST


def test_the_page_itself_is_asked_for_again_and_not_sent_again(visitor: TestClient) -> None:
    first = visitor.get("/")
    assert first.headers["cache-control"] == "no-cache"
    again = visitor.get("/", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_was_sent_can_be_had_plain_too(visitor: TestClient) -> None:
    path = next(path for path in named(visitor.get("/").text) if path.endswith(".js"))
    plain = visitor.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert len(plain.content) > len(gzip.compress(plain.content))


def test_the_page_is_sent_in_brotli_once_that_is_made(visitor: TestClient) -> None:
    path = next(path for path in named(visitor.get("/").text) if path.endswith(".js"))
    plain = visitor.get(path, headers={"Accept-Encoding": "identity"}).content
    data = compression.encoded(plain, "br, gzip")
    while data.coding != "br":
        assert gzip.decompress(data.data) == plain
        time.sleep(0.01)
        data = compression.encoded(plain, "br, gzip")
    assert brotli.decompress(data.data) == plain
    sent = visitor.get(path, headers={"Accept-Encoding": "gzip, br"})
    assert (sent.headers["content-encoding"], sent.headers["vary"]) == ("br", "Accept-Encoding")
    assert int(sent.headers["content-length"]) == len(data.data) < len(gzip.compress(plain))


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip;q=0", None), ("br;q=0, gzip;q=0.5", "gzip"), ("GZIP , x", "gzip"), ("", None), ("\xff", None)],
)
def test_only_what_is_accepted_is_sent(accepted: str, coding: str | None) -> None:
    assert compression.encoded(b"as it was " * 100, accepted).coding == coding


def test_what_is_short_is_sent_as_it_is() -> None:
    assert compression.encoded(b"short", "gzip, br") == (b"short", None)


def test_names_of_other_contents_are_not_there(visitor: TestClient) -> None:
    assert visitor.get("/web/sent/000000.js").status_code == 404


def test_single_modules_are_sent_for_work_on_the_page() -> None:
    developer = client(StaticFiles())
    page = developer.get("/").text
    assert "/web/main.js" in named(page)
    assert "/web/sent/" not in page
    assert developer.get("/web/main.js").headers["cache-control"] == "no-cache"
